// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/decisiondocuments.h"

#include "exchange/documentparts.h"

namespace fleetwright::exchange {

std::string decisionInputHash(const DecisionDocument &document, const Catalog &catalog)
{
    auto stated = decisionToJson(document);
    stated.erase("decision");
    Canonical items = Canonical::object();
    const auto addKind = [&](CatalogKind kind) {
        for (const auto &record : catalog.records(kind))
            addItem(items, kind, record.id, catalog);
    };
    const auto addNamed = [&](CatalogKind kind, const ItemReference &reference) {
        if (const auto *id = std::get_if<std::string>(&reference); id && !id->empty())
            addItem(items, kind, *id, catalog);
    };
    const auto addFleet = [&](const FleetDocument &fleet) {
        addNamed(CatalogKind::Node, fleet.node);
        addNamed(CatalogKind::Fabric, fleet.fabric);
        addNamed(CatalogKind::Facility, fleet.facility);
        addNamed(CatalogKind::Grid, fleet.grid);
    };
    const auto &candidates = document.candidates;
    for (const auto &job : document.jobs)
        addNamed(CatalogKind::Workload, job.workload);
    for (const auto &id : candidates.nodes)
        addNamed(CatalogKind::Node, id);
    if (candidates.nodes.empty())
        addKind(CatalogKind::Node);
    addKind(CatalogKind::Fabric); // which of them a node takes may rest on any
    for (const auto &site : candidates.sites) {
        addNamed(CatalogKind::Facility, site.facility);
        addNamed(CatalogKind::Grid, site.grid);
    }
    for (const auto *fleets : {&candidates.fleets, &candidates.owned})
        for (const auto &fleet : *fleets)
            addFleet(fleet.fleet);
    for (const auto &offer : candidates.offers)
        if (const auto *whole = std::get_if<OfferDocument>(&offer)) {
            addFleet(whole->fleet);
            for (const auto &line : whole->lines)
                if (catalog.find(CatalogKind::Accelerator, line.item))
                    addItem(items, CatalogKind::Accelerator, line.item, catalog);
        }
    if (document.baseCase)
        addFleet(*document.baseCase);
    for (const auto kind :
        {CatalogKind::Price, CatalogKind::NetworkGear, CatalogKind::Currency, CatalogKind::PlanningDefault})
        addKind(kind); // what a node costs may rest on the prices of others
    const std::array models{document.costModelId};
    Canonical inputs{{"decision", canonical(stated)}, {"items", std::move(items)}};
    addModels(inputs, models, catalog);
    return hashOf(inputs);
}

} // namespace fleetwright::exchange
