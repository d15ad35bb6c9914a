// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/nearlayouts.h"

#include "solver/search/cellsearch.h"
#include "solver/search/layoutsearchwords.h"

#include <algorithm>

namespace fleetwright::layoutsearch {

std::optional<validation::PredictionRange> rangeWith(
    const validation::RangeOf &rangeOf, const Plan &plan, const Layout &layout, double stepSeconds)
{
    const auto own = rangeOf ? withLayout(plan, layout) : std::unexpected(Error());
    return own ? rangeOf(*own, Seconds::from_value(stepSeconds)) : std::nullopt;
}

std::vector<NearLayout> nearLayouts(
    const Plan &plan, const std::vector<const Ranked *> &best, const validation::RangeOf &rangeOf, JudgedBy judgedBy)
{
    std::vector<NearLayout> layouts;
    std::vector<double> latest; // of each: the end of its range, of those that a run is of their time
    std::optional<double> timed; // the least of the latter
    for (const auto *near : best) {
        NearLayout layout{.ranked = *near, .likely = near->score, .seconds = near->score};
        latest.push_back(layout.seconds);
        const auto range = rangeWith(rangeOf, plan, near->row.layout, near->row.stepSeconds);
        if (range && range->ownRuns > 0) {
            layout.likely = range->middle().value();
            layout.ownRuns = range->ownRuns;
            layout.isTimed = range->ownRunsSame > 0;
            layout.isTimedOtherwise = range->timedOtherwise.has_value();
            if (judgedBy == JudgedBy::Runs) {
                layout.seconds = layout.likely;
                latest.back() = layout.isTimed ? layout.likely : range->high.value();
                if (layout.isTimed)
                    timed = std::min(timed.value_or(layout.likely), layout.likely);
            }
        }
        layouts.push_back(std::move(layout));
    }
    if (timed) {
        std::vector<NearLayout> kept;
        for (std::size_t i = 0; i < layouts.size(); ++i)
            if (layouts[i].isTimed || latest[i] <= *timed)
                kept.push_back(std::move(layouts[i]));
        layouts = std::move(kept);
    }
    if (judgedBy == JudgedBy::Runs
        && std::ranges::any_of(layouts, &NearLayout::isMoved)) { // near by the model may be far by the runs
        const double most = fastestOf(layouts).seconds * (1 + indistinguishable);
        std::erase_if(layouts, [most](const NearLayout &layout) { return layout.seconds > most; });
    }
    return layouts;
}

const NearLayout &fastestOf(const std::vector<NearLayout> &near)
{
    return *std::ranges::min_element(near, [](const NearLayout &left, const NearLayout &right) {
        return left.seconds != right.seconds ? left.seconds < right.seconds : left.ranked < right.ranked;
    });
}

std::optional<Layout> sayFormulaAlone(const Request &request, const Result &result, const validation::RangeOf &rangeOf,
    std::vector<std::string> &recommendation, const std::stop_token &stop)
{
    if (!rangeOf || recommendation.size() < 2)
        return std::nullopt;
    const auto isMoved = [&](const Plan &plan, const Row &row) {
        const auto range = rangeWith(rangeOf, plan, row.layout, row.stepSeconds);
        return range && range->ownRuns > 0;
    };
    const auto *taken = result.taken();
    const bool isSaid = taken ? isMoved(request.cases[std::size_t(taken->caseIndex)].plan, *taken)
                              : std::ranges::any_of(request.cases, [&](const Case &searched) {
                                    const auto nearest = recommend(searched.plan, request.space, {}, stop);
                                    return nearest && isMoved(searched.plan, nearest->row);
                                });
    if (isSaid)
        recommendation[taken ? 1 : 0] += " " + std::string(validation::formulaAlone);
    if (!isSaid || !taken || result.objective != LayoutSearchObjective::StepTime)
        return std::nullopt;
    const auto byRuns = recommend(request.cases[std::size_t(taken->caseIndex)].plan, request.space, rangeOf, stop);
    if (!byRuns || byRuns->row.layout == taken->layout)
        return std::nullopt;
    recommendation[1] += " By them they take " + inWords(byRuns->row.layout) + ".";
    return byRuns->row.layout;
}

} // namespace fleetwright::layoutsearch
