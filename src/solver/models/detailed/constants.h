// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/accelerator.h"
#include "units/unitsymbol.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The measured constants of the cost model `detailed`: one table that the model, its assumptions, the catalog, the
/// calibration and the documentation ask.
namespace fleetwright::detailed {

/// Accelerators that share constants.
enum class Family : std::uint8_t { V100, A100, Hopper, Blackwell, BlackwellUltra, Tpu, Cdna, TpuV6e };
inline constexpr std::size_t familyCount = 8;
[[nodiscard]] std::string_view toString(
    Family family); ///< "V100", "A100", "Hopper", "Blackwell", "BlackwellUltra", "TPU", "CDNA", "TPUv6e"
[[nodiscard]] Expected<Family> parseFamily(std::string_view text, std::string_view field = "family");

[[nodiscard]] constexpr bool isTpu(Family family) { return family == Family::Tpu || family == Family::TpuV6e; }

/// One of the families that an accelerator is priced by.
struct FamilyShare {
    Family family = Family::A100;
    double weight = 1; ///< of all shares of an accelerator together 1
    bool operator==(const FamilyShare &) const = default;
};

/// By which families a catalog accelerator is priced: its own where runs were measured, else those nearest to it, whose
/// constants enter as their weighted geometric mean (see familymean.h).
class FamilyMatch {
public:
    /// Runs were measured on accelerators like this.
    [[nodiscard]] static constexpr FamilyMatch measured(Family family)
    {
        auto match = nearestOf({family});
        match.m_nearest = false;
        return match;
    }
    /// At most three, each with the same weight. The first decides what a mean cannot (links, memory rules), has an
    /// 8-bit constant if any of them has one, and no constant of its generation (generationConstant()).
    [[nodiscard]] static constexpr FamilyMatch nearestOf(std::initializer_list<Family> families)
    {
        FamilyMatch match;
        match.m_nearest = true;
        for (const auto family : families)
            match.m_shares[match.m_count++] = {family, 1.0 / double(families.size())};
        return match;
    }
    [[nodiscard]] constexpr Family family() const { return m_shares[0].family; }
    [[nodiscard]] constexpr bool isNearest() const { return m_nearest; } ///< no run was measured on this accelerator
    [[nodiscard]] constexpr std::span<const FamilyShare> shares() const { return {m_shares.data(), m_count}; }
    bool operator==(const FamilyMatch &) const = default;

private:
    std::array<FamilyShare, 3> m_shares{};
    std::size_t m_count = 0;
    bool m_nearest = false;
};
/// By the architecture and the vendor; never refuses.
[[nodiscard]] FamilyMatch familyOf(const AcceleratorFacts &accelerator);
/// "A100", "Hopper, CDNA and A100".
[[nodiscard]] std::string familiesInWords(std::span<const FamilyShare> shares);
/// What a step on an accelerator without runs is off by in four of five cases, up or down, as a logarithm: measured
/// rows on Ascend 910B, Trainium1, Gaudi 2 and L40S, priced so, scatter with a standard deviation of 20 to 25 %.
inline constexpr double nearestFamilyHalfWidth = 0.30;

/// Order of Constants::values and of constantTable(). SI units.
enum class Constant : std::uint8_t {
    Gemm16V100,
    Gemm16A100,
    Gemm16Hopper,
    Gemm16Blackwell,
    Gemm16BlackwellUltra,
    Gemm16Tpu,
    Gemm16Cdna,
    Gemm8Hopper,
    Gemm8Blackwell,
    Gemm8BlackwellUltra,
    Gemm8Cdna,
    Gemm4Blackwell,
    Gemm4BlackwellUltra,
    Attention1A100,
    Attention1Hopper,
    Attention2A100,
    Attention2Hopper,
    Attention3Hopper,
    Attention3Blackwell,
    Attention3BlackwellUltra,
    Attention3Tpu,
    Attention3Cdna,
    MemoryShare,
    ElementwiseV2,
    ElementwiseCore,
    ElementwiseFsdp,
    ElementwiseXla,
    ElementwiseXlaGpu,
    DeepSpeedSlowdown,
    LoraTraffic,
    RoutingTraffic,
    ScoreTraffic,
    UnalignedSlowdown,
    HostV2,
    HostCore,
    HostFsdp,
    HostExpert,
    StepOverhead,
    ScaleUpShare,
    ScaleOutShare,
    TpuLinkShare,
    ScaleUpLatency,
    ScaleOutLatency,
    Interference,
    OverlapChunk,
    OwnWindows,
    HostMix,
    TpHost,
    TransferHost,
    Broadcast,
    ExpertVisit,
    LossTraffic,
    LoraEightBitWeights,
    LoraEightBitActivations,
    EightBitWeights,
    GradientCopy,
    OptimizerTraffic,
    GradientNormTraffic,
    AttentionBackward,
    TpuV6eShare,
    ElementwiseFsdpCompiled,
    ElementwiseResearch,
    HostResearch,
    TpHostResearch,
    HostResearchPipeline,
    TpHostResearchPipeline,
    TransferHostResearch,
    ScalingEight,
    ScalingFour,
    ScalingCompiled,
    CollectiveLaunch,
    GatherOnce,
    FrameworkMemory
};
inline constexpr std::size_t constantCount = static_cast<std::size_t>(Constant::FrameworkMemory) + 1;

/// Of the formulas and constants that are the default. 1.0 (the specification) and 2.0 stay reproducible by
/// Constants::version(): every term that came later is a constant without effect there.
inline constexpr std::string_view modelVersion = "3.0";

struct ConstantDescriptor {
    Constant constant;
    std::string_view key; ///< "gemm_A100": name in cases, assumptions, catalog and calibration files
    std::string_view symbol; ///< as in the documentation of the model
    std::string_view label;
    std::string_view meaning;
    std::optional<Family> family; ///< nothing: holds for all
    double value; ///< default, in `unit`
    double version2; ///< value in version 2.0 of the model
    double specification; ///< value in version 1.0 of the model; here and in 2.0 what came later has no effect
    std::optional<double> low, high; ///< spread over refits that leave one source out; nothing: fixed, not fitted
    double least, most; ///< what the constant can physically be; bounds of a fit and of a form field
    units::Dimension dimension;
    std::string_view unit; ///< symbol of the stored number; empty for plain numbers
    std::string_view source;
    [[nodiscard]] bool fitted() const { return low.has_value(); }
};
/// In the order of Constant.
[[nodiscard]] std::span<const ConstantDescriptor, constantCount> constantTable();
/// nullptr when there is no such key.
[[nodiscard]] const ConstantDescriptor *findConstant(std::string_view key);
/// Base units (SI) per stored unit of the descriptor.
[[nodiscard]] double baseFactor(const ConstantDescriptor &descriptor);

/// One value for each constant, in SI units; the defaults of constantTable() unless changed.
class Constants {
public:
    Constants();
    /// Version 1.0 of the model: the specification before its improvements.
    [[nodiscard]] static Constants specification();
    /// Those of a version of the model, "1.0", "2.0" or modelVersion; nothing for any other text.
    [[nodiscard]] static std::optional<Constants> version(std::string_view version);
    [[nodiscard]] double operator[](Constant constant) const { return m_values[static_cast<std::size_t>(constant)]; }
    double &operator[](Constant constant) { return m_values[static_cast<std::size_t>(constant)]; }
    bool operator==(const Constants &) const = default;

private:
    std::array<double, constantCount> m_values;
};

} // namespace fleetwright::detailed
