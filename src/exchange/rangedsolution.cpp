// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/rangedsolution.h"

#include "exchange/validationdata.h"

namespace fleetwright::exchange {

Expected<Solution> solveWithRange(const Plan &plan)
{
    auto solution = solve(plan);
    if (solution)
        solution->range = shippedRangeOf(plan, *solution);
    return solution;
}

} // namespace fleetwright::exchange
