// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/layoutsearch.h"

namespace fleetwright::layoutsearch {

Expected<Request> requestFrom(const LayoutSearchDocument &document, const Catalog &catalog)
{
    if (auto ok = fleetwright::check(document); !ok)
        return std::unexpected(ok.error());
    auto plan = document.plan;
    const auto &id = document.costModelId.empty() ? plan.costModelId : document.costModelId;
    const auto model = findCostModel(id);
    if (!model)
        return std::unexpected(model.error());
    if (id != plan.costModelId) {
        std::vector<std::string> ignored;
        plan.assumptions = understoodBy(**model, plan.assumptions, ignored);
        plan.costModelId = id;
    }
    Request request{.cases = {},
        .space = plan.bestLayout ? within(document.space, *plan.bestLayout) : document.space,
        .costModelId = id,
        .objective = document.objective,
        .pareto = document.pareto,
        .rows = std::size_t(document.rows)};
    if (!document.cases) {
        auto resolved = resolve(plan, catalog);
        if (!resolved)
            return std::unexpected(resolved.error());
        request.cases.push_back({.label = {}, .plan = std::move(*resolved)});
        return request;
    }
    // A number alone says nothing beside a layout: "Nodes 512".
    const auto axis = numbersOf(*document.cases).empty() ? std::string()
                                                         : describe(*document.cases, (*model)->assumptions()) + ' ';
    for (const auto &point : document.cases->points) {
        auto label = (point.label.empty() ? axis : std::string()) + describe(point, catalog, (*model)->assumptions());
        auto resolved = apply(point.settings, plan, catalog);
        if (!resolved)
            return refuse(resolved.error().code, resolved.error().field,
                resolved.error().message + " (case \u201c" + label + "\u201d)");
        request.cases.push_back({.label = std::move(label), .plan = std::move(*resolved)});
    }
    return request;
}

Expected<Result> run(const LayoutSearchDocument &document, const Catalog &catalog, const Control &control)
{
    const auto request = requestFrom(document, catalog);
    if (!request)
        return std::unexpected(request.error());
    return run(*request, control);
}

} // namespace fleetwright::layoutsearch
