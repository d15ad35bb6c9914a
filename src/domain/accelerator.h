// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"
#include "domain/precision.h"
#include "domain/valid.h"

#include <array>

namespace fleetwright {

/// One device. Peaks are dense, never with structured sparsity. A missing value is unknown, not zero.
struct AcceleratorFacts {
    std::string id;
    std::string name;
    std::string vendor;
    std::string tier;
    std::string architecture; ///< "Hopper", "CDNA 3"; empty when unknown
    std::array<std::optional<FlopRate>, precisionCount> peaks{}; ///< dense peak by Precision
    Bytes memoryCapacity{};
    Bandwidth memoryBandwidth{};
    std::optional<Bandwidth> scaleUpBandwidth; ///< per device, one direction, all links; half of what the catalog
                                               ///< states for both directions where it states only that
    std::optional<Bandwidth> hostLinkBandwidth; ///< one direction
    std::optional<Bytes> sramCapacity;
    std::optional<Bandwidth> sramBandwidth;
    std::optional<Seconds> dispatchTime; ///< per kernel or graph
    std::optional<Watts> tdp;
    std::optional<Dollars> purchasePrice;
    std::optional<DollarRate> cloudPriceLow;
    std::optional<DollarRate> cloudPriceHigh;
    std::optional<KilogramsCo2e> embodiedCarbon;
    int launchYear = 0;
    [[nodiscard]] std::optional<FlopRate> peak(Precision precision) const
    {
        return peaks[static_cast<std::size_t>(precision)];
    }
    bool operator==(const AcceleratorFacts &) const = default;
};
using Accelerator = Valid<AcceleratorFacts>;

/// Id and name present; memory capacity and bandwidth, every stated peak, link rate and price positive and finite.
[[nodiscard]] Expected<void> check(const AcceleratorFacts &facts);

/// From a catalog record. fp32 is the matrix peak where there is one, else the vector peak. MissingField when a planner
/// cannot do without the value (memory capacity, memory bandwidth, any matrix peak).
[[nodiscard]] Expected<Accelerator> acceleratorFrom(const CatalogRecord &record);

} // namespace fleetwright
