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

BENCHMARK(assessDecision)
    ->Name("Uncertainty/decision")
    ->ArgNames({"fleets", "draws"})
    ->Args({20, 10'000})
    ->Args({5, 10'000})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
