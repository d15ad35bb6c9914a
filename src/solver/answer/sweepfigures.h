// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solutionfigures.h"

namespace fleetwright {

/// A number of a solution that a sweep shows: one of solutionFigures(), or a figure that only one cost model produces
/// ("details.<key>").
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

/// The unit in which a column or an axis of such values reads easily: percent for shares, GB for memory, s, ms or days
/// for times.
struct ShownUnit {
    std::string symbol; ///< empty for plain numbers
    double factor = 1; ///< base units in one
};
[[nodiscard]] ShownUnit shownUnit(units::Dimension dimension, double largest);

/// "12.3 %", "1.05 s": the value for people; a dash where there is none.
[[nodiscard]] std::string figureText(const SweepFigure &figure, std::optional<double> value);
/// The label without what follows its first comma or colon, and the unit of a column: "Bubble [%]".
[[nodiscard]] std::string columnTitle(const SweepFigure &figure, const ShownUnit &unit);

} // namespace fleetwright
