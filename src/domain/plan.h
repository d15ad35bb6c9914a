// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"
#include "domain/fleet.h"
#include "domain/parallelism.h"
#include "domain/training.h"
#include "domain/workload.h"

#include <span>

namespace fleetwright {

/// What a plan can be limited by, in the order in which a trace lists it. MemoryCapacity always holds or breaks; the
/// others are set by Constraints.
enum class Limit : std::uint8_t {
    MemoryCapacity,
    MaxMemoryFraction,
    DeadlineDays,
    RunCostUsd,
    CapitalUsd,
    YearlyCostUsd,
    MaxFacilityMw,
    MinMfu,
    MaxStepTimeS
};
inline constexpr std::size_t limitCount = 9;
/// The one name of a limit: in documents (with its unit), traces, searches, score cards and forms. "memory_capacity",
/// "max_memory_fraction", "deadline_days", "run_cost_usd", "capital_usd", "yearly_cost_usd",
/// "max_facility_mw", "min_mfu", "max_step_time_s".
[[nodiscard]] std::string_view keyOf(Limit limit);
/// "constraints." and the key: the field of refusals and the key of sweeps.
[[nodiscard]] std::string fieldOf(Limit limit);

/// A key that older documents used: still read, written back as the new one.
struct FormerLimitKey {
    std::string_view key;
    Limit limit;
    double divisor; ///< old value / divisor = value in the unit of the new key
    std::string_view unit;
};
[[nodiscard]] std::span<const FormerLimitKey> formerLimitKeys();
/// nullptr for a key that was never another's name. Without "constraints.".
[[nodiscard]] const FormerLimitKey *formerLimitKey(std::string_view key);

/// Limits that a plan must keep. What is absent is not limited.
struct Constraints {
    std::optional<double> maxMemoryShare; ///< of the accelerator's capacity
    std::optional<Seconds> deadline; ///< for the whole token budget, with failures
    std::optional<Dollars> runCost; ///< for the whole token budget, all in, as the fleet is paid for
    std::optional<Dollars> capital; ///< to buy the fleet with everything around it
    std::optional<Dollars> yearlyCost; ///< of owning or renting the fleet
    std::optional<Watts> facilityPower; ///< peak
    std::optional<double> minMfu;
    std::optional<Seconds> maxStepTime;
    bool operator==(const Constraints &) const = default;
};

/// Shares in (0, 1], the rest positive. Fields are those of fieldOf().
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
