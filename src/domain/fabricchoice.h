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

/// Whether the node is only ever rented: a cloud's instance or a provider's own host.
[[nodiscard]] bool isRentedOnly(const CatalogRecord &node);

} // namespace fleetwright
