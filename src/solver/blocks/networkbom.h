// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// Switches, cables and transceivers of a folded-Clos ("fat tree") fabric of equal switches (Leiserson 1985; Al-Fares
/// 2008), wired as the NVIDIA DGX SuperPOD reference architectures wire their compute fabrics.
///
/// R ports per switch, oversubscription o at the leaves. A leaf gives D ports to nodes and U to spines:
/// - without rails and groups: D = floor(R o/(1+o)), U = R - D, so that o is never exceeded;
/// - with k rails: leaves are grouped by rail, D = R/2, U = D/o rounded up: oversubscription removes uplinks, no
/// leaves;
/// - with groups of g nodes (the trays of a rack): one leaf a group and rail, D = g ports/k, U = D/o rounded up.
/// All cables above the leaves are full: leaves * U between leaves and spines, however many nodes the last leaf has.
/// - one switch, no spine: up to R node ports (with groups: one group on one rail);
/// - up to R leaves: two tiers. Spines: the smallest divisor of U, so that every leaf reaches every spine over equally
/// many cables, with enough ports for all uplinks;
/// - up to R groups of R/2 leaves: three tiers. Spines give half of their ports to the leaves of their group and half
/// to cores; as many spine-core cables as leaf-spine cables; cores with R ports each;
/// - several units of node groups: three tiers whose spines belong to one unit and rail. A core reaches each of them,
/// so that units * rails is at most R.
namespace fleetwright {

struct NetworkBillInputs {
    std::int64_t nodes = 1;
    std::int64_t portsPerNode = 1; ///< on the training fabric
    std::int64_t switchRadix = 64; ///< R, even: ports of a switch at the speed of one plane
    double oversubscription = 1; ///< at the leaves
    std::string_view topology = "fat-tree";
    std::int64_t planes = 1; ///< independent equal trees, each of the node port at 1/planes of its speed
    std::optional<std::int64_t> rails; ///< k, divides portsPerNode
    std::optional<std::int64_t> leafGroupNodes; ///< g
    std::optional<std::int64_t> unitGroups; ///< node groups in a unit with spines of its own
    std::int64_t ufmPorts = 0; ///< of the fabric manager, which then takes the place of one node
    std::int64_t switchPortsPerCage = 1, nodePortsPerCage = 1; ///< ports that one transceiver serves
    bool nodeLeafCopper = false, leafSpineCopper = false; ///< a copper tier needs transceivers at neither end
    double switchSpareShare = 0.02, transceiverSpareShare = 0.03; ///< of those in use; assumptions
};

struct NetworkBill {
    std::int64_t leafSwitches = 0, spineSwitches = 0, coreSwitches = 0; ///< of all planes
    /// A cable of full speed carries its share of every plane, so that these are the cables of one tree.
    std::int64_t nodeLeafCables = 0, leafSpineCables = 0, spineCoreCables = 0, ufmCables = 0;
    std::int64_t switchTransceivers = 0, nodeTransceivers = 0; ///< in use
    std::int64_t spareSwitches = 0, spareTransceivers = 0;
    [[nodiscard]] std::int64_t switches() const { return leafSwitches + spineSwitches + coreSwitches; }
    [[nodiscard]] std::int64_t cables() const { return nodeLeafCables + leafSpineCables + spineCoreCables + ufmCables; }
    bool operator==(const NetworkBill &) const = default;
};

/// UnsupportedValue "topology" for anything but a fat tree ("fat-tree", "fat_tree"). OutOfRange "nodes",
/// "ports_per_node" (outside 1 to 1e6), "switch_radix" (odd, or outside 2 to 4096), "oversubscription" (outside 1 to R
/// - 1), "planes" (outside 1 to 16), "rails" (no divisor of the ports), "leaf_group_nodes" (outside 1 to 1e6, or with
/// more ports than a leaf has), "unit_groups" (outside 1 to 1e6, or over R/2 where there are several units),
/// "ufm_ports" (outside 0 to the ports of a node), "switch_ports_per_cage", "node_ports_per_cage" (outside 1 to 64),
/// "switch_spare_share", "transceiver_spare_share" (outside 0 to 1), and "nodes" for more than the tiers connect, with
/// the largest number that they do. MissingField "leaf_group_nodes" for units of groups that are not stated.
[[nodiscard]] Expected<NetworkBill> networkBill(const NetworkBillInputs &inputs);

} // namespace fleetwright
