// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchwriters.h"
#include "exchange/launch/torchtitanstages.h"

namespace fleetwright::exchange {

std::optional<std::int64_t> titanLayersPerStage(const Launch &launch)
{
    const std::int64_t layers = launch.model.facts.layers.value_or(0), stages = launch.layersPerChunk();
    const auto perStage = (layers + stages - 1) / stages;
    return perStage > 0 && (layers + perStage - 1) / perStage == stages ? std::optional(perStage) : std::nullopt;
}

namespace launchwriters {

namespace {

std::string titanSchedule(const Launch &launch)
{
    const auto schedule = launch.software ? launch.software->schedule : std::string("1f1b");
    if (schedule == "zero_bubble_1p")
        return "InterleavedZeroBubble";
    if (schedule == "zero_bubble_2p")
        return "ZBVZeroBubble";
    return launch.virtualStages > 1 ? "Interleaved1F1B" : "1F1B";
}

std::vector<std::string> titanRemarks(const Launch &launch)
{
    auto told = launch.withoutFlag;
    told.push_back("The model, its data, optimizer and learning rate are those of the configuration that you pass as "
                   "base: that of "
        + launch.workloadName + ".");
    if (launch.precision == Precision::Fp8)
        told.emplace_back(
            "training.precision fp8 is a converter of the model and no setting of these: Float8Linear, or "
            "MXFP8Linear on Blackwell.");
    if (launch.precision == Precision::Fp4)
        told.emplace_back("training.precision fp4 is a converter of the model and no setting of these: NVFP4Linear.");
    if (const auto perStage = titanLayersPerStage(launch);
        launch.pp > 1 && perStage && *launch.model.facts.layers % *perStage != 0)
        told.emplace_back("The layers do not divide evenly among the stages, some of which have fewer.");
    if (launch.software)
        told.emplace_back("Overlap is FSDP's own and that of the compiler; the plan's switches (dp_overlap, "
                          "cuda_graphs...) have no setting here.");
    return told;
}

} // namespace

LaunchConfiguration torchtitan(const Launch &launch)
{
    const bool sharded = launch.zeroStage >= 2;
    // CP shards weights as DP does: a group of the plan counts both.
    const auto shard = !sharded                          ? 1
        : launch.zeroStage == 3 && launch.shardGroup > 0 ? launch.shardGroup / launch.cp
                                                         : launch.dp;
    const auto told = titanRemarks(launch);
    std::string text = commentedHead(launch, LaunchFramework::Torchtitan, told);
    text += "from collections.abc import Callable\n\n"
            "from torchtitan.config import ParallelismConfig\n";
    if (launch.recompute != Recompute::None)
        text += std::string("from torchtitan.distributed.activation_checkpoint import ")
            + (launch.recompute == Recompute::Full ? "FullAC" : "SelectiveAC") + "\n";
    text += "from torchtitan.trainer import Trainer\n\n\n"
            "def with_plan(base: Callable[[], Trainer.Config]) -> Trainer.Config:\n"
            "    config = base()\n"
            "    config.parallelism = ParallelismConfig(\n";
    const auto add = [&text](std::string_view key, const std::string &value) {
        text += "        " + std::string(key) + "=" + value + ",\n";
    };
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    add("data_parallel_replicate_degree", number(launch.dp / shard));
    add("data_parallel_shard_degree", number(shard));
    if (sharded)
        add("fsdp_reshard_after_forward", launch.zeroStage == 3 ? "\"always\"" : "\"never\"");
    add("tensor_parallel_degree", number(launch.tp));
    add("enable_sequence_parallel", launch.sequenceParallel ? "True" : "False");
    add("pipeline_parallel_degree", number(launch.pp));
    if (launch.pp > 1) {
        add("pipeline_parallel_schedule", "\"" + titanSchedule(launch) + "\"");
        if (const auto perStage = titanLayersPerStage(launch)) {
            add("pipeline_parallel_layers_per_stage", number(*perStage));
            add("pipeline_parallel_first_stage_less_layers", "0");
            add("pipeline_parallel_last_stage_less_layers", "0");
        }
        add("num_pp_microbatches", number(launch.microbatches));
    }
    add("context_parallel_degree", number(launch.cp));
    add("expert_parallel_degree", number(launch.ep));
    text += "    )\n";
    const auto set = [&text](std::string_view key, const std::string &value) {
        text += "    config." + std::string(key) + " = " + value + "\n";
    };
    set("training.num_tokens_per_microbatch_per_dp_rank", number(launch.microbatchSize * launch.sequenceLength));
    set("training.num_tokens_per_train_step", number(launch.globalBatch * launch.sequenceLength));
    set("training.max_context_length", number(launch.sequenceLength));
    if (launch.steps)
        set("training.steps", number(*launch.steps));
    set("training.mixed_precision_param", launch.precision == Precision::Fp32 ? "\"float32\"" : "\"bfloat16\"");
    set("activation_checkpoint",
        launch.recompute == Recompute::None            ? "None"
            : launch.recompute == Recompute::Selective ? "SelectiveAC.Config()"
                                                       : "FullAC.Config()");
    text += "    return config\n";
    return {std::move(text), told};
}

} // namespace launchwriters

} // namespace fleetwright::exchange
