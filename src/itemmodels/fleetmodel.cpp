// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/fleetmodel.h"

#include "text/localized.h"
#include "units/format.h"

#include <array>

namespace fleetwright::itemmodels {

namespace {

QString count(int value) { return localized(units::format(value, units::Dimension::Number)); }

constexpr std::array<RowColumn<FleetRow>, 5> fleetColumns{{
    {QT_TRANSLATE_NOOP("Table", "Fleet"), QT_TRANSLATE_NOOP("Table", "The fleet's name"), false,
        [](const FleetRow &r) { return r.name; }, [](const FleetRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Nodes"), QT_TRANSLATE_NOOP("Table", "Number of nodes"), true,
        [](const FleetRow &r) { return count(r.nodes); }, [](const FleetRow &r) { return QVariant(r.nodes); }},
    {QT_TRANSLATE_NOOP("Table", "Node"), QT_TRANSLATE_NOOP("Table", "Kind of node"), false,
        [](const FleetRow &r) { return r.node; }, [](const FleetRow &r) { return QVariant(r.node.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Accelerators"), QT_TRANSLATE_NOOP("Table", "Nodes times accelerators per node"), true,
        [](const FleetRow &r) { return r.accelerators > 0 ? count(r.accelerators) : QString(); },
        [](const FleetRow &r) { return QVariant(r.accelerators); }},
    {QT_TRANSLATE_NOOP("Table", "Fabric"), QT_TRANSLATE_NOOP("Table", "Network between the nodes"), false,
        [](const FleetRow &r) { return r.fabric; },
        [](const FleetRow &r) { return QVariant(r.fabric.toCaseFolded()); }},
}};

} // namespace

FleetModel::FleetModel(QObject *parent) : RowTable(fleetColumns, parent) { }

} // namespace fleetwright::itemmodels
