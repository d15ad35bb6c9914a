// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"
#include "domain/fleet.h"
#include "domain/parallelism.h"
#include "domain/training.h"
#include "domain/workload.h"

namespace fleetwright {

/// Limits that a plan must keep. What is absent is not limited.
struct Constraints {
    std::optional<double> maxMemoryShare; ///< of the accelerator's capacity
    std::optional<Seconds> deadline; ///< for the whole token budget
    std::optional<Dollars> budget;
    std::optional<Watts> maxPower;
    std::optional<double> minMfu;
    std::optional<Seconds> maxStepTime;
    bool operator==(const Constraints &) const = default;
};

/// Shares in (0, 1], the rest positive. Fields are "constraints.max_memory_fraction", "...deadline_days",
/// "...budget_usd",
/// "...max_power_kw", "...min_mfu", "...max_step_time_s".
[[nodiscard]] Expected<void> check(const Constraints &constraints);

/// Everything a cost model is asked about, with all names resolved to values.
struct PlanFacts {
    std::string name;
    Workload workload;
    Fleet fleet;
    Parallelism parallelism;
    Training training;
    Assumptions assumptions;
    Constraints constraints;
    std::string costModelId;

    /// Tokens to train on: the plan's budget, else the workload's published count, else nothing.
    [[nodiscard]] std::optional<double> tokenBudget() const
    {
        return training.tokenBudget ? training.tokenBudget : workload->trainingTokens;
    }
    bool operator==(const PlanFacts &) const = default;
};
using Plan = Valid<PlanFacts>;

/// Parts each valid; assumptions are checked by the cost model that owns them.
[[nodiscard]] Expected<void> check(const PlanFacts &facts);

} // namespace fleetwright
