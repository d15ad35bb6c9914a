// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/estimate.h"

namespace fleetwright {

std::string_view toString(Notice notice)
{
    switch (notice) {
    case Notice::IdleRanks: return "idle_ranks";
    case Notice::PrecisionFallback: return "precision_fallback";
    case Notice::RecomputeApproximated: return "recompute_approximated";
    case Notice::FabricLatencyAssumed: return "fabric_latency_assumed";
    case Notice::HostLinkAssumed: return "host_link_assumed";
    case Notice::DispatchAssumed: return "dispatch_assumed";
    case Notice::ScaleUpAssumed: return "scale_up_assumed";
    case Notice::HiddenSizeAssumed: return "hidden_size_assumed";
    case Notice::LayersAssumed: return "layers_assumed";
    case Notice::OverheadDominated: return "overhead_dominated";
    case Notice::BatchRemainderDropped: return "batch_remainder_dropped";
    case Notice::StagesExceedLayers: return "stages_exceed_layers";
    case Notice::SpillsToHost: return "spills_to_host";
    case Notice::NicCountAssumed: return "nic_count_assumed";
    case Notice::StragglerBelowOne: return "straggler_below_one";
    case Notice::SplitIgnored: return "split_ignored";
    case Notice::ExpertParallelismIgnored: return "expert_parallelism_ignored";
    case Notice::SettingsIgnored: return "settings_ignored";
    case Notice::AcceleratorsIdle: return "accelerators_idle";
    case Notice::ParameterCountsDiffer: return "parameter_counts_differ";
    case Notice::FfnRatioAssumed: return "ffn_ratio_assumed";
    case Notice::FamilyNearest: return "family_nearest";
    case Notice::FamilyFewRuns: return "family_few_runs";
    case Notice::FourBitTraining: return "four_bit_training";
    case Notice::EightBitExperts: return "eight_bit_experts";
    case Notice::ExpertsSpread: return "experts_spread";
    case Notice::HybridApproximated: return "hybrid_approximated";
    case Notice::LatentAttentionApproximated: return "latent_attention_approximated";
    case Notice::ArchitectureAssumed: return "architecture_assumed";
    case Notice::SmallMicrobatch: return "small_microbatch";
    case Notice::ManyAccelerators: return "many_accelerators";
    case Notice::SlowFabric: return "slow_fabric";
    case Notice::LongSequence: return "long_sequence";
    case Notice::DeepPipeline: return "deep_pipeline";
    case Notice::UnalignedHeads: return "unaligned_heads";
    case Notice::LoraApproximated: return "lora_approximated";
    case Notice::MemoryTight: return "memory_tight";
    case Notice::MicrobatchFractional: return "microbatch_fractional";
    case Notice::SequenceSplit: return "sequence_split";
    case Notice::PueAssumed: return "pue_assumed";
    }
    return {};
}

std::string_view sentence(Notice notice)
{
    switch (notice) {
    case Notice::IdleRanks:
        return "The global batch is smaller than the number of data-parallel replicas, so some replicas idle; raise "
               "the batch or use fewer accelerators.";
    case Notice::PrecisionFallback:
        return "The accelerator has no peak for this precision; its fp16 peak was used instead.";
    case Notice::RecomputeApproximated:
        return "This cost model knows only two recompute settings; memory is counted with the nearer one (see its "
               "limitations).";
    case Notice::FabricLatencyAssumed: return "The fabric states no latency; the cost model's default was used.";
    case Notice::HostLinkAssumed: return "The accelerator states no host link; the cost model's default was used.";
    case Notice::DispatchAssumed:
        return "The accelerator states no dispatch overhead; the cost model's default was used.";
    case Notice::ScaleUpAssumed:
        return "The node states no scale-up bandwidth; traffic inside the node was priced at the host link.";
    case Notice::HiddenSizeAssumed: return "The workload states no hidden size; the cost model's default was used.";
    case Notice::LayersAssumed: return "The workload states no layer count; the cost model's default was used.";
    case Notice::OverheadDominated:
        return "Fixed overheads take longer than the work itself; the batch per replica is very small.";
    case Notice::BatchRemainderDropped:
        return "The global batch is not a multiple of the data-parallel replicas; the remainder is not counted.";
    case Notice::StagesExceedLayers:
        return "There are more pipeline stages than layers, so some stages hold no layer: at most the embedding or the "
               "output layer, which some frameworks cut off as stages of their own; lower PP.";
    case Notice::SpillsToHost:
        return "The run does not fit the accelerator's memory; its traffic was priced at the host link, so times are "
               "not achievable.";
    case Notice::NicCountAssumed: return "The node states no NIC count; one fabric port per accelerator was assumed.";
    case Notice::StragglerBelowOne:
        return "A straggler factor below 1 counts as 1: the slowest participant cannot speed a step up.";
    case Notice::SplitIgnored:
        return "This cost model knows data parallelism only: the plan's TP, PP, CP and EP were ignored, and every "
               "accelerator holds the whole model.";
    case Notice::ExpertParallelismIgnored:
        return "This cost model does not know expert parallelism: EP was taken as a part of DP and costs nothing.";
    case Notice::SettingsIgnored:
        return "This cost model ignores some of the plan's settings: virtual stages, ZeRO, recomputation, LoRA or "
               "accumulation (see its limitations).";
    case Notice::AcceleratorsIdle:
        return "TP x PP does not divide the fleet, so some accelerators stay idle; choose another TP or PP, or change "
               "the number of nodes.";
    case Notice::ParameterCountsDiffer:
        return "The stated parameters and those counted from the architecture differ; memory follows the architecture, "
               "DP volume the stated number.";
    case Notice::FfnRatioAssumed: return "The workload states no FFN size; the cost model's default ratio was used.";
    case Notice::FamilyNearest:
        return "No measured runs stand behind this accelerator; it was priced by its data sheet and the constants of "
               "the nearest families, whose mean is off by up to 30 % in four of five cases.";
    case Notice::FamilyFewRuns:
        return "Few measured runs of a single vendor's software stand behind this accelerator family; expect larger "
               "errors.";
    case Notice::FourBitTraining:
        return "4-bit training rests on two published stacks that differ by half; take the step time as indicative.";
    case Notice::EightBitExperts:
        return "8-bit training of experts was up to 15 % slower before 2025 than this model says.";
    case Notice::ExpertsSpread:
        return "Expert layers ran 20 % faster or slower over the software releases of one year; unbalanced routing is "
               "only modelled through the imbalance factor.";
    case Notice::HybridApproximated:
        return "Layers other than attention and feed-forward are approximated by scaling layer work with the "
               "parameters; expect errors up to 30 %.";
    case Notice::LatentAttentionApproximated:
        return "Latent attention (MLA) is priced with the ranks and head sizes of DeepSeek-V3; this workload states "
               "others.";
    case Notice::ArchitectureAssumed:
        return "The workload does not say whether its FFN is gated or its embeddings are tied; a plain FFN and untied "
               "embeddings were assumed.";
    case Notice::SmallMicrobatch:
        return "Less than 512 tokens per rank and microbatch: how fast the host launches kernels decides the time, not "
               "the accelerator.";
    case Notice::ManyAccelerators:
        return "More than 10 000 accelerators: beyond most measured runs; stragglers and network congestion are not "
               "modelled.";
    case Notice::SlowFabric:
        return "Less than 6 GB/s of scale-out bandwidth per accelerator: slower than the fabrics of the measured runs.";
    case Notice::LongSequence: return "Sequences beyond 131 072 tokens are longer than those of the measured runs.";
    case Notice::DeepPipeline:
        return "More than 64 pipeline stages: deeper than the measured runs; the framework's own split of layers "
               "decides.";
    case Notice::UnalignedHeads:
        return "The head dimension is no multiple of 8: attention kernels slow down by more than measured runs can "
               "tell.";
    case Notice::LoraApproximated: return "LoRA is priced with adapters on the attention only and ranks up to 64.";
    case Notice::MemoryTight:
        return "Memory is above 90 % of the capacity or within the 6 % that the prediction can miss: treat the fit as "
               "uncertain.";
    case Notice::MicrobatchFractional:
        return "The global batch is no multiple of the microbatch times DP; the number of microbatches is taken as a "
               "fraction.";
    case Notice::SequenceSplit:
        return "Microbatches, accumulation steps and DP together do not divide the global batch: a microbatch would "
               "hold a part of a sequence, which no framework runs. Change the microbatches, the batch or the number "
               "of "
               "nodes.";
    case Notice::PueAssumed:
        return "Neither a facility nor a grid states a PUE: the limit on facility power is checked with the one "
               "among the assumptions; choose a facility or a grid under Fleet.";
    }
    return {};
}

} // namespace fleetwright
