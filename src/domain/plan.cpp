// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/plan.h"

#include "domain/rules.h"

namespace fleetwright {

Expected<void> check(const Constraints &constraints)
{
    rules::Checker rule("");
    if (constraints.maxMemoryShare)
        rule.within("constraints.max_memory_fraction", "The memory share", *constraints.maxMemoryShare, 0.001, 1);
    rule.positive("constraints.deadline_days", "The deadline", constraints.deadline);
    rule.positive("constraints.budget_usd", "The budget", constraints.budget);
    rule.positive("constraints.max_power_kw", "The power limit", constraints.maxPower);
    if (constraints.minMfu)
        rule.within("constraints.min_mfu", "The minimum MFU", *constraints.minMfu, 0, 1);
    rule.positive("constraints.max_step_time_s", "The longest step time", constraints.maxStepTime);
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
