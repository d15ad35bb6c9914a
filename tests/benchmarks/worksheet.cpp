// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/fleetentries.h"

#include <benchmark/benchmark.h>

using namespace fleetwright;

namespace {

/// Every row of a whole fleet, cash flow and monthly curves included, with a price drawn for each evaluation.
void evaluateFleet(benchmark::State &state)
{
    const auto entries = testing::fleetEntries();
    const auto likely = testing::evaluated(entries);
    const auto price = *likely.sheet().find("accelerator_usd"), answer = *likely.sheet().find("npv_usd");
    SheetDraws draws(likely.program(), entries);
    double next = 20000;
    for (auto _ : state) {
        for (double &one : draws.entry(price))
            one = next += 1;
        draws.run();
        benchmark::DoNotOptimize(draws.values(answer)[0]);
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(SheetDraws::size()));
}

/// One fleet alone, from entries to values: what a form's edit costs.
void evaluateOneFleet(benchmark::State &state)
{
    const auto entries = testing::fleetEntries();
    for (auto _ : state) {
        auto sheet = evaluateSheet(entries);
        benchmark::DoNotOptimize(sheet);
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(evaluateFleet)->Name("Worksheet/fleet");
BENCHMARK(evaluateOneFleet)->Name("Worksheet/one-fleet");

} // namespace
