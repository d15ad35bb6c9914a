// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <cmath>
#include <cstdint>

/// Costs of collective communication in the alpha-beta model: a message of M bytes takes alpha + M / beta on one link.
/// Ring, tree and hierarchical forms after Thakur, Rabenseifner, Gropp (2005) and Patarasuk, Yuan (2009); the double
/// binary tree with the measured 1.2 and 1.05 of its implementations. All bandwidths are one direction, per
/// accelerator.
namespace fleetwright {

struct Link {
    Bandwidth bandwidth{};
    Seconds latency{};
};

/// The bare formulas for ranks >= 1, message >= 0, bandwidth > 0, latency >= 0; nothing is checked.
namespace formulas {

/// 2 (n-1)/n M/beta + 2 (n-1) alpha
[[nodiscard]] inline Seconds ringAllReduce(Bytes message, double ranks, const Link &link)
{
    const double hops = 2.0 * (ranks - 1.0);
    return hops / ranks * (message / link.bandwidth) + hops * link.latency;
}

/// 2 ceil(log2 n) (M/beta + alpha)
[[nodiscard]] inline Seconds treeAllReduce(Bytes message, std::int64_t ranks, const Link &link)
{
    int depth = 0;
    while (depth < 62 && (std::int64_t{1} << depth) < ranks)
        ++depth;
    return 2.0 * depth * (message / link.bandwidth + link.latency);
}

/// (n-1)/n M/beta + (n-1) alpha; M is what one rank holds.
[[nodiscard]] inline Seconds allToAll(Bytes message, double ranks, const Link &link)
{
    return (ranks - 1.0) / ranks * (message / link.bandwidth) + (ranks - 1.0) * link.latency;
}

/// Reduce-scatter and all-gather inside each node, ring over the nodes between: 2 [(g-1)/g M/beta_in + (g-1) alpha_in]
/// + ring(M/g, nodes).
[[nodiscard]] inline Seconds hierarchicalAllReduce(
    Bytes message, double nodes, double ranksPerNode, const Link &inner, const Link &outer)
{
    return 2.0 * allToAll(message, ranksPerNode, inner) + ringAllReduce(message / ranksPerNode, nodes, outer);
}

} // namespace formulas

/// The checked forms. OutOfRange with field "n_ranks" (< 1), "message_bytes" (< 0), "bandwidth" (<= 0), "latency" (<
/// 0), or anything not finite; in this order. One rank costs nothing.
[[nodiscard]] Expected<Seconds> ringAllReduce(Bytes message, std::int64_t ranks, const Link &link);
[[nodiscard]] Expected<Seconds> treeAllReduce(Bytes message, std::int64_t ranks, const Link &link);
[[nodiscard]] Expected<Seconds> allToAll(Bytes message, std::int64_t ranks, const Link &link);
/// 1.2 * 2 log2(n) alpha + 1.05 * 2 (n-1)/n M/beta
[[nodiscard]] Expected<Seconds> doubleBinaryTreeAllReduce(Bytes message, std::int64_t ranks, const Link &link);
/// Fields "nodes", "ranks_per_node", "message_bytes", "intra_bandwidth", "intra_latency", "inter_bandwidth",
/// "inter_latency".
[[nodiscard]] Expected<Seconds> hierarchicalAllReduce(
    Bytes message, std::int64_t nodes, std::int64_t ranksPerNode, const Link &inner, const Link &outer);
/// alpha + M/beta; also for one rank's message to another.
[[nodiscard]] Expected<Seconds> pointToPoint(Bytes message, const Link &link);
/// The message size above which a ring beats a tree: n alpha beta / log2 n. Needs at least two ranks ("n_ranks").
[[nodiscard]] Expected<Bytes> ringTreeCrossover(std::int64_t ranks, const Link &link);
/// The message size at which latency and transfer cost the same: alpha beta.
[[nodiscard]] Expected<Bytes> alphaBetaCrossover(const Link &link);
/// Relative speed when a share f of the traffic crosses a tier oversubscribed o to 1: 1 / ((1 - f) + f o).
/// OutOfRange with field "crossing_share" (outside 0 to 1) or "oversubscription" (< 1).
[[nodiscard]] Expected<double> oversubscriptionSpeed(double crossingShare, double oversubscription);
/// links cut * beta / o. OutOfRange with field "links" (< 0), "bandwidth" or "oversubscription".
[[nodiscard]] Expected<Bandwidth> bisectionBandwidth(double linksCut, Bandwidth bandwidth, double oversubscription);

} // namespace fleetwright
