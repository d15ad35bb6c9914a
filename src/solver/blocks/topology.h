// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <cstdint>
#include <string_view>

namespace fleetwright {

/// What a network's shape leaves of its links when all nodes talk at once.
struct TopologyFigures {
    double bisectionShare = 1; ///< of full bisection; never above 1
    Bandwidth effectiveBandwidth{}; ///< per node: bandwidth * share / oversubscription
    Bandwidth bisectionBandwidth{}; ///< effective bandwidth * nodes / 2
    double averageHops = 0;
};

/// Share of full bisection: fat tree 1, dragonfly 0.85, 3-D torus 2 n^(-1/3), ring 2/n; average hops 4, 3, 0.75
/// n^(1/3), n/4 (Leiserson 1985; Kim 2008; Dally, Towles 2003). Any other kind counts as a fat tree, as published. The
/// torus and ring formulas exceed 1 for fewer than 8 and 2 nodes; the share is then 1, which is all there is.
/// OutOfRange with field "bandwidth" (<= 0), "oversubscription" (< 1) or "nodes" (< 1).
[[nodiscard]] Expected<TopologyFigures> topologyFigures(
    std::string_view kind, std::int64_t nodes, Bandwidth bandwidth, double oversubscription);

} // namespace fleetwright
