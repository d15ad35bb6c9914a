// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/singleaccelerator.h"

#include "domain/rules.h"
#include "solver/blocks/shapechecks.h"
#include "solver/blocks/trainingmemory.h"

#include <algorithm>

namespace fleetwright {

std::optional<PeakChoice> peakFor(const AcceleratorFacts &accelerator, Precision precision)
{
    if (const auto own = accelerator.peak(precision))
        return PeakChoice{*own, false};
    for (const auto half : {Precision::Fp16, Precision::Bf16})
        if (const auto peak = accelerator.peak(half))
            return PeakChoice{*peak, true};
    return std::nullopt;
}

MemoryRates memoryRates(
    const AcceleratorFacts &accelerator, std::optional<Bandwidth> flash, const FirstOrderConstants &constants)
{
    MemoryRates rates{.memory = accelerator.memoryBandwidth,
        .hostLink = accelerator.hostLinkBandwidth.value_or(constants.hostLink),
        .capacity = accelerator.memoryCapacity,
        .sram = std::nullopt,
        .flash = flash};
    if (accelerator.sramCapacity && accelerator.sramBandwidth) {
        rates.sram = accelerator.sramCapacity;
        rates.sramRate = *accelerator.sramBandwidth;
    }
    return rates;
}

Flops forwardFlops(const WorkloadFacts &workload)
{
    return workload.forwardFlops ? *workload.forwardFlops : 2.0 * workload.activeParameters * flop;
}

namespace {

Expected<Bytes> footprintOf(
    const WorkloadFacts &workload, const SingleAcceleratorInputs &inputs, const FirstOrderConstants &constants)
{
    const Bytes width = bytesPerElement(inputs.precision);
    if (!inputs.training)
        return workload.parameters * width;
    if (workload.family == WorkloadFamily::Other)
        return inputs.lora ? constants.loraFootprint * workload.parameters * width
                           : workload.parameters * (2.0 * width + constants.adamState);
    const auto memory = trainingMemory(workload,
        {.batch = inputs.batch,
            .sequenceLength = inputs.sequenceLength,
            .precision = inputs.precision,
            .strategy = inputs.recompute ? ActivationStrategy::Selective : ActivationStrategy::None,
            .lora = inputs.lora},
        constants);
    if (!memory)
        return std::unexpected(memory.error());
    return memory->total();
}

} // namespace

Expected<SingleAcceleratorFigures> singleAccelerator(const WorkloadFacts &workload, const AcceleratorFacts &accelerator,
    const SingleAcceleratorInputs &inputs, const FirstOrderConstants &constants)
{
    rules::Checker rule("");
    rule.within("efficiency", "The efficiency", inputs.efficiency, 1e-9, 1);
    rule.atLeast("batch_size", "The batch", double(inputs.batch), 1);
    rule.atLeast("seq_len", "The sequence length", double(inputs.sequenceLength), 1);
    rule.positive("flash_bw", "The flash bandwidth", inputs.flashBandwidth);
    if (!rule.result())
        return std::unexpected(rule.result().error());
    if (auto ok = checkShape(workload); !ok)
        return std::unexpected(ok.error());
    if (auto ok = checkShape(accelerator); !ok)
        return std::unexpected(ok.error());
    const auto peak = peakFor(accelerator, inputs.precision);
    if (!peak)
        return refuse(ErrorCode::UnsupportedValue, "precision",
            "The accelerator states no peak for this precision and no 16-bit peak; choose another precision.");
    const auto footprint = footprintOf(workload, inputs, constants);
    if (!footprint)
        return std::unexpected(footprint.error());

    const double batch = double(inputs.batch);
    const double passes = !inputs.training ? 1.0 : inputs.recompute ? 4.0 : 3.0;
    const bool recomputed = inputs.training && inputs.recompute;
    const Flops work = passes * batch * forwardFlops(workload);
    const Bytes weights = workload.parameters * bytesPerElement(inputs.precision);
    const Bytes traffic = formulas::memoryTraffic(weights, batch, constants);
    const double layers = workload.layers ? double(*workload.layers) : constants.defaultLayers;

    SingleAcceleratorFigures figures;
    figures.footprint = *footprint;
    figures.fits = *footprint <= accelerator.memoryCapacity;
    figures.spill = figures.fits ? Bytes{} : *footprint - accelerator.memoryCapacity;
    figures.sustainedRate = inputs.efficiency * peak->rate;
    figures.effectiveBandwidth =
        memoryRates(accelerator, inputs.flashBandwidth, constants).effective(*footprint, weights);
    figures.computeTime = work / figures.sustainedRate;
    figures.memoryTime = traffic / figures.effectiveBandwidth;
    figures.memoryBound = figures.memoryTime > figures.computeTime;
    const Seconds bound = std::max(figures.computeTime, figures.memoryTime);
    figures.overhead = accelerator.dispatchTime.value_or(constants.dispatch)
        + layers * (inputs.training ? constants.trainingTaxFactor : 1.0) * constants.layerTax;
    figures.overheadDominated = figures.overhead > bound;
    figures.latency = bound + figures.overhead;
    figures.samplesPerSecond = batch / figures.latency.value();
    figures.intensity = work / traffic;
    figures.legacyMfu = std::min(1.0, double(work / (figures.latency * peak->rate)));
    figures.hfu = figures.legacyMfu;
    figures.mfu = recomputed ? 0.75 * figures.hfu : figures.hfu;
    figures.legacyHfu = std::min(1.0, 1.1 * figures.legacyMfu);
    if (accelerator.tdp)
        figures.energy = formulas::energy(*accelerator.tdp, figures.hfu, figures.latency, constants);
    figures.precisionFallback = peak->fallback;
    return figures;
}

} // namespace fleetwright
