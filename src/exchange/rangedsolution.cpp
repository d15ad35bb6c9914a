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

} // namespace fleetwright::exchange
