// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/sweep/sweep.h"

#include <functional>

namespace fleetwright::charts {

struct SweepChartMarks {
    std::optional<std::size_t> selected{}; ///< of SweepResult::cells; marked in a heat map
    /// A cell of a heat map was clicked. Called while the chart handles the click, so whoever replaces it does so
    /// later.
    std::function<void(std::size_t cell)> picked{};
};

/// The sweep's figure in the sweep's own view. The first axis lies along x; each point of the second axis and each cost
/// model is a curve, a colour of bars or a row. Cells that are not feasible are drawn hatched or as grey points,
/// refused ones are gaps or crosses; the best feasible cell and the mark are shown. Times, shares and memory have their
/// unit in the axis title.
[[nodiscard]] ChartContent sweepChart(
    const SweepDocument &document, const SweepResult &result, const Catalog &catalog, SweepChartMarks marks = {});

} // namespace fleetwright::charts
