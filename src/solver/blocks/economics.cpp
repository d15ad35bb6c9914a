// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/economics.h"

#include "domain/rules.h"

namespace fleetwright {

Expected<OwnershipCost> ownershipCost(const EconomicsInputs &inputs)
{
    const auto &constants = inputs.constants;
    rules::Checker rule("");
    rule.atLeast("accelerators", "The number of accelerators", inputs.accelerators, 1);
    rule.notNegative("unit_cost_usd", "The price of an accelerator", inputs.unitPrice);
    rule.notNegative("days", "The duration", inputs.duration);
    rule.notNegative("energy", "The energy", inputs.facilityEnergy);
    rule.notNegative("usd_per_kwh", "The price of electricity", constants.electricity);
    rule.within("amortization_years", "The amortization time in years", constants.amortizationYears, 0.01, 100);
    rule.within("maintenance_ratio", "The upkeep per year", constants.upkeepPerYear, 0, 1);
    rule.within(
        "infrastructure_multiplier", "The infrastructure multiplier", constants.infrastructureMultiplier, 1, 100);
    if (!rule.result())
        return std::unexpected(rule.result().error());

    const double years = inputs.duration / (365.0 * day);
    OwnershipCost cost;
    cost.purchase = inputs.accelerators * constants.infrastructureMultiplier * inputs.unitPrice;
    cost.capital = years / constants.amortizationYears * cost.purchase;
    cost.upkeep = years * constants.upkeepPerYear * cost.purchase;
    cost.energy = inputs.facilityEnergy * constants.electricity;
    return cost;
}

} // namespace fleetwright
