// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/constrainttitle.h"

#include "domain/plan.h"
#include "solver/answer/limits.h"
#include "solver/search/exclusion.h"

#include <array>

namespace fleetwright {

std::string_view constraintTitle(std::string_view key)
{
    static constexpr std::array<std::pair<Limit, std::string_view>, limitCount> titles{{
        {Limit::MemoryCapacity, "Memory capacity"},
        {Limit::MaxMemoryFraction, "Memory share"},
        {Limit::DeadlineDays, "Deadline"},
        {Limit::RunCostUsd, "Run cost"},
        {Limit::CapitalUsd, "Capital"},
        {Limit::YearlyCostUsd, "Yearly cost"},
        {Limit::MaxFacilityMw, "Facility power"},
        {Limit::MinMfu, "Lowest MFU"},
        {Limit::MaxStepTimeS, "Longest step"},
    }};
    for (const auto &[limit, title] : titles)
        if (keyOf(limit) == key)
            return title;
    for (std::size_t i = 0; i < layoutsearch::exclusionCount; ++i)
        if (const auto rule = static_cast<layoutsearch::Exclusion>(i); layoutsearch::toString(rule) == key)
            return layoutsearch::titleOf(rule);
    return key;
}

std::string missInWords(const TraceEntry &entry)
{
    std::string words(constraintTitle(entry.constraint));
    if (entry.code == ErrorCode::InfeasibleParallelism)
        return words; // a rule has no amount
    if (std::isinf(entry.needed))
        return words + ": never ends";
    const double over = entry.needed - entry.allowed;
    return words + ": " + units::format(entry.needed, entry.dimension) + ", "
        + units::format(std::abs(over), entry.dimension) + (over > 0 ? " over" : " under");
}

} // namespace fleetwright
