// SPDX-License-Identifier: GPL-3.0-or-later
// Why a step that was measured is not taken to be exactly what the run took.
#include "solver/explain/planworking.h"

#include "units/format.h"

#include <cmath>

namespace fleetwright {

namespace {

constexpr std::string_view likelyStepKey = "likely:", weightPart = "weight", runsPart = "runs",
                           constantsPart = "constants";
constexpr std::string_view effectOfTheSite = "handbook, Calibration, \u201cThe effect of the site\u201d";

std::string keyOfLikely(std::string_view part) { return std::string(likelyStepKey) + std::string(part); }

} // namespace

bool PlanWorking::isMovedByRuns() const
{
    return m_solution.range && !validation::shrinkageInWords(*m_solution.range).empty();
}

WorkingLine PlanWorking::ofLikelyStep(std::string_view part) const
{
    if (!isMovedByRuns())
        return {};
    const auto &range = *m_solution.range;
    const auto weight = units::formatPercent(range.ownWeight);
    const auto ratio = units::threeDigits(std::exp(range.ownEffect / range.ownWeight));
    if (part == constantsPart && range.isCalibrated())
        return {.key = keyOfLikely(constantsPart),
            .label = "Step time by the program\u2019s own constants",
            .value = units::format(range.byFormula()),
            .source = "the same formula with the constants before the calibration, with which your measured runs are "
                      "compared ("
                + std::string(effectOfTheSite) + ")"};
    if (part == weightPart)
        return {.key = keyOfLikely(weightPart),
            .label = "What your measured runs count for",
            .value = weight,
            .formula = "k\u1d40 K\u207b\u00b9 1",
            .source = "Rasmussen and Williams 2006, section 2.2: k is the covariance of the plan with the runs, K that "
                      "of the runs "
                      "with the scatter of each ("
                + std::string(effectOfTheSite) + ")"};
    if (part == runsPart)
        return {.key = keyOfLikely(runsPart),
            .label = "Measured over predicted, each run as much as it counts",
            .value = ratio,
            .source = "your measured runs (page Validation, data of this project)"};
    if (!part.empty())
        return {};
    return {.key = keyOfLikely({}),
        .label = "Step time that your measured runs make likely",
        .value = units::format(range.middle()) + " (" + units::format(range.low) + " to " + units::format(range.high)
            + ")",
        .formula = "t \u00b7 r ^ w",
        .withValues = units::format(range.byFormula()) + " \u00b7 " + ratio + " ^ "
            + units::threeDigits(range.ownWeight),
        .source = "mean of a Gaussian process over ln(measured / predicted): Rasmussen and Williams 2006, section 2.2 ("
            + std::string(effectOfTheSite) + ")",
        .whyThere = validation::shrinkageInWords(range),
        .parts = {{"t", range.isCalibrated() ? keyOfLikely(constantsPart) : "figure:step_time_s"},
            {"r", keyOfLikely(runsPart)}, {"w", keyOfLikely(weightPart)}}};
}

} // namespace fleetwright
