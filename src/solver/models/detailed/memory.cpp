// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/step.h"

namespace fleetwright::detailed {

InFlight inFlightOf(const Setting &setting, const Layout &layout, double m)
{
    const double p = double(layout.pp), v = double(layout.virtualStages);
    if (layout.pp == 1)
        return {1, 1};
    double first = layout.virtualStages == 1 ? std::min(m, p) : std::min(m, p * (1 + (p - 1) / (p * v)));
    if (setting.bubbleShare == 0)
        first = std::min(m, 2 * p);
    return {first, layout.virtualStages == 1 ? 1 : std::min(m, std::max(1.0, first - p + 1))};
}

bool eightBitPrimaryWeights(const Setting &setting)
{
    const auto family = setting.machine.family;
    return (family == Family::Blackwell || family == Family::BlackwellUltra)
        && setting.stack.software == Software::MegatronCore && !setting.lora;
}

namespace {

/// Parameters of a rank: of layers without routed experts, of routed experts, of embeddings [y_d, y_e].
struct HeldParameters {
    double layers = 0, experts = 0, embeddings = 0;
};

/// Bytes of one kind: by held parameters, and whatever is held.
struct BytesPer {
    double layer = 0, expert = 0, embedding = 0, fixed = 0;
    [[nodiscard]] double of(const HeldParameters &held) const
    {
        return layer * held.layers + expert * held.experts + embedding * held.embeddings + fixed;
    }
};

/// What the stages of one layout have in common.
class Stage {
public:
    Stage(
        const Prepared &prepared, const Setting &planSetting, const Layout &splitLayout, const LayerPrices &layerPrices)
        : in(prepared), setting(planSetting), layout(splitLayout), prices(layerPrices)
    {
        if (layout.zeroStage == 3)
            shardEverything();
        else
            shardByStage();
        if (setting.lora)
            gradients = optimizer = {};
    }

    [[nodiscard]] StageMemory memory(
        double dense, double experts, double inFlight, bool inputEmbedding, bool outputLayer) const
    {
        StageMemory stage;
        stage.inFlight = inFlight;
        stage.layers = dense + experts;
        const bool bothEmbeddings = inputEmbedding && outputLayer && !setting.architecture.tiedEmbeddings;
        const HeldParameters held{
            .layers = (dense * in.kinds[0].parameters + experts * in.kinds[1].parameters) * inverseT,
            .experts = experts * expertParameters,
            .embeddings = inputEmbedding || outputLayer ? (bothEmbeddings ? 2 : 1) * embedding : 0};
        stage.weights = weights.of(held);
        stage.gradients = gradients.of(held);
        stage.optimizer = optimizer.of(held);
        stage.activations = tokens
            * (dense * prices.kinds[0].keptBytesPerToken + experts * prices.kinds[1].keptBytesPerToken) * inFlight;
        double working = dense > 0 ? prices.kinds[0].workingBytesPerToken : 0;
        if (experts > 0)
            working = std::max(working, prices.kinds[1].workingBytesPerToken);
        stage.activations += tokens * working;
        if (outputLayer)
            stage.other = logitBytes(in, setting) * tokens * in.vocabulary * inverseT;
        return stage;
    }

private:
    /// ZeRO 3: 32-bit shards of all, and what is gathered of them.
    void shardEverything()
    {
        const double shards = layout.shardGroup > 0 ? double(layout.shardGroup) : group;
        double largest = embedding;
        if (in.kinds[0].layers > 0)
            largest = std::max(largest, in.kinds[0].parameters * inverseT);
        if (in.kinds[1].layers > 0)
            largest = std::max(largest, in.kinds[1].parameters * inverseT + expertParameters);
        const bool whole = gathersOnce(in, layout);
        const double shard = 4 / shards;
        const double weightBytes = shard + (whole ? 2 : 0), gradientBytes = shard + (whole ? in.gradientBytes : 0);
        weights = {weightBytes, weightBytes, weightBytes, whole ? 0 : 4 * largest};
        gradients = {gradientBytes, gradientBytes, gradientBytes, whole ? 0 : 2 * largest};
        optimizer = {2 * shard, 2 * shard, 2 * shard};
    }

    /// ZeRO 0 to 2: whole weights; gradients and the optimizer's 12 bytes whole or shared.
    void shardByStage()
    {
        const auto &constants = setting.constants;
        const bool deepSpeed = setting.stack.software == Software::MegatronDeepSpeed;
        double weightBytes = 2;
        if (deepSpeed)
            weightBytes = 4; // a flat copy
        else if (setting.lora && setting.precisionBits == 8)
            weightBytes = constants[Constant::LoraEightBitWeights];
        else if (setting.lora && setting.precisionBits == 4)
            weightBytes = 0.6;
        else if (setting.precisionBits == 8 && eightBitPrimaryWeights(setting))
            weightBytes = constants[Constant::EightBitWeights];
        weights = {weightBytes, weightBytes, weightBytes};
        if (setting.lora && setting.loraBaseBytes > 0)
            weights = {setting.loraBaseBytes, setting.loraBaseBytes, 2};
        const double w = in.gradientBytes;
        // Under DeepSpeed a 32-bit accumulation buffer stands beside the 16-bit gradient.
        const double gradientBytes = deepSpeed && w == 4 ? w + constants[Constant::GradientCopy] : w;
        const double expertGroup = group * t / (e * te);
        gradients = {gradientBytes, gradientBytes, gradientBytes};
        if (layout.zeroStage == 2)
            gradients = {gradientBytes / group, gradientBytes / expertGroup, gradientBytes / group};
        optimizer = {12, 12, 12};
        if (layout.zeroStage >= 1) {
            const double shards = optimizerShards(layout);
            optimizer = {12 / shards, 12 / std::min(shards, expertGroup), 12 / shards};
        }
    }

    const Prepared &in;
    const Setting &setting;
    const Layout &layout;
    const LayerPrices &prices;
    const double t = double(layout.tp), inverseT = 1 / t, e = double(layout.ep), te = double(layout.expertTp);
    const double group = double(layout.dp) * double(layout.cp);
    const double tokens = double(layout.microbatch) * in.tokensPerSequence / double(layout.cp);
    const double embedding = in.embedding * inverseT;
    const double expertParameters = in.kinds[1].expertParameters / (e * te); ///< of one layer
    BytesPer weights, gradients, optimizer;
};

} // namespace

StageMemory stageMemory(const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices,
    double dense, double experts, double inFlight, bool inputEmbedding, bool outputLayer)
{
    return Stage(in, setting, layout, prices).memory(dense, experts, inFlight, inputEmbedding, outputLayer);
}

FullestStage fullestStage(
    const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices, const Stages &stages)
{
    const Stage stage(in, setting, layout, prices);
    const double m = std::max(1.0, in.globalBatch / (double(layout.dp) * double(layout.microbatch)));
    const auto flight = inFlightOf(setting, layout, m);
    const bool single = layout.pp == 1;
    const double firstLayers = single ? in.layers : stages.first;
    const double denseFirst = stages.denseAmong(0, firstLayers);
    FullestStage fullest{.memory = stage.memory(denseFirst, firstLayers - denseFirst, flight.first, true, single)};
    if (single)
        return fullest;
    double most = fullest.memory.allocated();
    const auto consider = [&](const StageMemory &memory, int index) {
        if (const double allocated = memory.allocated(); allocated > most) {
            most = allocated;
            fullest = {.memory = memory, .stage = index};
        }
    };
    if (layout.pp > 2) {
        const double dense = stages.expertLayers >= stages.full * (stages.count - 1)
            ? 0
            : stages.denseAmong(stages.first, stages.full);
        consider(stage.memory(dense, stages.full - dense, std::max(1.0, flight.first - 1), false, false), 1);
    }
    const double denseLast = stages.denseAmong(in.layers - stages.last, stages.last);
    consider(stage.memory(denseLast, stages.last - denseLast, flight.last, false, true), 2);
    return fullest;
}

} // namespace fleetwright::detailed
