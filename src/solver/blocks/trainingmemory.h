// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/precision.h"
#include "domain/workload.h"
#include "solver/blocks/firstorderconstants.h"

#include <cstdint>

/// Memory of one accelerator in training: weights, gradients, optimizer state (Rajbhandari 2020) and activations
/// (Korthikanti 2022).
namespace fleetwright {

/// Which activations of a layer are kept for the backward pass.
enum class ActivationStrategy { None, Selective, Full };
/// "none", "selective", "full"; UnsupportedValue with `field` for anything else.
[[nodiscard]] Expected<ActivationStrategy> parseActivationStrategy(
    std::string_view text, std::string_view field = "strategy");

enum class Optimizer { Adam, Sgd, None };
/// "adam", "adamw", "sgd", "none"; UnsupportedValue with `field` for anything else.
[[nodiscard]] Expected<Optimizer> parseOptimizer(std::string_view text, std::string_view field = "optimizer");

struct TrainingMemory {
    Bytes weights{}, gradients{}, optimizerState{}, activations{}, communicationBuffers{};
    [[nodiscard]] Bytes total() const
    {
        return weights + gradients + optimizerState + activations + communicationBuffers;
    }
    bool operator==(const TrainingMemory &) const = default;
};

namespace formulas {

/// Activations of one layer, in bytes, times w/2: none 34 s b h + 5 a s^2 b, selective 34 s b h, full 2 s b h
/// (Korthikanti 2022, eq. 2 ff.).
[[nodiscard]] inline Bytes layerActivations(ActivationStrategy strategy, double sequences, double sequenceLength,
    double hidden, double heads, Bytes elementSize)
{
    const double tokens = sequences * sequenceLength;
    double elements = 0;
    switch (strategy) {
    case ActivationStrategy::None: elements = tokens * (34.0 * hidden + 5.0 * heads * sequenceLength); break;
    case ActivationStrategy::Selective: elements = 34.0 * tokens * hidden; break;
    case ActivationStrategy::Full: elements = 2.0 * tokens * hidden; break;
    }
    return 0.5 * elements * elementSize;
}

/// The state of `parameters` held by one accelerator: weights and gradients w, optimizer `optimizerBytes` per
/// parameter; the last two only for the trainable share. ZeRO divides by the replicas: stage 1 the optimizer state, 2
/// also gradients, 3 also weights.
[[nodiscard]] inline TrainingMemory modelState(
    double parameters, Bytes elementSize, Bytes optimizerBytes, double trainableShare, int zeroStage, double replicas)
{
    const double trainable = parameters * trainableShare;
    return {.weights = (zeroStage >= 3 ? parameters / replicas : parameters) * elementSize,
        .gradients = (zeroStage >= 2 ? trainable / replicas : trainable) * elementSize,
        .optimizerState = (zeroStage >= 1 ? trainable / replicas : trainable) * optimizerBytes};
}

/// Share of the parameters that LoRA adapters train: min(1, 2 r h 4 L / P).
[[nodiscard]] inline double loraShare(
    double parameters, double layers, double hidden, const FirstOrderConstants &constants)
{
    const double share = 2.0 * constants.loraRank * hidden * constants.loraMatricesPerLayer * layers / parameters;
    return share < 1.0 ? share : 1.0;
}

} // namespace formulas

/// The published, unsharded form: all layers and the whole local batch on one accelerator, Adam.
struct TrainingMemoryInputs {
    std::int64_t batch = 1;
    std::int64_t sequenceLength = 1;
    Precision precision = Precision::Fp16;
    ActivationStrategy strategy = ActivationStrategy::Selective;
    std::int64_t zeroStage = 0;
    std::int64_t replicas = 1; ///< DP, for ZeRO
    bool lora = false;
};
/// Refusals in this order: OutOfRange "batch", "seq_len", "zero_stage" (outside 0 to 3), "dp_size"; the workload's own
/// (checkShape); MissingField "heads" when the strategy is None and the workload states no heads.
[[nodiscard]] Expected<TrainingMemory> trainingMemory(
    const WorkloadFacts &workload, const TrainingMemoryInputs &inputs, const FirstOrderConstants &constants = {});

/// The sharded form: P / (t p e) first, then ZeRO; activations of ceil(L/p) layers and ceil(B / (d * accumulation))
/// sequences, not divided by t; buffers of 5 % of the gradients and, with a pipeline, 2 b s h w.
struct ShardedMemoryInputs {
    std::int64_t batch = 1; ///< global, in sequences
    std::int64_t sequenceLength = 1;
    Precision precision = Precision::Fp16;
    Optimizer optimizer = Optimizer::Adam;
    ActivationStrategy strategy = ActivationStrategy::Selective;
    std::int64_t tp = 1, pp = 1, dp = 1, ep = 1;
    std::int64_t zeroStage = 0;
    std::int64_t accumulationSteps = 1;
    double trainableShare = 1.0;
};
/// Refusals in this order: OutOfRange "batch", "seq_len", "tp_size", "pp_size", "dp_size", "ep_size", "zero_stage",
/// "gradient_accumulation_steps", "trainable_share" (outside 0 to 1); the workload's own; MissingField "heads" as
/// above.
[[nodiscard]] Expected<TrainingMemory> shardedTrainingMemory(
    const WorkloadFacts &workload, const ShardedMemoryInputs &inputs, const FirstOrderConstants &constants = {});

/// The refusal for a workload without attention heads where activations are kept in full.
[[nodiscard]] Error missingHeads();

} // namespace fleetwright
