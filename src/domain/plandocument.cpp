// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/plandocument.h"

#include "domain/calibration.h"
#include "domain/planningdefaults.h"

namespace fleetwright {

namespace {

/// The record that the reference names or is. Pointers stay valid as long as the catalog and the reference do.
Expected<const CatalogRecord *> recordOf(
    const ItemReference &reference, CatalogKind kind, const Catalog &catalog, const std::string &field)
{
    if (const auto *inlined = std::get_if<CatalogRecord>(&reference)) {
        if (auto ok = check(*inlined); !ok)
            return refuse(ok.error().code, field + "." + ok.error().field, ok.error().message);
        return inlined;
    }
    const auto &id = std::get<std::string>(reference);
    if (id.empty())
        return refuse(ErrorCode::MissingField, field, "Choose a " + std::string(itemName(kind)) + ".");
    return catalog.require(kind, id, field);
}

Error under(const std::string &field, const Error &error)
{
    return {error.code, field + "." + error.field, error.message};
}

Expected<SiteFacts> siteOf(const FleetDocument &document, const Catalog &catalog)
{
    SiteFacts site;
    if (!document.facility.empty()) {
        const auto facility = catalog.require(CatalogKind::Facility, document.facility, "fleet.facility");
        if (!facility)
            return std::unexpected(facility.error());
        site.facilityId = (*facility)->id;
        site.facilityName = (*facility)->name;
        site.pue = (*facility)->number("pue");
        site.wue = (*facility)->quantity<WaterIntensity>("wue_l_per_kwh");
    }
    if (!document.grid.empty()) {
        const auto grid = catalog.require(CatalogKind::Grid, document.grid, "fleet.grid");
        if (!grid)
            return std::unexpected(grid.error());
        site.gridId = (*grid)->id;
        site.gridName = (*grid)->name;
        site.carbonIntensity = (*grid)->quantity<CarbonIntensity>("carbon_g_co2e_per_kwh");
        site.energyPrice = (*grid)->quantity<EnergyPrice>("electricity_industrial_usd_per_kwh");
        site.energyPricePeriod = (*grid)->text("electricity_year").value_or("");
        site.energyPriceIsOld = isOlderThanAYear(site.energyPricePeriod, (*grid)->shipped, dayOfPrices(catalog));
        if (!site.pue)
            site.pue = (*grid)->number("default_pue");
        if (!site.wue)
            site.wue = (*grid)->quantity<WaterIntensity>("default_wue_l_per_kwh");
    }
    return site;
}

} // namespace

Expected<Fleet> resolve(const FleetDocument &document, const Catalog &catalog)
{
    const auto nodeRecord = recordOf(document.node, CatalogKind::Node, catalog, "fleet.node");
    if (!nodeRecord)
        return std::unexpected(nodeRecord.error());
    const auto acceleratorId = (*nodeRecord)->text("accelerator_id");
    if (!acceleratorId)
        return refuse(ErrorCode::MissingField, "fleet.node",
            "The node \u201c" + (*nodeRecord)->name
                + "\u201d names no accelerator; choose another node or add one with its accelerator.");
    const auto *acceleratorRecord = catalog.find(CatalogKind::Accelerator, *acceleratorId);
    if (!acceleratorRecord)
        return refuse(ErrorCode::UnknownReference, "fleet.node",
            "The node \u201c" + (*nodeRecord)->name + "\u201d names the accelerator \u201c" + *acceleratorId
                + "\u201d, which is not in the catalog; add that accelerator or correct the node.");
    auto accelerator = acceleratorFrom(*acceleratorRecord);
    if (!accelerator)
        return std::unexpected(under("fleet.node", accelerator.error()));
    auto node = nodeFrom(**nodeRecord, std::move(*accelerator));
    if (!node)
        return std::unexpected(under("fleet.node", node.error()));
    const auto fabricRecord = recordOf(document.fabric, CatalogKind::Fabric, catalog, "fleet.fabric");
    if (!fabricRecord)
        return std::unexpected(fabricRecord.error());
    auto fabric = fabricFrom(**fabricRecord);
    if (!fabric)
        return std::unexpected(under("fleet.fabric", fabric.error()));
    FabricFacts own = **fabric;
    if (document.oversubscription)
        own.oversubscription = *document.oversubscription;
    if (document.topology)
        own.topology = *document.topology;
    auto adjusted = Fabric::create(std::move(own));
    if (!adjusted)
        return refuse(adjusted.error().code, "fleet.oversubscription", adjusted.error().message);
    auto site = siteOf(document, catalog);
    if (!site)
        return std::unexpected(site.error());
    auto costs = resolveCosts(document.costs, **nodeRecord, **fabricRecord, site->energyPrice.has_value(), catalog);
    if (!costs)
        return std::unexpected(costs.error());
    return Fleet::create(
        {document.name, std::move(*node), document.nodes, std::move(*adjusted), std::move(*site), std::move(*costs)});
}

PlanDocument withBestLayout(PlanDocument document, LayoutSearchSpace space)
{
    document.bestLayout = std::move(space);
    document.parallelism = {};
    document.training.microbatchCount = 1;
    document.training.microbatchSize = std::nullopt;
    document.training.recompute = Recompute::None;
    return document;
}

Expected<Plan> resolve(const PlanDocument &document, const Catalog &catalog)
{
    if (document.bestLayout)
        if (auto ok = check(*document.bestLayout); !ok) {
            constexpr std::string_view searched = "space.";
            return refuse(
                ok.error().code, "layout.best." + ok.error().field.substr(searched.size()), ok.error().message);
        }
    const auto workloadRecord = recordOf(document.workload, CatalogKind::Workload, catalog, "workload");
    if (!workloadRecord)
        return std::unexpected(workloadRecord.error());
    auto workload = workloadFrom(**workloadRecord);
    if (!workload)
        return std::unexpected(under("workload", workload.error()));
    auto fleet = resolve(document.fleet, catalog);
    if (!fleet)
        return std::unexpected(fleet.error());
    auto assumptions = withProjectValues(document.assumptions, catalog);
    if (!assumptions)
        return std::unexpected(std::move(assumptions.error()));
    return Plan::create({document.name, std::move(*workload), std::move(*fleet), document.parallelism,
        document.training, std::move(*assumptions), document.constraints, document.costModelId});
}

Expected<Assumptions> withProjectValues(const Assumptions &edits, const Catalog &catalog)
{
    auto calibrated = calibratedConstants(catalog);
    if (!calibrated)
        return std::unexpected(std::move(calibrated.error()));
    auto planning = planningValues(catalog);
    if (!planning)
        return std::unexpected(std::move(planning.error()));
    return Assumptions{edits.edited, std::move(*calibrated), std::move(*planning)};
}

std::string nameOf(const ItemReference &reference, CatalogKind kind, const Catalog &catalog)
{
    if (const auto *inlined = std::get_if<CatalogRecord>(&reference))
        return inlined->name;
    const auto &id = std::get<std::string>(reference);
    const auto *record = catalog.find(kind, id);
    return record ? record->name : id;
}

} // namespace fleetwright
