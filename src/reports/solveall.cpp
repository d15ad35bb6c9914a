// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/reportdocument.h"

#include "exchange/plandocuments.h"
#include "exchange/rangedsolution.h"

namespace fleetwright::reports {

ReportPlan solveOne(const PlanDocument &document, const Catalog &catalog, const validation::OwnSite *site)
{
    auto decided = layoutsearch::resolveWithBestLayout(document, catalog);
    if (!decided)
        return {document, std::nullopt, std::unexpected(std::move(decided.error())), {}, std::nullopt};
    auto &plan = decided->plan;
    auto solution = exchange::solveWithRange(plan, site);
    // The hash covers the assumptions that the cost model knows, so a plan that names no model has none.
    std::string hash = findCostModel(document.costModelId) ? exchange::inputHash(document, plan) : std::string();
    return {document, std::move(plan), std::move(solution), std::move(hash), std::move(decided->layout)};
}

std::vector<ReportPlan> solveAll(
    const std::vector<PlanDocument> &documents, const Catalog &catalog, const validation::OwnSite *site)
{
    std::vector<ReportPlan> plans;
    plans.reserve(documents.size());
    for (const auto &document : documents)
        plans.push_back(solveOne(document, catalog, site));
    return plans;
}

} // namespace fleetwright::reports
