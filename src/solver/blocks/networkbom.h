// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <cstdint>
#include <string_view>

/// Switches and cables of a folded-Clos ("fat tree") fabric of equal switches (Leiserson 1985; Al-Fares 2008), wired as
/// the NVIDIA DGX SuperPOD reference architecture wires its InfiniBand compute fabric.
///
/// R ports per switch. A leaf gives D = floor(R o/(1+o)) ports to nodes and the other U = R - D to spines, so that it
/// never exceeds the oversubscription o asked for (D = U = R/2 when o is 1). All cables above the leaves are full:
/// leaves * U of them between leaves and spines, however many nodes the last leaf has.
/// - up to R node ports: one switch, no spine;
/// - up to R leaves: two tiers. Spines: the smallest divisor of U, so that every leaf reaches every spine over equally
/// many cables, with
///   enough ports for all uplinks;
/// - up to R groups of R/2 leaves: three tiers. Spines give half of their ports to the leaves of their group and half
/// to cores; as many
///   spine-core cables as leaf-spine cables; cores with R ports each.
namespace fleetwright {

struct NetworkBillInputs {
    std::int64_t nodes = 1;
    std::int64_t portsPerNode = 1; ///< on the training fabric
    std::int64_t switchRadix = 64; ///< R, even
    double oversubscription = 1; ///< at the leaves
    std::string_view topology = "fat-tree";
};

struct NetworkBill {
    std::int64_t leafSwitches = 0, spineSwitches = 0, coreSwitches = 0;
    std::int64_t nodeLeafCables = 0, leafSpineCables = 0, spineCoreCables = 0;
    bool operator==(const NetworkBill &) const = default;
};

/// UnsupportedValue "topology" for anything but a fat tree ("fat-tree", "fat_tree"); OutOfRange "nodes",
/// "ports_per_node" (outside 1 to 1e6), "switch_radix" (odd, or outside 2 to 4096), "oversubscription" (outside 1 to R
/// - 1), and "nodes" for more ports than three tiers connect.
[[nodiscard]] Expected<NetworkBill> networkBill(const NetworkBillInputs &inputs);

} // namespace fleetwright
