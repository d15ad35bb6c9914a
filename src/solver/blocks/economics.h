// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

/// What a run costs when the fleet is owned (Barroso, Hoelzle, Ranganathan 2018, chapter 6): the purchase spread evenly
/// over its life, upkeep in proportion to the purchase, energy as metered. A year has 365 days.
namespace fleetwright {

/// The published planning values.
struct EconomicsConstants {
    EnergyPrice electricity = 0.12 * dollarPerKilowattHour;
    double amortizationYears = 3; ///< over which the purchase is spread
    double upkeepPerYear = 0.05; ///< share of the purchase
    double infrastructureMultiplier = 1; ///< of the accelerators' price: 1 is accelerators only, 2 to 2.5 a whole site
};

struct EconomicsInputs {
    double accelerators = 1;
    Dollars unitPrice{}; ///< of one accelerator; zero where the published system knows no price
    Seconds duration{};
    Joules facilityEnergy{};
    EconomicsConstants constants;
};

struct OwnershipCost {
    Dollars purchase{}; ///< K = N price multiplier
    Dollars capital{}; ///< K / amortization years * years
    Dollars upkeep{}; ///< K upkeep share * years
    Dollars energy{}; ///< facility energy at the tariff
    [[nodiscard]] Dollars operating() const { return energy + upkeep; }
    [[nodiscard]] Dollars total() const { return capital + operating(); }
};

/// OutOfRange "accelerators" (< 1), "unit_cost_usd", "days", "energy", "usd_per_kwh" (negative), "amortization_years"
/// (not positive), "maintenance_ratio" (outside 0 to 1), "infrastructure_multiplier" (outside 1 to 100).
[[nodiscard]] Expected<OwnershipCost> ownershipCost(const EconomicsInputs &inputs);

/// What one million of something costs when `perSecond` of it are made at this rate; zero makes it infinite.
[[nodiscard]] inline Dollars costPerMillion(DollarRate rate, double perSecond)
{
    return rate * (1e6 / perSecond * second);
}

} // namespace fleetwright
