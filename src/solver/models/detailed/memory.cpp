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

StageMemory stageMemory(const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices,
    double dense, double experts, double inFlight, bool inputEmbedding, bool outputLayer)
{
    StageMemory stage;
    stage.inFlight = inFlight;
    stage.layers = dense + experts;
    const double t = double(layout.tp), e = double(layout.ep), te = double(layout.expertTp);
    const double group = double(layout.dp) * double(layout.cp);
    const double expertGroup = group * t / (e * te);
    const bool bothEmbeddings = inputEmbedding && outputLayer && !setting.architecture.tiedEmbeddings;
    const double embeddings = (inputEmbedding || outputLayer ? (bothEmbeddings ? 2.0 : 1.0) : 0.0) * in.embedding / t;
    const double held = (dense * in.kinds[0].parameters + experts * in.kinds[1].parameters) / t + embeddings; // [y_d]
    const double heldExperts = experts * in.kinds[1].expertParameters / (e * te); // [y_e]
    const double all = held + heldExperts;
    const double w = in.gradientBytes;
    const auto &constants = setting.constants;
    if (layout.zeroStage == 3) {
        const double shards = layout.shardGroup > 0 ? double(layout.shardGroup) : group;
        double largest = in.embedding / t;
        if (in.kinds[0].layers > 0)
            largest = std::max(largest, in.kinds[0].parameters / t);
        if (in.kinds[1].layers > 0)
            largest = std::max(largest, in.kinds[1].parameters / t + in.kinds[1].expertParameters / (e * te));
        const bool whole = gathersOnce(in, layout);
        stage.weights = 4 * all / shards + (whole ? 2 * all : 4 * largest);
        stage.gradients = 4 * all / shards + (whole ? w * all : 2 * largest);
        stage.optimizer = 8 * all / shards;
    } else {
        double weightBytes = 2;
        if (setting.stack.software == Software::MegatronDeepSpeed)
            weightBytes = 4; // a flat copy
        else if (setting.lora && setting.precisionBits == 8)
            weightBytes = constants[Constant::LoraEightBitWeights];
        else if (setting.lora && setting.precisionBits == 4)
            weightBytes = 0.6;
        else if (setting.precisionBits == 8 && eightBitPrimaryWeights(setting))
            weightBytes = constants[Constant::EightBitWeights];
        stage.weights = weightBytes * all;
        if (setting.lora && setting.loraBaseBytes > 0)
            stage.weights = setting.loraBaseBytes * (all - embeddings) + 2 * embeddings;
        // Under DeepSpeed a 32-bit accumulation buffer stands beside the 16-bit gradient.
        const double gradientBytes = setting.stack.software == Software::MegatronDeepSpeed && w == 4
            ? w + constants[Constant::GradientCopy]
            : w;
        const double shards = optimizerShards(layout);
        stage.gradients = layout.zeroStage == 2 ? gradientBytes * (held / group + heldExperts / expertGroup)
                                                : gradientBytes * all;
        stage.optimizer = layout.zeroStage >= 1 ? 12 * (held / shards + heldExperts / std::min(shards, expertGroup))
                                                : 12 * all;
    }
    if (setting.lora)
        stage.gradients = stage.optimizer = 0;

    const double tokens = double(layout.microbatch) * in.tokensPerSequence / double(layout.cp);
    stage.activations = tokens
        * (dense * prices.kinds[0].keptBytesPerToken + experts * prices.kinds[1].keptBytesPerToken) * inFlight;
    double working = dense > 0 ? prices.kinds[0].workingBytesPerToken : 0;
    if (experts > 0)
        working = std::max(working, prices.kinds[1].workingBytesPerToken);
    stage.activations += tokens * working;
    if (outputLayer)
        stage.other = logitBytes(in, setting) * tokens * in.vocabulary / t;
    return stage;
}

FullestStage fullestStage(const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices)
{
    const auto stages = stagesOf(in, layout);
    const double m = std::max(1.0, in.globalBatch / (double(layout.dp) * double(layout.microbatch)));
    const auto flight = inFlightOf(setting, layout, m);
    const bool single = layout.pp == 1;
    const double firstLayers = single ? in.layers : stages.first;
    const double denseFirst = stages.denseAmong(0, firstLayers);
    FullestStage fullest{.memory = stageMemory(in, setting, layout, prices, denseFirst, firstLayers - denseFirst,
                             flight.first, true, single)};
    if (single)
        return fullest;
    const auto consider = [&fullest](const StageMemory &stage, int index) {
        if (stage.allocated() > fullest.memory.allocated())
            fullest = {.memory = stage, .stage = index};
    };
    if (layout.pp > 2) {
        const double dense = stages.expertLayers >= stages.full * (stages.count - 1)
            ? 0
            : stages.denseAmong(stages.first, stages.full);
        consider(stageMemory(in, setting, layout, prices, dense, stages.full - dense, std::max(1.0, flight.first - 1),
                     false, false),
            1);
    }
    const double denseLast = stages.denseAmong(in.layers - stages.last, stages.last);
    consider(stageMemory(in, setting, layout, prices, denseLast, stages.last - denseLast, flight.last, false, true), 2);
    return fullest;
}

} // namespace fleetwright::detailed
