// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/blocks/firstorderconstants.h"
#include "units/error.h"

#include <optional>

/// Energy, carbon and water of a run (Patterson 2021, sections 2 and 3; Wu 2022, section 2; WUE and PUE as The Green
/// Grid defines them).
namespace fleetwright {

/// Where the published system finds nothing stated. Plans do not use the TDP: they leave the figure out.
struct SustainabilityDefaults {
    double pue = 1.12;
    Watts tdp = 700.0 * watt;
};

/// What the water usage effectiveness multiplies. The published system multiplies facility energy; The Green Grid
/// (white paper 35, 2011) defines WUE as litres per kWh of IT energy, and so does the catalog.
enum class WaterBasis { FacilityEnergy, ItEnergy };

struct SustainabilityInputs {
    double accelerators = 1;
    Watts tdp{}; ///< of one accelerator
    Seconds duration{};
    double utilisation =
        1; ///< share of the peak at which the accelerators work (MFU, or HFU where FLOP are recomputed)
    double pue = 1;
    std::optional<CarbonIntensity> carbonIntensity; ///< of the grid
    std::optional<WaterIntensity> wue;
    WaterBasis waterBasis = WaterBasis::FacilityEnergy;
    std::optional<KilogramsCo2e> embodiedPerAccelerator;
};

struct Sustainability {
    Joules itEnergy{}; ///< N TDP (0.3 + 0.7 utilisation) T
    Joules facilityEnergy{}; ///< itEnergy PUE
    std::optional<KilogramsCo2e> operationalCarbon; ///< facilityEnergy times the grid's intensity
    std::optional<KilogramsCo2e> embodiedCarbon; ///< N times the device's, whole: not prorated over its life
    std::optional<Litres> water; ///< WUE times the energy of waterBasis
    /// Of what is known; absent when nothing is.
    [[nodiscard]] std::optional<KilogramsCo2e> carbon() const;
};

/// OutOfRange "accelerators" (< 1), "tdp_w" (negative), "days" (negative), "mfu" (outside 0 to 1), "pue" (outside 1 to
/// 10), "grid" (a negative intensity), "embodied_kg_per_device" (negative). The 0.3 and 0.7 are `constants.idlePower`
/// and `.dynamicPower`.
[[nodiscard]] Expected<Sustainability> sustainability(
    const SustainabilityInputs &inputs, const FirstOrderConstants &constants = {});

} // namespace fleetwright
