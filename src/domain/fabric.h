// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"
#include "domain/valid.h"

namespace fleetwright {

enum class FabricTopology { FatTree, RailOptimised, Dragonfly, Torus3d, Ring };

[[nodiscard]] std::string_view toString(
    FabricTopology topology); ///< "fat_tree", "rail_optimised", "dragonfly", "torus_3d", "ring"
[[nodiscard]] Expected<FabricTopology> parseFabricTopology(std::string_view text, std::string_view field = "topology");

inline constexpr double mostOversubscription = 1000; ///< at the most loaded tier

/// The scale-out network between nodes.
struct FabricFacts {
    std::string id;
    std::string name;
    Bandwidth portBandwidth{}; ///< one port, one direction, in bytes per second (a 400 Gb/s port is 50 GB/s)
    std::optional<Seconds> latency; ///< one way, as software sees it
    double oversubscription = 1.0; ///< at the most loaded tier; 1 is non-blocking
    FabricTopology topology = FabricTopology::FatTree;
    std::optional<int> switchRadix;
    bool operator==(const FabricFacts &) const = default;
};
using Fabric = Valid<FabricFacts>;

/// Positive port bandwidth, latency not negative, oversubscription at least 1.
[[nodiscard]] Expected<void> check(const FabricFacts &facts);

/// From a catalog record of scope scale_out (others are refused: UnsupportedValue).
[[nodiscard]] Expected<Fabric> fabricFrom(const CatalogRecord &record);

} // namespace fleetwright
