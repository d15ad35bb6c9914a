// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarks/detailedspace.h"

#include <benchmark/benchmark.h>

using namespace detailedspace;

namespace {

/// Evaluations per second of one thread over the whole space, in the order in which a search walks it.
void evaluateSpace(benchmark::State &state)
{
    const auto pricer = Pricer::make(setting()).value();
    const auto space = layouts(pricer);
    LayerMemo memo;
    std::size_t next = 0;
    for (auto _ : state) {
        auto figures = pricer.price(space[next], memo);
        benchmark::DoNotOptimize(figures);
        next = next + 1 == space.size() ? 0 : next + 1;
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["layouts"] = double(space.size());
}

/// The same without a memo: every layer priced anew, as for a single question.
void evaluateAlone(benchmark::State &state)
{
    const auto pricer = Pricer::make(setting()).value();
    const auto space = layouts(pricer);
    std::size_t next = 0;
    for (auto _ : state) {
        auto figures = pricer.price(space[next]);
        benchmark::DoNotOptimize(figures);
        next = next + 1 == space.size() ? 0 : next + 1;
    }
    state.SetItemsProcessed(state.iterations());
}

/// What a search does: legality and memory first, time only for what fits.
void searchSpace(benchmark::State &state)
{
    const auto pricer = Pricer::make(setting()).value();
    const auto space = layouts(pricer);
    const auto capacity = pricer.setting().machine.capacity;
    std::size_t fitting = 0;
    for (auto _ : state) {
        LayerMemo memo;
        Seconds best = Seconds::from_value(1e30);
        fitting = 0;
        for (const auto &layout : space) {
            if (!pricer.isLegal(layout) || pricer.memory(layout, memo).device > capacity)
                continue;
            ++fitting;
            best = std::min(best, pricer.price(layout, memo).stepTime);
        }
        benchmark::DoNotOptimize(best);
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(space.size()));
    state.counters["fitting"] = double(fitting);
}

} // namespace

BENCHMARK(evaluateSpace)->Name("Detailed/evaluate");
BENCHMARK(evaluateAlone)->Name("Detailed/evaluate-alone");
BENCHMARK(searchSpace)->Name("Detailed/search")->Unit(benchmark::kMillisecond);
