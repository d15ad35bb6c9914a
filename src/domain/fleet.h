// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fabric.h"
#include "domain/fleetcosts.h"
#include "domain/node.h"

namespace fleetwright {

inline constexpr int mostNodes = 1'000'000; ///< of a fleet

/// Where the fleet stands, as far as it is known.
struct SiteFacts {
    std::string facilityId; ///< empty: none chosen
    std::string facilityName;
    std::optional<double> pue; ///< facility power over IT power
    std::optional<WaterIntensity> wue; ///< litres per joule of IT energy
    std::string gridId;
    std::string gridName;
    std::optional<CarbonIntensity> carbonIntensity;
    std::optional<EnergyPrice> energyPrice;
    std::string energyPricePeriod; ///< as the catalog states it; empty: not stated
    bool energyPriceIsOld = false; ///< more than a year older than the catalog's prices
    bool operator==(const SiteFacts &) const = default;
};

/// Nodes of one kind on one fabric.
struct FleetFacts {
    std::string name;
    Node node;
    int nodeCount = 0;
    Fabric fabric; ///< oversubscription already replaced by the fleet's own where it states one
    SiteFacts site;
    FleetCosts costs{};

    [[nodiscard]] int accelerators() const { return nodeCount * node->acceleratorsPerNode; }
    /// Scale-out bandwidth of one accelerator, one direction: the fabric's port rate times the node's NICs per
    /// accelerator (one port per accelerator where the node's NIC count is unknown). Oversubscription is not applied
    /// here.
    [[nodiscard]] Bandwidth scaleOutBandwidth() const;
    bool operator==(const FleetFacts &) const = default;
};
using Fleet = Valid<FleetFacts>;

/// 1 to 1 000 000 nodes, PUE at least 1.
[[nodiscard]] Expected<void> check(const FleetFacts &facts);

/// Figures that describe a fleet before any workload runs on it.
struct FleetTotals {
    int accelerators = 0;
    std::optional<FlopRate> densePeak; ///< bf16, or fp16 where there is no bf16
    Bytes memory{};
    Bandwidth memoryBandwidth{};
    Bandwidth scaleOutPerNode{};
    std::optional<Watts> maxItPower; ///< nodes at their maximum; unknown when the node's power is
    std::optional<Watts> facilityPower; ///< maxItPower times the site's PUE; unknown when either is
    std::optional<Watts> acceleratorTdp;
    std::optional<Dollars> acceleratorPurchase; ///< accelerators only
};
[[nodiscard]] FleetTotals totals(const Fleet &fleet);

} // namespace fleetwright
