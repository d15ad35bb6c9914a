// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchrules.h"

#include "units/words.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

using enum LaunchFramework;

constexpr LaunchFrameworks everyFramework{MegatronLm, MegatronBridge, DeepSpeed, Torchtitan, MaxText};
constexpr LaunchFrameworks bothMegatrons{MegatronLm, MegatronBridge};

std::string ruled(std::int64_t number) { return std::to_string(number); }

bool isOneOf(Precision precision, std::initializer_list<Precision> known)
{
    return std::ranges::find(known, precision) != known.end();
}

/// A count that the workload may not state.
bool divides(std::int64_t divisor, const std::optional<int> &count) { return !count || *count % divisor == 0; }

bool kvHeadsFit(const Launch &launch)
{
    const auto &heads = launch.model.facts.kvHeads;
    return launch.model.isLatent() || !heads || *heads % launch.tp == 0 || launch.tp % *heads == 0;
}

/// Layers of a feed-forward network that is not an expert's.
bool hasDenseFfn(const Launch &launch)
{
    return !launch.model.hasExperts() || launch.model.denseLayers() > 0
        || launch.model.facts.expertLayerInterval.value_or(1) > 1;
}

std::string precisionHere(const Launch &launch, std::string_view known)
{
    return "The plan says " + std::string(toString(launch.precision)) + "; choose " + std::string(known) + ".";
}

std::string microbatchesHere(const Launch &launch)
{
    return "The plan has " + ruled(launch.microbatches) + " and PP " + ruled(launch.pp)
        + "; change the microbatch size, the global batch or PP.";
}

std::string expertsHere(const Launch &launch)
{
    return "The plan has EP " + ruled(launch.ep) + " \u00d7 expert TP " + ruled(launch.expertTp)
        + " on TP \u00d7 CP \u00d7 DP = " + ruled(launch.tp * launch.cp * launch.dp)
        + "; choose an EP that divides it.";
}

const auto launchRuleTable = std::to_array<LaunchRule>({
    {"lora", everyFramework, "training.lora", "The launch configuration has no setting for LoRA.",
        [](const Launch &launch) { return !launch.lora; },
        [](const Launch &) {
            return std::string("All weights would be trained, which is another run; set training.lora to false, or "
                               "write the adapter's configuration by hand.");
        }},
    {"batch", everyFramework, "training.global_batch",
        "The global batch must be a multiple of the microbatch size times DP.",
        [](const Launch &launch) { return launch.globalBatch % (launch.microbatchSize * launch.dp) == 0; },
        [](const Launch &launch) {
            return "The plan has a global batch of " + ruled(launch.globalBatch) + ", microbatch "
                + ruled(launch.microbatchSize) + " and DP " + ruled(launch.dp)
                + "; choose a global batch that is a multiple of " + ruled(launch.microbatchSize * launch.dp) + ".";
        }},
    {"decoder", {MegatronLm}, "workload", "pretrain_gpt.py trains decoder-only transformers.",
        [](const Launch &launch) { return launch.model.isDecoder(); },
        [](const Launch &launch) {
            return "The workload " + inQuotes(launch.workloadName) + " is "
                + (launch.model.architecture.empty() ? "of no stated architecture"
                                                     : inQuotes(launch.model.architecture))
                + "; choose a decoder-only transformer, dense or with experts.";
        }},
    {"attention", {MegatronLm}, "workload",
        "Attention must be multi-head, grouped, multi-query or latent to have arguments.",
        [](const Launch &launch) {
            const auto &type = launch.model.facts.attentionType;
            return type != "hybrid" && type != "compressed";
        },
        [](const Launch &launch) {
            return "The workload " + inQuotes(launch.workloadName) + " has " + launch.model.facts.attentionType
                + " attention; choose another workload or framework.";
        }},
    {"tp-heads", everyFramework, "parallelism.tp", "TP must divide the attention heads.",
        [](const Launch &launch) { return divides(launch.tp, launch.model.facts.attentionHeads); },
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.attentionHeads) + " heads and the plan TP "
                + ruled(launch.tp) + "; choose a TP that divides the heads.";
        }},
    {"tp-kv-heads", {MegatronLm, MegatronBridge, Torchtitan, MaxText}, "parallelism.tp",
        "The KV heads must be a multiple or a divisor of TP.", kvHeadsFit,
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.kvHeads) + " KV heads and the plan TP "
                + ruled(launch.tp) + "; choose a TP that divides them or that they divide.";
        }},
    {"tp-ffn", {MegatronLm, MegatronBridge, Torchtitan}, "parallelism.tp",
        "TP must divide the FFN size of dense layers.",
        [](const Launch &launch) {
            return !hasDenseFfn(launch) || divides(launch.tp, launch.model.facts.ffnHiddenSize);
        },
        [](const Launch &launch) {
            return "The FFN size is " + ruled(*launch.model.facts.ffnHiddenSize) + " and TP " + ruled(launch.tp)
                + "; choose a TP that divides it.";
        }},
    {"sequence-parallel", bothMegatrons, "parallelism.sequence_parallel", "Sequence parallelism needs TP above 1.",
        [](const Launch &launch) { return !launch.sequenceParallel || launch.tp > 1; },
        [](const Launch &) { return std::string("The plan has TP 1; set sequence_parallel to false, or raise TP."); }},
    {"moe-sequence-parallel", bothMegatrons, "parallelism.sequence_parallel",
        "Experts are trained with TP above 1 only beside sequence parallelism.",
        [](const Launch &launch) { return !launch.model.hasExperts() || launch.tp == 1 || launch.sequenceParallel; },
        [](const Launch &launch) {
            return "The plan has TP " + ruled(launch.tp) + " without it; set sequence_parallel to true, or TP to 1.";
        }},
    {"pp-layers", bothMegatrons, "parallelism.pp",
        "Pipeline stages times virtual stages must divide the layers, with or without the embedding and the loss as "
        "one more layer each.",
        [](const Launch &launch) {
            const auto &layers = launch.model.facts.layers;
            return !layers || pipelineEnds(*layers, launch.layersPerChunk()).has_value();
        },
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.layers) + " layers and the plan PP "
                + ruled(launch.pp) + " \u00d7 " + ruled(launch.virtualStages)
                + " virtual stages; choose numbers whose product divides one of " + ruled(*launch.model.facts.layers)
                + ", " + ruled(*launch.model.facts.layers + 1) + " and " + ruled(*launch.model.facts.layers + 2) + ".";
        }},
    {"virtual-stages-pp", {MegatronLm, MegatronBridge, Torchtitan, MaxText}, "parallelism.virtual_stages",
        "Virtual stages interleave a pipeline, so PP must be above 1.",
        [](const Launch &launch) { return launch.virtualStages == 1 || launch.pp > 1; },
        [](const Launch &) { return std::string("The plan has PP 1; set virtual_stages to 1, or raise PP."); }},
    {"virtual-stages-overlap", bothMegatrons, "parallelism.pp",
        "Virtual stages without overlap of their transfers need PP above 2.",
        [](const Launch &launch) {
            return launch.virtualStages == 1 || launch.pp > 2 || !launch.software || !launch.software->ppOverlap.stated
                || launch.software->ppOverlap.on;
        },
        [](const Launch &launch) {
            return "The plan has PP " + ruled(launch.pp) + " and pp_overlap off; let it overlap, or raise PP.";
        }},
    {"interleaved-microbatches", {MegatronLm, MegatronBridge, Torchtitan}, "training.microbatch_size",
        "An interleaved pipeline needs a number of microbatches that is a multiple of PP.",
        [](const Launch &launch) { return launch.virtualStages == 1 || launch.microbatches % launch.pp == 0; },
        microbatchesHere},
    {"schedule", bothMegatrons, "assumptions.pipeline_schedule",
        "Pipelines run 1F1B or interleaved; there is no other schedule.",
        [](const Launch &launch) { return !launch.software || launch.software->schedule == "1f1b" || launch.pp == 1; },
        [](const Launch &launch) {
            return "The plan is priced with " + launch.software->schedule
                + "; choose 1f1b, or torchtitan, which has zero-bubble schedules.";
        }},
    {"cp-sequence", everyFramework, "parallelism.cp", "2 \u00d7 CP must divide the sequence length.",
        [](const Launch &launch) { return launch.cp == 1 || launch.sequenceLength % (2 * launch.cp) == 0; },
        [](const Launch &launch) {
            return "The sequence length is " + ruled(launch.sequenceLength) + " and CP " + ruled(launch.cp)
                + "; change one of them.";
        }},
    {"ep-model", everyFramework, "parallelism.ep", "EP above 1 needs a workload with experts.",
        [](const Launch &launch) { return launch.ep == 1 || launch.model.hasExperts(); },
        [](const Launch &launch) {
            return "The workload " + inQuotes(launch.workloadName) + " has none; set EP to 1.";
        }},
    {"ep-experts", everyFramework, "parallelism.ep", "EP must divide the experts.",
        [](const Launch &launch) { return launch.ep == 1 || divides(launch.ep, launch.model.facts.experts); },
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.experts) + " experts and the plan EP "
                + ruled(launch.ep) + "; choose an EP that divides them.";
        }},
    {"ep-ranks", {MegatronLm, MegatronBridge}, "parallelism.ep",
        "EP times expert TP must divide TP \u00d7 CP \u00d7 DP.",
        [](const Launch &launch) {
            return !launch.model.hasExperts() || launch.tp * launch.cp * launch.dp % (launch.ep * launch.expertTp) == 0;
        },
        expertsHere},
    {"ep-fp16", bothMegatrons, "training.precision", "Expert parallelism is not supported in fp16.",
        [](const Launch &launch) { return launch.ep == 1 || launch.precision != Precision::Fp16; },
        [](const Launch &) { return std::string("The plan says fp16; choose bf16 or fp8."); }},
    {"megatron-precision", bothMegatrons, "training.precision", "Training runs in fp32, fp16, bf16, fp8 or fp4.",
        [](const Launch &launch) {
            return isOneOf(
                launch.precision, {Precision::Fp32, Precision::Fp16, Precision::Bf16, Precision::Fp8, Precision::Fp4});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16, fp8 or fp4"); }},
    {"tp-overlap", bothMegatrons, "assumptions.tp_overlap", "Overlap of TP needs sequence parallelism.",
        [](const Launch &launch) {
            return launch.tp == 1 || launch.sequenceParallel || !launch.asksFor(&LaunchSoftware::tpOverlap);
        },
        [](const Launch &) {
            return std::string("The plan asks for it without; set sequence_parallel to true, or tp_overlap to off.");
        }},
    {"ep-overlap", bothMegatrons, "assumptions.ep_overlap",
        "Overlap of EP needs EP above 1, 16 bits or fewer, and no full recomputation.",
        [](const Launch &launch) {
            return !launch.asksFor(&LaunchSoftware::epOverlap)
                || (launch.ep > 1 && launch.recompute != Recompute::Full && launch.precision != Precision::Fp32);
        },
        [](const Launch &) {
            return std::string("The plan asks for it without these; set ep_overlap to off, or change them.");
        }},
    {"ep-overlap-pp", bothMegatrons, "assumptions.ep_overlap", "Overlap of EP in a pipeline needs virtual stages.",
        [](const Launch &launch) {
            return !launch.asksFor(&LaunchSoftware::epOverlap) || launch.pp == 1 || launch.virtualStages > 1;
        },
        [](const Launch &launch) {
            return "The plan has PP " + ruled(launch.pp)
                + " and one stage of each; raise virtual_stages, or set ep_overlap to off.";
        }},
    {"graphs-recompute", bothMegatrons, "assumptions.cuda_graphs", "CUDA graphs exclude full recomputation.",
        [](const Launch &launch) {
            return !launch.software || !launch.software->graphs || launch.recompute != Recompute::Full;
        },
        [](const Launch &) {
            return std::string("The plan has both; choose selective recomputation, or leave the graphs out.");
        }},
    {"shard-group", {MegatronLm, MegatronBridge, Torchtitan}, "assumptions.shard_group",
        "The parameter-shard group must divide DP \u00d7 CP.",
        [](const Launch &launch) {
            return launch.shardGroup == 0 || launch.zeroStage != 3 || launch.dp * launch.cp % launch.shardGroup == 0;
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup)
                + " on DP \u00d7 CP = " + ruled(launch.dp * launch.cp) + "; choose a divisor.";
        }},
    {"deepspeed-pp", {DeepSpeed}, "parallelism.pp",
        "A pipeline is written in code (PipelineModule); the JSON has no setting for it.",
        [](const Launch &launch) { return launch.pp == 1 && launch.virtualStages == 1; },
        [](const Launch &launch) {
            return "The plan has PP " + ruled(launch.pp)
                + "; set PP and virtual_stages to 1, or choose another framework.";
        }},
    {"deepspeed-cp", {DeepSpeed}, "parallelism.cp", "The JSON has no context parallelism.",
        [](const Launch &launch) { return launch.cp == 1; },
        [](const Launch &launch) {
            return "The plan has CP " + ruled(launch.cp) + "; set CP to 1, or choose another framework.";
        }},
    {"deepspeed-precision", {DeepSpeed}, "training.precision", "Training runs in fp32, fp16 or bf16.",
        [](const Launch &launch) {
            return isOneOf(launch.precision, {Precision::Fp32, Precision::Fp16, Precision::Bf16});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16 or fp16"); }},
    {"deepspeed-expert-tp", {DeepSpeed}, "assumptions.expert_tensor_parallel",
        "AutoEP keeps each expert whole: expert TP is 1.",
        [](const Launch &launch) { return launch.ep == 1 || launch.expertTp == 1; },
        [](const Launch &launch) {
            return "The plan has expert TP " + ruled(launch.expertTp) + "; set expert_tensor_parallel to 0 or 1.";
        }},
    {"deepspeed-ep", {DeepSpeed}, "parallelism.ep", "EP must divide the accelerators.",
        [](const Launch &launch) { return launch.world() % launch.ep == 0; },
        [](const Launch &launch) {
            return "The plan has EP " + ruled(launch.ep) + " and " + ruled(launch.world())
                + " accelerators; choose an EP that divides them.";
        }},
    {"deepspeed-shard-group", {DeepSpeed}, "assumptions.shard_group", "ZeRO shards over all data-parallel ranks.",
        [](const Launch &launch) {
            return launch.zeroStage != 3 || launch.shardGroup == 0 || launch.shardGroup == launch.dp;
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup) + "; set shard_group to 0.";
        }},
    {"torchtitan-zero", {Torchtitan}, "parallelism.zero_stage",
        "FSDP shards weights, gradients and optimizer states together (ZeRO 3, or 2 where weights are kept after the "
        "forward pass), or nothing is sharded (ZeRO 0).",
        [](const Launch &launch) { return launch.zeroStage != 1; },
        [](const Launch &) { return std::string("The plan has ZeRO 1; choose 0, 2 or 3."); }},
    {"torchtitan-precision", {Torchtitan}, "training.precision", "Training runs in fp32, bf16, fp8 or fp4.",
        [](const Launch &launch) {
            return isOneOf(launch.precision, {Precision::Fp32, Precision::Bf16, Precision::Fp8, Precision::Fp4});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16, fp8 or fp4"); }},
    {"torchtitan-ep", {Torchtitan}, "parallelism.ep",
        "dp_shard \u00d7 cp \u00d7 tp = efsdp \u00d7 ep: EP must divide the ranks that share one copy of the weights.",
        [](const Launch &launch) {
            const auto shard = launch.zeroStage == 0 ? 1
                : launch.zeroStage == 3 && launch.shardGroup > 0
                ? std::max<std::int64_t>(1, launch.shardGroup / launch.cp)
                : launch.dp;
            return shard * launch.cp * launch.tp % launch.ep == 0;
        },
        [](const Launch &launch) {
            return "The plan has EP " + ruled(launch.ep) + ", TP " + ruled(launch.tp) + ", CP " + ruled(launch.cp)
                + ", DP " + ruled(launch.dp) + " and ZeRO " + ruled(launch.zeroStage)
                + "; choose an EP that divides TP \u00d7 CP \u00d7 DP, and ZeRO 2 or 3.";
        }},
    {"torchtitan-expert-tp", {Torchtitan}, "assumptions.expert_tensor_parallel",
        "EP takes its ranks from TP, so an expert is whole: expert TP is 1.",
        [](const Launch &launch) { return launch.ep == 1 || launch.expertTp == 1; },
        [](const Launch &launch) {
            return "The plan has expert TP " + ruled(launch.expertTp) + "; set expert_tensor_parallel to 0 or 1.";
        }},
    {"torchtitan-shard-group", {Torchtitan}, "assumptions.shard_group",
        "CP shards weights as DP does, so the parameter-shard group must be a multiple of CP.",
        [](const Launch &launch) {
            return launch.zeroStage != 3 || launch.shardGroup == 0 || launch.shardGroup % launch.cp == 0;
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup) + " and CP " + ruled(launch.cp)
                + "; choose a multiple of CP.";
        }},
    {"torchtitan-schedule", {Torchtitan}, "parallelism.virtual_stages",
        "InterleavedZeroBubble needs virtual stages, and ZBVZeroBubble exactly two.",
        [](const Launch &launch) {
            return launch.pp == 1 || !launch.software || launch.software->schedule == "1f1b"
                || (launch.software->schedule == "zero_bubble_1p" ? launch.virtualStages > 1
                                                                  : launch.virtualStages == 2);
        },
        [](const Launch &launch) {
            return "The plan has " + launch.software->schedule + " and " + ruled(launch.virtualStages)
                + " of each stage; change virtual_stages or the schedule.";
        }},
    {"maxtext-zero", {MaxText}, "parallelism.zero_stage",
        "Optimizer states alone are sharded (ZeRO 1), everything (ZeRO 3) or nothing (ZeRO 0).",
        [](const Launch &launch) { return launch.zeroStage != 2; },
        [](const Launch &) { return std::string("The plan has ZeRO 2; choose 0, 1 or 3."); }},
    {"maxtext-precision", {MaxText}, "training.precision", "Training runs in fp32, bf16, fp8 or int8.",
        [](const Launch &launch) {
            return isOneOf(launch.precision, {Precision::Fp32, Precision::Bf16, Precision::Fp8, Precision::Int8});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16, fp8 or int8"); }},
    {"maxtext-ep", {MaxText}, "parallelism.ep", "The expert axis holds samples of the batch, so EP must divide DP.",
        [](const Launch &launch) { return launch.dp % launch.ep == 0; },
        [](const Launch &launch) {
            return "The plan has EP " + ruled(launch.ep) + " and DP " + ruled(launch.dp)
                + "; choose an EP that divides DP.";
        }},
    {"maxtext-shard-group", {MaxText}, "assumptions.shard_group",
        "The fsdp axis times CP and EP is what shares one copy of the weights, so CP \u00d7 EP must divide the "
        "parameter-shard group, and the group DP \u00d7 CP.",
        [](const Launch &launch) {
            return launch.zeroStage != 3 || launch.shardGroup == 0
                || (launch.dp * launch.cp % launch.shardGroup == 0 && launch.shardGroup % (launch.cp * launch.ep) == 0);
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup) + "; set shard_group to 0.";
        }},
    {"maxtext-layers", {MaxText}, "parallelism.pp",
        "Layers are stages times layers per stage times repeats, so PP times virtual stages must divide them.",
        [](const Launch &launch) {
            return launch.pp == 1 || divides(launch.layersPerChunk(), launch.model.facts.layers);
        },
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.layers) + " layers and the plan PP "
                + ruled(launch.pp) + " \u00d7 " + ruled(launch.virtualStages)
                + " virtual stages; choose numbers whose product divides the layers.";
        }},
    {"maxtext-microbatches", {MaxText}, "training.microbatch_size",
        "The number of pipeline microbatches must be a multiple of the stages.",
        [](const Launch &launch) { return launch.pp == 1 || launch.microbatches % launch.pp == 0; }, microbatchesHere},
    {"maxtext-schedule", {MaxText}, "assumptions.pipeline_schedule", "There is one pipeline schedule, circular.",
        [](const Launch &launch) { return !launch.software || launch.software->schedule == "1f1b" || launch.pp == 1; },
        [](const Launch &launch) {
            return "The plan is priced with " + launch.software->schedule + "; choose 1f1b, or torchtitan.";
        }},
    {"maxtext-domains", {MaxText}, "fleet.nodes", "Slices are whole: the scale-up domain must divide the accelerators.",
        [](const Launch &launch) { return launch.world() % launch.domain == 0; },
        [](const Launch &launch) {
            return "The fleet has " + ruled(launch.world()) + " accelerators in domains of " + ruled(launch.domain)
                + "; choose a number of nodes that fills its domains.";
        }},
});

} // namespace

std::span<const LaunchRule> launchRules() { return launchRuleTable; }

Expected<void> checkLaunch(const Launch &launch, LaunchFramework framework)
{
    for (const auto &rule : launchRuleTable)
        if (rule.frameworks.contains(framework) && !rule.holds(launch))
            return refuse(rule.field.starts_with("parallelism") || rule.field.ends_with("batch")
                    ? ErrorCode::InfeasibleParallelism
                    : ErrorCode::UnsupportedValue,
                std::string(rule.field),
                std::string(snapshotOf(framework).title) + ": " + std::string(rule.sentence) + " " + rule.here(launch));
    return {};
}

} // namespace fleetwright::exchange
