// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"

#include <optional>

namespace fleetwright::itemmodels {

/// A plan in the list, with the key figures of its last answer. What is unknown is empty, never zero.
struct PlanRow {
    qint64 id = 0;
    QString name;
    QString fleet; ///< "32 x NVIDIA DGX H100"
    int accelerators = 0;
    QString layout; ///< "TP8 PP4"
    std::optional<double> stepTimeSeconds;
    std::optional<double> mfu;
    std::optional<bool> feasible;
    bool stale = false; ///< the answer belongs to other inputs or another version of the cost model
    QString toolTip;
    bool operator==(const PlanRow &) const = default;
};

/// Columns: name, fleet, layout, step time, MFU, feasible. A stale answer is marked in the text and explained in the
/// tooltip.
class PlanModel : public RowTable<PlanRow> {
public:
    enum Column { Name, FleetColumn, Layout, StepTime, Mfu, Feasible };
    explicit PlanModel(QObject *parent = nullptr);
};

} // namespace fleetwright::itemmodels
