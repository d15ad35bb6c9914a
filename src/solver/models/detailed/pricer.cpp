// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/pricer.h"

#include "solver/models/detailed/layerformulas.h"
#include "solver/models/detailed/step.h"

namespace fleetwright::detailed {

namespace {

MemoryFigures memoryOf(const Prepared &in, const Setting &setting, const Layout &layout, const LayerPrices &prices)
{
    const auto fullest = fullestStage(in, setting, layout, prices);
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
    Figures figures;
    figures.memory = memoryOf(in, setting, layout, prices);
    figures.fits = figures.memory.device <= setting.machine.capacity;
    const double overhead = setting.constants[Constant::StepOverhead];
    const double step = setting.straggler * parts.step + overhead;
    figures.stepTime = seconds(step);
    figures.computeTime = seconds(parts.microbatches * parts.stageSeconds - parts.tpExposed - parts.cpExposed
        - parts.epExposed - parts.shardedLayerExposed);
    figures.bubbleTime = seconds(parts.bubble);
    figures.optimizerTime = seconds(parts.optimizer);
    figures.overheadTime = seconds(overhead);
    figures.tp = {seconds(parts.tpTotal), seconds(parts.tpExposed)};
    figures.cp = {seconds(parts.cpTotal), seconds(parts.cpExposed)};
    figures.ep = {seconds(parts.ep), seconds(parts.epExposed)};
    figures.pp = {seconds(parts.ppTotal), seconds(parts.ppExposed)};
    figures.dp = {seconds(parts.dpTotal), seconds(parts.dpExposed)};
    figures.forwardLayer = seconds(parts.meanForward);
    figures.backwardLayer = seconds(parts.meanBackward);
    figures.logits = seconds(prices.logitsSeconds);
    figures.embedding = seconds(prices.embeddingSeconds);
    figures.microbatches = parts.microbatches;
    figures.modelFlops = Flops::from_value(in.modelFlops);
    figures.mfu = in.modelFlops / (in.peakFlops * step);
    // Full recomputation runs the layers' forward pass, or a share of it, once more.
    figures.hfu = figures.mfu
        * (layout.recompute == Recompute::Full
                ? 1 + layout.recomputeShare.value_or(1) * in.layerFlops / in.modelFlops / 3
                : 1);
    figures.mfu16 = in.modelFlops / (in.peak16Flops * step);
    figures.tokensPerSecond = in.globalBatch * in.tokensPerSequence / step;
    return figures;
}

} // namespace

Pricer::Pricer(const Setting &setting) : m_setting(setting), m_prepared(prepare(setting)) { }

double Pricer::parameters() const { return parametersOf(m_setting.architecture); }

Figures Pricer::price(const Layout &layout) const
{
    return figuresOf(m_prepared, m_setting, layout, layerPrices(m_prepared, m_setting, keyOf(m_prepared, layout)));
}

} // namespace fleetwright::detailed
