// SPDX-License-Identifier: GPL-3.0-or-later
// What an answer says about its rows and counts.
#include "solver/blocks/economics.h"
#include "solver/search/layoutsearch.h"

#include <algorithm>
#include <numeric>

namespace fleetwright::layoutsearch {

double valueOf(LayoutSearchObjective objective, const Row &row, const CaseFacts &facts)
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    switch (objective) {
    case LayoutSearchObjective::StepTime: return row.stepSeconds;
    case LayoutSearchObjective::TokensPerSecond:
        return facts.tokensPerStep > 0 ? facts.tokensPerStep / row.stepSeconds : unknown;
    case LayoutSearchObjective::Mfu: return row.mfu;
    case LayoutSearchObjective::MemoryHeadroom: return facts.limitBytes - row.memoryBytes;
    case LayoutSearchObjective::CostPerToken: return valueOf(ParetoAxis::CostPerToken, row, facts);
    }
    return unknown;
}

double valueOf(ParetoAxis axis, const Row &row, const CaseFacts &facts)
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    switch (axis) {
    case ParetoAxis::StepTime: return row.stepSeconds;
    case ParetoAxis::Memory: return row.memoryBytes;
    case ParetoAxis::CostPerToken:
        if (!facts.dollarsPerSecond || !(facts.tokensPerStep > 0))
            return unknown;
        return costPerMillion(DollarRate::from_value(*facts.dollarsPerSecond), facts.tokensPerStep / row.stepSeconds)
            .value();
    case ParetoAxis::Accelerators: return facts.accelerators;
    case ParetoAxis::GlobalBatch: return facts.globalBatch;
    }
    return unknown;
}

std::uint64_t Counts::candidates() const { return std::accumulate(excluded.begin(), excluded.end(), feasible); }

std::uint64_t Counts::illegal() const
{
    return std::accumulate(excluded.begin(),
        excluded.begin() + static_cast<std::ptrdiff_t>(Exclusion::ModelRefuses) + 1, std::uint64_t(0));
}

std::uint64_t Counts::infeasible() const
{
    return std::accumulate(
        excluded.begin() + static_cast<std::ptrdiff_t>(Exclusion::Unranked) + 1, excluded.end(), std::uint64_t(0));
}

Counts &Counts::operator+=(const Counts &other)
{
    for (std::size_t i = 0; i < excluded.size(); ++i)
        excluded[i] += other.excluded[i];
    feasible += other.feasible;
    faster += other.faster;
    return *this;
}

Counts Result::total() const
{
    Counts sum;
    for (const auto &count : counts)
        sum += count;
    return sum;
}

const Row *Result::recommended() const
{
    const auto found = std::ranges::find(simplest, best() ? best()->caseIndex : -1, &Row::caseIndex);
    return found == simplest.end() ? nullptr : &*found;
}

} // namespace fleetwright::layoutsearch
