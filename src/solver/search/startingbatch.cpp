// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/startingbatch.h"

#include "solver/search/recommendation.h"

namespace fleetwright::layoutsearch {

namespace {

bool someLayoutFits(const PlanDocument &plan, const Catalog &catalog)
{
    LayoutSearchDocument search{.plan = plan};
    search.plan.constraints = {.maxMemoryShare = defaultMemoryShare};
    search.space[LayoutSearchOption::VirtualStages] = {1};
    search.space[LayoutSearchOption::Cp] = {1};
    search.rows = 1;
    const auto request = requestFrom(search, catalog);
    const auto result = request ? run(*request) : Expected<Result>(std::unexpected(request.error()));
    return result && result->best();
}

/// The smallest number of sequences from `batch` on that is the odd part of the accelerators' number times a power of
/// two: what neither TP nor PP can divide among themselves, DP must.
std::int64_t batchFor(std::int64_t batch, std::int64_t accelerators)
{
    while (accelerators % 2 == 0)
        accelerators /= 2;
    while (accelerators < batch)
        accelerators *= 2;
    return accelerators;
}

} // namespace

PlanDocument withStartingBatch(PlanDocument plan, const Catalog &catalog)
{
    const auto resolved = resolve(plan, catalog);
    if (!resolved || someLayoutFits(plan, catalog))
        return plan;
    auto larger = plan;
    const auto most = std::int64_t(plan.training.globalBatch) * mostBatchGrowth;
    for (auto batch = batchFor(plan.training.globalBatch, (*resolved)->fleet->accelerators()); batch <= most;
         batch *= 2) {
        larger.training.globalBatch = int(batch);
        if (someLayoutFits(larger, catalog))
            return larger;
    }
    return plan;
}

} // namespace fleetwright::layoutsearch
