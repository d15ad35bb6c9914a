// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"

#include <span>

namespace fleetwright {

enum class Better { None, Lower, Higher };

/// Headings under which figures are listed.
enum class FigureGroup { Feasibility, Step, Rates, Memory, Run, Pipeline, Cost, Environment, Failures };
[[nodiscard]] std::string_view toString(FigureGroup group); ///< "Step time and its parts"

/// One figure that solutions of every cost model may have.
struct SolutionFigure {
    std::string_view key; ///< as in ExplainedFigure and solutionToJson; parts of the step are "breakdown.<part>_s"
    std::string_view label;
    FigureGroup group = FigureGroup::Step;
    units::Dimension dimension = units::Dimension::Number;
    Better better = Better::None;
    std::string_view meaning; ///< one sentence
    std::string_view absence; ///< why a model or plan may lack it
    std::optional<double> (*value)(
        const Solution &solution) = nullptr; ///< base units; nothing where the model gives none
};
/// In the order of tables. Figures that mean different things have different rows.
[[nodiscard]] std::span<const SolutionFigure> solutionFigures();
/// One of OperatingFigures, whose absence is explained by reasonForAbsence().
[[nodiscard]] constexpr bool isOperation(const SolutionFigure &figure)
{
    return figure.group == FigureGroup::Cost || figure.group == FigureGroup::Environment
        || figure.group == FigureGroup::Failures || figure.key == "compute_optimal_tokens";
}
[[nodiscard]] const SolutionFigure *findSolutionFigure(std::string_view key);

} // namespace fleetwright
