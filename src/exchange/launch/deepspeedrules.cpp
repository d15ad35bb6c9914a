// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchruletables.h"

namespace fleetwright::exchange::launchruletables {

namespace {

using enum LaunchFramework;

const auto deepSpeedRuleTable = std::to_array<LaunchRule>({
    {"deepspeed-pp", {DeepSpeed}, "parallelism.pp",
        "A pipeline is written in code (PipelineModule); the JSON has no setting for it.",
        "docs/_pages/config-json.md @00376da4, which has no number of stages",
        [](const Launch &launch) { return launch.pp == 1 && launch.virtualStages == 1; },
        [](const Launch &launch) {
            return "The plan has PP " + ruled(launch.pp)
                + "; set PP and virtual_stages to 1, or choose another framework.";
        }},
    {"deepspeed-cp", {DeepSpeed}, "parallelism.cp",
        "Context parallelism is not written; DeepSpeed splits attention heads instead (Ulysses, "
        "sequence_parallel_size), which the model's code calls.",
        "deepspeed/__init__.py, initialize @85a6a5db", [](const Launch &launch) { return launch.cp == 1; },
        [](const Launch &launch) {
            return "The plan has CP " + ruled(launch.cp) + "; set CP to 1, or choose another framework.";
        }},
    {"deepspeed-precision", {DeepSpeed}, "training.precision", "Training runs in fp32, fp16 or bf16.",
        "docs/_pages/config-json.md @00376da4, which has no other",
        [](const Launch &launch) {
            return isOneOf(launch.precision, {Precision::Fp32, Precision::Fp16, Precision::Bf16});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16 or fp16"); }},
    {"deepspeed-expert-tp", {DeepSpeed}, "assumptions.expert_tensor_parallel",
        "AutoEP keeps each expert whole: expert TP is 1.", "module_inject/auto_ep_folding.py @13dceecf",
        [](const Launch &launch) { return launch.ep == 1 || launch.expertTp == 1; },
        [](const Launch &launch) {
            return "The plan has expert TP " + ruled(launch.expertTp) + "; set expert_tensor_parallel to 0 or 1.";
        }},
    {"deepspeed-ep", {DeepSpeed}, "parallelism.ep", "EP must divide the accelerators.",
        "module_inject/auto_ep_folding.py @13dceecf",
        [](const Launch &launch) { return launch.world() % launch.ep == 0; },
        [](const Launch &launch) {
            return "The plan has EP " + ruled(launch.ep) + " and " + ruled(launch.world())
                + " accelerators; choose an EP that divides them.";
        }},
    {"deepspeed-shard-group", {DeepSpeed}, "assumptions.shard_group",
        "ZeRO 3 shards over all data-parallel ranks; smaller groups are MiCS, which the model's code begins.",
        "runtime/zero/config.py, mics_shard_size @1b88ac36",
        [](const Launch &launch) {
            return launch.zeroStage != 3 || launch.shardGroup == 0 || launch.shardGroup == launch.dp;
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup) + "; set shard_group to 0.";
        }},
    {"deepspeed-ep-zero", {DeepSpeed}, "parallelism.zero_stage", "AutoEP beside AutoTP excludes ZeRO 3.",
        "module_inject/auto_ep_folding.py @13dceecf",
        [](const Launch &launch) { return launch.ep == 1 || launch.tp == 1 || launch.zeroStage != 3; },
        [](const Launch &launch) {
            return "The plan has EP " + ruled(launch.ep) + ", TP " + ruled(launch.tp)
                + " and ZeRO 3; choose ZeRO 2, or set TP to 1.";
        }},
});

} // namespace

std::span<const LaunchRule> ofDeepSpeed() { return deepSpeedRuleTable; }

} // namespace fleetwright::exchange::launchruletables
