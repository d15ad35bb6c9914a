// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/cellsearch.h"

namespace fleetwright::layoutsearch {

void keep(LayoutSearchSpace &space, const Plan &plan, std::span<const SweepSetting> settings)
{
    const auto &parallelism = plan->parallelism;
    for (const auto &setting : settings) {
        if (setting.key == "parallelism.tp")
            space[LayoutSearchOption::Tp] = {parallelism.tp};
        else if (setting.key == "parallelism.cp")
            space[LayoutSearchOption::Cp] = {parallelism.cp};
        else if (setting.key == "parallelism.pp")
            space[LayoutSearchOption::Pp] = {parallelism.pp};
        else if (setting.key == "parallelism.ep")
            space[LayoutSearchOption::Ep] = {parallelism.ep};
        else if (setting.key == "parallelism.virtual_stages")
            space[LayoutSearchOption::VirtualStages] = {parallelism.virtualStages};
        else if (setting.key == "parallelism.zero_stage")
            space[LayoutSearchOption::ZeroStage] = {parallelism.zeroStage};
        else if (setting.key == "parallelism.sequence_parallel")
            space[LayoutSearchOption::SequenceParallel] = {parallelism.sequenceParallel ? 1 : 0};
        else if (setting.key == "training.recompute")
            space[LayoutSearchOption::Recompute] = {int(plan->training.recompute)};
        else if (setting.key == "training.microbatch_size" && plan->training.microbatchSize)
            space[LayoutSearchOption::MicrobatchSize] = {*plan->training.microbatchSize};
    }
}

Expected<std::optional<Row>> bestLayout(const Plan &plan, const CellSearch &search, const std::stop_token &stop)
{
    Request request{.cases = {{.label = {}, .plan = plan}},
        .space = search.space,
        .costModelId = plan->costModelId,
        .objective = search.objective,
        .rows = 1};
    request.pareto = {
        ParetoAxis::StepTime, ParetoAxis::StepTime}; // no front is asked for, so that pruning need not keep to one
    const auto result = run(request, {.stop = stop, .threads = 1});
    if (!result)
        return std::unexpected(result.error());
    const auto *best = result->best();
    return best ? std::optional(*best) : std::nullopt;
}

Expected<Plan> withLayout(const Plan &plan, const Layout &layout)
{
    auto facts = *plan;
    facts.parallelism = parallelismOf(layout);
    facts.training = trainingOf(layout, facts.training);
    return Plan::create(std::move(facts));
}

} // namespace fleetwright::layoutsearch
