// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/plancost.h"

namespace fleetwright {

namespace {

/// The fleet with what the plan's operations assume about its site, where neither site nor fleet says it.
Expected<Fleet> withAssumptions(const Plan &plan, const OperationsSettings &settings)
{
    constexpr double joulesPerKwh = 3.6e6;
    FleetFacts facts = *plan->fleet;
    const auto assume = [&](std::string_view entry, double value, std::string source, std::string notice) {
        if (!facts.costs.find(entry))
            facts.costs.figures.push_back({.entry = std::string(entry),
                .likely = value,
                .source = std::move(source),
                .confidence = Confidence::User,
                .notice = std::move(notice),
                .assumed = true});
    };
    if (!facts.site.pue && plan->assumptions.edited.contains("operations.pue"))
        assume("pue", settings.pue, "assumptions.operations.pue", {});
    if (!facts.site.wue)
        assume("litres_per_kwh", settings.wue.value() * joulesPerKwh, "assumptions.operations.wue",
            plan->assumptions.edited.contains("operations.wue")
                ? std::string()
                : "Neither facility nor grid states a WUE: that of the planning defaults is assumed (operations.wue).");
    return Fleet::create(std::move(facts));
}

} // namespace

Expected<PlanRun> planRun(const Plan &plan, const StepTimes &step, double tokens, const OperationsSettings &settings)
{
    auto fleet = withAssumptions(plan, settings);
    if (!fleet)
        return std::unexpected(fleet.error());
    std::optional<Seconds> checkpointTime;
    if (const auto written = checkpoint(plan->workload->parameters, settings.checkpoint.adamState,
            plan->fleet->nodeCount, settings.checkpoint.storage, settings.checkpoint))
        checkpointTime = written->write;
    return PlanRun{.fleet = std::move(*fleet),
        .run = {.tokens = tokens,
            .batchSequences = double(plan->training.globalBatch),
            .sequenceTokens = double(plan->training.sequenceLength),
            .stepTime = step.likely,
            .stepLow = step.low,
            .stepHigh = step.high,
            .stepMiddle = step.middle,
            .stepByRuns = step.byRuns,
            .checkpointTime = checkpointTime,
            .restart = settings.reliability.recovery}};
}

Expected<CostSheet> planCost(const Plan &plan, const std::optional<StepTimes> &step, const OperationsSettings &settings)
{
    const auto tokens = plan->tokenBudget();
    const auto entered = planRun(plan, step.value_or(StepTimes()), tokens.value_or(0), settings);
    if (!entered)
        return std::unexpected(entered.error());
    if (!tokens || !step || !countsTokens(*plan->workload))
        return fleetCost(entered->fleet, entered->run.checkpointTime, entered->run.restart);
    return runCost(entered->fleet, entered->run);
}

std::optional<DollarRate> fleetRate(const CostSheet &costs)
{
    return costs.sheet().quantity<DollarRate>(hourlyCostKey(costs.paying()));
}

std::string_view hourlyCostKey(Paying paying)
{
    return paying == Paying::Own ? "owned_usd_per_hour" : "rented_usd_per_hour";
}

std::string_view runCostKey(Paying paying) { return paying == Paying::Own ? "run_owned_usd" : "run_rented_usd"; }

std::string_view yearlyCostKey(Paying paying) { return paying == Paying::Own ? "annual_usd" : "rent_usd_per_year"; }

} // namespace fleetwright
