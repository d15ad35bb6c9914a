// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/models/detailed/tablecolumns.h"
#include "solver/models/planreading.h"

namespace fleetwright::detailed {

/// Where the time and the memory of one plan go.
struct PlanExplanation {
    Tables tables;
    Expected<Schedule>
        schedule; ///< refusals of schedule(), and of one stage: without a pipeline there is nothing to draw
    std::int64_t virtualStages = 1;
    double straggler = 1;
    Bytes capacity{}; ///< of one accelerator
    PlanReading reading; ///< software and families
};

/// Explains a plan whose cost model is `detailed`: UnsupportedValue "cost_model" for others. Refusals of the cost model
/// with the plan's field. `most` microbatches of the schedule are drawn.
[[nodiscard]] Expected<PlanExplanation> explain(const Plan &plan, int most = 64);

} // namespace fleetwright::detailed
