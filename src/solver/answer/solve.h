// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/limits.h"
#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"
#include "solver/validation/steprange.h"

#include <memory>
#include <string>
#include <vector>

namespace fleetwright {

/// The complete answer for one plan.
struct Solution {
    std::string costModelId;
    std::string costModelVersion;
    Estimate estimate;
    StepBreakdown breakdown;
    RunFigures run;
    OperatingFigures operations; ///< of the published blocks
    /// The worksheet of the run, or of the fleet alone where there is no run; never empty in an answer of solve().
    std::shared_ptr<const CostSheet> costs;
    std::vector<TraceEntry> trace;
    PlanReading reading;
    std::optional<validation::PredictionRange>
        range; ///< of the step time; where the cost model was compared with measured runs
    bool feasible = false; ///< every line of the trace that could be decided holds; see feasibility()
};

/// Prices the plan with its cost model and checks the rules of layouts (those that it breaks stand first in the trace)
/// and its limits. Refusals as CostModel::prepare, Evaluator::evaluate
/// operationsSettings and planCost.
[[nodiscard]] Expected<Solution> solve(const Plan &plan);
/// The answer with the range of its step time: costs and the trace follow, and where measured runs of the site moved
/// the range, days and cost of the run are judged by its middle. The plan is the solution's.
[[nodiscard]] Solution withStepRange(
    Solution solution, const Plan &plan, std::optional<validation::PredictionRange> range);

/// Yes, no, or nothing: a cost model that knows no memory cannot say that a plan fits, only that another limit is
/// broken.
[[nodiscard]] std::optional<bool> feasibility(const Solution &solution);

/// Whether a feasible plan keeps a limit at its likely value and misses it at the high end of its range.
[[nodiscard]] bool isOnlyLikely(const Solution &solution);

/// "yes", "no", "not known"; with `onlyLikely` "likely" instead of "yes".
[[nodiscard]] std::string_view inWords(std::optional<bool> feasibility, bool onlyLikely = false);
/// The verdict of a plan, the same wherever one stands.
[[nodiscard]] std::string_view verdictInWords(const Solution &solution);

} // namespace fleetwright
