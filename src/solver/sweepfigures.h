// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/solve.h"

namespace fleetwright {

enum class Better { Lower, Higher, Neither };

/// A number of a solution that sweeps can show and rank by. Keys are those of solutionToJson, with a dot for nested objects.
struct SweepFigure {
    std::string key;
    std::string label;
    units::Dimension dimension = units::Dimension::Number;
    Better better = Better::Neither;
};

/// The figures that every cost model may produce, in reading order.
[[nodiscard]] std::span<const SweepFigure> sweepFigures();

/// One of sweepFigures(), or "details.<key>" of any registered cost model. UnsupportedValue with `field` and the nearest key.
[[nodiscard]] Expected<SweepFigure> findSweepFigure(std::string_view key, std::string_view field = "figure");

/// The figure's value in base units; nothing when the model does not produce it or it is not finite. The key must be known.
[[nodiscard]] std::optional<double> figureOf(const Solution &solution, std::string_view key);

} // namespace fleetwright
