// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/solve.h"

#include "solver/answer/layoutrules.h"
#include "solver/answer/plancost.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fleetwright {

namespace {

/// A figure that a model could not compute is one that it does not give: what compares figures never meets a NaN.
template <class T> void dropNotANumber(std::optional<T> &figure)
{
    if (figure && *figure != *figure)
        figure.reset();
}

Estimate withoutNotANumber(Estimate estimate)
{
    for (auto *time : {&estimate.stepTime, &estimate.computeTime, &estimate.dpCommTime, &estimate.tpCommTime,
             &estimate.ppCommTime, &estimate.cpCommTime, &estimate.epCommTime, &estimate.exposedCommTime,
             &estimate.bubbleTime, &estimate.optimizerTime, &estimate.overheadTime})
        dropNotANumber(*time);
    for (auto *number : {&estimate.bubbleFraction, &estimate.scalingEfficiency, &estimate.mfu, &estimate.hfu,
             &estimate.samplesPerSecond, &estimate.tokensPerSecond})
        dropNotANumber(*number);
    dropNotANumber(estimate.flopsPerAccelerator);
    if (estimate.memory && std::isnan(estimate.memory->total.value())) {
        estimate.memory.reset();
        estimate.fits.reset();
    }
    return estimate;
}

std::vector<TraceEntry> traceOf(const Plan &plan, const CostModel &model, const Limits &limits,
    const Estimate &estimate, const CostSheet &costs, std::optional<double> byRuns = std::nullopt)
{
    std::vector<TraceEntry> trace;
    for (auto &broken : brokenRules(plan, model.layoutSearchTraits()))
        trace.push_back({.constraint = std::string(toString(broken.rule)),
            .code = ErrorCode::InfeasibleParallelism,
            .holds = false,
            .needed = broken.needed,
            .allowed = broken.allowed,
            .sentence = std::move(broken.sentence)});
    for (auto &entry : limits.trace(estimate, &costs, byRuns))
        trace.push_back(std::move(entry));
    return trace;
}

bool holdsAll(const std::vector<TraceEntry> &trace)
{
    return std::ranges::all_of(trace, [](const TraceEntry &entry) { return !entry.decided || entry.holds; });
}

/// By the tokens per second, on which the duration rests too.
std::optional<StepTimes> stepTimesOf(const Plan &plan, const Solution &solution)
{
    const auto rate = solution.estimate.tokensPerSecond;
    if (!rate || !(*rate > 0))
        return std::nullopt;
    StepTimes step{
        .likely = double(plan->training.globalBatch) * double(plan->training.sequenceLength) / *rate * (1.0 * second)};
    if (solution.range && solution.range->runs > 0) {
        step.low = solution.range->low;
        step.high = solution.range->high;
        if (solution.range->ownRuns > 0)
            step.middle = solution.range->middle();
    }
    return step;
}

/// By the plan's own DP, however the cost model shares the batch.
bool splitsSequences(const Plan &plan)
{
    const auto &training = plan->training;
    const auto &split = plan->parallelism;
    const auto dp = plan->fleet->accelerators() / (std::int64_t(split.tp) * split.pp * split.cp);
    if (!training.microbatchCount || dp < 1 || training.globalBatch % dp != 0)
        return false;
    return training.globalBatch / dp % (std::int64_t(*training.microbatchCount) * training.accumulationSteps) != 0;
}

} // namespace

Expected<Solution> solve(const Plan &plan)
{
    const auto model = findCostModel(plan->costModelId);
    if (!model)
        return std::unexpected(model.error());
    const auto settings = operationsSettings(plan->assumptions);
    if (!settings)
        return std::unexpected(settings.error());
    const auto evaluator = (*model)->prepare(plan->workload, plan->fleet, plan->training, plan->assumptions);
    if (!evaluator)
        return std::unexpected(evaluator.error());
    const auto estimate = (*evaluator)->evaluate(plan->parallelism);
    if (!estimate)
        return std::unexpected(estimate.error());

    Solution solution{.costModelId = std::string((*model)->id()),
        .costModelVersion = std::string((*model)->version()),
        .estimate = withoutNotANumber(*estimate),
        .breakdown = (*evaluator)->breakdown(*estimate)};
    solution.reading = (*evaluator)->reading(plan->parallelism);
    const auto ofOneSecond = planCost(plan, StepTimes{.likely = 1.0 * second}, *settings);
    if (!ofOneSecond)
        return std::unexpected(ofOneSecond.error());
    auto published = *settings;
    published.pue = ofOneSecond->value("pue").value_or(published.pue); // one PUE everywhere
    const Limits limits(plan, ofOneSecond);
    if (limits.assumesPue())
        solution.estimate.notices.add(Notice::PueAssumed);
    if (splitsSequences(plan))
        solution.estimate.notices.add(Notice::SequenceSplit);
    solution.run = limits.run(solution.estimate);
    solution.operations = operatingFigures(plan, solution.estimate, solution.run, limits.fleetRate(), published);
    auto costs = planCost(plan, stepTimesOf(plan, solution), *settings);
    if (!costs)
        return std::unexpected(costs.error());
    solution.costs = std::make_shared<const CostSheet>(std::move(*costs));
    solution.trace = traceOf(plan, **model, limits, solution.estimate, *solution.costs);
    solution.feasible = holdsAll(solution.trace);
    return solution;
}

Solution withStepRange(Solution solution, const Plan &plan, std::optional<validation::PredictionRange> range)
{
    solution.range = std::move(range);
    const auto model = findCostModel(solution.costModelId);
    const auto settings = operationsSettings(plan->assumptions);
    if (!solution.range || solution.range->runs == 0 || !model || !settings)
        return solution;
    auto step = stepTimesOf(plan, solution);
    const Limits limits(plan);
    std::optional<double> byRuns;
    auto slowed = solution.estimate;
    if (step && step->middle) { // what follows from time is what the runs make likely; step times stay the model's
        byRuns = double(*step->middle / step->likely);
        slowed.tokensPerSecond = *slowed.tokensPerSecond / *byRuns;
        solution.run = limits.run(slowed);
        step->likely = *std::exchange(step->middle, std::nullopt);
        step->byRuns = true;
    }
    if (auto costs = planCost(plan, step, *settings))
        solution.costs = std::make_shared<const CostSheet>(std::move(*costs));
    if (byRuns) {
        auto published = *settings;
        published.pue = solution.costs->value("pue").value_or(published.pue);
        solution.operations = operatingFigures(plan, slowed, solution.run, limits.fleetRate(), published);
    }
    solution.trace = traceOf(plan, **model, limits, solution.estimate, *solution.costs, byRuns);
    solution.feasible = holdsAll(solution.trace);
    return solution;
}

std::optional<bool> feasibility(const Solution &solution)
{
    if (solution.feasible && !solution.estimate.fits)
        return std::nullopt;
    return solution.feasible;
}

bool isOnlyLikely(const Solution &solution)
{
    return feasibility(solution) == true && std::ranges::any_of(solution.trace, &TraceEntry::onlyLikely);
}

std::string_view inWords(std::optional<bool> feasibility, bool onlyLikely)
{
    return !feasibility ? "not known" : !*feasibility ? "no" : onlyLikely ? "likely" : "yes";
}

std::string_view verdictInWords(const Solution &solution)
{
    return inWords(feasibility(solution), isOnlyLikely(solution));
}

} // namespace fleetwright
