// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/risksample.h"

#include <benchmark/benchmark.h>

using namespace fleetwright;

namespace {

/// A decision between fleets, from entries to words. The aim: 10,000 draws of 20 fleets under a second on two cores.
void assessDecision(benchmark::State &state)
{
    uncertainty::RiskQuestion question{.fleets = testing::riskFleets(std::size_t(state.range(0))),
        .deadline = 45.0 * day,
        .draws = std::size_t(state.range(1))};
    for (auto _ : state) {
        auto answer = uncertainty::assessRisk(question);
        if (!answer)
            state.SkipWithError(answer.error().message.c_str());
        benchmark::DoNotOptimize(answer);
    }
    state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}

/// The draws of one fleet by itself, which say the ranges of a plan: the aim is not to be noticed at a key.
void drawOneFleet(benchmark::State &state)
{
    const auto entries = testing::riskFleets(1).front().runs.front();
    std::vector<uncertainty::SheetCell> cells;
    for (const auto *key : {"run_days", "run_owned_usd", "capital_usd", "annual_usd"})
        cells.push_back({*entries.sheet().find(key), 0});
    const auto years = testing::evaluated(entries).years();
    for (auto _ : state) {
        const auto sample = uncertainty::SheetSample::draw(entries);
        for (auto &values : sample->of(cells, years))
            benchmark::DoNotOptimize(uncertainty::tenthsOf(std::move(values)));
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(drawOneFleet)->Name("Uncertainty/one-fleet")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(assessDecision)
    ->Name("Uncertainty/decision")
    ->ArgNames({"fleets", "draws"})
    ->Args({20, 10'000})
    ->Args({5, 10'000})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
