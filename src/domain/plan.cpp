// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/plan.h"

#include "domain/rules.h"

#include <algorithm>
#include <array>

namespace fleetwright {

std::string_view keyOf(Limit limit)
{
    switch (limit) {
    case Limit::MemoryCapacity: return "memory_capacity";
    case Limit::MaxMemoryFraction: return "max_memory_fraction";
    case Limit::DeadlineDays: return "deadline_days";
    case Limit::RunCostUsd: return "run_cost_usd";
    case Limit::CapitalUsd: return "capital_usd";
    case Limit::YearlyCostUsd: return "yearly_cost_usd";
    case Limit::MaxFacilityMw: return "max_facility_mw";
    case Limit::MinMfu: return "min_mfu";
    case Limit::MaxStepTimeS: return "max_step_time_s";
    }
    return {};
}

std::string fieldOf(Limit limit) { return "constraints." + std::string(keyOf(limit)); }

std::span<const FormerLimitKey> formerLimitKeys()
{
    static constexpr std::array<FormerLimitKey, 2> former{
        {{"budget_usd", Limit::RunCostUsd, 1, "USD"}, {"max_power_kw", Limit::MaxFacilityMw, 1000, "kW"}}};
    return former;
}

const FormerLimitKey *formerLimitKey(std::string_view key)
{
    const auto former = formerLimitKeys();
    const auto found = std::ranges::find(former, key, &FormerLimitKey::key);
    return found == former.end() ? nullptr : &*found;
}

Expected<void> check(const Constraints &constraints)
{
    rules::Checker rule("");
    if (constraints.maxMemoryShare)
        rule.within(fieldOf(Limit::MaxMemoryFraction), "The memory share", *constraints.maxMemoryShare, 0.001, 1);
    rule.positive(fieldOf(Limit::DeadlineDays), "The deadline", constraints.deadline);
    rule.positive(fieldOf(Limit::RunCostUsd), "The limit of the run's cost", constraints.runCost);
    rule.positive(fieldOf(Limit::CapitalUsd), "The limit of the capital", constraints.capital);
    rule.positive(fieldOf(Limit::YearlyCostUsd), "The limit of the yearly cost", constraints.yearlyCost);
    rule.positive(fieldOf(Limit::MaxFacilityMw), "The power limit", constraints.facilityPower);
    if (constraints.minMfu)
        rule.within(fieldOf(Limit::MinMfu), "The minimum MFU", *constraints.minMfu, 0, 1);
    rule.positive(fieldOf(Limit::MaxStepTimeS), "The longest step time", constraints.maxStepTime);
    return rule.result();
}

Expected<void> check(const PlanFacts &facts)
{
    if (facts.name.empty())
        return refuse(ErrorCode::MissingField, "name", "Give the plan a name.");
    if (facts.name.size() > 300)
        return refuse(ErrorCode::OutOfRange, "name", "The plan's name is longer than 300 characters; shorten it.");
    if (auto ok = check(facts.parallelism); !ok)
        return ok;
    if (auto ok = check(facts.training); !ok)
        return ok;
    return check(facts.constraints);
}

} // namespace fleetwright
