// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/detailed/detailedmodel.h"

namespace fleetwright::detailed {

struct ExplainedPlan {
    const PlanSetting &plan;
    const Pricer &pricer;
    const Workload &workload;
    const Fleet &fleet;
    const Training &training;
    const Parallelism &parallelism;
    const Layout &layout;
    const Estimate &estimate;
    const StepBreakdown &breakdown;
};

/// How every figure of the estimate came about, from rates over layers and stages to the step and to memory.
[[nodiscard]] std::vector<ExplainedFigure> explain(const ExplainedPlan &plan);

} // namespace fleetwright::detailed
