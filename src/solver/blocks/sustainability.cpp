// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/sustainability.h"

#include "domain/rules.h"
#include "solver/blocks/singleaccelerator.h"

namespace fleetwright {

std::optional<KilogramsCo2e> Sustainability::carbon() const
{
    if (!operationalCarbon || !embodiedCarbon)
        return operationalCarbon ? operationalCarbon : embodiedCarbon;
    return *operationalCarbon + *embodiedCarbon;
}

Expected<Sustainability> sustainability(const SustainabilityInputs &inputs, const FirstOrderConstants &constants)
{
    rules::Checker rule("");
    rule.atLeast("accelerators", "The number of accelerators", inputs.accelerators, 1);
    rule.notNegative("tdp_w", "The TDP", inputs.tdp);
    rule.notNegative("days", "The duration", inputs.duration);
    rule.within("mfu", "The utilisation (MFU)", inputs.utilisation, 0, 1);
    rule.within("pue", "The PUE", inputs.pue, 1, 10);
    rule.notNegative("grid", "The carbon intensity of the grid", inputs.carbonIntensity);
    rule.notNegative("grid", "The water usage effectiveness", inputs.wue);
    rule.notNegative("embodied_kg_per_device", "The embodied carbon of an accelerator", inputs.embodiedPerAccelerator);
    if (!rule.result())
        return std::unexpected(rule.result().error());

    Sustainability figures;
    figures.itEnergy = inputs.accelerators
        * formulas::energy(inputs.tdp, inputs.utilisation, inputs.duration, constants);
    figures.facilityEnergy = inputs.pue * figures.itEnergy;
    if (inputs.carbonIntensity)
        figures.operationalCarbon = figures.facilityEnergy * *inputs.carbonIntensity;
    if (inputs.embodiedPerAccelerator)
        figures.embodiedCarbon = inputs.accelerators * *inputs.embodiedPerAccelerator;
    if (inputs.wue)
        figures.water = (inputs.waterBasis == WaterBasis::ItEnergy ? figures.itEnergy : figures.facilityEnergy)
            * *inputs.wue;
    return figures;
}

} // namespace fleetwright
