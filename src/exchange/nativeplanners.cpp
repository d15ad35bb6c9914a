// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativeplanners.h"

#include "exchange/nativefacts.h"
#include "solver/models/cube/cube.h"
#include "solver/models/dpwall/dpwall.h"
#include "solver/models/searcher/searcher.h"
#include "solver/models/strategycalculator/strategycalculator.h"

namespace fleetwright::exchange {

namespace {

double inGigabytes(Bytes amount) { return amount / gigabyte; }
double inMilliseconds(Seconds time) { return time / millisecond; }

/// Plain numbers of the published file in `unit`.
template <class Q> std::vector<Q> quantities(const std::vector<double> &numbers, Q unit)
{
    std::vector<Q> list;
    list.reserve(numbers.size());
    for (const double number : numbers)
        list.push_back(number * unit);
    return list;
}

searcher::Inputs readSearcherInputs(NativeReader &in)
{
    searcher::Inputs inputs;
    auto cluster = in.object("cluster");
    inputs.domainSize = cluster.requiredSmallCount("n_gpu_per_node", 1, mostCount);
    inputs.accelerators = cluster.requiredSmallCount("n_node", 1, mostCount) * inputs.domainSize;
    inputs.peak = cluster.number("gpu_gflops") * 1e9 * flopPerSecond;
    inputs.scaleUp = cluster.number("bw_gpu_to_gpu") * searcher::modelGigabytePerSecond;
    inputs.scaleOut = cluster.number("bw_inter_node") * searcher::modelGigabytePerSecond;
    auto model = in.object("model");
    inputs.layers = model.requiredSmallCount("num_layers", 1, mostCount);
    const auto work = quantities(model.numbers("layer_tflops"), teraflop);
    const auto activations = quantities(model.numbers("layer_activation_MB"), searcher::modelMegabyte);
    inputs.tpMessages = model.number("tp_comm_sum_MB") * searcher::modelMegabyte;
    inputs.gradients = model.number("dp_sum_gradient_MB") * searcher::modelMegabyte;
    if (!in.error())
        if (auto ok = inputs.setLayers(work, activations); !ok)
            in.fail(ok.error().code, ok.error().field, std::move(ok.error().message));
    return inputs;
}

strategycalculator::Inputs readStrategyInputs(NativeReader &in)
{
    strategycalculator::Inputs inputs;
    inputs.parameters = in.number("params_billions") * 1e9;
    inputs.hidden = in.count("hidden");
    inputs.layers = in.count("layers");
    inputs.vocabulary = in.count("vocab");
    inputs.ffnRatio = in.optionalNumber("ffn_ratio").value_or(inputs.ffnRatio);
    inputs.mixtureOfExperts = in.optionalFlag("is_moe").value_or(false);
    inputs.experts = in.optionalCount("experts").value_or(1);
    inputs.accelerators = in.count("gpus");
    inputs.capacity = in.number("gpu_memory_gb") * gigabyte;
    inputs.acceleratorsPerNode = in.optionalCount("gpus_per_node").value_or(inputs.acceleratorsPerNode);
    inputs.batch = in.count("batch");
    inputs.sequenceLength = in.count("seq");
    inputs.constants.element = in.optionalNumber("bytes_per_element").value_or(inputs.constants.element.value()) * byte;
    inputs.microbatches = in.optionalCount("microbatches").value_or(inputs.microbatches);
    return inputs;
}

Json rowToJson(const strategycalculator::Row &row)
{
    Json json{{"tp", row.tp}, {"pp", row.pp}, {"dp", row.dp}, {"memory_gb", inGigabytes(row.memory)},
        {"fits", row.fits}, {"tp_gb", inGigabytes(row.tpVolume)}, {"pp_gb", inGigabytes(row.ppVolume)},
        {"dp_gb", inGigabytes(row.dpVolume)}, {"total_comm_gb", inGigabytes(row.volume)},
        {"tp_inside_node", row.tpInsideNode}};
    if (row.bubble)
        json["bubble"] = *row.bubble;
    return json;
}

} // namespace

Expected<Json> evaluateDpWall(NativeReader &in)
{
    dpwall::Inputs inputs;
    inputs.parameters = in.number("params_b") * 1e9;
    inputs.accelerators = in.requiredSmallCount("gpus", 1, mostCount);
    inputs.batchPerAccelerator = in.number("batch_per_gpu");
    const auto fabric = in.text("fabric");
    if (fabric == "nvlink")
        inputs.fabric = dpwall::Fabric::ScaleUp;
    else if (fabric != "ib")
        in.fail(ErrorCode::UnsupportedValue, "fabric", "The fabric must be nvlink or ib.");
    const auto variant = dpwall::parseVariant(in.optionalText("variant").value_or("published"));
    if (!variant)
        in.fail(variant.error().code, variant.error().field, variant.error().message);
    else if (*variant == dpwall::Variant::Corrected)
        inputs.setting = dpwall::corrected(in.optionalNumber("seq_len").value_or(dpwall::corrected().tokensPerSample));
    if (in.error())
        return std::unexpected(*in.error());
    auto figures = dpwall::price(inputs);
    if (!figures) {
        if (figures.error().field == "tokens_per_sample")
            figures.error().field = "seq_len";
        return std::unexpected(figures.error());
    }
    return Json{{"gradient_bytes", figures->gradient.value()}, {"bandwidth", figures->bandwidth.value()},
        {"forced_scale_out", figures->forcedScaleOut}, {"allreduce_s", figures->allReduceTime.value()},
        {"exposed_s", figures->exposedTime.value()}, {"compute_s", figures->computeTime.value()},
        {"ratio", figures->ratio}, {"mfu", figures->mfu}};
}

Expected<Json> evaluateCube(NativeReader &in)
{
    cube::Inputs inputs;
    inputs.tp = in.requiredSmallCount("tp", 1, cube::largestControl);
    inputs.pp = in.requiredSmallCount("pp", 1, cube::largestControl);
    inputs.microbatches = in.requiredSmallCount("m", 1, cube::largestControl);
    const auto variant = cube::parseVariant(in.optionalText("variant").value_or("published"));
    if (variant)
        inputs.setting.variant = *variant;
    else
        in.fail(variant.error().code, variant.error().field, variant.error().message);
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = cube::price(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"valid", figures->valid}, {"dp", figures->dp}, {"weights_gb", inGigabytes(figures->weights)},
        {"optimizer_gb", inGigabytes(figures->optimizer)}, {"activation_gb", inGigabytes(figures->activations)},
        {"total_gb", inGigabytes(figures->total)}, {"oom", figures->outOfMemory}, {"bubble", figures->bubble},
        {"bubble_over_ceiling", figures->bubbleOverCeiling}, {"tp_crosses_node", figures->tpCrossesNode},
        {"mfu", figures->mfu}};
}

Expected<Json> evaluateSearcher(NativeReader &in)
{
    const auto inputs = readSearcherInputs(in);
    if (in.error())
        return std::unexpected(*in.error());
    const auto found = searcher::search(inputs);
    if (!found)
        return std::unexpected(found.error());
    const auto &best = found->rows[found->best];
    Json rows = Json::array();
    for (const auto &row : found->rows)
        rows.push_back({{"dp", row.dp}, {"tp", row.tp}, {"pp", row.pp}, {"compute_ms", inMilliseconds(row.compute)},
            {"dp_ms", inMilliseconds(row.dpTime)}, {"tp_ms", inMilliseconds(row.tpTime)},
            {"pp_ms", inMilliseconds(row.ppTime)}, {"total_ms", inMilliseconds(row.total)}});
    return Json{{"count", found->rows.size()},
        {"best", {{"dp", best.dp}, {"tp", best.tp}, {"pp", best.pp}, {"total_ms", inMilliseconds(best.total)}}},
        {"rows", std::move(rows)}};
}

Expected<Json> evaluateStrategyCalculator(NativeReader &in)
{
    const auto inputs = readStrategyInputs(in);
    if (in.error())
        return std::unexpected(*in.error());
    const auto table = strategycalculator::calculate(inputs);
    if (!table)
        return std::unexpected(table.error());
    const auto &model = table->model;
    Json out{{"model",
        {{"param_count", model.count}, {"weights_gb", inGigabytes(model.weights)},
            {"gradients_gb", inGigabytes(model.gradients)}, {"optimizer_gb", inGigabytes(model.optimizer)},
            {"total_gb", inGigabytes(model.total)}}}};
    Json rows = Json::array();
    for (const auto &row : table->rows)
        rows.push_back(rowToJson(row));
    out["rows"] = std::move(rows);
    out["recommended"] = nullptr;
    if (table->recommended) {
        const auto &row = table->rows[*table->recommended];
        out["recommended"] = {{"tp", row.tp}, {"pp", row.pp}, {"dp", row.dp}};
    }
    out["reasons"] = table->reasons;
    out["moe_advice"] = table->expertAdvice;
    out["warnings"] = table->countWarning ? Json::array({*table->countWarning}) : Json::array();
    return out;
}

} // namespace fleetwright::exchange
