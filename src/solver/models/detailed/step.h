// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/layerprice.h"
#include "solver/models/detailed/prepared.h"

/// Sections 8 and 9: from layer prices to the step and to memory. Shared by prices and tables; seconds and bytes.
namespace fleetwright::detailed {

/// Layers of the stages. All stages between the first and the last are alike.
struct Stages {
    double count = 1;
    double full = 0, first = 0, last = 0; ///< layers of a full, the first and the last stage
    double denseLayers = 0, expertLayers = 0; ///< of the model
    /// Dense layers among the `layers` layers that follow the first `before` ones; dense layers come first.
    [[nodiscard]] double denseAmong(double before, double layers) const
    {
        return std::max(0.0, std::min(denseLayers - before, layers));
    }
};
[[nodiscard]] Stages stagesOf(const Prepared &in, const Layout &layout);

/// The slowest stage: one microbatch, both passes, and what it holds.
struct SlowestStage {
    double seconds = 0;
    double dense = 0, experts = 0; ///< layers
    bool embedding = false, logits = false;
};
/// Section 8; `denseSeconds` and `expertSeconds`: of one layer, both passes. It grows with either. Forced inline: part
/// of the search's hot loop.
[[nodiscard, gnu::always_inline]] inline SlowestStage slowestStage(
    const Prepared &in, const Stages &stages, double denseSeconds, double expertSeconds, const LayerPrices &prices)
{
    SlowestStage slowest;
    const auto consider = [&](double denseCount, double count, bool first, bool last) {
        const double seconds = denseCount * denseSeconds + (count - denseCount) * expertSeconds
            + (first ? prices.embeddingSeconds : 0) + (last ? prices.logitsSeconds : 0);
        if (seconds <= slowest.seconds)
            return;
        slowest = {seconds, denseCount, count - denseCount, first, last};
    };
    if (stages.count <= 1) {
        consider(stages.denseLayers, in.layers, true, true);
        return slowest;
    }
    consider(stages.denseAmong(0, stages.first), stages.first, true, false);
    consider(stages.denseAmong(in.layers - stages.last, stages.last), stages.last, false, true);
    if (stages.count > 2) {
        const bool hasExpertStage = stages.expertLayers >= stages.full;
        consider(hasExpertStage ? 0 : stages.full, stages.full, false, false);
        if (in.ownWindows && hasExpertStage)
            consider(stages.denseAmong(stages.first, stages.full), stages.full, false, false);
    }
    return slowest;
}

/// One collective that runs once per step (or once per layer and round, for shardedForward and shardedBackward).
struct Collective {
    double bytes = 0, seconds = 0, exposed = 0;
};

/// Everything a step is made of, before the straggler factor.
struct StepParts {
    StepParts() { } // member by member: GCC clears an aggregate with "rep stos", which takes longer
    Stages stages;
    double microbatches = 1;
    double stageSeconds = 0; ///< of the slowest stage, one microbatch, both passes [t_max]
    double slowestDense = 0, slowestExperts = 0; ///< layers of that stage
    bool slowestEmbedding = false, slowestLogits = false; ///< and whether it holds the ends
    double allSeconds = 0; ///< of all layers, embedding and logits, one microbatch [Σt]
    double pipeline = 0, bubble = 0;
    double hop = 0, hopBytes = 0, ppExposed = 0, ppTotal = 0;
    bool hopInside = true;
    double denseParameters = 0, expertParameters = 0; ///< of a rank, before sharding [x_d, x_e]
    Group dataGroup, expertGroup, shardGroup, replicaGroup, embeddingGroup;
    Collective gradients, parameters; ///< z < 3, in dataGroup
    Collective expertGradients, expertParametersGather; ///< z < 3, in expertGroup
    Collective replicas, tiedEmbedding; ///< hybrid sharding, in replicaGroup; tied embeddings, in embeddingGroup
    Collective shardedForward, shardedBackward,
        shardedOnce; ///< z = 3, in shardGroup: per layer and round; once per step
    double shardedRounds = 1; ///< how often in a step a layer is gathered
    double shardedForwardWait = 0, shardedBackwardWait = 0; ///< what a layer and microbatch waits for it
    double shardedLayerExposed = 0; ///< of all layers of a stage and all microbatches
    double dpTotal = 0, dpExposed = 0;
    double tpTotal = 0, tpExposed = 0, cpTotal = 0, cpExposed = 0, ep = 0, epExposed = 0;
    double optimizer = 0;
    double meanForward = 0, meanBackward = 0; ///< of all layers, one microbatch, with exposed communication
    double step = 0; ///< before the straggler factor and the fixed time
};
[[nodiscard]] StepParts stepOf(
    const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices);

/// Ranks that share the optimizer state: the shard group of hybrid ZeRO 1, else all of DP and CP.
[[nodiscard]] inline double optimizerShards(const Layout &layout)
{
    return layout.zeroStage == 1 && layout.shardGroup > 0 ? double(layout.shardGroup) : double(layout.dp * layout.cp);
}

/// FSDP in a pipeline: the parameters of a stage are gathered once in a step, stay whole and so do their gradients.
[[nodiscard]] inline bool gathersOnce(const Prepared &in, const Layout &layout)
{
    return in.gathersOnce && layout.zeroStage == 3 && layout.pp > 1;
}

/// Bytes of a logit while the loss is made: 8 for logits and their gradient in 32 bits; 12 where PyTorch holds their
/// logarithmic softmax and two gradients; 4 for both in 16 bits where the loss is compiled.
[[nodiscard]] inline double logitBytes(const Prepared &in, const Setting &setting)
{
    if (!in.frameworkMemory || setting.lora)
        return 8;
    return setting.stack.compiledLoss ? 4 : 12;
}

/// Accelerators whose 8-bit products need no transposed copy, so that frameworks keep their primary weights in 8 bits.
[[nodiscard]] bool eightBitPrimaryWeights(const Setting &setting);

/// Memory of one stage, bytes.
struct StageMemory {
    double weights = 0, gradients = 0, optimizer = 0, activations = 0, other = 0;
    double inFlight = 1; ///< microbatches
    double layers = 0;
    [[nodiscard]] double allocated() const { return weights + gradients + optimizer + activations + other; }
};
/// A single stage holds the embedding and the output layer.
[[nodiscard]] StageMemory stageMemory(const Prepared &in, const Setting &setting, const Layout &layout,
    const LayerPrices &prices, double dense, double experts, double inFlight, bool inputEmbedding, bool outputLayer);

/// Microbatches in flight in the first and in the last stage [I1, I2].
struct InFlight {
    double first = 1, last = 1;
};
[[nodiscard]] InFlight inFlightOf(const Setting &setting, const Layout &layout, double microbatches);

/// The fullest of the first, second and last stage and which it is.
struct FullestStage {
    StageMemory memory;
    int stage = 0; ///< 0 first, 1 second, 2 last
};
[[nodiscard]] FullestStage fullestStage(
    const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices, const Stages &stages);

inline constexpr double deviceShare = 1.06; ///< device total over allocated: fragmentation
inline constexpr double deviceReserveBytes = 2.5e9; ///< context and communicators

} // namespace fleetwright::detailed
