// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/solve.h"

#include "units/format.h"

namespace fleetwright {

namespace {

using units::Dimension;
using units::format;

RunFigures runFigures(const Plan &plan, const Estimate &estimate)
{
    const auto &node = plan->fleet->node;
    const auto &accelerator = node->accelerator;
    const double accelerators = double(plan->fleet->accelerators());
    RunFigures run;
    run.tokens = plan->tokenBudget();
    if (run.tokens && estimate.tokensPerSecond && *estimate.tokensPerSecond > 0) {
        run.duration = *run.tokens / *estimate.tokensPerSecond * second;
        run.acceleratorHours = accelerators * double(*run.duration / hour);
        if (accelerator->cloudPriceLow)
            run.cost = accelerators * *run.duration * *accelerator->cloudPriceLow;
    }
    if (node->maxPower)
        run.itPower = double(plan->fleet->nodeCount) * *node->maxPower;
    else if (accelerator->tdp)
        run.itPower = accelerators * *accelerator->tdp;
    if (run.itPower && plan->fleet->site.pue)
        run.facilityPower = *plan->fleet->site.pue * *run.itPower;
    return run;
}

TraceEntry atMost(std::string constraint, Dimension dimension, std::string_view subject, std::optional<double> needed,
    double allowed, std::string_view unknown, ErrorCode code = ErrorCode::ConstraintViolated)
{
    TraceEntry entry{.constraint = std::move(constraint),
        .code = code,
        .dimension = dimension,
        .needed = needed.value_or(0),
        .allowed = allowed};
    entry.decided = needed.has_value();
    if (!needed) {
        entry.sentence = std::string(subject) + " cannot be checked against " + format(allowed, dimension) + ": "
            + std::string(unknown) + ".";
        return entry;
    }
    entry.holds = *needed <= allowed; // false for NaN
    entry.sentence = std::string(subject) + " is " + format(*needed, dimension)
        + (entry.holds ? ", within the " : ", more than the ") + format(allowed, dimension) + " allowed.";
    return entry;
}

TraceEntry memoryCapacity(const Estimate &estimate, Bytes capacity)
{
    TraceEntry entry{.constraint = "memory_capacity",
        .code = ErrorCode::OutOfMemory,
        .dimension = Dimension::Information,
        .allowed = capacity.value()};
    entry.decided = estimate.memory && estimate.fits;
    if (!entry.decided) {
        entry.sentence = "Whether the plan fits the " + format(capacity)
            + " of an accelerator is not known: the cost model knows no memory.";
        return entry;
    }
    entry.holds = *estimate.fits;
    entry.needed = estimate.memory->total.value();
    entry.sentence = "The fullest accelerator holds " + format(estimate.memory->total) + " of its "
        + format(estimate.memory->capacity)
        + (entry.holds ? "."
                       : ": it does not fit. Raise TP, PP or the ZeRO stage, recompute activations, or use smaller "
                         "microbatches.");
    return entry;
}

std::string_view unknownDuration(const Plan &plan)
{
    return plan->tokenBudget() ? "the cost model gives no tokens per second for this workload"
                               : "neither the plan nor the workload states how many tokens to train on";
}

std::vector<TraceEntry> traceOf(const Plan &plan, const Estimate &estimate, const RunFigures &run)
{
    const auto &limits = plan->constraints;
    std::vector<TraceEntry> trace{memoryCapacity(estimate, plan->fleet->node->accelerator->memoryCapacity)};
    const auto value = [](const auto &quantity) { return quantity ? std::optional(quantity->value()) : std::nullopt; };
    if (limits.maxMemoryShare)
        trace.push_back(atMost("max_memory_fraction", Dimension::Fraction, "The used share of accelerator memory",
            estimate.memory ? std::optional<double>(estimate.memory->total / estimate.memory->capacity) : std::nullopt,
            *limits.maxMemoryShare, "the cost model knows no memory"));
    if (limits.deadline)
        trace.push_back(atMost("deadline", Dimension::Time, "The training time", value(run.duration),
            limits.deadline->value(), unknownDuration(plan)));
    if (limits.budget)
        trace.push_back(atMost("budget", Dimension::Money, "The cost at the lowest cloud price", value(run.cost),
            limits.budget->value(),
            run.duration ? "the accelerator has no cloud price in the catalog" : unknownDuration(plan)));
    if (limits.maxPower)
        trace.push_back(atMost("max_power", Dimension::Power,
            run.facilityPower ? "The power of the facility" : "The IT power (no facility chosen)",
            value(run.facilityPower ? run.facilityPower : run.itPower), limits.maxPower->value(),
            "neither the node's power nor the accelerator's TDP is known"));
    if (limits.minMfu) {
        TraceEntry entry{.constraint = "min_mfu",
            .dimension = Dimension::Fraction,
            .needed = estimate.mfu.value_or(0),
            .allowed = *limits.minMfu};
        entry.decided = estimate.mfu.has_value();
        entry.holds = !entry.decided || *estimate.mfu >= *limits.minMfu;
        entry.sentence = entry.decided ? "The MFU is " + format(*estimate.mfu, Dimension::Fraction)
                + (entry.holds ? ", at least the " : ", less than the ") + format(*limits.minMfu, Dimension::Fraction)
                + " asked for."
                                       : "The MFU cannot be checked against "
                + format(*limits.minMfu, Dimension::Fraction) + ": the cost model gives none.";
        trace.push_back(std::move(entry));
    }
    if (limits.maxStepTime)
        trace.push_back(atMost("max_step_time", Dimension::Time, "The step time", value(estimate.stepTime),
            limits.maxStepTime->value(), "the cost model gives no step time"));
    return trace;
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
        .estimate = *estimate,
        .breakdown = (*evaluator)->breakdown(*estimate),
        .run = runFigures(plan, *estimate)};
    solution.operations = operatingFigures(plan, solution.estimate, solution.run, *settings);
    solution.trace = traceOf(plan, solution.estimate, solution.run);
    solution.feasible = true;
    for (const auto &entry : solution.trace)
        solution.feasible = solution.feasible && (!entry.decided || entry.holds);
    return solution;
}

std::optional<bool> feasibility(const Solution &solution)
{
    if (solution.feasible && !solution.estimate.fits)
        return std::nullopt;
    return solution.feasible;
}

std::string_view inWords(std::optional<bool> feasibility)
{
    return !feasibility ? "not known" : *feasibility ? "yes" : "no";
}

} // namespace fleetwright
