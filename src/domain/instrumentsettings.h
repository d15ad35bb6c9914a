// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace fleetwright {

/// An instrument's formulas exactly as the source printed them, or with its slips put right.
enum class InstrumentVariant { Published, Corrected };
/// Which links the data-parallel instrument puts the gradient exchange on.
enum class WallFabric { ScaleUp, ScaleOut };

/// Where the controls of the data-parallel wall stand.
struct DpWallSettings {
    double parameterBillions = 70; ///< of the model
    int accelerators = 8;
    int microbatch = 32; ///< samples per accelerator and step
    WallFabric fabric = WallFabric::ScaleOut;
    InstrumentVariant variant = InstrumentVariant::Published;
    bool operator==(const DpWallSettings &) const = default;
};

/// Where the controls of the 3D cube stand; model and fleet are the instrument's own.
struct CubeSettings {
    int tp = 1;
    int pp = 1;
    int microbatches = 8; ///< per step and pipeline
    InstrumentVariant variant = InstrumentVariant::Published;
    bool operator==(const CubeSettings &) const = default;
};

using InstrumentSettings = std::variant<DpWallSettings, CubeSettings>;

/// What the sliders offer; check() holds documents to the same limits.
inline constexpr double fewestWallBillions = 0.1;
inline constexpr double mostWallBillions = 1000;
inline constexpr int mostWallAccelerators = 1024;
inline constexpr int mostWallMicrobatch = 128;
inline constexpr int mostCubeRanks = 64; ///< of TP and of PP
inline constexpr int mostCubeMicrobatches = 64;

/// One control of an instrument, so that a study can say which may be moved.
enum class InstrumentControl {
    Parameters,
    Accelerators,
    Microbatch,
    Links,
    TensorParallel,
    PipelineParallel,
    Microbatches,
    Variant
};

/// "dp-wall" or "cube": the id of the model behind the instrument.
[[nodiscard]] std::string_view instrumentId(const InstrumentSettings &settings);
/// The controls of the settings' instrument in display order.
[[nodiscard]] std::span<const InstrumentControl> controlsOf(const InstrumentSettings &settings);
/// The key in documents: "parameters_b", "accelerators", "microbatch", "fabric", "tp", "pp", "microbatches", "variant".
[[nodiscard]] std::string_view toString(InstrumentControl control);
[[nodiscard]] std::string_view toString(InstrumentVariant variant); ///< "published", "corrected"
[[nodiscard]] std::string_view toString(WallFabric fabric); ///< "scale-up", "scale-out"

/// Whether the control stands at the same place in both; false for different instruments.
[[nodiscard]] bool agree(const InstrumentSettings &a, const InstrumentSettings &b, InstrumentControl control);

/// OutOfRange with `path` and the control's key.
[[nodiscard]] Expected<void> check(const InstrumentSettings &settings, const std::string &path);

} // namespace fleetwright
