// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchruletables.h"
#include "units/words.h"

namespace fleetwright::exchange::launchruletables {

namespace {

using enum LaunchFramework;

constexpr LaunchFrameworks bothMegatrons{MegatronLm, MegatronBridge};

/// Layers of a feed-forward network that is not an expert's.
bool hasDenseFfn(const Launch &launch)
{
    return !launch.model.hasExperts() || launch.model.denseLayers() > 0
        || launch.model.facts.expertLayerInterval.value_or(1) > 1;
}

std::optional<int> expertFfn(const Launch &launch)
{
    const auto &facts = launch.model.facts;
    return facts.expertFfnHiddenSize ? facts.expertFfnHiddenSize : facts.ffnHiddenSize;
}

/// The width of all shared experts; nothing where there are none.
std::optional<int> sharedFfn(const Launch &launch)
{
    const int shared = launch.model.facts.sharedExperts.value_or(0);
    const auto one = launch.model.sharedExpertFfn ? launch.model.sharedExpertFfn : expertFfn(launch);
    return shared > 0 && one ? std::optional(shared * *one) : std::nullopt;
}

/// DP of experts.
std::int64_t expertDataRanks(const Launch &launch)
{
    return launch.tp * launch.cp * launch.dp / (launch.ep * launch.expertTp);
}

/// Of weights that are sharded in groups.
std::int64_t shardCopies(const Launch &launch)
{
    return std::max<std::int64_t>(1, launch.dp * launch.cp / launch.shardGroup);
}

std::string expertsHere(const Launch &launch)
{
    return "The plan has EP " + ruled(launch.ep) + " \u00d7 expert TP " + ruled(launch.expertTp)
        + " on TP \u00d7 CP \u00d7 DP = " + ruled(launch.tp * launch.cp * launch.dp)
        + "; choose an EP that divides it.";
}

const auto megatronRuleTable = std::to_array<LaunchRule>({
    {"decoder", {MegatronLm}, "workload", "What is written is for pretrain_gpt.py and decoder-only transformers.",
        "pretrain_gpt.py @aa5bf2ca", [](const Launch &launch) { return launch.model.isDecoder(); },
        [](const Launch &launch) {
            return "The workload " + inQuotes(launch.workloadName) + " is "
                + (launch.model.architecture.empty() ? "of no stated architecture"
                                                     : inQuotes(launch.model.architecture))
                + "; choose a decoder-only transformer, dense or with experts.";
        }},
    {"attention", {MegatronLm}, "workload",
        "Attention is written where it is multi-head, grouped, multi-query or latent; the sizes of other kinds "
        "(--experimental-attention-variant) are not in the catalog.",
        "megatron/training/arguments.py @cd2001de",
        [](const Launch &launch) {
            const auto &type = launch.model.facts.attentionType;
            return type != "hybrid" && type != "compressed";
        },
        [](const Launch &launch) {
            return "The workload " + inQuotes(launch.workloadName) + " has " + launch.model.facts.attentionType
                + " attention; choose another workload or framework.";
        }},
    {"tp-ffn", bothMegatrons, "parallelism.tp", "TP must divide the FFN size of dense layers.",
        "megatron/core/tensor_parallel/layers.py, by divide() @960c06b9",
        [](const Launch &launch) {
            return !hasDenseFfn(launch) || divides(launch.tp, launch.model.facts.ffnHiddenSize);
        },
        [](const Launch &launch) {
            return "The FFN size is " + ruled(*launch.model.facts.ffnHiddenSize) + " and TP " + ruled(launch.tp)
                + "; choose a TP that divides it.";
        }},
    {"sequence-parallel", bothMegatrons, "parallelism.sequence_parallel", "Sequence parallelism needs TP above 1.",
        "megatron/core/model_parallel_config.py, __post_init__ @02aa3ee4",
        [](const Launch &launch) { return !launch.sequenceParallel || launch.tp > 1; },
        [](const Launch &) { return std::string("The plan has TP 1; set sequence_parallel to false, or raise TP."); }},
    {"sp-sequence", bothMegatrons, "parallelism.tp",
        "With sequence parallelism TP \u00d7 CP must divide the sequence length.",
        "megatron/core/tensor_parallel/mappings.py, the split along the sequence @a1107746",
        [](const Launch &launch) {
            return !launch.sequenceParallel || launch.sequenceLength % (launch.tp * launch.cp) == 0;
        },
        [](const Launch &launch) {
            return "The sequence length is " + ruled(launch.sequenceLength) + ", TP " + ruled(launch.tp) + " and CP "
                + ruled(launch.cp) + "; change one of them, or set sequence_parallel to false.";
        }},
    {"moe-sequence-parallel", bothMegatrons, "parallelism.sequence_parallel",
        "Experts are trained with TP above 1 only beside sequence parallelism.",
        "megatron/core/transformer/moe/moe_layer.py, MoELayer.forward @00119989",
        [](const Launch &launch) { return !launch.model.hasExperts() || launch.tp == 1 || launch.sequenceParallel; },
        [](const Launch &launch) {
            return "The plan has TP " + ruled(launch.tp) + " without it; set sequence_parallel to true, or TP to 1.";
        }},
    {"pp-layers", bothMegatrons, "parallelism.pp",
        "Pipeline stages times virtual stages must divide the layers, with or without the embedding and the loss as "
        "one more layer each.",
        "megatron/training/arguments.py, validate_args @cd2001de; megatron/core/transformer/transformer_block.py, "
        "get_num_layers_to_build @767a8a81",
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
    {"virtual-stages-overlap", {MegatronLm}, "parallelism.pp",
        "Virtual stages without overlap of their transfers need PP above 2.",
        "megatron/training/arguments.py, validate_args @cd2001de",
        [](const Launch &launch) {
            return launch.virtualStages == 1 || launch.pp > 2 || !launch.software || !launch.software->ppOverlap.stated
                || launch.software->ppOverlap.on;
        },
        [](const Launch &launch) {
            return "The plan has PP " + ruled(launch.pp) + " and pp_overlap off; let it overlap, or raise PP.";
        }},
    {"interleaved-microbatches", bothMegatrons, "training.microbatch_size",
        "An interleaved pipeline needs a number of microbatches that is a multiple of PP.",
        "megatron/core/pipeline_parallel/schedules.py, the interleaved schedule @4dabc623",
        [](const Launch &launch) { return launch.virtualStages == 1 || launch.microbatches % launch.pp == 0; },
        microbatchesHere},
    {"schedule", bothMegatrons, "assumptions.pipeline_schedule",
        "Pipelines run 1F1B or interleaved; there is no other schedule.",
        "megatron/core/pipeline_parallel/schedules.py, get_forward_backward_func @4dabc623",
        [](const Launch &launch) { return !launch.software || launch.software->schedule == "1f1b" || launch.pp == 1; },
        [](const Launch &launch) {
            return "The plan is priced with " + launch.software->schedule
                + "; choose 1f1b, or torchtitan, which has zero-bubble schedules.";
        }},
    {"ep-ranks", bothMegatrons, "parallelism.ep", "EP times expert TP must divide TP \u00d7 CP \u00d7 DP.",
        "megatron/core/parallel_state.py, initialize_model_parallel @00caa53a",
        [](const Launch &launch) {
            return !launch.model.hasExperts() || launch.tp * launch.cp * launch.dp % (launch.ep * launch.expertTp) == 0;
        },
        expertsHere},
    {"expert-bias", bothMegatrons, "assumptions.expert_tensor_parallel", "Experts with bias need expert TP 1.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8",
        [](const Launch &launch) {
            return !launch.model.hasExperts() || !launch.model.ffnBias.value_or(false) || launch.expertTp == 1;
        },
        [](const Launch &launch) {
            return "The workload's experts have bias and the plan expert TP " + ruled(launch.expertTp)
                + "; set expert_tensor_parallel to 1.";
        }},
    {"expert-ffn", bothMegatrons, "parallelism.tp",
        "Expert TP must divide the FFN size of an expert, and TP that of the shared experts.",
        "megatron/core/transformer/moe/experts.py and shared_experts.py @329baaca, by divide()",
        [](const Launch &launch) {
            return !launch.model.hasExperts()
                || (divides(launch.expertTp, expertFfn(launch)) && divides(launch.tp, sharedFfn(launch)));
        },
        [](const Launch &launch) {
            const auto shared = sharedFfn(launch);
            return "The FFN size of an expert is " + ruled(expertFfn(launch).value_or(0))
                + (shared ? ", that of the shared ones " + ruled(*shared) : "") + ", with expert TP "
                + ruled(launch.expertTp) + " and TP " + ruled(launch.tp) + "; choose degrees that divide them.";
        }},
    {"shard-experts", bothMegatrons, "assumptions.shard_group",
        "Copies of the shards must divide the data-parallel ranks of experts, TP \u00d7 CP \u00d7 DP / (EP \u00d7 "
        "expert TP).",
        "megatron/core/parallel_state.py, initialize_model_parallel @00caa53a; Bridge training/initialize.py @06ccd814",
        [](const Launch &launch) {
            return launch.shardGroup == 0 || launch.zeroStage != 3 || !launch.model.hasExperts()
                || expertDataRanks(launch) % shardCopies(launch) == 0;
        },
        [](const Launch &launch) {
            return "The plan has " + ruled(shardCopies(launch)) + " copies, in groups of " + ruled(launch.shardGroup)
                + ", and " + ruled(expertDataRanks(launch))
                + " of these ranks; choose larger groups, or set shard_group "
                  "to 0.";
        }},
    {"megatron-precision", bothMegatrons, "training.precision", "Training runs in fp32, fp16, bf16, fp8 or fp4.",
        "megatron/training/arguments.py @cd2001de; Bridge training/mixed_precision.py @05097809",
        [](const Launch &launch) {
            return isOneOf(
                launch.precision, {Precision::Fp32, Precision::Fp16, Precision::Bf16, Precision::Fp8, Precision::Fp4});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16, fp8 or fp4"); }},
    {"tp-overlap", bothMegatrons, "assumptions.tp_overlap", "Overlap of TP needs sequence parallelism.",
        "megatron/training/arguments.py, validate_args @cd2001de; Bridge training/comm_overlap.py @0685ff5d leaves the "
        "overlap out",
        [](const Launch &launch) {
            return launch.tp == 1 || launch.sequenceParallel || !launch.asksFor(&LaunchSoftware::tpOverlap);
        },
        [](const Launch &) {
            return std::string("The plan asks for it without; set sequence_parallel to true, or tp_overlap to off.");
        }},
    {"ep-overlap", bothMegatrons, "assumptions.ep_overlap",
        "Overlap of EP needs EP above 1, 16 bits or fewer, and no full recomputation.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8",
        [](const Launch &launch) {
            return !launch.asksFor(&LaunchSoftware::epOverlap)
                || (launch.ep > 1 && launch.recompute != Recompute::Full && launch.precision != Precision::Fp32);
        },
        [](const Launch &) {
            return std::string("The plan asks for it without these; set ep_overlap to off, or change them.");
        }},
    {"ep-overlap-pp", bothMegatrons, "assumptions.ep_overlap", "Overlap of EP in a pipeline needs virtual stages.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8",
        [](const Launch &launch) {
            return !launch.asksFor(&LaunchSoftware::epOverlap) || launch.pp == 1 || launch.virtualStages > 1;
        },
        [](const Launch &launch) {
            return "The plan has PP " + ruled(launch.pp)
                + " and one stage of each; raise virtual_stages, or set ep_overlap to off.";
        }},
    {"graphs-recompute", bothMegatrons, "assumptions.cuda_graphs", "CUDA graphs exclude full recomputation.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8",
        [](const Launch &launch) {
            return !launch.software || !launch.software->graphs || launch.recompute != Recompute::Full;
        },
        [](const Launch &) {
            return std::string("The plan has both; choose selective recomputation, or leave the graphs out.");
        }},
    {"graphs-dropout", bothMegatrons, "assumptions.cuda_graphs",
        "CUDA graphs beside selective recomputation exclude dropout.",
        "megatron/core/transformer/transformer_config.py, __post_init__ @002526d8",
        [](const Launch &launch) {
            return !launch.software || !launch.software->graphs || launch.recompute != Recompute::Selective
                || !launch.software->dropout.on;
        },
        [](const Launch &) {
            return std::string("The plan has all three; set dropout to off, recomputation to none, or leave the graphs "
                               "out.");
        }},
});

} // namespace

std::span<const LaunchRule> ofMegatrons() { return megatronRuleTable; }

} // namespace fleetwright::exchange::launchruletables
