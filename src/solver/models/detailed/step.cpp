// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/step.h"

namespace fleetwright::detailed {

Stages stagesOf(const Prepared &in, const Layout &layout)
{
    Stages stages;
    const double p = double(layout.pp), v = double(layout.virtualStages);
    stages.count = p;
    stages.denseLayers = in.kinds[0].layers;
    stages.expertLayers = in.kinds[1].layers;
    stages.full = ceilingOf(in.layers / (p * v)) * v;
    const double shortfall = stages.full * p - in.layers;
    const double fromLast = ceilingOf(shortfall / 2);
    stages.first = std::max(0.0, stages.full - (shortfall - fromLast));
    stages.last = p > 1 ? std::max(0.0, stages.full - fromLast) : stages.first;
    return stages;
}

namespace {

/// The price of a layer kind with fully sharded parameters put into it.
struct Passes {
    double forward = 0, backward = 0;
};

double meanOfLayers(const Prepared &in, double dense, double expert)
{
    return (in.kinds[0].layers * dense + in.kinds[1].layers * expert) / in.layers;
}

/// Section 8: exposed part of a collective that runs beside one microbatch of compute.
double exposedData(const Prepared &in, const Layout &layout, double seconds, double window)
{
    const double exposed = std::max(seconds * double(layout.pp) / in.layers, seconds - window);
    return exposed + in.interference * (seconds - exposed);
}

void exchangeData(
    const Prepared &in, const Setting &setting, const Layout &layout, const Passes &stage, StepParts &parts)
{
    const bool overlap = setting.stack.dpOverlap;
    const double w = in.gradientBytes;
    const double p = double(layout.pp), v = double(layout.virtualStages);
    const double rounds = 1 + (v - 1) / v * (std::min(p, parts.microbatches) - 1);
    const auto finish = [&](Collective &collective, double window) {
        collective.exposed = overlap && collective.seconds > 0 ? exposedData(in, layout, collective.seconds, window)
                                                               : collective.seconds;
        parts.dpTotal += collective.seconds;
        parts.dpExposed += collective.exposed;
    };
    // Dense and expert parameters travel one after the other under the same window.
    const auto pair = [&](Collective &dense, Collective &expert, double window) {
        Collective both{.seconds = dense.seconds + expert.seconds};
        finish(both, window);
        const double share = both.seconds > 0 ? both.exposed / both.seconds : 0;
        dense.exposed = share * dense.seconds;
        expert.exposed = share * expert.seconds;
    };
    parts.gradients.bytes = w * parts.denseParameters;
    parts.expertGradients.bytes = w * parts.expertParameters;
    const auto costOf = [&](const Group &group) {
        return layout.zeroStage == 0 ? allReduceCost(in, group) : allGatherCost(in, group);
    };
    const auto cost = costOf(parts.dataGroup);
    const auto expertCost = parts.expertGroup == parts.dataGroup ? cost : costOf(parts.expertGroup);
    parts.gradients.seconds = cost.of(parts.gradients.bytes);
    parts.expertGradients.seconds = expertCost.of(parts.expertGradients.bytes);
    if (layout.zeroStage > 0) {
        parts.parameters = {.bytes = 2 * parts.denseParameters, .seconds = cost.of(2 * parts.denseParameters)};
        parts.expertParametersGather = {
            .bytes = 2 * parts.expertParameters, .seconds = expertCost.of(2 * parts.expertParameters)};
        pair(parts.parameters, parts.expertParametersGather, rounds * stage.forward);
        if (layout.zeroStage == 1) {
            // The optimizers of these frameworks broadcast the parameters rank by rank.
            const double broadcasts = in.broadcast * (optimizerShards(layout) - 1);
            parts.parameters.seconds += broadcasts;
            parts.parameters.exposed += broadcasts;
            parts.dpTotal += broadcasts;
            parts.dpExposed += broadcasts;
        }
    }
    pair(parts.gradients, parts.expertGradients, rounds * stage.backward);
}

/// One step of a layout, part by part; each reads what the ones before it found. Forced inline as LayerPricer.
class Step {
public:
    Step(const Prepared &prepared, const Setting &planSetting, const Layout &splitLayout,
        const LayerPrices &layerPrices, StepParts &result)
        : in(prepared), setting(planSetting), layout(splitLayout), prices(layerPrices), parts(result)
    {
    }

    [[gnu::always_inline]] void price()
    {
        parts.microbatches = m;
        ranks();
        shardParameters();
        fillStages();
        addCollectives();
        passStages();
        if (layout.zeroStage < 3 && !setting.lora)
            exchangeData(in, setting, layout, in.ownWindows ? shortest : stage, parts);
        reduceReplicas();
        reduceTiedEmbedding();
        updateParameters();
        parts.meanForward = meanOfLayers(in, dense.forwardTotalSeconds, expert.forwardTotalSeconds) + forwardExtra;
        parts.meanBackward = meanOfLayers(in, dense.backwardTotalSeconds, expert.backwardTotalSeconds) + backwardExtra;
        parts.step = parts.pipeline + parts.ppExposed + (parts.dpExposed - parts.shardedLayerExposed) + parts.optimizer;
    }

private:
    [[gnu::always_inline]] void ranks()
    {
        parts.dataGroup = groupOf(in, r * c, t);
        parts.expertGroup = e * te == t ? parts.dataGroup : groupOf(in, std::max(1.0, r * c * t / (e * te)), e * te);

        // Parameters of a rank. The embedding counts once, twice where one stage holds both ends and they are not tied.
        parts.denseParameters = in.layerParameters * inverseT / p + embedding * (untied && layout.pp == 1 ? 2 : 1);
        parts.expertParameters = in.expertParameters / (e * te * p);
    }

    /// Section 7: fully sharded parameters.
    [[gnu::always_inline]] void shardParameters()
    {
        if (layout.zeroStage != 3)
            return;
        const double size = layout.shardGroup > 0 ? double(layout.shardGroup) : r * c;
        parts.shardGroup = groupOf(in, size, t);
        if (setting.stack.software == Software::MegatronDeepSpeed && parts.shardGroup.domains > 1)
            parts.shardGroup.busRate = in.scaleOutRate;
        const double x = (in.layerParameters * inverseT + in.expertParameters / (e * te)) / in.layers;
        const auto cost = allGatherCost(in, parts.shardGroup);
        const double gather = cost.of(2 * x);
        const double scatter = setting.lora ? 0 : cost.of(in.gradientBytes * x);
        const double forward = meanOfLayers(in, dense.forwardTotalSeconds, expert.forwardTotalSeconds);
        const double backward = meanOfLayers(in, dense.backwardTotalSeconds, expert.backwardTotalSeconds);
        forwardExtra = std::max(forward + in.interference * std::min(gather, forward), gather) - forward;
        backwardExtra = std::max(backward + in.interference * std::min(gather + scatter, backward), gather + scatter)
            - backward;
        parts.shardedForward = {.bytes = 2 * x, .seconds = gather, .exposed = forwardExtra};
        parts.shardedBackward = {.bytes = 2 * x + (setting.lora ? 0 : in.gradientBytes * x),
            .seconds = gather + scatter,
            .exposed = backwardExtra};
        const double embeddings = embedding * (untied && layout.pp == 1 ? 2 : 1);
        const double once = gather + scatter + 2 * cost.of(2 * embeddings);
        parts.shardedOnce = {.bytes = 2 * embeddings, .seconds = once, .exposed = once};
        const bool whole = gathersOnce(in, layout);
        parts.shardedRounds = whole ? 1 : m;
        const double perStage = in.layers / p * parts.shardedRounds;
        parts.shardedLayerExposed = (forwardExtra + backwardExtra) * perStage;
        parts.dpTotal += (2 * gather + scatter) * perStage;
        parts.dpExposed += parts.shardedLayerExposed + once;
        if (whole) {
            forwardExtra /= m;
            backwardExtra /= m;
        }
        parts.shardedForwardWait = forwardExtra;
        parts.shardedBackwardWait = backwardExtra;
    }

    /// Section 8: stages.
    [[gnu::always_inline]] void fillStages()
    {
        parts.stages = stagesOf(in, layout);
        const auto &stages = parts.stages;
        const double denseBoth = dense.forwardTotalSeconds + dense.backwardTotalSeconds + forwardExtra + backwardExtra;
        const double expertBoth = expert.forwardTotalSeconds + expert.backwardTotalSeconds + forwardExtra
            + backwardExtra;
        const auto slowest = slowestStage(in, stages, denseBoth, expertBoth, prices);
        parts.stageSeconds = slowest.seconds;
        parts.slowestDense = slowest.dense;
        parts.slowestExperts = slowest.experts;
        parts.slowestEmbedding = slowest.embedding;
        parts.slowestLogits = slowest.logits;
        // Collectives of DP hide under the layers of their own stage: the mean one, and no longer than the shortest.
        stage = {.forward = (in.kinds[0].layers * dense.forwardTotalSeconds
                                + in.kinds[1].layers * expert.forwardTotalSeconds)
                / p,
            .backward = (in.kinds[0].layers * dense.backwardTotalSeconds
                            + in.kinds[1].layers * expert.backwardTotalSeconds)
                / p};
        shortest = stage;
        if (layout.pp > 1) {
            const double firstDense = stages.denseAmong(0, stages.first),
                         lastDense = stages.denseAmong(in.layers - stages.last, stages.last);
            for (const auto &[denseCount, count] :
                {std::pair(firstDense, stages.first), std::pair(lastDense, stages.last)}) {
                shortest.forward = std::min(shortest.forward,
                    denseCount * dense.forwardTotalSeconds + (count - denseCount) * expert.forwardTotalSeconds);
                shortest.backward = std::min(shortest.backward,
                    denseCount * dense.backwardTotalSeconds + (count - denseCount) * expert.backwardTotalSeconds);
            }
        }
        parts.allSeconds = denseBoth * stages.denseLayers + expertBoth * (in.layers - stages.denseLayers)
            + prices.embeddingSeconds + prices.logitsSeconds;
        parts.bubble = setting.bubbleShare * (parts.allSeconds - parts.stageSeconds) / v;
        parts.pipeline = m * parts.stageSeconds + parts.bubble;
    }

    /// Totals of all layers, averaged over stages.
    [[gnu::always_inline]] void addCollectives()
    {
        const double perStage = m / p;
        const auto total = [&](double LayerPrice::*part) {
            return (in.kinds[0].layers * (dense.*part) + in.kinds[1].layers * (expert.*part)) * perStage;
        };
        parts.tpTotal = total(&LayerPrice::tpSeconds);
        parts.tpExposed = total(&LayerPrice::tpExposedSeconds);
        parts.cpTotal = total(&LayerPrice::cpSeconds);
        parts.cpExposed = total(&LayerPrice::cpExposedSeconds);
        parts.ep = total(&LayerPrice::epSeconds);
        parts.epExposed = total(&LayerPrice::epExposedSeconds);
    }

    /// Activations and their gradients from stage to stage.
    [[gnu::always_inline]] void passStages()
    {
        if (layout.pp <= 1)
            return;
        const double bytes = 2 * b * in.tokensPerSequence / c * in.hidden;
        const bool scattered = layout.sequenceParallel || in.oldMegatron;
        parts.hopInside = 2 * t * c * r <= in.domain;
        parts.hopBytes = scattered ? bytes * inverseT : bytes;
        parts.hop = parts.hopBytes / (parts.hopInside ? in.scaleUpRate : in.scaleOutRate)
            + (parts.hopInside ? in.scaleUpLatency : in.scaleOutLatency);
        if (in.oldMegatron)
            parts.hop += allGather(in, groupOf(in, t, 1), bytes);
        const bool hidden = layout.virtualStages > 1 && setting.stack.ppOverlap;
        if (!hidden)
            parts.hop += in.transferHost;
        parts.ppTotal = 2 * parts.hop * v * m + 2 * parts.hop * (p - 1);
        parts.ppExposed = hidden ? 2 * parts.hop * (p - 1) : parts.ppTotal;
    }

    /// Gradients between the groups that each hold all parameters.
    [[gnu::always_inline]] void reduceReplicas()
    {
        if (layout.zeroStage != 3 || layout.shardGroup <= 0 || double(layout.shardGroup) >= r * c || setting.lora)
            return;
        const double groups = r * c / double(layout.shardGroup);
        auto &replicas = parts.replicas;
        parts.replicaGroup = groupOf(in, groups, t * double(layout.shardGroup));
        replicas.bytes = in.gradientBytes * parts.denseParameters / double(layout.shardGroup);
        replicas.seconds = allReduce(in, parts.replicaGroup, replicas.bytes);
        const double window = (in.kinds[0].layers * (dense.backwardTotalSeconds + backwardExtra)
                                  + in.kinds[1].layers * (expert.backwardTotalSeconds + backwardExtra))
            / p;
        replicas.exposed = setting.stack.dpOverlap
            ? std::max(replicas.seconds * p / in.layers, replicas.seconds - window)
            : replicas.seconds;
        parts.dpTotal += replicas.seconds;
        parts.dpExposed += replicas.exposed;
    }

    /// The first and the last stage hold the same embedding.
    [[gnu::always_inline]] void reduceTiedEmbedding()
    {
        if (layout.pp <= 1 || untied || setting.lora)
            return;
        auto &tied = parts.tiedEmbedding;
        const bool inside = t * p * c * r <= in.domain;
        parts.embeddingGroup = {.size = 2,
            .local = inside ? 2.0 : 1.0,
            .domains = inside ? 1.0 : 2.0,
            .busRate = inside ? in.scaleUpRate : std::min(in.scaleUpRate, in.scaleOutRate)};
        tied.bytes = in.gradientBytes * embedding;
        tied.seconds = tied.exposed = allReduce(in, parts.embeddingGroup, tied.bytes);
        parts.dpTotal += tied.seconds;
        parts.dpExposed += tied.exposed;
    }

    [[gnu::always_inline]] void updateParameters()
    {
        if (setting.lora)
            return;
        const double shards = optimizerShards(layout);
        const double held = layout.zeroStage >= 1
            ? parts.denseParameters / shards + parts.expertParameters / std::min(shards, parts.expertGroup.size)
            : parts.denseParameters + parts.expertParameters;
        const double norm = layout.zeroStage < 3 ? parts.denseParameters + parts.expertParameters : 0;
        parts.optimizer = (setting.constants[Constant::OptimizerTraffic] * held
                              + setting.constants[Constant::GradientNormTraffic] * norm)
            / in.memoryRate;
    }

    const Prepared &in;
    const Setting &setting;
    const Layout &layout;
    const LayerPrices &prices;
    const double t = double(layout.tp), p = double(layout.pp), v = double(layout.virtualStages), c = double(layout.cp),
                 r = double(layout.dp);
    const double e = double(layout.ep), te = double(layout.expertTp), b = double(layout.microbatch);
    const double m = std::max(1.0, in.globalBatch / (r * b));
    const LayerPrice &dense = prices.kinds[0];
    const LayerPrice &expert = prices.kinds[1];
    const double inverseT = 1 / t;
    const double embedding = in.embedding * inverseT; ///< parameters of a rank
    const bool untied = !setting.architecture.tiedEmbeddings;

    StepParts &parts;
    double forwardExtra = 0, backwardExtra = 0; ///< what a layer and microbatch waits for its sharded parameters
    Passes stage, shortest; ///< compute under which the collectives of DP hide
};

} // namespace

StepParts stepOf(const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices)
{
    StepParts parts;
    Step(in, setting, layout, prices, parts).price();
    return parts;
}

} // namespace fleetwright::detailed
