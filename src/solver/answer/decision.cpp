// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/decision.h"

#include "solver/answer/figures.h"

#include <algorithm>

namespace fleetwright {

LedgerEntry decisionOn(const Plan &plan, const Solution &solution, std::string when)
{
    LedgerEntry entry;
    entry.when = std::move(when);
    entry.context = LedgerContext::FromPlan;
    entry.title = plan->name;
    entry.tp = plan->parallelism.tp;
    entry.pp = plan->parallelism.pp;
    entry.dp = solution.estimate.dp;
    entry.accelerators = plan->fleet->accelerators();
    entry.mfu = likelyFigureOf(solution, "mfu");
    entry.memoryFeasible = solution.estimate.fits;
    const auto broken = std::ranges::find_if(
        solution.trace, [](const TraceEntry &line) { return line.decided && !line.holds; });
    if (broken != solution.trace.end())
        entry.constraintHit = broken->sentence;
    return entry;
}

LedgerEntry decisionOn(
    const PlanDocument &searched, const PlannerSearch &search, const PlannerSearchRow &row, std::string when)
{
    LedgerEntry entry;
    entry.when = std::move(when);
    entry.context = LedgerContext::FromSearch;
    entry.title = searched.name + " (" + search.title + ")";
    entry.tp = row.tp;
    entry.pp = row.pp;
    entry.dp = row.dp;
    entry.accelerators = row.tp * row.pp * row.dp;
    entry.mfu = row.mfu;
    if (row.memory)
        entry.memoryFeasible = row.fits;
    if (!row.fits)
        entry.constraintHit = row.why;
    return entry;
}

} // namespace fleetwright
