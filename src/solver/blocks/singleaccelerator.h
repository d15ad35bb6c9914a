// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/accelerator.h"
#include "domain/workload.h"
#include "solver/blocks/firstorderconstants.h"

#include <cstdint>

/// One accelerator as a roofline (Williams 2009): work at a share of the peak against memory traffic, plus fixed
/// overheads.
namespace fleetwright {

namespace formulas {

/// D = P w (1 + 0.1 b): weights once, and activations per sample.
[[nodiscard]] inline Bytes memoryTraffic(Bytes weights, double batch, const FirstOrderConstants &constants)
{
    return (1.0 + constants.activationTraffic * batch) * weights;
}

/// TDP (idle + dynamic * utilisation) T
[[nodiscard]] inline Joules energy(Watts tdp, double utilisation, Seconds time, const FirstOrderConstants &constants)
{
    return (constants.idlePower + constants.dynamicPower * utilisation) * tdp * time;
}

} // namespace formulas

/// The peak for a precision: the accelerator's own entry, else its 16-bit peak (fp16, or bf16 where there is no fp16).
struct PeakChoice {
    FlopRate rate{};
    bool fallback = false; ///< the accelerator states no peak for this precision
};
/// Nothing when the accelerator states neither the precision nor a 16-bit peak.
[[nodiscard]] std::optional<PeakChoice> peakFor(const AcceleratorFacts &accelerator, Precision precision);

/// Rates at which a run can read what it computes on.
struct MemoryRates {
    Bandwidth memory{};
    Bandwidth hostLink{};
    Bytes capacity{};
    std::optional<Bytes> sram; ///< with sramRate: holds the weights of small models
    Bandwidth sramRate{};
    std::optional<Bandwidth> flash; ///< devices that stream weights from flash

    /// SRAM rate if the weights fit SRAM; else flash rate if the device streams from flash; else memory rate, or the
    /// slower of memory and host link when the footprint exceeds the capacity.
    [[nodiscard]] Bandwidth effective(Bytes footprint, Bytes weights) const
    {
        if (sram && weights <= *sram)
            return sramRate;
        if (flash)
            return *flash;
        return footprint <= capacity || memory < hostLink ? memory : hostLink;
    }
};
[[nodiscard]] MemoryRates memoryRates(
    const AcceleratorFacts &accelerator, std::optional<Bandwidth> flash, const FirstOrderConstants &constants);

struct SingleAcceleratorInputs {
    double efficiency = 0.5; ///< achieved share of the peak
    std::int64_t batch = 1;
    std::int64_t sequenceLength = 1; ///< reaches memory only
    Precision precision = Precision::Fp16;
    bool training = true;
    bool recompute = false; ///< full recomputation: a fourth forward pass; activations counted as selective
    bool lora = false;
    std::optional<Bandwidth> flashBandwidth;
};

struct SingleAcceleratorFigures {
    Seconds latency{}, computeTime{}, memoryTime{}, overhead{};
    double samplesPerSecond = 0;
    bool memoryBound = false;
    ArithmeticIntensity intensity{};
    std::optional<Joules> energy; ///< absent without a TDP
    Bytes footprint{};
    Bytes spill{}; ///< what exceeds the capacity
    FlopRate sustainedRate{}; ///< peak times efficiency
    Bandwidth effectiveBandwidth{};
    double mfu = 0; ///< without recomputed FLOP
    double hfu = 0;
    double legacyMfu = 0; ///< including recomputed FLOP
    double legacyHfu = 0; ///< min(1, 1.1 legacy MFU)
    bool fits = false;
    bool overheadDominated = false;
    bool precisionFallback = false;
};

/// Refusals in this order: OutOfRange "efficiency" (outside 1e-9 to 1), "batch_size", "seq_len"; the shapes' own
/// (checkShape); UnsupportedValue "precision" without any usable peak; MissingField "heads" for training transformers
/// without recomputation.
[[nodiscard]] Expected<SingleAcceleratorFigures> singleAccelerator(const WorkloadFacts &workload,
    const AcceleratorFacts &accelerator, const SingleAcceleratorInputs &inputs,
    const FirstOrderConstants &constants = {});

/// Forward FLOP per unit of work: as stated, else two per (active) parameter.
[[nodiscard]] Flops forwardFlops(const WorkloadFacts &workload);

} // namespace fleetwright
