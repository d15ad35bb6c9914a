// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/plancost.h"

namespace fleetwright {

Expected<CostSheet> planCost(
    const Plan &plan, const std::optional<StepTimes> &step, const OperationsSettings &settings)
{
    const auto tokens = plan->tokenBudget();
    if (!tokens || !step || !countsTokens(*plan->workload))
        return fleetCost(plan->fleet);
    RunEntries run{.tokens = *tokens,
        .batchSequences = double(plan->training.globalBatch),
        .sequenceTokens = double(plan->training.sequenceLength),
        .stepTime = step->likely,
        .stepLow = step->low,
        .stepHigh = step->high,
        .restart = settings.reliability.recovery};
    if (const auto written = checkpoint(plan->workload->parameters, settings.checkpoint.adamState,
            plan->fleet->nodeCount, settings.checkpoint.storage, settings.checkpoint))
        run.checkpointTime = written->write;
    return runCost(plan->fleet, run);
}

std::string_view runCostKey(Paying paying) { return paying == Paying::Own ? "run_owned_usd" : "run_rented_usd"; }

std::string_view yearlyCostKey(Paying paying) { return paying == Paying::Own ? "annual_usd" : "rent_usd_per_year"; }

} // namespace fleetwright
