// SPDX-License-Identifier: GPL-3.0-or-later
// Which fleet to buy: 70B on 15 T tokens in 30 days over the shipped catalog, the same within a range of batches,
// DeepSeek V3, and the draws of an answer.
#include "solver/size/size.h"
#include "exchange/validationdata.h"
#include "solver/size/decisionrisk.h"
#include "storage/project.h"

#include <benchmark/benchmark.h>

#include <chrono>

using namespace fleetwright;

namespace {

const Catalog &shipped()
{
    static const auto catalog = storage::shippedCatalog().value();
    return catalog;
}

DecisionDocument decision(std::vector<std::string> nodes)
{
    DecisionDocument document{.name = "70B in 30 days", .costModelId = "detailed"};
    DecisionJob job;
    job.workload = "llama3_1_70b";
    job.tokens = 15e12;
    job.training = {.globalBatch = 2048,
        .microbatchCount = std::nullopt,
        .microbatchSize = 1,
        .sequenceLength = 8192,
        .precision = Precision::Bf16};
    document.jobs = {job};
    document.candidates.nodes = std::move(nodes);
    document.candidates.paying = {
        {Paying::Own, RentTerm::OnDemand}, {Paying::Rent, RentTerm::OnDemand}, {Paying::Rent, RentTerm::Reserved3y}};
    document.limits.plan.deadline = 30.0 * day;
    return document;
}

/// The job takes any batch from half to twice its own.
DecisionDocument withBatches()
{
    auto document = decision({});
    auto &job = document.jobs.front();
    job.leastBatch = job.training.globalBatch / 2;
    job.mostBatch = job.training.globalBatch * 2;
    return document;
}

/// Dense and expert layers.
DecisionDocument mixture()
{
    auto document = decision({});
    document.name = "DeepSeek V3 in 30 days";
    auto &job = document.jobs.front();
    job.workload = "deepseek_v3";
    job.tokens = 14.8e12;
    job.training.globalBatch = 15360;
    job.training.sequenceLength = 4096;
    return document;
}

std::optional<validation::PredictionRange> rangeOf(const Plan &plan, Seconds stepTime)
{
    return exchange::shippedRangeOf(plan, stepTime);
}

void sizeFleets(benchmark::State &state, const DecisionDocument &document, int threads)
{
    double firstRows = 0;
    size::Effort effort;
    std::uint64_t fleets = 0;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        firstRows = 0;
        const auto result = size::run(document, shipped(), rangeOf,
            {.progress =
                    [&](const size::Snapshot &snapshot) {
                        if (firstRows == 0 && !snapshot.partial->answers.empty())
                            firstRows = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
                    },
                .threads = threads},
            &effort);
        fleets = result.value().counts.fleets;
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(fleets));
    state.counters["fleets"] = double(fleets);
    state.counters["searched"] = double(effort.searched);
    state.counters["first_rows_s"] = firstRows;
}

void cancelSizing(benchmark::State &state)
{
    const auto document = decision({});
    double slowest = 0;
    for (auto _ : state) {
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        const auto result = size::run(document, shipped(), rangeOf,
            {.progress =
                    [&](const size::Snapshot &) {
                        if (!stop.stop_requested()) {
                            asked = std::chrono::steady_clock::now();
                            stop.request_stop();
                        }
                    },
                .stop = stop.get_token()});
        slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count());
        benchmark::DoNotOptimize(result);
    }
    state.counters["slowest_stop_s"] = slowest;
}

void drawAnswer(benchmark::State &state)
{
    const auto document = decision({});
    const auto result = size::run(document, shipped(), rangeOf).value();
    const auto risk = size::riskOf(document, shipped(), result, rangeOf).value();
    for (auto _ : state)
        benchmark::DoNotOptimize(uncertainty::assessRisk(risk.question));
    state.counters["fleets"] = double(risk.question.fleets.size());
    state.counters["draws"] = double(risk.question.draws);
}

void registerAll()
{
    const std::vector<std::string> five{
        "nvidia_dgx_h100", "nvidia_dgx_h200", "nvidia_dgx_b200", "nvidia_gb200_nvl72", "amd_mi300x_8gpu"};
    for (const int threads : {1, 2}) {
        const auto suffix = "/threads:" + std::to_string(threads);
        benchmark::RegisterBenchmark(("Size/70b-five-nodes" + suffix).c_str(), sizeFleets, decision(five), threads)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
        for (const auto &[name, document] :
            {std::pair("70b-whole-catalog", decision({})), std::pair("70b-batches-whole-catalog", withBatches()),
                std::pair("deepseek-v3-whole-catalog", mixture())})
            benchmark::RegisterBenchmark((std::string("Size/") + name + suffix).c_str(), sizeFleets, document, threads)
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("Size/cancel", cancelSizing)->UseRealTime()->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("Size/draws", drawAnswer)->UseRealTime()->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool registered = (registerAll(), true);

} // namespace
