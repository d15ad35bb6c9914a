// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/verdict.h"

namespace fleetwright::layoutsearch {

Expected<Verdict> judge(const Request &request, const Layout &layout, int caseIndex)
{
    auto one = within(request, splitOf(layout), caseIndex);
    one.space[LayoutSearchOption::VirtualStages] = {layout.virtualStages};
    one.space[LayoutSearchOption::MicrobatchSize] = {layout.microbatchSize};
    one.space[LayoutSearchOption::ZeroStage] = {layout.zeroStage};
    one.space[LayoutSearchOption::Recompute] = {int(layout.recompute)};
    one.space[LayoutSearchOption::SequenceParallel] = {layout.sequenceParallel ? 1 : 0};
    one.rows = 1;
    one.pruning = false;
    // The objective orders nothing here, and must not refuse.
    const auto model = findCostModel(request.costModelId);
    if (!model)
        return std::unexpected(model.error());
    one.objective = (*model)->layoutSearchTraits().time ? LayoutSearchObjective::StepTime
                                                        : LayoutSearchObjective::MemoryHeadroom;
    const auto result = run(one, {.threads = 1});
    if (!result)
        return std::unexpected(result.error());
    Verdict verdict{.layout = layout};
    const auto counts = result->total();
    for (std::size_t i = 0; i < exclusionCount; ++i)
        if (counts.excluded[i] > 0)
            verdict.excluded = static_cast<Exclusion>(i);
    // Ranks that do not divide the accelerators are no candidates at all.
    if (counts.candidates() == 0)
        verdict.excluded = Exclusion::Ranks;
    if (!result->groups.empty())
        verdict.layout.dp = result->groups.front().split.dp;
    if (const auto *best = result->best()) {
        verdict.figures = {.stepSeconds = best->stepSeconds, .memoryBytes = best->memoryBytes, .mfu = best->mfu};
    } else if (verdict.excluded && isInfeasible(*verdict.excluded)) {
        const auto &plan = *one.cases.front().plan;
        const auto pricing = (*model)->prepareLayouts(plan.workload, plan.fleet, plan.training, plan.assumptions);
        if (!pricing)
            return std::unexpected(pricing.error());
        const auto memory = (*pricing)->memory(verdict.layout);
        verdict.figures = (*pricing)->price(verdict.layout);
        verdict.figures.memoryBytes = memory.bytes;
    }
    return verdict;
}

} // namespace fleetwright::layoutsearch
