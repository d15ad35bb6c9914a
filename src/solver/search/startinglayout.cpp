// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/startinglayout.h"

#include "solver/search/layoutsearch.h"

#include <numeric>

namespace fleetwright::layoutsearch {

namespace {

std::optional<Layout> fastestOf(const PlanDocument &plan, const Catalog &catalog)
{
    LayoutSearchDocument search{.plan = plan};
    search.plan.constraints = {.maxMemoryShare = startingMemoryShare};
    search.space[LayoutSearchOption::VirtualStages] = {1};
    search.space[LayoutSearchOption::Cp] = {1};
    search.rows = 1;
    const auto request = requestFrom(search, catalog);
    const auto result = request ? run(*request) : Expected<Result>(std::unexpected(request.error()));
    return result && result->best() ? std::optional(result->best()->layout) : std::nullopt;
}

/// The smallest multiple of the batch that has every factor of the accelerators' number but those of two, of which a
/// batch of sequences has enough.
int batchFor(int batch, std::int64_t accelerators)
{
    while (accelerators % 2 == 0)
        accelerators /= 2;
    const auto multiple = std::lcm(std::int64_t(batch), accelerators);
    constexpr std::int64_t most = 1 << 20;
    return multiple <= most ? int(multiple) : batch;
}

} // namespace

PlanDocument withStartingLayout(PlanDocument plan, const Catalog &catalog)
{
    auto layout = fastestOf(plan, catalog);
    if (const auto resolved = layout ? Expected<Plan>(std::unexpected(Error{})) : resolve(plan, catalog)) {
        auto larger = plan;
        larger.training.globalBatch = batchFor(plan.training.globalBatch, (*resolved)->fleet->accelerators());
        layout = fastestOf(larger, catalog);
        if (layout)
            plan = std::move(larger);
    }
    if (layout)
        adopt(*layout, plan);
    return plan;
}

} // namespace fleetwright::layoutsearch
