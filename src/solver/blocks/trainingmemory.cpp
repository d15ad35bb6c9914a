// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/trainingmemory.h"

#include "domain/named.h"
#include "domain/rules.h"
#include "solver/blocks/shapechecks.h"

namespace fleetwright {

Expected<ActivationStrategy> parseActivationStrategy(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "activation strategy",
        std::to_array<NamedValue<ActivationStrategy>>({{"none", ActivationStrategy::None},
            {"selective", ActivationStrategy::Selective}, {"full", ActivationStrategy::Full}}));
}

Expected<Optimizer> parseOptimizer(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "optimizer",
        std::to_array<NamedValue<Optimizer>>({{"adam", Optimizer::Adam}, {"adamw", Optimizer::Adam},
            {"sgd", Optimizer::Sgd}, {"none", Optimizer::None}}));
}

Error missingHeads()
{
    return {ErrorCode::MissingField, "heads",
        "Activations without recomputation need the number of attention heads; state the workload's heads or "
        "recompute."};
}

namespace {

struct Shape {
    double layers;
    double hidden;
    double heads;
};

Expected<Shape> shapeOf(
    const WorkloadFacts &workload, ActivationStrategy strategy, const FirstOrderConstants &constants)
{
    if (auto ok = checkShape(workload); !ok)
        return std::unexpected(ok.error());
    if (strategy == ActivationStrategy::None && !workload.attentionHeads)
        return std::unexpected(missingHeads());
    return Shape{.layers = workload.layers ? double(*workload.layers) : constants.defaultLayers,
        .hidden = workload.hiddenSize ? double(*workload.hiddenSize) : constants.defaultHiddenSize,
        .heads = double(workload.attentionHeads.value_or(0))};
}

} // namespace

Expected<TrainingMemory> trainingMemory(
    const WorkloadFacts &workload, const TrainingMemoryInputs &inputs, const FirstOrderConstants &constants)
{
    rules::Checker rule("");
    rule.atLeast("batch", "The batch", double(inputs.batch), 1);
    rule.atLeast("seq_len", "The sequence length", double(inputs.sequenceLength), 1);
    rule.within("zero_stage", "The ZeRO stage", double(inputs.zeroStage), 0, 3);
    rule.atLeast("dp_size", "Data parallelism (DP)", double(inputs.replicas), 1);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    const auto shape = shapeOf(workload, inputs.strategy, constants);
    if (!shape)
        return std::unexpected(shape.error());

    const Bytes width = bytesPerElement(inputs.precision);
    const double trainable = inputs.lora
        ? formulas::loraShare(workload.parameters, shape->layers, shape->hidden, constants)
        : 1.0;
    auto memory = formulas::modelState(
        workload.parameters, width, constants.adamState, trainable, int(inputs.zeroStage), double(inputs.replicas));
    memory.activations = shape->layers
        * formulas::layerActivations(
            inputs.strategy, double(inputs.batch), double(inputs.sequenceLength), shape->hidden, shape->heads, width);
    return memory;
}

Expected<TrainingMemory> shardedTrainingMemory(
    const WorkloadFacts &workload, const ShardedMemoryInputs &inputs, const FirstOrderConstants &constants)
{
    rules::Checker rule("");
    rule.atLeast("batch", "The batch", double(inputs.batch), 1);
    rule.atLeast("seq_len", "The sequence length", double(inputs.sequenceLength), 1);
    rule.atLeast("tp_size", "Tensor parallelism (TP)", double(inputs.tp), 1);
    rule.atLeast("pp_size", "Pipeline parallelism (PP)", double(inputs.pp), 1);
    rule.atLeast("dp_size", "Data parallelism (DP)", double(inputs.dp), 1);
    rule.atLeast("ep_size", "Expert parallelism (EP)", double(inputs.ep), 1);
    rule.within("zero_stage", "The ZeRO stage", double(inputs.zeroStage), 0, 3);
    rule.atLeast(
        "gradient_accumulation_steps", "The number of accumulation steps", double(inputs.accumulationSteps), 1);
    rule.within("trainable_share", "The trainable share", inputs.trainableShare, 0, 1);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    const auto shape = shapeOf(workload, inputs.strategy, constants);
    if (!shape)
        return std::unexpected(shape.error());

    const Bytes width = bytesPerElement(inputs.precision);
    const double shards = double(inputs.tp) * double(inputs.pp) * double(inputs.ep);
    const Bytes optimizer = inputs.optimizer == Optimizer::Adam ? constants.adamState
        : inputs.optimizer == Optimizer::Sgd                    ? constants.sgdState
                                                                : Bytes{};
    auto memory = formulas::modelState(workload.parameters / shards, width, optimizer, inputs.trainableShare,
        int(inputs.zeroStage), double(inputs.dp));
    const double sequences = std::ceil(double(inputs.batch) / (double(inputs.dp) * double(inputs.accumulationSteps)));
    const double sequenceLength = double(inputs.sequenceLength);
    memory.activations = std::ceil(shape->layers / double(inputs.pp))
        * formulas::layerActivations(inputs.strategy, sequences, sequenceLength, shape->hidden, shape->heads, width);
    memory.communicationBuffers = constants.communicationBuffer * memory.gradients;
    if (inputs.pp > 1)
        memory.communicationBuffers += 2.0 * sequences * sequenceLength * shape->hidden * width;
    return memory;
}

} // namespace fleetwright
