// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/exchange/rangedsolution.h"

#include "solver/detailed/detailedmodel.h"
#include "storage/exchange/validationdata.h"

namespace fleetwright::exchange {

Expected<Solution> solveWithRange(const Plan &plan)
{
    auto solution = solve(plan);
    if (!solution || solution->costModelId != detailed::costModel().id() || !solution->estimate.stepTime)
        return solution;
    const auto configuration = detailed::configurationFrom(plan);
    if (!configuration)
        return solution;
    auto range = shippedRangeTable().rangeOf(configuration->setting.setting, configuration->layout, *solution->estimate.stepTime);
    if (range.runs > 0 || !range.outside.empty())
        solution->range = std::move(range);
    return solution;
}

} // namespace fleetwright::exchange
