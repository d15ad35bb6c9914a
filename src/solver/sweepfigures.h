// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/solutionfigures.h"

namespace fleetwright {

/// A number of a solution that a sweep shows: one of solutionFigures(), or a figure that only one cost model produces ("details.<key>").
struct SweepFigure {
    std::string key;
    std::string label;
    units::Dimension dimension = units::Dimension::Number;
    Better better = Better::None;
};

/// UnsupportedValue with `field` and the nearest key when no registered cost model has such a figure.
[[nodiscard]] Expected<SweepFigure> findSweepFigure(std::string_view key, std::string_view field = "figure");

/// The figure's value in base units; nothing when the model does not produce it or it is not finite.
[[nodiscard]] std::optional<double> figureOf(const Solution &solution, std::string_view key);

} // namespace fleetwright
