// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/study/instruments.h"

#include "solver/models/plannerfacts.h"

namespace fleetwright::instruments {

namespace {

constexpr double parametersPerBillion = 1e9;

Expected<Reading> readWall(const DpWallSettings &settings, const Machine &machine)
{
    const auto figures = dpwall::price(inputsOf(settings, machine));
    if (!figures)
        return std::unexpected(figures.error());
    return Reading{{.mfu = figures->mfu}, settings.accelerators, settings.accelerators};
}

Expected<Reading> readCube(const CubeSettings &settings, const Machine &machine)
{
    const auto inputs = inputsOf(settings, machine);
    const auto figures = cube::price(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    Reading reading{{figures->valid, figures->mfu, !figures->outOfMemory, figures->bubble},
        int(inputs.setting.accelerators), std::nullopt};
    if (figures->valid)
        reading.dp = int(figures->dp);
    return reading;
}

} // namespace

Machine standardMachine()
{
    Machine machine{"Lab machine", dpwall::corrected(), {}};
    machine.cube.variant = cube::Variant::Corrected;
    return machine;
}

Expected<Machine> machineOf(const Plan &plan)
{
    const auto facts = planners::Facts::create(plan->workload, plan->fleet, plan->training);
    if (!facts)
        return std::unexpected(facts.error());
    auto machine = standardMachine();
    machine.name = plan->name;
    machine.wall.peak = facts->peak.rate;
    machine.wall.scaleUp = machine.cube.scaleUp = facts->scaleUp();
    machine.wall.scaleOut = machine.cube.scaleOut = facts->scaleOut();
    machine.wall.domainSize = machine.cube.nodeSize = facts->domainSize();
    machine.wall.tokensPerSample = facts->tokensPerSample();
    machine.cube.capacity = plan->fleet->node->accelerator->memoryCapacity;
    return machine;
}

dpwall::Inputs inputsOf(const DpWallSettings &settings, const Machine &machine)
{
    return {.parameters = settings.parameterBillions * parametersPerBillion,
        .accelerators = settings.accelerators,
        .batchPerAccelerator = double(settings.microbatch),
        .fabric = settings.fabric == WallFabric::ScaleUp ? dpwall::Fabric::ScaleUp : dpwall::Fabric::ScaleOut,
        .setting = settings.variant == InstrumentVariant::Published ? dpwall::published() : machine.wall};
}

cube::Inputs inputsOf(const CubeSettings &settings, const Machine &machine)
{
    return {.tp = settings.tp,
        .pp = settings.pp,
        .microbatches = settings.microbatches,
        .setting = settings.variant == InstrumentVariant::Published ? cube::Setting() : machine.cube};
}

Expected<Reading> read(const InstrumentSettings &settings, const Machine &machine)
{
    if (const auto *wall = std::get_if<DpWallSettings>(&settings))
        return readWall(*wall, machine);
    return readCube(std::get<CubeSettings>(settings), machine);
}

} // namespace fleetwright::instruments
