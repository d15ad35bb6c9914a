// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/rangedsolution.h"

#include "exchange/validationdata.h"

namespace fleetwright::exchange {

Expected<Solution> solveWithRange(const Plan &plan, const validation::OwnSite *site)
{
    auto solution = solve(plan);
    if (solution) {
        auto range = shippedRangeOf(plan, *solution, site);
        return withStepRange(std::move(*solution), plan, std::move(range));
    }
    return solution;
}

Expected<Solution> solveForVerdict(const Plan &plan)
{
    auto solution = solve(plan);
    const auto &limits = plan->constraints;
    const bool hasRanges = limits.deadline || limits.runCost || limits.capital || limits.yearlyCost
        || limits.facilityPower;
    if (!solution || !solution->feasible || !hasRanges)
        return solution;
    auto range = shippedRangeOf(plan, *solution);
    return withStepRange(std::move(*solution), plan, std::move(range));
}

} // namespace fleetwright::exchange
