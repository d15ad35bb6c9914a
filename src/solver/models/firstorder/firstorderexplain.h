// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleet.h"
#include "domain/training.h"
#include "domain/workload.h"
#include "solver/explain/explain.h"
#include "solver/models/firstorder/firstorder.h"

namespace fleetwright::firstorder {

/// What a price was asked for and what came of it.
struct Priced {
    const Pricer &pricer;
    const Workload &workload; ///< as the plan has it, before it was read as the model's inputs
    const Fleet &fleet;
    const Training &training;
    Split split;
    const Figures &figures;
    const Estimate &estimate;
    StepBreakdown breakdown;
};

/// Every figure of the estimate and of its breakdown, and what stands between them and the plan.
[[nodiscard]] std::vector<ExplainedFigure> explain(const Priced &priced);

} // namespace fleetwright::firstorder
