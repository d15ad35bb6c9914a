// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchwriters.h"
#include "exchange/launch/maxtextmesh.h"
#include "units/format.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace fleetwright::exchange {

MaxTextMesh maxTextMesh(const Launch &launch)
{
    const auto rest = std::max<std::int64_t>(1, launch.dp / launch.ep);
    std::int64_t fsdp = 1;
    if (launch.zeroStage == 3)
        fsdp = launch.shardGroup > 0 ? std::max<std::int64_t>(1, launch.shardGroup / (launch.cp * launch.ep)) : rest;
    MaxTextMesh mesh{{{{"tensor", launch.tp}, {"expert", launch.ep}, {"context", launch.cp}, {"fsdp", fsdp},
        {"data", std::max<std::int64_t>(1, rest / fsdp)}, {"pipeline", launch.pp}}}};
    auto left = std::int64_t(launch.domain);
    for (auto &axis : mesh.axes) {
        axis.ici = std::gcd(axis.degree, left);
        left /= axis.ici;
    }
    return mesh;
}

std::optional<int> maxTextPipelineLayers(const Launch &launch)
{
    const auto &layers = launch.model.facts.layers;
    return layers ? std::optional(*layers - (launch.model.hasExperts() ? launch.model.denseLayers() : 0))
                  : std::nullopt;
}

namespace launchwriters {

namespace {

struct MaxTextPrecision {
    std::string_view dtype, quantization;
};
MaxTextPrecision maxTextPrecision(Precision precision)
{
    switch (precision) {
    case Precision::Fp32: return {"float32", ""};
    case Precision::Fp16: return {"float16", ""};
    case Precision::Fp8: return {"bfloat16", "fp8"};
    case Precision::Fp4: return {"bfloat16", "te_nvfp4"};
    case Precision::Int8: return {"bfloat16", "int8"};
    default: return {"bfloat16", ""};
    }
}

/// The share of each accelerator in the batch. MaxText multiplies it by their number and drops what stands behind the
/// point, so that it must not be rounded down.
double perDevice(std::int64_t batch, std::int64_t world)
{
    double share = double(batch) / double(world);
    while (share * double(world) < double(batch))
        share = std::nextafter(share, std::numeric_limits<double>::infinity());
    return share;
}

std::string_view rematPolicy(Recompute recompute)
{
    switch (recompute) {
    case Recompute::None: return "minimal_with_context";
    case Recompute::Selective: return "minimal";
    case Recompute::Full: break;
    }
    return "full";
}

std::vector<std::string> maxTextRemarks(const Launch &launch)
{
    auto told = launch.withoutFlag;
    told.push_back("The model is chosen by model_name: that of " + launch.workloadName + " is yours to add.");
    if (launch.recompute == Recompute::None)
        told.emplace_back("remat_policy minimal_with_context keeps every product and the attention's output; nothing "
                          "is the policy that recomputes nothing at all.");
    if (launch.tp > 1 && !launch.sequenceParallel)
        told.emplace_back("TP splits activations between its products as XLA chooses; parallelism.sequence_parallel "
                          "has no setting.");
    if (launch.model.hasExperts() && launch.ep > 1 && launch.tp > 1 && launch.expertTp != launch.tp)
        told.emplace_back("The tensor axis cuts experts, too; an expert TP of its own has no setting.");
    if (launch.virtualStages > 1 && launch.pp > 1)
        told.emplace_back("Virtual stages are repeats of a circular pipeline, which takes the place of 1F1B.");
    if (launch.software)
        told.emplace_back("Overlap follows XLA's flags; the plan's switches (dp_overlap...) have no setting.");
    return told;
}

} // namespace

LaunchConfiguration maxText(const Launch &launch)
{
    const auto told = maxTextRemarks(launch);
    std::string text = commentedHead(launch, LaunchFramework::MaxText, told) + "base_config: \"base.yml\"\n";
    const auto add = [&text](std::string_view key, const std::string &value) {
        text += std::string(key) + ": " + value + "\n";
    };
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    for (const auto &axis : maxTextMesh(launch).axes) {
        add("ici_" + std::string(axis.name) + "_parallelism", number(axis.ici));
        add("dcn_" + std::string(axis.name) + "_parallelism", number(axis.dcn()));
    }
    const auto world = launch.world();
    const bool pipelined = launch.pp > 1;
    // The batch that is held at once; the rest is accumulated, or goes through the pipeline.
    add("per_device_batch_size",
        units::exact(perDevice(pipelined ? launch.globalBatch : launch.microbatchSize * launch.dp, world)));
    add("gradient_accumulation_steps", number(pipelined ? 1 : launch.microbatches));
    if (pipelined) {
        if (const auto layers = maxTextPipelineLayers(launch))
            add("num_layers_per_pipeline_stage", number(*layers / launch.layersPerChunk()));
        add("num_pipeline_repeats", number(launch.virtualStages));
        add("num_pipeline_microbatches", number(launch.microbatches));
    }
    add("max_target_length", number(launch.sequenceLength));
    if (launch.steps)
        add("steps", number(*launch.steps));
    add("shard_optimizer_over_data", flagText(launch.zeroStage == 1));
    const auto precision = maxTextPrecision(launch.precision);
    add("dtype", "\"" + std::string(precision.dtype) + "\"");
    add("quantization", "\"" + std::string(precision.quantization) + "\"");
    add("remat_policy", "\"" + std::string(rematPolicy(launch.recompute)) + "\"");
    return {std::move(text), told};
}

} // namespace launchwriters

} // namespace fleetwright::exchange
