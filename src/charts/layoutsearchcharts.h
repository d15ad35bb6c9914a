// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/search/layoutsearch.h"

#include <functional>

namespace fleetwright::charts {

/// A cell of the heat map that the user clicked.
struct LayoutSearchCell {
    int tp = 1, pp = 1;
    std::optional<layoutsearch::Row> best; ///< nothing where no layout of the cell is feasible, or none is legal
};

/// The best value of the objective for each TP (along x) and PP, over all other settings of one case. Cells whose
/// layouts all break a limit are crossed, those without a legal layout are empty; the recommended layout is outlined,
/// and stands for its cell. The colours are logarithmic where the values span more than a factor of eight. `objective`
/// may differ from the search's own: then the value is that of the best splits by the search's objective, the best of
/// them is outlined, and the sentence says so. `picked` is called while the chart handles the click, so whoever
/// replaces the chart does it later; empty: not clickable.
[[nodiscard]] ChartContent layoutSearchHeatMap(const layoutsearch::Result &result, int caseIndex,
    LayoutSearchObjective objective, std::function<void(const LayoutSearchCell &)> picked = {});

struct LayoutSearchParetoOptions {
    std::size_t mostPoints = 1500; ///< drawn besides the front: the best of each split first, then the kept rows
    std::optional<layoutsearch::Row> selected; ///< ringed
    std::function<void(const layoutsearch::Row &)> picked{}; ///< a click on a point; called while the chart handles it
};

/// The best layout of each split and the best layouts altogether, by two quantities, with the Pareto front as a line.
/// Each case has its own colour and shape. On the axes of the search the front is Result::front, which covers all
/// layouts; on others it is that of the layouts shown, and the sentence says so.
[[nodiscard]] ChartContent layoutSearchPareto(
    const layoutsearch::Result &result, std::array<ParetoAxis, 2> axes, LayoutSearchParetoOptions options = {});

/// How many candidates are feasible, and for which reasons how many are not; without the reasons that never occurred.
[[nodiscard]] ChartContent layoutSearchExclusions(const layoutsearch::Counts &counts);

} // namespace fleetwright::charts
