// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchwriters.h"
#include "units/visibletext.h"

#include <nlohmann/json.hpp>

namespace fleetwright::exchange::launchwriters {

namespace {

using LaunchJson = nlohmann::ordered_json;

std::vector<std::string> deepSpeedRemarks(const Launch &launch)
{
    auto told = launch.withoutFlag;
    told.push_back("The model " + launch.workloadName + ", its sequence length of "
        + std::to_string(launch.sequenceLength) + " and the number of steps"
        + (launch.steps ? " (" + std::to_string(*launch.steps) + ")" : "") + " are the training script's.");
    if (launch.sequenceParallel && launch.tp > 1)
        told.emplace_back("Sequence parallelism beside TP has no setting; activations between the products are not "
                          "split.");
    if (launch.recompute != Recompute::None)
        told.push_back("training.recompute " + std::string(toString(launch.recompute))
            + " is called by the model's code (deepspeed.checkpointing); the JSON only configures it.");
    if (launch.ep > 1)
        told.emplace_back("AutoEP finds the experts by a preset of the model (expert_parallel.preset_model), which is "
                          "yours to add.");
    if (launch.software)
        told.emplace_back("Of the plan's switches only dp_overlap has a setting (zero_optimization.overlap_comm).");
    return told;
}

} // namespace

LaunchConfiguration deepSpeed(const Launch &launch)
{
    auto told = deepSpeedRemarks(launch);
    LaunchJson notes = LaunchJson::array();
    for (const auto &sentence : told)
        notes.push_back(visibleText(sentence, TextShape::OneLine));
    const auto &snapshot = snapshotOf(LaunchFramework::DeepSpeed);
    LaunchJson json{{"train_batch_size", launch.globalBatch}, {"train_micro_batch_size_per_gpu", launch.microbatchSize},
        {"gradient_accumulation_steps", launch.microbatches}};
    json["zero_optimization"] = {{"stage", launch.zeroStage}};
    if (launch.software)
        json["zero_optimization"]["overlap_comm"] = launch.software->dpOverlap.on;
    json["bf16"] = {{"enabled", launch.precision == Precision::Bf16}};
    json["fp16"] = {{"enabled", launch.precision == Precision::Fp16}};
    if (launch.tp > 1)
        json["tensor_parallel"] = {{"autotp_size", launch.tp}};
    if (launch.ep > 1)
        json["expert_parallel"] = {{"enabled", true}, {"autoep_size", launch.ep}};
    if (launch.recompute != Recompute::None)
        json["activation_checkpointing"] = {{"partition_activations", false}, {"cpu_checkpointing", false}};
    // DeepSpeed reads the members that it knows; JSON has no comments.
    json["fleetwright_launch"] = {{"written_for", inWords(snapshot)},
        {"plan", visibleText(launch.planName, TextShape::OneLine)},
        {"workload", visibleText(launch.workloadName, TextShape::OneLine)}, {"without_setting", std::move(notes)}};
    return {json.dump(2) + "\n", std::move(told)};
}

} // namespace fleetwright::exchange::launchwriters
