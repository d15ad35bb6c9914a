// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/pricer.h"

#include "solver/models/detailed/layerformulas.h"
#include "solver/models/detailed/step.h"

namespace fleetwright::detailed {

namespace {

MemoryFigures memoryOf(const FullestStage &fullest)
{
    const double allocated = fullest.memory.allocated();
    return {.weights = bytes(fullest.memory.weights),
        .gradients = bytes(fullest.memory.gradients),
        .optimizer = bytes(fullest.memory.optimizer),
        .activations = bytes(fullest.memory.activations),
        .other = bytes(fullest.memory.other),
        .allocated = bytes(allocated),
        .device = bytes(deviceShare * allocated + deviceReserveBytes),
        .fullestStage = fullest.stage};
}

Figures figuresOf(const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices)
{
    const auto parts = stepOf(in, setting, layout, prices);
    const double overhead = setting.constants[Constant::StepOverhead];
    const double step = setting.straggler * parts.step + overhead;
    const double mfu = in.modelFlops / (in.peakFlops * step);
    // Full recomputation runs the layers' forward pass, or a share of it, once more.
    const double again = layout.recompute == Recompute::Full
        ? 1 + layout.recomputeShare.value_or(1) * in.layerFlops / in.modelFlops / 3
        : 1;
    const auto memory = memoryOf(fullestStage(in, setting, layout, prices, parts.stages));
    return {.stepTime = seconds(step),
        .computeTime = seconds(parts.microbatches * parts.stageSeconds - parts.tpExposed - parts.cpExposed
            - parts.epExposed - parts.shardedLayerExposed),
        .bubbleTime = seconds(parts.bubble),
        .optimizerTime = seconds(parts.optimizer),
        .overheadTime = seconds(overhead),
        .tp = {seconds(parts.tpTotal), seconds(parts.tpExposed)},
        .cp = {seconds(parts.cpTotal), seconds(parts.cpExposed)},
        .ep = {seconds(parts.ep), seconds(parts.epExposed)},
        .pp = {seconds(parts.ppTotal), seconds(parts.ppExposed)},
        .dp = {seconds(parts.dpTotal), seconds(parts.dpExposed)},
        .forwardLayer = seconds(parts.meanForward),
        .backwardLayer = seconds(parts.meanBackward),
        .logits = seconds(prices.logitsSeconds),
        .embedding = seconds(prices.embeddingSeconds),
        .microbatches = parts.microbatches,
        .modelFlops = Flops::from_value(in.modelFlops),
        .mfu = mfu,
        .hfu = mfu * again,
        .mfu16 = in.modelFlops / (in.peak16Flops * step),
        .tokensPerSecond = in.globalBatch * in.tokensPerSequence / step,
        .memory = memory,
        .fits = memory.device <= setting.machine.capacity};
}

} // namespace

Pricer::Pricer(const Setting &setting) : m_setting(setting), m_prepared(prepare(setting)) { }

double Pricer::parameters() const { return parametersOf(m_setting.architecture); }

Figures Pricer::price(const Layout &layout) const
{
    return figuresOf(m_prepared, m_setting, layout, layerPrices(m_prepared, m_setting, keyOf(m_prepared, layout)));
}

} // namespace fleetwright::detailed
