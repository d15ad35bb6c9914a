// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/scorecard.h"

#include <algorithm>

namespace fleetwright {

std::string_view toString(Verdict verdict)
{
    switch (verdict) {
    case Verdict::NoLimits: return "no_limits";
    case Verdict::Pass: return "pass";
    case Verdict::Undecided: return "undecided";
    case Verdict::Fail: return "fail";
    }
    return {};
}

std::string_view words(Verdict verdict) { return verdict == Verdict::NoLimits ? "no limits set" : toString(verdict); }

ScoreLevel levelOf(std::string_view constraint)
{
    for (const auto limit : {Limit::MaxStepTimeS, Limit::MinMfu})
        if (constraint == keyOf(limit))
            return ScoreLevel::Performance;
    for (const auto limit :
        {Limit::DeadlineDays, Limit::RunCostUsd, Limit::CapitalUsd, Limit::YearlyCostUsd, Limit::MaxFacilityMw})
        if (constraint == keyOf(limit))
            return ScoreLevel::Macro;
    return ScoreLevel::Feasibility; // memory and the rules of layouts
}

Verdict Scorecard::of(ScoreLevel level) const
{
    switch (level) {
    case ScoreLevel::Feasibility: return feasibility;
    case ScoreLevel::Performance: return performance;
    case ScoreLevel::Macro: return macro;
    }
    return overall;
}

Scorecard scorecard(const Solution &solution)
{
    Scorecard card;
    for (const auto &entry : solution.trace) {
        const auto verdict = !entry.decided ? Verdict::Undecided : entry.holds ? Verdict::Pass : Verdict::Fail;
        const auto level = levelOf(entry.constraint);
        auto &mark = level == ScoreLevel::Feasibility ? card.feasibility
            : level == ScoreLevel::Performance        ? card.performance
                                                      : card.macro;
        mark = std::max(mark, verdict); // the enumeration runs from harmless to worst
        card.overall = std::max(card.overall, verdict);
    }
    return card;
}

} // namespace fleetwright
