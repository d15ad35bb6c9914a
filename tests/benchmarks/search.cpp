// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts per second of whole searches: candidates are enumerated, judged, priced and collected. A layout is one that
// could run (legal), whether it fits or not; illegal ones are not counted.
#include "solver/searchsample.h"

#include <benchmark/benchmark.h>

using namespace fleetwright;

namespace {

enum class Case { Gpt13On64, Gpt175On512, Gpt175On4096, TenMillion };

/// A batch and a fleet with many divisors, and everything allowed: more than ten million layouts.
layoutsearch::Request tenMillion()
{
    auto plan = searchsample::gpt175(630);
    plan.training.globalBatch = 55440;
    plan.training.sequenceLength = 10080;
    auto request = searchsample::requestOf(plan);
    request.space.unevenChunks = true;
    request.space.tpAcrossDomains = true;
    return request;
}

layoutsearch::Request requestOf(Case which)
{
    switch (which) {
    case Case::Gpt13On64: return searchsample::requestOf(searchsample::gpt13());
    case Case::Gpt175On512: return searchsample::requestOf(searchsample::gpt175(64));
    case Case::Gpt175On4096: return searchsample::requestOf(searchsample::gpt175(512));
    case Case::TenMillion: break;
    }
    return tenMillion();
}

void searchSpace(benchmark::State &state, Case which, bool pruning, int threads)
{
    auto request = requestOf(which);
    request.pruning = pruning;
    std::uint64_t layouts = 0;
    layoutsearch::Effort effort;
    for (auto _ : state) {
        effort = {};
        layouts = layoutsearch::run(request, {.threads = threads}, &effort).value().total().legal();
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(layouts));
    state.counters["layouts"] = double(layouts);
    state.counters["priced"] = double(effort.priced);
}

void registerAll()
{
    const std::pair<const char *, Case> cases[] = {{"gpt3-13b-64", Case::Gpt13On64},
        {"gpt3-175b-512", Case::Gpt175On512}, {"gpt3-175b-4096", Case::Gpt175On4096},
        {"ten-million", Case::TenMillion}};
    for (const auto &[name, which] : cases)
        for (const bool pruning : {true, false})
            for (const int threads : {1, 2})
                benchmark::RegisterBenchmark(("Search/" + std::string(name) + (pruning ? "" : "/every-layout-priced")
                                                 + "/threads:" + std::to_string(threads))
                                                 .c_str(),
                    [which = which, pruning, threads](
                        benchmark::State &state) { searchSpace(state, which, pruning, threads); })
                    ->UseRealTime()
                    ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = (registerAll(), true);

} // namespace
