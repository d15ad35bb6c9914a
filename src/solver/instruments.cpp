// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/instruments.h"

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
    Reading reading{{figures->valid, figures->mfu, !figures->outOfMemory, figures->bubble}, int(inputs.setting.accelerators), std::nullopt};
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
    const auto &node = *plan->fleet->node;
    const auto peak = node.accelerator->peak(plan->training.precision) ? node.accelerator->peak(plan->training.precision) : node.accelerator->peak(Precision::Fp16);
    if (!peak)
        return refuse(ErrorCode::MissingField, "fleet.node.accelerator.peak", "The accelerator states no dense peak for this precision; choose another plan.");
    const auto scaleUp = node.scaleUpBandwidth ? node.scaleUpBandwidth : node.accelerator->scaleUpBandwidth;
    if (!scaleUp)
        return refuse(ErrorCode::MissingField, "fleet.node.scale_up", "The node states no scale-up bandwidth; choose another plan.");
    const Bandwidth scaleOut = plan->fleet->scaleOutBandwidth() / plan->fleet->fabric->oversubscription;
    auto machine = standardMachine();
    machine.name = plan->name;
    machine.wall.peak = *peak;
    machine.wall.scaleUp = machine.cube.scaleUp = *scaleUp;
    machine.wall.scaleOut = machine.cube.scaleOut = scaleOut;
    machine.wall.domainSize = machine.cube.nodeSize = node.scaleUpDomainSize;
    machine.wall.tokensPerSample = plan->training.sequenceLength;
    machine.cube.capacity = node.accelerator->memoryCapacity;
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
    return {.tp = settings.tp, .pp = settings.pp, .microbatches = settings.microbatches,
        .setting = settings.variant == InstrumentVariant::Published ? cube::Setting() : machine.cube};
}

Expected<Reading> read(const InstrumentSettings &settings, const Machine &machine)
{
    if (const auto *wall = std::get_if<DpWallSettings>(&settings))
        return readWall(*wall, machine);
    return readCube(std::get<CubeSettings>(settings), machine);
}

} // namespace fleetwright::instruments
