// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchruletables.h"
#include "exchange/launch/maxtextmesh.h"

namespace fleetwright::exchange::launchruletables {

namespace {

using enum LaunchFramework;

const auto maxTextRuleTable = std::to_array<LaunchRule>({
    {"maxtext-zero", {MaxText}, "parallelism.zero_stage",
        "Optimizer states alone are sharded (ZeRO 1), everything (ZeRO 3) or nothing (ZeRO 0).",
        "configs/types.py @000e6d8a", [](const Launch &launch) { return launch.zeroStage != 2; },
        [](const Launch &) { return std::string("The plan has ZeRO 2; choose 0, 1 or 3."); }},
    {"maxtext-precision", {MaxText}, "training.precision", "Training runs in fp32, fp16, bf16, fp8, fp4 or int8.",
        "configs/types.py, DType and QuantizationType @000e6d8a",
        [](const Launch &launch) {
            return isOneOf(launch.precision,
                {Precision::Fp32, Precision::Fp16, Precision::Bf16, Precision::Fp8, Precision::Fp4, Precision::Int8});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16, fp8 or int8"); }},
    {"maxtext-ep", {MaxText}, "parallelism.ep", "The expert axis holds samples of the batch, so EP must divide DP.",
        "configs/base.yml, logical_axis_rules @e6b06efc",
        [](const Launch &launch) { return launch.dp % launch.ep == 0; },
        [](const Launch &launch) {
            return "The plan has EP " + ruled(launch.ep) + " and DP " + ruled(launch.dp)
                + "; choose an EP that divides DP.";
        }},
    {"maxtext-shard-group", {MaxText}, "assumptions.shard_group",
        "The fsdp axis times CP and EP is what shares one copy of the weights, so CP \u00d7 EP must divide the "
        "parameter-shard group, and the group DP \u00d7 CP.",
        "configs/base.yml, mesh_axes @e6b06efc, as this program reads them",
        [](const Launch &launch) {
            return launch.zeroStage != 3 || launch.shardGroup == 0
                || (launch.dp * launch.cp % launch.shardGroup == 0 && launch.shardGroup % (launch.cp * launch.ep) == 0);
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup) + "; set shard_group to 0.";
        }},
    {"maxtext-layers", {MaxText}, "parallelism.pp",
        "Layers are stages times layers per stage times repeats, so PP times virtual stages must divide those of the "
        "pipeline: all but the dense ones that come before layers with experts.",
        "configs/types.py, pipeline_parallel_layers @000e6d8a",
        [](const Launch &launch) {
            return launch.pp == 1 || divides(launch.layersPerChunk(), maxTextPipelineLayers(launch));
        },
        [](const Launch &launch) {
            return "The pipeline has " + ruled(*maxTextPipelineLayers(launch)) + " layers and the plan PP "
                + ruled(launch.pp) + " \u00d7 " + ruled(launch.virtualStages)
                + " virtual stages; choose numbers whose product divides the layers.";
        }},
    {"maxtext-microbatches", {MaxText}, "training.microbatch_size",
        "The number of pipeline microbatches must be a multiple of the stages.", "configs/types.py @000e6d8a",
        [](const Launch &launch) { return launch.pp == 1 || launch.microbatches % launch.pp == 0; }, microbatchesHere},
    {"maxtext-schedule", {MaxText}, "assumptions.pipeline_schedule", "There is one pipeline schedule, circular.",
        "configs/types.py @000e6d8a, which has no other",
        [](const Launch &launch) { return !launch.software || launch.software->schedule == "1f1b" || launch.pp == 1; },
        [](const Launch &launch) {
            return "The plan is priced with " + launch.software->schedule + "; choose 1f1b, or torchtitan.";
        }},
    {"maxtext-domains", {MaxText}, "fleet.nodes", "Slices are whole: the scale-up domain must divide the accelerators.",
        "configs/types.py @000e6d8a; slices on GPUs: not verified",
        [](const Launch &launch) { return launch.world() % launch.domain == 0; },
        [](const Launch &launch) {
            return "The fleet has " + ruled(launch.world()) + " accelerators in domains of " + ruled(launch.domain)
                + "; choose a number of nodes that fills its domains.";
        }},
    {"maxtext-cp", {MaxText}, "parallelism.cp", "CP above 1 is even, since sequences are laid out in pairs of pieces.",
        "utils/max_utils.py, reorder_sequence @404e5cfc",
        [](const Launch &launch) { return launch.cp == 1 || launch.cp % 2 == 0; },
        [](const Launch &launch) { return "The plan has CP " + ruled(launch.cp) + "; choose an even one."; }},
    {"maxtext-fp8-accumulation", {MaxText}, "training.microbatch_size", "fp8 excludes accumulation of gradients.",
        "configs/types.py @000e6d8a",
        [](const Launch &launch) {
            return launch.precision != Precision::Fp8 || launch.pp > 1 || launch.microbatches == 1;
        },
        [](const Launch &launch) {
            return "The plan has " + ruled(launch.microbatches)
                + " microbatches; choose the whole batch of a replica as one, or bf16.";
        }},
});

} // namespace

std::span<const LaunchRule> ofMaxText() { return maxTextRuleTable; }

} // namespace fleetwright::exchange::launchruletables
