// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <string>
#include <vector>

namespace fleetwright {

/// The fabrics that a node takes: its usual one first; beside it, where that is InfiniBand or Ethernet and the node is
/// sold rather than rented, those of either family with the ports of its NICs whose switch the catalog names, so that a
/// network can be ordered. Ids, in the catalog's order; empty where the node states no fabric and no NIC.
[[nodiscard]] std::vector<std::string> fabricsOf(const CatalogRecord &node, const Catalog &catalog);

/// Why a fabric is not among fabricsOf() of a node; None: it is.
enum class FabricMisfit : std::uint8_t {
    None,
    OfProvider, ///< the node is rented, with the network that is there
    OwnNetwork, ///< the node is built for a network of its own kind
    Unstated, ///< the catalog states no NIC of the node
    Kind, ///< no InfiniBand and no Ethernet between nodes
    Status, ///< it is not sold yet, or no more
    NoSwitch, ///< the catalog names none as an example
    Ports ///< they run at another speed than those of the node's NICs
};
[[nodiscard]] FabricMisfit fabricMisfit(const CatalogRecord &node, const CatalogRecord &fabric, const Catalog &catalog);

/// The rest of a sentence about a fabric that begins with its name: "its ports run at 200 Gb/s, those of the NICs of
/// NVIDIA GB200 NVL72 at 400 Gb/s". Where the catalog has no price of a network of it, that is said, too: what such a
/// network costs is estimated, and does not compare with a bill of materials. Empty: the node takes it.
[[nodiscard]] std::string whyNotLookedAt(
    const CatalogRecord &node, const CatalogRecord &fabric, const Catalog &catalog);

/// Whether the node is only ever rented: a cloud's instance or a provider's own host.
[[nodiscard]] bool isRentedOnly(const CatalogRecord &node);

} // namespace fleetwright
