// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/sweep/sweep.h"

namespace fleetwright::charts {

/// The sweep's figure in the sweep's own view. The first axis lies along x; each point of the second axis and each cost
/// model is a curve, a colour of bars or a row. Cells that are not feasible are drawn hatched or as grey points,
/// refused ones are gaps or crosses; the best feasible cell and the mark are shown. Times, shares and memory have their
/// unit in the axis title.
[[nodiscard]] ChartContent sweepChart(const SweepDocument &document, const SweepResult &result, const Catalog &catalog);

} // namespace fleetwright::charts
