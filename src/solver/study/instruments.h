// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/instrumentsettings.h"
#include "domain/plan.h"
#include "solver/models/cube/cube.h"
#include "solver/models/dpwall/dpwall.h"
#include "solver/study/study.h"

/// From where the controls of an instrument stand to what its model says.
namespace fleetwright::instruments {

/// What the corrected instruments count with; the published ones keep to the lab's own figures.
struct Machine {
    std::string name; ///< for the list of choices
    dpwall::Setting wall;
    cube::Setting cube;
    bool operator==(const Machine &) const = default;
};

/// The lab's machine counted soundly: see dpwall::corrected() and cube::Variant::Corrected.
[[nodiscard]] Machine standardMachine();

/// The plan's accelerator, links and sequence length as the planners read them (models/plannerfacts.h), and its memory.
/// The share of the all-reduce that hides, the cube's 175 B parameters and its 1024 accelerators stay. Refuses as
/// planners::Facts::create().
[[nodiscard]] Expected<Machine> machineOf(const Plan &plan);

[[nodiscard]] dpwall::Inputs inputsOf(const DpWallSettings &settings, const Machine &machine);
[[nodiscard]] cube::Inputs inputsOf(const CubeSettings &settings, const Machine &machine);

/// What a study asks of an instrument.
struct Reading {
    study::Outcome outcome;
    int accelerators = 0;
    std::optional<int> dp; ///< absent where the product does not divide the accelerators
    bool operator==(const Reading &) const = default;
};
/// Refuses as the models do.
[[nodiscard]] Expected<Reading> read(const InstrumentSettings &settings, const Machine &machine);

} // namespace fleetwright::instruments
