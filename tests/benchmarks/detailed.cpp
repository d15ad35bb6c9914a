// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarks/detailedspace.h"

#include <benchmark/benchmark.h>

using namespace detailedspace;

namespace {

/// Evaluations per second of one thread over the whole space, every layer priced anew, as for a single question; what a
/// search takes is measured in search.cpp.
void evaluateSpace(benchmark::State &state)
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
    state.counters["layouts"] = double(space.size());
}

} // namespace

BENCHMARK(evaluateSpace)->Name("Evaluate/detailed");
