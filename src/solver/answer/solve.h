// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"
#include "solver/validation/steprange.h"

#include <string>
#include <vector>

namespace fleetwright {

/// One line of the constraint trace: what was asked, what the plan needs and whether it holds.
struct TraceEntry {
    std::string constraint; ///< "memory_capacity", "max_memory_fraction", "deadline", "budget", "max_power", "min_mfu",
                            ///< "max_step_time"
    ErrorCode code = ErrorCode::ConstraintViolated; ///< of a failure: OutOfMemory or ConstraintViolated
    bool holds = true;
    bool decided = true; ///< false when a figure that the check needs is unknown; such a line does not make a plan
                         ///< infeasible, and says so
    units::Dimension dimension = units::Dimension::Number;
    double needed = 0; ///< in base units of `dimension`
    double allowed = 0;
    std::string sentence; ///< for people, with the numbers
    bool operator==(const TraceEntry &) const = default;
};

/// What the run as a whole takes.
struct RunFigures {
    std::optional<double> tokens; ///< token budget of the plan or of the workload
    std::optional<Seconds> duration; ///< tokens over tokens per second, without failures
    std::optional<double> acceleratorHours;
    std::optional<Watts> itPower; ///< nodes at their maximum power, else accelerators at TDP
    std::optional<Watts> facilityPower; ///< times PUE where it is known
    std::optional<Dollars> cost; ///< accelerator-hours at the catalog's lowest cloud price, for the budget check
};

/// The complete answer for one plan.
struct Solution {
    std::string costModelId;
    std::string costModelVersion;
    Estimate estimate;
    StepBreakdown breakdown;
    RunFigures run;
    OperatingFigures operations;
    std::vector<TraceEntry> trace;
    std::optional<validation::PredictionRange>
        range; ///< of the step time; where the cost model was compared with measured runs
    bool feasible = false; ///< every line of the trace that could be decided holds; see feasibility()
};

/// Prices the plan with its cost model and checks its constraints. Refusals as CostModel::prepare, Evaluator::evaluate
/// and operationsSettings.
[[nodiscard]] Expected<Solution> solve(const Plan &plan);

/// Yes, no, or nothing: a cost model that knows no memory cannot say that a plan fits, only that another limit is
/// broken.
[[nodiscard]] std::optional<bool> feasibility(const Solution &solution);

/// "yes", "no", "not known".
[[nodiscard]] std::string_view inWords(std::optional<bool> feasibility);

} // namespace fleetwright
