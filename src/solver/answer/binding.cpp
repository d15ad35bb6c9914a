// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/binding.h"

#include "domain/plan.h"
#include "solver/answer/constrainttitle.h"
#include "solver/answer/limits.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

bool isMemory(const TraceEntry &entry)
{
    return entry.constraint == keyOf(Limit::MemoryCapacity) || entry.constraint == keyOf(Limit::MaxMemoryFraction);
}

bool isFloor(const TraceEntry &entry) { return entry.constraint == keyOf(Limit::MinMfu); }

std::string missOf(const TraceEntry &entry)
{
    std::string words(constraintTitle(entry.constraint));
    if (entry.code == ErrorCode::InfeasibleParallelism)
        return words; // a rule has no amount
    const double over = std::abs(entry.needed / entry.allowed - 1);
    if (!std::isfinite(over))
        return words + ", never met";
    return words + ", " + units::formatPercent(over) + (isFloor(entry) ? " under" : " over");
}

} // namespace

std::optional<double> usedOf(const TraceEntry &entry)
{
    const double used = isFloor(entry) ? entry.allowed / entry.needed : entry.needed / entry.allowed;
    return entry.decided && entry.code != ErrorCode::InfeasibleParallelism && std::isfinite(used) ? std::optional(used)
                                                                                                  : std::nullopt;
}

std::optional<Binding> bindingOf(std::span<const TraceEntry> trace)
{
    const TraceEntry *tightest = nullptr;
    const auto useOf = [](const TraceEntry &entry) {
        return LimitUse{!isMemory(entry), entry.onlyLikely, *usedOf(entry)};
    };
    for (const auto &entry : trace) {
        if (!entry.decided)
            continue;
        if (!entry.holds)
            return Binding{false, missOf(entry), entry.sentence};
        if (usedOf(entry) && (!tightest || useOf(entry) > useOf(*tightest)))
            tightest = &entry;
    }
    if (!tightest)
        return std::nullopt;
    return Binding{true,
        std::string(constraintTitle(tightest->constraint)) + ", " + units::formatPercent(*usedOf(*tightest)) + " used",
        tightest->sentence};
}

} // namespace fleetwright
