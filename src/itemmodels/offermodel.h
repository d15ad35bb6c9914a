// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"

namespace fleetwright::itemmodels {

/// An offer in the list.
struct OfferListRow {
    qint64 id = 0;
    QString name;
    QString vendor;
    QString fleet; ///< "104 × NVIDIA DGX B200"
    QString validUntil; ///< a date; empty: not stated
    QString state; ///< "stands", "expired", "cannot be priced"
    QString toolTip;
    bool operator==(const OfferListRow &) const = default;
};

/// Columns: name, vendor, fleet, last day, state.
class OfferModel : public RowTable<OfferListRow> {
public:
    enum Column { Name, Vendor, Fleet, ValidUntil, State };
    explicit OfferModel(QObject *parent = nullptr);
};

} // namespace fleetwright::itemmodels
