// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleetcosts.h"

namespace fleetwright {

/// What a fabric is built of: of the switches that the catalog names for it those that state their ports at the rate of
/// the fabric, first one with a price and a power; transceivers of the rate of a port, and of all ports of a cage,
/// single mode before multimode. A transceiver of the switch has no power of its own where the maximum of the switch
/// includes its modules. `pricesOf` is that of the catalog's prices.
[[nodiscard]] NetworkParts networkPartsOf(
    const CatalogRecord &fabric, const Catalog &catalog, std::chrono::sys_days pricesOf);

/// Whether every part has a price in the catalog, so that a network of them has a bill of materials.
[[nodiscard]] bool isPriced(const NetworkParts &parts);

} // namespace fleetwright
