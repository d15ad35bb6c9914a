// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/sampleplan.h"

#include <benchmark/benchmark.h>

using namespace fleetwright;

namespace {

/// Every split of the sample fleet into powers of two, as a search would ask for them.
std::vector<Parallelism> splits()
{
    std::vector<Parallelism> all;
    for (int tp = 1; tp <= 16; tp *= 2)
        for (int pp = 1; pp <= 16; pp *= 2)
            for (int virtualStages = 1; virtualStages <= 4; virtualStages *= 2)
                for (int zeroStage = 0; zeroStage <= 3; ++zeroStage)
                    all.push_back({.tp = tp, .pp = pp, .virtualStages = virtualStages, .zeroStage = zeroStage});
    return all;
}

void evaluate(benchmark::State &state, const std::string &variant)
{
    auto plan = sampleplan::plan();
    plan.assumptions.edited["variant"] = variant;
    const auto evaluator = sampleplan::prepare(plan);
    if (!evaluator) {
        state.SkipWithError(evaluator.error().message.c_str());
        return;
    }
    const auto candidates = splits();
    std::size_t next = 0;
    for (auto _ : state) {
        auto estimate = (*evaluator)->evaluate(candidates[next]);
        if (!estimate) {
            state.SkipWithError(estimate.error().message.c_str());
            break;
        }
        benchmark::DoNotOptimize(estimate);
        next = next + 1 == candidates.size() ? 0 : next + 1;
    }
    state.SetItemsProcessed(state.iterations());
}

void prepare(benchmark::State &state)
{
    const auto plan = sampleplan::plan();
    for (auto _ : state) {
        auto evaluator = sampleplan::prepare(plan);
        benchmark::DoNotOptimize(evaluator);
    }
    state.SetItemsProcessed(state.iterations());
}

void solvePlan(benchmark::State &state)
{
    const auto plan = Plan::create(sampleplan::plan()).value();
    for (auto _ : state) {
        auto solution = solve(plan);
        benchmark::DoNotOptimize(solution);
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(evaluate, replica, std::string("replica"))->Name("Evaluate/first-order");
BENCHMARK_CAPTURE(evaluate, unsharded, std::string("unsharded"))->Name("Evaluate/first-order/unsharded");
BENCHMARK(prepare)->Name("Prepare/first-order");
BENCHMARK(solvePlan)->Name("Solve/first-order");

} // namespace
