// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/configuration.h"

#include <algorithm>
#include <array>
#include <cmath>

/// What the engine derives once from a setting, and the arithmetic that layer prices, steps and tables share. Plain
/// doubles in SI units (s, B, B/s, FLOP/s): measured hot loop. Section numbers are those of
/// resources/handbook/models/detailed.md.
namespace fleetwright::detailed {

/// Figures of the hot loop as quantities.
[[nodiscard]] inline Seconds seconds(double value) { return Seconds::from_value(value); }
[[nodiscard]] inline Bytes bytes(double value) { return Bytes::from_value(value); }

/// One weight matrix of a layer before it is split.
struct Product {
    enum class Split : std::uint8_t { Replicated, Column, Row };
    enum class Part : std::uint8_t { Attention, FeedForward, SharedExperts };
    double k = 0, n = 0;
    Split split = Split::Column;
    Part part = Part::Attention;
};

/// K, N and K x N of one product, or their sums over products that have M in common: the times of products are linear
/// in them.
struct ProductSums {
    double k = 0, n = 0, kn = 0;
};

/// Bytes of one token in one layer: what every rank has whole, what sequence parallelism splits and what TP splits.
struct PerToken {
    double whole = 0, bySequence = 0, byTensor = 0;
    [[nodiscard]] double of(double inverseSequence, double inverseTensor) const
    {
        return whole + bySequence * inverseSequence + byTensor * inverseTensor;
    }
};

/// Dense layers and layers with experts.
struct LayerKind {
    std::array<Product, 7> products{};
    int productCount = 0;
    std::array<ProductSums, 3> sums; ///< of the products, before they are split, by Product::Split
    double layers = 0;
    double parameters = 0; ///< of one layer, without routed experts
    double expertParameters = 0; ///< of one layer, all routed experts
    double actFfn = 0; ///< width of the activation outside routed experts [f_act]
    PerToken traffic; ///< section 4: of element-wise work outside routed experts
    PerToken kept; ///< section 9: for the backward pass, outside routed experts, without the scores of attention
    double hostSeconds = 0; ///< [τ]
    double pipelinedHostSeconds = 0; ///< [τ] where LayerKey::pipelinedHost
    bool experts = false;
};

struct Prepared {
    // Rates, section 2.
    double memoryRate = 0, secondsPerByte = 0; ///< [β, 1/β] B/s, s/B
    double productRate = 0, productRate16 = 0; ///< [R, R16] FLOP/s
    double attentionRate = 0; ///< [A]
    bool fusedAttention = true;
    double operandBytes = 2; ///< [o]
    double scalingBytes = 0; ///< [σ_q] of an operand element that is scaled to fewer than 16 bits
    double gradientBytes = 2; ///< [w_g]
    double scaleUpRate = 0, scaleOutRate = 0; ///< [u U, ω W]
    double scaleUpLatency = 0, scaleOutLatency = 0; ///< [α1, α2] s
    double collectiveLaunch = 0; ///< [α_l] of one collective, s
    bool tpu = false;
    double domain = 1;
    double interference = 0;
    double elementwise = 1; ///< [ε]
    double expertVisit = 0; ///< [ν] of one expert and product, s
    double tpHostGrowth = 0, pipelinedTpHostGrowth = 0; ///< [θ] of the host floor with each further TP rank
    double hostMix = 0; ///< how much host and accelerator delay each other where they take equally long
    double overlapChunk = 0.25; ///< smallest exposed share of an overlapped collective
    bool ownWindows = true; ///< each exchange has compute of its own to hide under
    double lossBytes = 16; ///< [ξ] of one logit
    double transferHost = 0; ///< [α_p] of one point-to-point transfer, s
    double broadcast = 0; ///< [α_b] of ZeRO 1 for each rank that shares the optimizer state, s
    double slowdown = 1; ///< [η] times the work scale
    double workScale = 1;
    bool fsdpStack = false, oldMegatron = false;
    bool eager = false; ///< PyTorch without a compiler: keeps what a compiler would fuse
    bool pipelinedHost = false; ///< TP groups in a pipeline have a host floor of their own
    bool gathersOnce = false; ///< FSDP in a pipeline gathers parameters once a step
    bool frameworkMemory = false; ///< keeps what PyTorch's own frameworks keep, not what Megatron does

    double tokensPerSequence = 1, globalBatch = 1, accelerators = 1;
    double hidden = 1, heads = 1, kvHeads = 1, headDim = 1, qkDim = 1, valueDim = 1, layers = 1, vocabulary = 1;
    double gates = 1; ///< [g]
    double experts = 0, expertsPerToken = 0, expertFfn = 0; ///< of one layer
    double keptPerWidth = 0; ///< bytes kept of one element between the matrices of an FFN
    double embedding = 0; ///< parameters of one embedding
    double layerParameters = 0, expertParameters = 0; ///< of all layers
    std::array<LayerKind, 2> kinds;
    double modelFlops = 0; ///< of a step, all ranks
    double layerFlops = 0; ///< of it, the layers
    double peakFlops = 0, peak16Flops = 0; ///< of all accelerators
};

/// Which constants a setting's rates are made of. Nothing: attention runs at 0.35 of the 16-bit peak, the host is never
/// waited for, operands are not scaled.
[[nodiscard]] Constant productConstant(const Setting &setting, int bits);
/// On the share of the peak in products, for a generation that falls behind its family.
[[nodiscard]] std::optional<Constant> generationConstant(const Setting &setting);
[[nodiscard]] std::optional<Constant> attentionConstant(const Setting &setting);
[[nodiscard]] Constant elementwiseConstant(const Setting &setting);
/// `pipelined`: as LayerKey::pipelinedHost.
[[nodiscard]] std::optional<Constant> hostConstant(const Setting &setting, bool experts, bool pipelined = false);
[[nodiscard]] std::optional<Constant> tpHostConstant(const Setting &setting, bool pipelined = false);
[[nodiscard]] std::optional<Constant> transferHostConstant(const Setting &setting);
[[nodiscard]] std::optional<Constant> scalingConstant(const Setting &setting);
inline constexpr double unknownAttentionShare = 0.35;

/// Counts must be positive; Pricer::make checks.
[[nodiscard]] Prepared prepare(const Setting &setting);
/// Products and parameters of one dense layer, or of one with experts; `layers` and `hostSeconds` are left to
/// prepare().
[[nodiscard]] LayerKind layerKindOf(const Architecture &model, bool experts);
/// Parameters of the architecture with all experts and embeddings.
[[nodiscard]] double parametersOf(const Architecture &model);

// What follows is the search's hot loop. Where many sources are compiled at once the compiler stops inlining; what a
// price calls more than once is therefore forced inline.

/// Where the members of a group stand: loc in a domain, nod domains.
struct Group {
    double size = 1, local = 1, domains = 1;
    double busRate = 0; ///< B/s
    bool operator==(const Group &) const = default;
};

/// Numbers of ranks, layers and domains lie far below 2^63: converting them is floor and ceiling without a call.
[[nodiscard, gnu::always_inline]] inline double floorOf(double count)
{
    return double(static_cast<std::int64_t>(count));
}
[[nodiscard, gnu::always_inline]] inline double ceilingOf(double count)
{
    const double below = floorOf(count);
    return below < count ? below + 1 : below;
}

[[nodiscard, gnu::always_inline]] inline Group groupOf(const Prepared &in, double size, double distance)
{
    Group group;
    group.size = size;
    group.local = std::min(size, std::max(1.0, floorOf(in.domain / distance)));
    group.domains = ceilingOf(size / group.local);
    group.busRate = group.domains <= 1 ? in.scaleUpRate : std::min(in.scaleUpRate, in.scaleOutRate * group.local);
    return group;
}

/// What a collective of a group takes: by the length of its vector, and however short that is.
struct CollectiveCost {
    double secondsPerByte = 0, seconds = 0;
    [[nodiscard]] double of(double bytes) const { return bytes * secondsPerByte + seconds; }
};

/// Section 7: all-gather or reduce-scatter.
[[nodiscard, gnu::always_inline]] inline CollectiveCost allGatherCost(const Prepared &in, const Group &group)
{
    if (group.size <= 1)
        return {};
    const double latency = (in.tpu ? in.scaleUpLatency * std::log2(group.local) : in.scaleUpLatency * (group.local - 1))
        + in.scaleOutLatency * (group.domains - 1);
    return {(group.size - 1) / (group.size * group.busRate), latency + in.collectiveLaunch};
}
[[nodiscard]] inline double allGather(const Prepared &in, const Group &group, double bytes)
{
    return allGatherCost(in, group).of(bytes);
}

[[nodiscard, gnu::always_inline]] inline CollectiveCost allReduceCost(const Prepared &in, const Group &group)
{
    if (group.size <= 1)
        return {};
    const double betweenDomains = group.domains > 1 ? 2 * in.scaleOutLatency * std::log2(group.domains) : 0;
    return {2 * (group.size - 1) / (group.size * group.busRate),
        2 * in.scaleUpLatency * (group.local - 1) + betweenDomains + in.collectiveLaunch};
}
[[nodiscard]] inline double allReduce(const Prepared &in, const Group &group, double bytes)
{
    return allReduceCost(in, group).of(bytes);
}

/// What is left of y seconds of communication in chunks under w seconds of compute.
[[nodiscard]] inline double exposedUnder(const Prepared &in, double communication, double compute)
{
    return std::max(communication * in.overlapChunk, communication - (1 - in.overlapChunk) * compute);
}

/// The longer of the accelerator's and the host's time for a layer; a little more where they are about equal, because
/// each then waits for the other now and then.
[[nodiscard]] inline double flooredByHost(const Prepared &in, double accelerator, double host)
{
    const double longer = std::max(accelerator, host), shorter = std::min(accelerator, host);
    const double ratio = longer > 0 ? shorter / longer : 0;
    return longer * (1 + in.hostMix * ratio * ratio * ratio * ratio);
}

/// Section 3: one product of M x K and K x N, or several with one M. Activations and their gradients are scaled to the
/// precision of the product as they come in; weights are scaled once in a step, which is not counted.
struct ProductTime {
    double flops = 0; ///< of each of the three
    double computeSeconds = 0; ///< of each of the three
    double forwardBytes = 0, inputBytes = 0, weightBytes = 0;
    double forwardSeconds = 0, inputSeconds = 0, weightSeconds = 0;
};

/// Bytes of an element that enters a product, and those that its scaling moves.
struct Operand {
    double bytes = 2, scalingBytes = 0;
};

[[nodiscard, gnu::always_inline]] inline ProductTime productTime(
    const Prepared &in, double m, const ProductSums &sums, double rate, Operand operand, bool weightGradient)
{
    const auto [k, n, kn] = sums;
    ProductTime time;
    time.flops = 2 * m * kn;
    time.computeSeconds = time.flops / rate;
    const double mk = m * k, mn = m * n;
    time.forwardBytes = operand.bytes * (mk + kn) + 2 * mn + operand.scalingBytes * mk;
    time.inputBytes = operand.bytes * (mn + kn) + 2 * mk + operand.scalingBytes * mn;
    time.forwardSeconds = time.computeSeconds + time.forwardBytes * in.secondsPerByte;
    time.inputSeconds = time.computeSeconds + time.inputBytes * in.secondsPerByte;
    if (weightGradient) {
        time.weightBytes = operand.bytes * (mk + mn) + 2 * std::max(2.0, in.gradientBytes) * kn;
        time.weightSeconds = time.computeSeconds + time.weightBytes * in.secondsPerByte;
    }
    return time;
}
[[nodiscard]] inline ProductTime productTime(
    const Prepared &in, double m, double k, double n, double rate, Operand operand, bool weightGradient)
{
    return productTime(in, m, {k, n, k * n}, rate, operand, weightGradient);
}

} // namespace fleetwright::detailed
