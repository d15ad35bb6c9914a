// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/bestlayout.h"

#include "solver/search/cellsearch.h"

namespace fleetwright::layoutsearch {

Expected<DecidedPlan> decided(const Plan &plan, const LayoutSearchSpace &space, const validation::RangeOf &rangeOf,
    const std::stop_token &stop, int threads)
{
    auto recommended = recommend(plan, space, rangeOf, stop, threads);
    if (!recommended) {
        auto error = std::move(recommended.error());
        constexpr std::string_view searched = "space.";
        if (error.field.starts_with(searched))
            error.field = "layout.best." + error.field.substr(searched.size());
        return std::unexpected(std::move(error));
    }
    auto facts = *plan;
    facts.constraints.maxMemoryShare = recommended->memoryShare;
    const auto limited = Plan::create(std::move(facts));
    if (!limited)
        return std::unexpected(limited.error());
    auto found = withLayout(*limited, recommended->row.layout);
    if (!found)
        return std::unexpected(std::move(found.error()));
    return DecidedPlan{std::move(*found), std::move(*recommended)};
}

Expected<DecidedPlan> resolveWithBestLayout(const PlanDocument &document, const Catalog &catalog,
    const validation::RangeOf &rangeOf, const std::stop_token &stop, int threads)
{
    auto plan = resolve(document, catalog);
    if (!plan)
        return std::unexpected(std::move(plan.error()));
    if (!document.bestLayout)
        return DecidedPlan{std::move(*plan), std::nullopt};
    return decided(*plan, *document.bestLayout, rangeOf, stop, threads);
}

} // namespace fleetwright::layoutsearch
