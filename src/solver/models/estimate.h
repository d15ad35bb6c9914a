// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <array>
#include <cstdint>
#include <optional>

namespace fleetwright {

/// What a cost model, or solve() about it, noticed while it evaluated; each has one sentence (see sentence()).
enum class Notice : std::uint8_t {
    IdleRanks, ///< the global batch is smaller than DP
    PrecisionFallback, ///< no peak for the precision; the fp16 peak was used
    RecomputeApproximated, ///< the model knows fewer recompute policies than the plan names
    FabricLatencyAssumed, ///< the fabric has no latency; the model's default was used
    HostLinkAssumed,
    DispatchAssumed,
    ScaleUpAssumed, ///< the node states no scale-up bandwidth
    HiddenSizeAssumed,
    LayersAssumed,
    OverheadDominated, ///< fixed overheads take longer than the work itself
    BatchRemainderDropped, ///< global batch is not a multiple of DP
    StagesExceedLayers,
    SpillsToHost, ///< memory does not fit and traffic was priced at the host link
    NicCountAssumed, ///< the node states no NIC count; one port per accelerator was assumed
    StragglerBelowOne, ///< a straggler factor below 1 counts as 1
    SplitIgnored, ///< the model knows data parallelism only
    ExpertParallelismIgnored, ///< the model takes EP as a part of DP that costs nothing
    SettingsIgnored, ///< virtual stages, ZeRO, recomputation, LoRA or accumulation are unknown to the model
    AcceleratorsIdle, ///< TP x PP x DP leaves accelerators over
    ParameterCountsDiffer, ///< the stated parameters and those of the architecture
    FfnRatioAssumed, ///< the workload states no FFN size
    // Of the detailed model: where a plan leaves what its constants were fitted to.
    FamilyNearest,
    FamilyFewRuns,
    FourBitTraining,
    EightBitExperts,
    ExpertsSpread,
    HybridApproximated,
    LatentAttentionApproximated,
    ArchitectureAssumed,
    SmallMicrobatch,
    ManyAccelerators,
    SlowFabric,
    LongSequence,
    DeepPipeline,
    UnalignedHeads,
    LoraApproximated,
    MemoryTight,
    MicrobatchFractional,
    SequenceSplit, ///< of solve(): the microbatches that are stated do not divide a replica's sequences
    PueAssumed ///< of solve(): facility power is limited and the site states no PUE
};
inline constexpr std::size_t noticeCount = 40;

/// "idle_ranks" and so on, as printed in `warnings`.
[[nodiscard]] std::string_view toString(Notice notice);
/// One sentence for people: what happened and what to do about it.
[[nodiscard]] std::string_view sentence(Notice notice);

/// A set of notices without allocation.
class Notices {
public:
    constexpr void add(Notice notice) { m_bits |= std::uint64_t(1) << static_cast<unsigned>(notice); }
    [[nodiscard]] constexpr bool has(Notice notice) const { return (m_bits >> static_cast<unsigned>(notice)) & 1U; }
    [[nodiscard]] constexpr bool empty() const { return m_bits == 0; }
    [[nodiscard]] constexpr Notices operator|(Notices other) const
    {
        other.m_bits |= m_bits;
        return other;
    }
    bool operator==(const Notices &) const = default;

private:
    std::uint64_t m_bits = 0;
};

/// Memory of the fullest accelerator, by part. Parts that a model does not distinguish are absent.
struct MemoryEstimate {
    Bytes total{};
    Bytes capacity{};
    std::optional<Bytes> weights;
    std::optional<Bytes> gradients;
    std::optional<Bytes> optimizer;
    std::optional<Bytes> activations;
    std::optional<Bytes> other;
    bool operator==(const MemoryEstimate &) const = default;
};

/// The common answer of every cost model for one parallelism. A figure that a model does not produce is absent, never
/// zero. Holds no heap memory: a search makes millions of these per second.
struct Estimate {
    int dp = 1; ///< data-parallel replicas, as the model derives them
    std::optional<Seconds> stepTime; ///< absent where a model prices memory or volumes only
    std::optional<Seconds> computeTime; ///< of one accelerator, per step, overheads excluded
    std::optional<Seconds> dpCommTime, tpCommTime, ppCommTime, cpCommTime, epCommTime; ///< before overlap
    std::optional<Seconds> exposedCommTime; ///< all communication that the step waits for
    std::optional<Seconds> bubbleTime, optimizerTime, overheadTime;
    std::optional<double> bubbleFraction; ///< (p-1)/(vm+p-1) of the pipelined interval, from models that assume it
    std::optional<double> scalingEfficiency; ///< computation and overheads over the step time
    std::optional<double> mfu, hfu; ///< of the whole fleet, over the dense peak
    std::optional<double> samplesPerSecond, tokensPerSecond;
    std::optional<FlopRate> flopsPerAccelerator; ///< model FLOP per accelerator and second
    std::optional<MemoryEstimate> memory; ///< absent where a model knows no memory
    std::optional<bool> fits; ///< memory total within capacity, by the model's own rule; absent without memory
    Notices notices;
    /// Figures of this model only, in the order of CostModel::details(). NaN: not produced.
    std::array<double, 16> details{};
    bool operator==(const Estimate &) const = default;
};

/// Parts of the step that add up to stepTime, in the order in which charts stack them. Negative remainders do not
/// occur: what the parts do not explain is `other` (stragglers).
struct StepBreakdown {
    Seconds compute{}, tp{}, pp{}, cp{}, ep{}, dp{}, bubble{}, optimizer{}, overhead{}, other{};
};

} // namespace fleetwright
