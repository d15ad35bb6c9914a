// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "units/quantity.h"

#include <functional>
#include <optional>
#include <vector>

namespace fleetwright::charts {

/// A plan by how long its run takes and what that costs.
struct PlanPoint {
    QString name;
    std::optional<Seconds> runTime;
    std::optional<double> runCostUsd;
    bool feasible = true;
    bool stale = false;
};

/// Plans by days and cost of the run. Up to seven have a colour, a shape and a name in the legend each; more are told
/// apart by whether they keep their limits. `selected` is ringed and named; `picked` gets a place in `plans`, and is
/// called while the chart handles the click.
[[nodiscard]] ChartContent planScatter(
    std::vector<PlanPoint> plans, std::optional<std::size_t> selected, std::function<void(std::size_t)> picked);

} // namespace fleetwright::charts
