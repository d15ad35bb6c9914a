// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/offermodel.h"

#include <array>

namespace fleetwright::itemmodels {

namespace {

constexpr std::array<RowColumn<OfferListRow>, 5> offerColumns{{
    {QT_TRANSLATE_NOOP("Table", "Offer"), QT_TRANSLATE_NOOP("Table", "The offer's name"), false,
        [](const OfferListRow &r) { return r.name; },
        [](const OfferListRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Vendor"), QT_TRANSLATE_NOOP("Table", "Whose offer it is"), false,
        [](const OfferListRow &r) { return r.vendor; },
        [](const OfferListRow &r) { return QVariant(r.vendor.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Fleet"), QT_TRANSLATE_NOOP("Table", "Nodes that are offered"), false,
        [](const OfferListRow &r) { return r.fleet; },
        [](const OfferListRow &r) { return QVariant(r.fleet.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Stands until"), QT_TRANSLATE_NOOP("Table", "The last day on which it stands"), false,
        [](const OfferListRow &r) { return r.validUntil; },
        [](const OfferListRow &r) { return QVariant(r.validUntil); }},
    {QT_TRANSLATE_NOOP("Table", "State"),
        QT_TRANSLATE_NOOP("Table", "Whether it still stands and its prices can be used"), false,
        [](const OfferListRow &r) { return r.state; }, [](const OfferListRow &r) { return QVariant(r.state); }},
}};

} // namespace

OfferModel::OfferModel(QObject *parent) : RowTable(offerColumns, parent) { }

} // namespace fleetwright::itemmodels
