// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/search/search.h"

#include <functional>

namespace fleetwright::charts {

/// A cell of the heat map that the user clicked.
struct SearchCell {
    int tp = 1, pp = 1;
    std::optional<search::Row> best; ///< nothing where no layout of the cell is feasible, or none is legal
};

/// The best value of the objective for each TP (along x) and PP, over all other settings of one case. Cells whose
/// layouts all break a limit are crossed, those without a legal layout are empty. The colours are logarithmic where the
/// values span more than a factor of eight. `objective` may differ from the search's own: then the value is that of the
/// best splits by the search's objective, and the sentence says so. `picked` is called while the chart handles the
/// click, so whoever replaces the chart does it later; empty: not clickable.
[[nodiscard]] ChartContent searchHeatMap(const search::Result &result, int caseIndex, SearchObjective objective,
    std::function<void(const SearchCell &)> picked = {});

struct SearchParetoOptions {
    std::size_t mostPoints = 1500; ///< drawn besides the front: the best of each split first, then the kept rows
    std::optional<search::Row> selected; ///< ringed
    std::function<void(const search::Row &)> picked{}; ///< a click on a point; called while the chart handles it
};

/// The best layout of each split and the best layouts altogether, by two quantities, with the Pareto front as a line.
/// Each case has its own colour and shape. On the axes of the search the front is Result::front, which covers all
/// layouts; on others it is that of the layouts shown, and the sentence says so.
[[nodiscard]] ChartContent searchPareto(
    const search::Result &result, std::array<ParetoAxis, 2> axes, SearchParetoOptions options = {});

/// How many candidates are feasible, and for which reasons how many are not; without the reasons that never occurred.
[[nodiscard]] ChartContent searchExclusions(const search::Counts &counts);

} // namespace fleetwright::charts
