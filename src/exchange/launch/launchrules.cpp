// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchruletables.h"

#include "units/words.h"

#include <vector>

namespace fleetwright::exchange {

namespace launchruletables {

namespace {

using enum LaunchFramework;

constexpr LaunchFrameworks everyFramework{MegatronLm, MegatronBridge, DeepSpeed, Torchtitan, MaxText};

bool kvHeadsFit(const Launch &launch)
{
    const auto &heads = launch.model.facts.kvHeads;
    return launch.model.isLatent() || !heads || *heads % launch.tp == 0 || launch.tp % *heads == 0;
}

const auto sharedRuleTable = std::to_array<LaunchRule>({
    {"lora", everyFramework, "training.lora",
        "LoRA is not written: its adapters have settings that a plan does not know.",
        "no framework: what is not written", [](const Launch &launch) { return !launch.lora; },
        [](const Launch &) {
            return std::string("All weights would be trained, which is another run; set training.lora to false, or "
                               "write the adapter's configuration by hand.");
        }},
    {"batch", everyFramework, "training.global_batch",
        "The global batch must be a multiple of the microbatch size times DP.",
        "megatron/core/num_microbatches_calculator.py @6337108c; Bridge training/config.py @4feb11f8; DeepSpeed "
        "runtime/config.py @3a890ec5; torchtitan trainer.py @8e879cb3; MaxText configs/types.py @000e6d8a",
        [](const Launch &launch) { return launch.globalBatch % (launch.microbatchSize * launch.dp) == 0; },
        [](const Launch &launch) {
            return "The plan has a global batch of " + ruled(launch.globalBatch) + ", microbatch "
                + ruled(launch.microbatchSize) + " and DP " + ruled(launch.dp)
                + "; choose a global batch that is a multiple of " + ruled(launch.microbatchSize * launch.dp) + ".";
        }},
    {"tp-heads", everyFramework, "parallelism.tp", "TP must divide the attention heads.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8; torchtitan config/validation.py "
        "@0276e6ed; DeepSpeed, MaxText: not verified",
        [](const Launch &launch) { return divides(launch.tp, launch.model.facts.attentionHeads); },
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.attentionHeads) + " heads and the plan TP "
                + ruled(launch.tp) + "; choose a TP that divides the heads.";
        }},
    {"tp-kv-heads", {MegatronLm, MegatronBridge, MaxText}, "parallelism.tp",
        "The KV heads must be a multiple or a divisor of TP.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8; MaxText: not verified", kvHeadsFit,
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.kvHeads) + " KV heads and the plan TP "
                + ruled(launch.tp) + "; choose a TP that divides them or that they divide.";
        }},
    {"virtual-stages-pp", {MegatronLm, MegatronBridge, Torchtitan, MaxText}, "parallelism.virtual_stages",
        "Virtual stages interleave a pipeline, so PP must be above 1.",
        "megatron/core/parallel_state.py, initialize_model_parallel @00caa53a; PyTorch pipelining/schedules.py "
        "@1fd7abc2; MaxText configs/types.py @000e6d8a",
        [](const Launch &launch) { return launch.virtualStages == 1 || launch.pp > 1; },
        [](const Launch &) { return std::string("The plan has PP 1; set virtual_stages to 1, or raise PP."); }},
    {"cp-sequence", everyFramework, "parallelism.cp", "2 \u00d7 CP must divide the sequence length.",
        "megatron/training/arguments.py, validate_args @cd2001de; Bridge training/config.py, validate @003e863a; "
        "torchtitan config/configs.py @0014ac2c; MaxText utils/max_utils.py, reorder_sequence @404e5cfc",
        [](const Launch &launch) { return launch.cp == 1 || launch.sequenceLength % (2 * launch.cp) == 0; },
        [](const Launch &launch) {
            return "The sequence length is " + ruled(launch.sequenceLength) + " and CP " + ruled(launch.cp)
                + "; change one of them.";
        }},
    {"ep-model", everyFramework, "parallelism.ep", "EP above 1 needs a workload with experts.",
        "megatron/training/arguments.py, validate_args @cd2001de; DeepSpeed module_inject/auto_ep_config.py @d231f6b3; "
        "torchtitan, MaxText: nothing to divide",
        [](const Launch &launch) { return launch.ep == 1 || launch.model.hasExperts(); },
        [](const Launch &launch) {
            return "The workload " + inQuotes(launch.workloadName) + " has none; set EP to 1.";
        }},
    {"ep-experts", everyFramework, "parallelism.ep", "EP must divide the experts.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8; DeepSpeed "
        "module_inject/auto_ep_config.py @d231f6b3; torchtitan config/validation.py @0276e6ed; MaxText: not verified",
        [](const Launch &launch) { return launch.ep == 1 || divides(launch.ep, launch.model.facts.experts); },
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.experts) + " experts and the plan EP "
                + ruled(launch.ep) + "; choose an EP that divides them.";
        }},
    {"shard-group", {MegatronLm, MegatronBridge, Torchtitan}, "assumptions.shard_group",
        "The parameter-shard group must divide DP \u00d7 CP.",
        "megatron/core/parallel_state.py, initialize_model_parallel @00caa53a; torchtitan distributed/parallel_dims.py "
        "@73bb964d",
        [](const Launch &launch) {
            return launch.shardGroup == 0 || launch.zeroStage != 3 || launch.dp * launch.cp % launch.shardGroup == 0;
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup)
                + " on DP \u00d7 CP = " + ruled(launch.dp * launch.cp) + "; choose a divisor.";
        }},
});

} // namespace

std::span<const LaunchRule> ofSeveral() { return sharedRuleTable; }

} // namespace launchruletables

std::span<const LaunchRule> launchRules()
{
    static const auto rules = [] {
        std::vector<LaunchRule> all;
        for (const auto table : {launchruletables::ofSeveral(), launchruletables::ofMegatrons(),
                 launchruletables::ofDeepSpeed(), launchruletables::ofTorchtitan(), launchruletables::ofMaxText()})
            all.insert(all.end(), table.begin(), table.end());
        return all;
    }();
    return rules;
}

Expected<void> checkLaunch(const Launch &launch, LaunchFramework framework)
{
    for (const auto &rule : launchRules())
        if (rule.frameworks.contains(framework) && !rule.holds(launch))
            return refuse(rule.field.starts_with("parallelism") || rule.field.ends_with("batch")
                    ? ErrorCode::InfeasibleParallelism
                    : ErrorCode::UnsupportedValue,
                std::string(rule.field),
                std::string(snapshotOf(framework).title) + ": " + std::string(rule.sentence) + " " + rule.here(launch));
    return {};
}

} // namespace fleetwright::exchange
