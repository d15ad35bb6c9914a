// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/searcher/searcher.h"

#include "domain/rules.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace fleetwright::searcher {

namespace {

constexpr std::size_t blockSize = 1UZ << 14; // a block takes well under a millisecond, so a stop is seen at once
constexpr std::size_t grainSize = 1024;

struct Split {
    std::int64_t dp, tp, pp;
};

/// In ascending order; at most 31623 trial divisions.
std::vector<std::int64_t> divisorsOf(std::int64_t number)
{
    std::vector<std::int64_t> divisors;
    for (std::int64_t divisor = 1; divisor * divisor <= number; ++divisor) {
        if (number % divisor != 0)
            continue;
        divisors.push_back(divisor);
        if (divisor * divisor != number)
            divisors.push_back(number / divisor);
    }
    std::ranges::sort(divisors);
    return divisors;
}

std::unexpected<Error> cancelled() { return refuse(ErrorCode::Cancelled, {}, "The search was cancelled."); }

Expected<std::vector<Split>> candidates(const Inputs &inputs, const std::stop_token &stop)
{
    const auto divisors = divisorsOf(inputs.accelerators);
    std::vector<Split> splits;
    for (const auto dp : divisors) {
        if (stop.stop_requested())
            return cancelled();
        const auto rest = inputs.accelerators / dp;
        for (const auto tp : divisors) {
            if (tp > rest)
                break;
            if (rest % tp == 0 && rest / tp <= inputs.layers)
                splits.push_back({dp, tp, rest / tp});
        }
    }
    return splits;
}

} // namespace

Expected<void> Inputs::setLayers(std::span<const Flops> layerWork, std::span<const Bytes> layerActivations)
{
    const auto fits = [this](std::string_view field, const auto &values) -> Expected<void> {
        if (std::int64_t(values.size()) != layers)
            return refuse(ErrorCode::OutOfRange, std::string(field),
                "The list has " + std::to_string(values.size()) + " entries for " + std::to_string(layers)
                    + " layers; give one for each layer.");
        if (!std::ranges::all_of(
                values, [](const auto &value) { return std::isfinite(value.value()) && value.value() >= 0; }))
            return refuse(ErrorCode::OutOfRange, std::string(field),
                "Every entry of the list must be a finite number, zero or more.");
        return {};
    };
    if (auto ok = fits("layer_tflops", layerWork); !ok)
        return ok;
    if (auto ok = fits("layer_activation_MB", layerActivations); !ok)
        return ok;
    work = {};
    for (const auto &one : layerWork)
        work += one;
    largestActivation = layerActivations.empty() ? Bytes{} : *std::ranges::max_element(layerActivations);
    return {};
}

Expected<void> check(const Inputs &inputs)
{
    const auto &constants = inputs.constants;
    rules::Checker rule("");
    rule.within("n_gpu_per_node", "The number of accelerators per node", double(inputs.domainSize), 1,
        double(mostAccelerators));
    rule.within("n_node", "The number of accelerators", double(inputs.accelerators), 1, double(mostAccelerators));
    rule.positive("gpu_gflops", "The peak", inputs.peak);
    rule.positive("bw_gpu_to_gpu", "The bandwidth between accelerators", inputs.scaleUp);
    rule.positive("bw_inter_node", "The bandwidth between nodes", inputs.scaleOut);
    rule.atLeast("num_layers", "The number of layers", double(inputs.layers), 1);
    rule.notNegative("layer_tflops", "The work of the layers", inputs.work);
    rule.notNegative("layer_activation_MB", "The activations of a layer", inputs.largestActivation);
    rule.notNegative("tp_comm_sum_MB", "The tensor-parallel messages", inputs.tpMessages);
    rule.notNegative("dp_sum_gradient_MB", "The gradients", inputs.gradients);
    rule.within("base_efficiency", "The base efficiency", constants.efficiency, 1e-9, 1);
    rule.within("dp_penalty", "The penalty per replica", constants.dpPenalty, 0, 1000);
    rule.within("tp_penalty", "The penalty per tensor-parallel rank", constants.tpPenalty, 0, 1000);
    rule.within("imbalance_penalty", "The penalty per unit of imbalance", constants.imbalancePenalty, 0, 1000);
    rule.within("pipeline_overlap", "The pipeline overlap", constants.pipelineOverlap, 1e-9, 1);
    rule.within("passes", "The factor of forward and backward work", constants.passes, 1, 1000);
    return rule.result();
}

Row price(const Inputs &inputs, std::int64_t dpRanks, std::int64_t tpRanks, std::int64_t stages)
{
    const auto &constants = inputs.constants;
    const double dp = double(dpRanks);
    const double tp = double(tpRanks);
    Row row{.dp = dpRanks, .tp = tpRanks, .pp = stages};
    row.efficiency = constants.efficiency / (1.0 + constants.dpPenalty * (dp - 1.0))
        / (1.0 + constants.tpPenalty * (tp - 1.0))
        / (1.0 + constants.imbalancePenalty * double(std::abs(dpRanks - tpRanks)));
    row.compute = constants.passes * inputs.work / (inputs.peak * (dp * tp)) / row.efficiency;
    if (stages > 1)
        row.compute /= constants.pipelineOverlap;
    if (dpRanks > 1)
        row.dpTime = inputs.gradients * (2.0 * (dp - 1.0) / dp)
            / (dpRanks <= inputs.domainSize ? inputs.scaleUp : inputs.scaleOut);
    if (tpRanks > 1)
        row.tpTime = inputs.tpMessages / tp * (2.0 * (tp - 1.0) / tp) / inputs.scaleUp;
    if (stages > 1)
        row.ppTime = (double(stages) - 1.0) * 2.0 * inputs.largestActivation / inputs.scaleUp;
    row.total = row.compute + row.dpTime + row.tpTime + row.ppTime;
    return row;
}

Expected<Result> search(const Inputs &inputs, int threads, const Progress &progress, const std::stop_token &stop)
{
    if (auto ok = check(inputs); !ok)
        return std::unexpected(ok.error());
    const auto splits = candidates(inputs, stop);
    if (!splits)
        return std::unexpected(splits.error());

    namespace tbb = oneapi::tbb;
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    Result result;
    result.rows.resize(splits->size());
    // Every row has its place before the threads start, so their number does not show.
    for (std::size_t begin = 0; begin < splits->size(); begin += blockSize) {
        if (stop.stop_requested())
            return cancelled();
        const auto end = std::min(begin + blockSize, splits->size());
        arena.execute([&] {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(begin, end, grainSize),
                [&](const tbb::blocked_range<std::size_t> &range) {
                    for (auto i = range.begin(); i != range.end(); ++i) {
                        const auto &split = (*splits)[i];
                        result.rows[i] = price(inputs, split.dp, split.tp, split.pp);
                    }
                });
        });
        if (progress)
            progress(double(end) / double(splits->size()));
    }
    const auto best = std::ranges::min_element(
        result.rows, {}, [](const Row &row) { return row.total.value(); }); // the first of equal ones
    if (best == result.rows.end()
        || !std::ranges::all_of(result.rows, [](const Row &row) { return std::isfinite(row.total.value()); }))
        return refuse(ErrorCode::OutOfRange, "model",
            "An iteration time is too long to represent; use rates and sizes of a realistic order.");
    result.best = std::size_t(best - result.rows.begin());
    return result;
}

std::string searcherJson(std::span<const Row> rows)
{
    std::string text = "{";
    for (const auto &row : rows) {
        if (text.size() > 1)
            text += ", ";
        text += '"' + std::to_string(row.dp) + ", " + std::to_string(row.tp) + ", " + std::to_string(row.pp) + "\": \"";
        char digits[400]; // the largest double has 309 digits before the point
        const auto [end, status] = std::to_chars(
            std::begin(digits), std::end(digits), double(row.total / millisecond), std::chars_format::fixed, 4);
        text.append(digits, status == std::errc() ? end : digits);
        text += "ms/iter\"";
    }
    return text += '}';
}

} // namespace fleetwright::searcher
