// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/instrumentsettings.h"

#include "units/format.h"

#include <algorithm>

namespace fleetwright {

namespace {

constexpr std::array wallControls{InstrumentControl::Parameters, InstrumentControl::Accelerators,
    InstrumentControl::Microbatch, InstrumentControl::Links, InstrumentControl::Variant};
constexpr std::array cubeControls{InstrumentControl::TensorParallel, InstrumentControl::PipelineParallel,
    InstrumentControl::Microbatches, InstrumentControl::Variant};

bool agreeOn(const DpWallSettings &a, const DpWallSettings &b, InstrumentControl control)
{
    switch (control) {
    case InstrumentControl::Parameters: return a.parameterBillions == b.parameterBillions;
    case InstrumentControl::Accelerators: return a.accelerators == b.accelerators;
    case InstrumentControl::Microbatch: return a.microbatch == b.microbatch;
    case InstrumentControl::Links: return a.fabric == b.fabric;
    case InstrumentControl::Variant: return a.variant == b.variant;
    default: return false;
    }
}

bool agreeOn(const CubeSettings &a, const CubeSettings &b, InstrumentControl control)
{
    switch (control) {
    case InstrumentControl::TensorParallel: return a.tp == b.tp;
    case InstrumentControl::PipelineParallel: return a.pp == b.pp;
    case InstrumentControl::Microbatches: return a.microbatches == b.microbatches;
    case InstrumentControl::Variant: return a.variant == b.variant;
    default: return false;
    }
}

Expected<void> within(
    const std::string &path, InstrumentControl control, std::string_view label, double value, double low, double high)
{
    if (value >= low && value <= high)
        return {};
    return refuse(ErrorCode::OutOfRange, path + "." + std::string(toString(control)),
        std::string(label) + " must be between " + units::exact(low) + " and " + units::exact(high) + ", not "
            + units::exact(value) + ".");
}

} // namespace

std::string_view instrumentId(const InstrumentSettings &settings)
{
    return std::holds_alternative<DpWallSettings>(settings) ? "dp-wall" : "cube";
}

std::span<const InstrumentControl> controlsOf(const InstrumentSettings &settings)
{
    return std::holds_alternative<DpWallSettings>(settings) ? std::span<const InstrumentControl>(wallControls)
                                                            : std::span<const InstrumentControl>(cubeControls);
}

std::string_view toString(InstrumentControl control)
{
    switch (control) {
    case InstrumentControl::Parameters: return "parameters_b";
    case InstrumentControl::Accelerators: return "accelerators";
    case InstrumentControl::Microbatch: return "microbatch";
    case InstrumentControl::Links: return "fabric";
    case InstrumentControl::TensorParallel: return "tp";
    case InstrumentControl::PipelineParallel: return "pp";
    case InstrumentControl::Microbatches: return "microbatches";
    case InstrumentControl::Variant: return "variant";
    }
    return {};
}

std::string_view toString(InstrumentVariant variant)
{
    return variant == InstrumentVariant::Published ? "published" : "corrected";
}

std::string_view toString(WallFabric fabric) { return fabric == WallFabric::ScaleUp ? "scale-up" : "scale-out"; }

bool agree(const InstrumentSettings &a, const InstrumentSettings &b, InstrumentControl control)
{
    if (a.index() != b.index())
        return false;
    if (const auto *wall = std::get_if<DpWallSettings>(&a))
        return agreeOn(*wall, std::get<DpWallSettings>(b), control);
    return agreeOn(std::get<CubeSettings>(a), std::get<CubeSettings>(b), control);
}

Expected<void> check(const InstrumentSettings &settings, const std::string &path)
{
    if (const auto *wall = std::get_if<DpWallSettings>(&settings)) {
        auto ok = within(path, InstrumentControl::Parameters, "The parameters, in billions,", wall->parameterBillions,
            fewestWallBillions, mostWallBillions);
        if (ok)
            ok = within(path, InstrumentControl::Accelerators, "The number of accelerators", wall->accelerators, 1,
                mostWallAccelerators);
        if (ok)
            ok = within(path, InstrumentControl::Microbatch, "The microbatch", wall->microbatch, 1, mostWallMicrobatch);
        return ok;
    }
    const auto &cube = std::get<CubeSettings>(settings);
    auto ok = within(path, InstrumentControl::TensorParallel, "Tensor parallelism (TP)", cube.tp, 1, mostCubeRanks);
    if (ok)
        ok = within(path, InstrumentControl::PipelineParallel, "Pipeline parallelism (PP)", cube.pp, 1, mostCubeRanks);
    if (ok)
        ok = within(path, InstrumentControl::Microbatches, "The number of microbatches", cube.microbatches, 1,
            mostCubeMicrobatches);
    return ok;
}

} // namespace fleetwright
