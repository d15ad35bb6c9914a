// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/searcher/searcher.h"
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

void evaluateSplits(benchmark::State &state, const PlanFacts &plan)
{
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

void evaluate(benchmark::State &state, const std::string &variant)
{
    auto plan = sampleplan::plan();
    plan.assumptions.edited["variant"] = variant;
    evaluateSplits(state, plan);
}

/// One of the published planners on the sample plan, over the same splits.
void evaluatePlanner(benchmark::State &state, const std::string &model)
{
    auto workload = sampleplan::workload();
    workload.vocabSize = 128256;
    auto plan = sampleplan::plan(sampleplan::fleet(), workload);
    plan.costModelId = model;
    evaluateSplits(state, plan);
}

/// The exhaustive search over a cluster of `accelerators`; a rate of whole searches, and of priced splits as a counter.
void searchCluster(benchmark::State &state, std::int64_t accelerators)
{
    const searcher::Inputs inputs{.accelerators = accelerators,
        .domainSize = 8,
        .peak = 125.0 * teraflopPerSecond,
        .scaleUp = 150.0 * searcher::modelGigabytePerSecond,
        .scaleOut = 12.5 * searcher::modelGigabytePerSecond,
        .layers = 96,
        .work = 300.0 * teraflop,
        .largestActivation = 400.0 * searcher::modelMegabyte,
        .tpMessages = 50000.0 * searcher::modelMegabyte,
        .gradients = 28000.0 * searcher::modelMegabyte};
    std::size_t rows = 0;
    for (auto _ : state) {
        auto found = searcher::search(inputs);
        if (!found) {
            state.SkipWithError(found.error().message.c_str());
            break;
        }
        rows += found->rows.size();
        benchmark::DoNotOptimize(found);
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["splits_per_second"] = benchmark::Counter(double(rows), benchmark::Counter::kIsRate);
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
BENCHMARK_CAPTURE(evaluatePlanner, searcher, std::string("searcher"))->Name("Evaluate/searcher");
BENCHMARK_CAPTURE(evaluatePlanner, strategy, std::string("strategy-calculator"))->Name("Evaluate/strategy-calculator");
BENCHMARK_CAPTURE(evaluatePlanner, wall, std::string("dp-wall"))->Name("Evaluate/dp-wall");
BENCHMARK_CAPTURE(evaluatePlanner, cube, std::string("cube"))->Name("Evaluate/cube");
BENCHMARK_CAPTURE(searchCluster, many, std::int64_t(4096))->Name("Search/searcher-4096")->UseRealTime();
BENCHMARK_CAPTURE(searchCluster, most, std::int64_t(735134400))->Name("Search/searcher-735134400")->UseRealTime();
BENCHMARK(prepare)->Name("Prepare/first-order");
BENCHMARK(solvePlan)->Name("Solve/first-order");

} // namespace
