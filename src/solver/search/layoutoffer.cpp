// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan with a layout of its own is told, and what would make one feasible.
#include "solver/answer/limits.h"
#include "solver/search/layoutsearchwords.h"
#include "solver/search/recommendation.h"
#include "solver/validation/steprange.h"
#include "units/format.h"
#include "units/grouping.h"

#include <cmath>

namespace fleetwright::layoutsearch {

namespace {

constexpr double nothing = 5e-4; ///< as a share: what rounds to no difference

std::string share(double value) { return units::formatPercent(value); }

/// To three digits, as it will be read: a limit rounded down would be missed again.
double roundedUp(double value)
{
    const double place = std::pow(10.0, std::floor(std::log10(value)) - 2);
    return std::ceil(value / place) * place;
}

} // namespace

LayoutOffer offerOver(const Solution &solution, const Recommendation &recommended)
{
    LayoutOffer offer;
    const auto &best = recommended.row;
    if (!recommended.isFeasible()) {
        offer.sentence = "No other layout keeps every limit, either.";
        return offer;
    }
    const auto &byRuns = recommended.byRuns;
    const double seconds = byRuns ? byRuns->seconds : best.stepSeconds;
    const double own = byRuns && solution.range && solution.range->ownRuns > 0 ? solution.range->middle().value()
        : solution.estimate.stepTime                                           ? solution.estimate.stepTime->value()
                                                                               : seconds;
    const double gain = 1 - seconds / own; // NaN where the cost model knows no time
    if (solution.feasible && !(gain >= nothing)) {
        const auto free = share(1 - recommended.memoryShare);
        offer.sentence = byRuns && byRuns->isTimed
            ? "No layout that was timed is faster, and none of the formula\u2019s best layouts surely is."
            : byRuns ? "None of the formula\u2019s best layouts that leave " + free + " of the memory free is faster"
                + validation::byYourRuns(byRuns->runs) + "."
                     : "No layout is faster that leaves " + free + " of the memory free and is as simple.";
        return offer;
    }
    offer.layout = best.layout;
    const auto by = validation::byYourRuns(byRuns ? byRuns->runs : 0);
    std::string difference = "as fast" + by;
    if (std::abs(gain) >= nothing)
        difference = gain > 0 ? share(gain) + " less time than this one" + by
                              : share(-gain) + " more time than this one" + by;
    offer.sentence = "Best layout: " + inWords(best.layout) + ": " + difference
        + (solution.feasible ? "." : ", and it keeps every limit.");
    return offer;
}

std::string inWords(const Remedies &remedies)
{
    std::string list;
    const auto add = [&list](const std::string &words) { list += (list.empty() ? "" : ", or ") + words; };
    if (remedies.nodes)
        add(units::grouped(std::to_string(*remedies.nodes)) + " nodes");
    if (remedies.deadline)
        add("a deadline of " + units::format(roundedUp(*remedies.deadline / day) * day));
    if (remedies.memoryShare)
        add("a memory limit of " + share(*remedies.memoryShare));
    if (remedies.power)
        add("a power limit of " + units::format(Watts::from_value(roundedUp(remedies.power->value()))));
    return list.empty() ? "Neither more of the same nodes nor another limit of time, memory or power alone would do."
                        : "The nearest that would do: " + list + ".";
}

} // namespace fleetwright::layoutsearch
