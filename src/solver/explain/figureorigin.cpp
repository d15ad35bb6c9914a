// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/explain/figureorigin.h"

#include "domain/planningdefaults.h"
#include "domain/sweepdocument.h"
#include "solver/answer/figures.h"
#include "solver/models/assumptionwords.h"
#include "solver/operations/operations.h"
#include "solver/worksheet/fleettables.h"

namespace fleetwright {

namespace {

const CatalogRecord *recordOf(const ItemReference &reference, CatalogKind kind, const Catalog &catalog)
{
    if (const auto *inlined = std::get_if<CatalogRecord>(&reference))
        return inlined;
    return catalog.find(kind, std::get<std::string>(reference));
}

/// A field of a catalog item. What stands in for a missing value is what the domain types take (nodeFrom,
/// workloadFrom...).
struct Place {
    const CatalogRecord *record = nullptr;
    std::string field;
};

Place stated(Place place, const CatalogRecord *accelerator)
{
    struct StandIn {
        std::string_view field, instead;
        bool ofAccelerator = false;
    };
    static constexpr auto standIns = std::to_array<StandIn>({
        {"scale_up_unidirectional_gb_per_s_per_accelerator", "scale_up_unidirectional_gb_per_s", true},
        {"scale_up_domain_size", "accelerators_per_node"},
        {"port_bandwidth_gb_per_s", "port_rate_gbit_per_s"},
        {"params_active", "params_active_derived"},
        {"params_active_derived", "params_total"},
        {"params_total", "params_total_derived"},
        {"peak_dense_tflops.fp32_matrix", "peak_dense_tflops.fp32_vector"},
    });
    for (const auto &standIn : standIns)
        if (place.record && place.field == standIn.field && !place.record->find(place.field))
            place = {standIn.ofAccelerator ? accelerator : place.record, std::string(standIn.instead)};
    return place;
}

std::optional<std::string_view> after(std::string_view text, std::string_view prefix)
{
    return text.starts_with(prefix) ? std::optional(text.substr(prefix.size())) : std::nullopt;
}

FigureOrigin ofAssumption(
    std::string_view key, const PlanDocument &plan, const Catalog &catalog, const CostModel &model)
{
    const auto *descriptor = findAssumption(model.assumptions(), key);
    if (!descriptor)
        descriptor = findAssumption(operationsAssumptions(), key);
    if (!descriptor)
        return {.place = "Assumption of the cost model", .source = std::string(model.title())};
    // A catalog that is refused is so where the plan is solved.
    const auto assumptions = withProjectValues(plan.assumptions, catalog).value_or(plan.assumptions);
    const bool edited = isEdited(assumptions, *descriptor);
    if (isCalibrated(assumptions, *descriptor))
        for (const auto &record : catalog.records(CatalogKind::CalibrationConstant))
            if (!record.shipped && record.text("constant") == key)
                return {.place = "Assumption: " + descriptor->label,
                    .source = "calibrated in this project (" + record.name + "); the default is "
                        + inWords(*descriptor, descriptor->defaultValue) + " (" + sourceInWords(*descriptor) + ")",
                    .kind = record.kind,
                    .recordId = record.id,
                    .field = "value"};
    const auto *shipped = catalog.find(CatalogKind::PlanningDefault, descriptor->planningDefault);
    if (const auto *own = standInFor(catalog, descriptor->planningDefault); shipped && !edited) {
        const auto &record = own ? *own : *shipped;
        return {.place = "Assumption: " + descriptor->label,
            .source = "planning default \u201c" + record.name + "\u201d of the catalog, "
                + catalog.provenanceText(record, "value"),
            .kind = record.kind,
            .recordId = record.id,
            .field = "value"};
    }
    return {.place = "Assumption: " + descriptor->label,
        .source = edited ? "edited in this plan; the default is " + inWords(*descriptor, descriptor->defaultValue)
                + " (" + sourceInWords(*descriptor) + ")"
                         : "default; " + sourceInWords(*descriptor)};
}

/// Limits stand in the plan, too; the rest of what it states has a label wherever it is edited.
FigureOrigin ofPlan(std::string_view key, const PlanDocument &plan)
{
    if (const auto *input = findSweepKey(key))
        return {.place = "Plan: " + input->label,
            .source = plan.bestLayout && key.starts_with("parallelism.") ? "the best layout that was found"
                                                                         : "your input"};
    if (key.starts_with("constraints."))
        return {.place = "Plan: limits", .source = "your input"};
    if (key == "fleet.costs")
        return {.place = "Fleet: costs", .source = "worksheet of the fleet"};
    if (const auto *figure = findFigure(key))
        return {.place = std::string(figure->label), .source = "answer of the plan"};
    if (const auto row = after(key, "worksheet."))
        return {.place = "Worksheet of the fleet and the run", .source = "Costs of the plan"};
    return {.place = "Computed before", .source = "the same cost model"};
}

FigureOrigin ofOversubscription(const PlanDocument &plan, const Catalog &catalog)
{
    if (plan.fleet.oversubscription)
        return ofPlan("fleet.oversubscription", plan);
    const auto *fabric = recordOf(plan.fleet.fabric, CatalogKind::Fabric, catalog);
    if (!fabric || !fabric->find("oversubscription_typical"))
        return {.place = "Plan: Oversubscription",
            .source = "neither the plan nor the fabric states one; 1 is not oversubscribed"};
    return {.place = "Fabric: " + fabric->name + ", Oversubscription",
        .source = catalog.provenanceText(*fabric, "oversubscription_typical"),
        .kind = CatalogKind::Fabric,
        .recordId = fabric->id,
        .field = "oversubscription_typical"};
}

/// PUE or WUE: the facility's own, else the grid's default.
FigureOrigin ofSite(std::string_view name, std::string_view ofFacility, std::string_view ofGrid,
    const PlanDocument &plan, const Catalog &catalog)
{
    const auto *facility = catalog.find(CatalogKind::Facility, plan.fleet.facility);
    if (facility && facility->find(ofFacility))
        return {.place = "Facility: " + facility->name + ", " + std::string(name),
            .source = catalog.provenanceText(*facility, ofFacility),
            .kind = CatalogKind::Facility,
            .recordId = facility->id,
            .field = std::string(ofFacility)};
    const auto *grid = catalog.find(CatalogKind::Grid, plan.fleet.grid);
    if (grid && grid->find(ofGrid))
        return {.place = "Grid: " + grid->name + ", Default " + std::string(name),
            .source = catalog.provenanceText(*grid, ofGrid),
            .kind = CatalogKind::Grid,
            .recordId = grid->id,
            .field = std::string(ofGrid)};
    return {.place = "Plan: " + std::string(name), .source = "neither the facility nor the grid states one"};
}

/// The field of a catalog item that a row of the worksheet takes.
std::string_view fieldOf(std::string_view row, const CatalogRecord &record)
{
    struct RowField {
        std::string_view row;
        CatalogKind kind;
        std::string_view field;
    };
    constexpr auto fields = std::to_array<RowField>({{"node_peak_w", CatalogKind::Node, "max_power_kw"},
        {"accelerators_per_node", CatalogKind::Node, "accelerators_per_node"},
        {"rack_units", CatalogKind::Node, "rack_units"}, {"tdp_w", CatalogKind::Accelerator, "tdp_w"},
        {"accelerator_usd", CatalogKind::Accelerator, "purchase_price_usd_typical"},
        {"switch_w", CatalogKind::NetworkGear, "power_max_w"},
        {"grid_kg_per_kwh", CatalogKind::Grid, "carbon_g_co2e_per_kwh"}, {"pue", CatalogKind::Facility, "pue"},
        {"pue", CatalogKind::Grid, "default_pue"}});
    for (const auto &known : fields)
        if (known.row == row && known.kind == record.kind)
            return known.field;
    return "value";
}

} // namespace

FigureOrigin describeOrigin(
    std::string_view origin, const PlanDocument &plan, const Catalog &catalog, const CostModel &model)
{
    if (const auto key = after(origin, "assumptions."))
        return ofAssumption(*key, plan, catalog, model);
    if (origin == "fleet.oversubscription")
        return ofOversubscription(plan, catalog);
    if (origin == "fleet.pue")
        return ofSite("PUE", "pue", "default_pue", plan, catalog);
    if (origin == "fleet.wue")
        return ofSite("WUE", "wue_l_per_kwh", "default_wue_l_per_kwh", plan, catalog);
    if (origin == "published constant")
        return {.place = "Published constant",
            .source = std::string(model.title()) + ", version " + std::string(model.version())};

    const auto *node = recordOf(plan.fleet.node, CatalogKind::Node, catalog);
    const auto acceleratorId = node ? node->text("accelerator_id") : std::nullopt;
    const auto *accelerator = acceleratorId ? catalog.find(CatalogKind::Accelerator, *acceleratorId) : nullptr;
    Place place;
    if (const auto field = after(origin, "fleet.node.accelerator."))
        place = {accelerator, std::string(*field)};
    else if (const auto ofNode = after(origin, "fleet.node."))
        place = {node, std::string(*ofNode)};
    else if (const auto ofFabric = after(origin, "fleet.fabric."))
        place = {recordOf(plan.fleet.fabric, CatalogKind::Fabric, catalog), std::string(*ofFabric)};
    else if (const auto gridField = after(origin, "fleet.grid."))
        place = {catalog.find(CatalogKind::Grid, plan.fleet.grid), std::string(*gridField)};
    else if (const auto ofWorkload = after(origin, "workload."))
        place = {recordOf(plan.workload, CatalogKind::Workload, catalog), std::string(*ofWorkload)};
    else
        return ofPlan(origin, plan);
    place = stated(std::move(place), accelerator);
    if (!place.record)
        return {.place = "Catalog", .source = "of an item that the plan names"};
    const auto *field = findField(place.record->kind, place.field);
    std::string kind(itemName(place.record->kind));
    kind[0] = char(std::toupper(static_cast<unsigned char>(kind[0])));
    return {.place = kind + ": " + place.record->name + (field ? ", " + std::string(field->label) : ""),
        .source = catalog.provenanceText(*place.record, place.field),
        .kind = place.record->kind,
        .recordId = place.record->id,
        .field = place.field};
}

std::string originInWords(std::string_view origin, const CostModel *model)
{
    if (const auto key = after(origin, "assumptions.")) {
        const auto *descriptor = model ? findAssumption(model->assumptions(), *key) : nullptr;
        if (!descriptor)
            descriptor = findAssumption(operationsAssumptions(), *key);
        return descriptor ? "assumption: " + descriptor->label : "assumption";
    }
    if (origin == "published constant")
        return std::string(origin);
    static constexpr auto catalogs = std::to_array<std::pair<std::string_view, CatalogKind>>(
        {{"fleet.node.accelerator.", CatalogKind::Accelerator}, {"fleet.node.", CatalogKind::Node},
            {"fleet.fabric.", CatalogKind::Fabric}, {"fleet.grid.", CatalogKind::Grid},
            {"workload.", CatalogKind::Workload}});
    for (const auto &[prefix, kind] : catalogs)
        if (const auto key = after(origin, prefix)) {
            const auto *field = findField(kind, *key);
            return std::string(itemName(kind)) + (field ? ": " + std::string(field->label) : " of the catalog");
        }
    if (origin == "fleet.pue" || origin == "fleet.wue")
        return "facility or grid of the catalog";
    const auto place = ofPlan(origin, {});
    return place.source == "your input" ? place.source + place.place.substr(std::string_view("Plan").size())
                                        : place.place;
}

EntrySource entrySourceOf(const CatalogRecord &record, std::string_view field, const Catalog &catalog)
{
    EntrySource source{
        .kind = record.kind, .id = record.id, .name = record.name, .notes = record.notes, .shipped = record.shipped};
    if (record.kind == CatalogKind::Price)
        source.asOf = record.text("as_of").value_or("");
    const auto *from = record.attribution(field);
    if (!from && !record.attributions.empty())
        from = &record.attributions.front();
    if (!from) {
        source.confidence = record.shipped ? "no source stated" : "entered by you";
        return source;
    }
    source.confidence = std::string(inWords(from->confidence)) + ", " + std::string(inWords(from->verification));
    if (const auto *document = catalog.source(record.kind, from->sourceId)) {
        source.title = document->title;
        source.publisher = document->publisher;
        source.published = document->published;
        source.address = document->url;
    }
    return source;
}

std::vector<EntrySource> entrySourcesOf(
    const CostSheet &costs, std::string_view row, const std::vector<UsedPrice> &prices, const Catalog &catalog)
{
    std::vector<EntrySource> sources;
    const auto index = costs.sheet().sheet().find(row);
    const auto *figure = index && costs.sheet().entries().figure(*index) ? &*costs.sheet().entries().figure(*index)
                                                                         : nullptr;
    if (!figure)
        return sources;
    for (const auto &price : prices)
        if (price.entry == row)
            if (const auto *record = catalog.find(CatalogKind::Price, price.id))
                sources.push_back(entrySourceOf(*record, record->number("typical") ? "typical" : "low", catalog));
    if (!sources.empty())
        return sources;
    for (const auto kind : {CatalogKind::PlanningDefault, CatalogKind::Node, CatalogKind::Accelerator,
             CatalogKind::NetworkGear, CatalogKind::Facility, CatalogKind::Grid})
        for (const auto &item : catalog.records(kind))
            if (item.name == figure->source)
                return {entrySourceOf(item, fieldOf(row, item), catalog)};
    return sources;
}

std::string endOfRangeInWords(const CostSheet &costs, std::string_view row, std::size_t column)
{
    const auto range = costs.range(row, column);
    if (!range || !(range->low < range->high) || (range->likely != range->low && range->likely != range->high))
        return {};
    const bool atHigh = range->likely == range->high;
    std::string text = std::string("The most likely value stands at the ") + (atHigh ? "upper" : "lower")
        + " end of its range: of ten draws at most one lies " + (atHigh ? "above" : "below") + " it";
    const auto swings = costs.swings(row, column);
    const auto entry = swings.empty() ? std::nullopt : costs.sheet().sheet().find(swings.front().entry);
    const auto *figure = entry && costs.sheet().entries().figure(*entry) ? &*costs.sheet().entries().figure(*entry)
                                                                         : nullptr;
    if (!figure || !figure->low || !figure->high || figure->likely.empty())
        return text + ".";
    const auto &what = costs.sheet().sheet().row(*entry);
    const auto inUnit = [&](double value) { return valueText(value, what.unit); };
    const double likely = figure->likely.front(), low = *figure->low, high = *figure->high;
    const bool nearHigh = high - likely < likely - low;
    const std::string_view stated = figure->rangeIsAssumed ? "that is assumed" : "that is stated";
    return text + ". \u201c" + what.label + "\u201d, which moves it most, is most likely " + inUnit(likely)
        + ", near the " + (nearHigh ? "highest " : "lowest ") + std::string(stated) + " ("
        + inUnit(nearHigh ? high : low) + "); the " + (nearHigh ? "lowest" : "highest") + " is "
        + inUnit(nearHigh ? low : high) + ".";
}

} // namespace fleetwright
