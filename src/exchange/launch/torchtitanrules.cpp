// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchruletables.h"
#include "exchange/launch/torchtitanstages.h"
#include "units/words.h"

namespace fleetwright::exchange::launchruletables {

namespace {

using enum LaunchFramework;

const auto titanRuleTable = std::to_array<LaunchRule>({
    {"torchtitan-zero", {Torchtitan}, "parallelism.zero_stage",
        "FSDP shards weights, gradients and optimizer states together (ZeRO 3, or 2 where weights are kept after the "
        "forward pass), or nothing is sharded (ZeRO 0).",
        "config/parallelism.py @15e24313; distributed/parallel_dims.py @73bb964d",
        [](const Launch &launch) { return launch.zeroStage != 1; },
        [](const Launch &) { return std::string("The plan has ZeRO 1; choose 0, 2 or 3."); }},
    {"torchtitan-precision", {Torchtitan}, "training.precision", "Training runs in fp32, bf16, fp8 or fp4.",
        "config/training.py, mixed_precision_param @f204eb63",
        [](const Launch &launch) {
            return isOneOf(launch.precision, {Precision::Fp32, Precision::Bf16, Precision::Fp8, Precision::Fp4});
        },
        [](const Launch &launch) { return precisionHere(launch, "bf16, fp8 or fp4"); }},
    {"torchtitan-ep", {Torchtitan}, "parallelism.ep",
        "dp_shard \u00d7 cp \u00d7 tp = efsdp \u00d7 ep: EP must divide the ranks that share one copy of the weights.",
        "distributed/parallel_dims.py @73bb964d",
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
        "config/parallelism.py @15e24313, which has no degree for it",
        [](const Launch &launch) { return launch.ep == 1 || launch.expertTp == 1; },
        [](const Launch &launch) {
            return "The plan has expert TP " + ruled(launch.expertTp) + "; set expert_tensor_parallel to 0 or 1.";
        }},
    {"torchtitan-shard-group", {Torchtitan}, "assumptions.shard_group",
        "CP shards weights as DP does, so the parameter-shard group must be a multiple of CP.",
        "distributed/parallel_dims.py @73bb964d",
        [](const Launch &launch) {
            return launch.zeroStage != 3 || launch.shardGroup == 0 || launch.shardGroup % launch.cp == 0;
        },
        [](const Launch &launch) {
            return "The plan has groups of " + ruled(launch.shardGroup) + " and CP " + ruled(launch.cp)
                + "; choose a multiple of CP.";
        }},
    {"torchtitan-schedule", {Torchtitan}, "parallelism.virtual_stages",
        "InterleavedZeroBubble needs virtual stages, and ZBVZeroBubble exactly two.",
        "PyTorch pipelining/schedules.py, ScheduleZBVZeroBubble @1fd7abc2; torchtitan distributed/pipeline_parallel.py "
        "@02ef790c",
        [](const Launch &launch) {
            return launch.pp == 1 || !launch.software || launch.software->schedule == "1f1b"
                || (launch.software->schedule == "zero_bubble_1p" ? launch.virtualStages > 1
                                                                  : launch.virtualStages == 2);
        },
        [](const Launch &launch) {
            return "The plan has " + launch.software->schedule + " and " + ruled(launch.virtualStages)
                + " of each stage; change virtual_stages or the schedule.";
        }},
    {"torchtitan-kv-heads", {Torchtitan}, "parallelism.tp", "TP must divide the KV heads, of which none is repeated.",
        "config/validation.py @0276e6ed; models/common/decoder.py @9db06501",
        [](const Launch &launch) { return launch.model.isLatent() || divides(launch.tp, launch.model.facts.kvHeads); },
        [](const Launch &launch) {
            return "The workload has " + ruled(*launch.model.facts.kvHeads) + " KV heads and the plan TP "
                + ruled(launch.tp) + "; choose a TP that divides them.";
        }},
    {"torchtitan-sequence", {Torchtitan}, "training.seq_len",
        "The tokens of a microbatch must be divided by 2 \u00d7 CP, and by TP with sequence parallelism.",
        "config/configs.py, seq_len_divisor @0014ac2c",
        [](const Launch &launch) {
            const auto parts = (launch.sequenceParallel ? launch.tp : 1) * (launch.cp > 1 ? 2 * launch.cp : 1);
            return launch.microbatchSize * launch.sequenceLength % parts == 0;
        },
        [](const Launch &launch) {
            return "The plan has " + ruled(launch.microbatchSize) + " \u00d7 " + ruled(launch.sequenceLength)
                + " tokens, TP " + ruled(launch.tp) + " and CP " + ruled(launch.cp)
                + "; change one of them, or set sequence_parallel to false.";
        }},
    {"torchtitan-tied", {Torchtitan}, "parallelism.pp", "Tied embeddings exclude a pipeline.",
        "models/common/decoder.py @9db06501; config/validation.py @0276e6ed",
        [](const Launch &launch) { return launch.pp == 1 || !launch.model.facts.tiedEmbeddings.value_or(false); },
        [](const Launch &launch) {
            return "The workload " + inQuotes(launch.workloadName) + " has them and the plan PP " + ruled(launch.pp)
                + "; set PP to 1, or choose another framework.";
        }},
    {"torchtitan-stages", {Torchtitan}, "parallelism.virtual_stages",
        "Stages are counted by a number of layers each, and as many must come out as PP times virtual stages.",
        "distributed/pipeline_parallel.py @02ef790c",
        [](const Launch &launch) {
            if (launch.pp == 1)
                return true;
            const auto &layers = launch.model.facts.layers;
            // Without a number of layers a rank has one stage, or two.
            return layers ? titanLayersPerStage(launch).has_value() : launch.virtualStages <= 2;
        },
        [](const Launch &launch) {
            const auto &layers = launch.model.facts.layers;
            return "The workload has " + (layers ? ruled(*layers) : std::string("an unknown number of"))
                + " layers and the plan PP " + ruled(launch.pp) + " \u00d7 " + ruled(launch.virtualStages)
                + " virtual stages; choose numbers whose product divides the layers.";
        }},
    {"torchtitan-microbatches", {Torchtitan}, "training.microbatch_size",
        "1F1B needs as many microbatches as stages, or more.",
        "PyTorch pipelining/schedules.py, PipelineScheduleSingle and Schedule1F1B @1fd7abc2",
        [](const Launch &launch) {
            return launch.pp == 1 || launch.virtualStages > 1 || launch.microbatches >= launch.pp;
        },
        microbatchesHere},
    {"torchtitan-rounds", {Torchtitan}, "training.microbatch_size",
        "An interleaved schedule runs as many rounds as PP goes into the microbatches, and these must divide them.",
        "PyTorch pipelining/schedules.py, ScheduleInterleaved1F1B @1fd7abc2",
        [](const Launch &launch) {
            const bool zbv = launch.software && launch.software->schedule == "zero_bubble_2p";
            return launch.virtualStages == 1 || zbv
                || launch.microbatches % std::max<std::int64_t>(1, launch.microbatches / launch.pp) == 0;
        },
        microbatchesHere},
});

} // namespace

std::span<const LaunchRule> ofTorchtitan() { return titanRuleTable; }

} // namespace fleetwright::exchange::launchruletables
