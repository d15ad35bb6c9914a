// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/fleetcosts.h"

#include "domain/networkparts.h"
#include "domain/plannedcosts.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

using std::chrono::sys_days;

/// What a price is of and in which unit, and the entry that it can stand for.
struct EntryRule {
    std::string_view category, unit, entry;
};
constexpr auto entryRules = std::to_array<EntryRule>({
    {"purchase", "usd_per_node", "node_usd"},
    {"purchase", "usd_per_device", "accelerator_usd"},
    {"cloud", "usd_per_device_hour", "rent_usd_per_hour"},
    {"electricity", "usd_per_kwh", "usd_per_kwh"},
    {"electricity", "usd_per_kw_month", "demand_usd_per_kw_month"},
    {"colocation", "usd_per_kw_month", "colocation_usd_per_kw_month"},
    {"facility", "usd_per_watt_it", "facility_usd_per_w"},
    {"storage", "usd_per_usable_tb", "storage_usd_per_tb"},
    {"storage", "usd_per_raw_tb", "storage_usd_per_tb"},
    {"support", "fraction_of_capex_per_year", "support_share"},
    {"license", "usd_per_device_year", "licence_usd_per_accelerator"},
    {"staff", "usd_per_person_year", "staff_usd"},
});

std::string textOf(const CatalogRecord &record, std::string_view key) { return record.text(key).value_or(""); }

/// Quotes of other currencies name their own unit: "eur_per_node" is what "usd_per_node" is in dollars.
std::string unitInDollars(const CatalogRecord &price)
{
    auto unit = textOf(price, "unit");
    if (unit.find("_per_") == 3 && !unit.starts_with("usd"))
        unit.replace(0, 3, "usd");
    return unit;
}

sys_days dateOf(const CatalogRecord &price) { return lastDayOf(textOf(price, "as_of")).value_or(sys_days{}); }

bool isTextbook(const CatalogRecord &price)
{
    return price.find("mlsysim") != nullptr || (price.shipped && !lastDayOf(textOf(price, "as_of")));
}

/// The day on which the catalog's prices stand: the newest that names its month. Nothing depends on today.
sys_days dayOfPrices(const Catalog &catalog)
{
    constexpr std::size_t yearAlone = 4;
    sys_days newest{};
    for (const auto &price : catalog.records(CatalogKind::Price)) {
        const auto period = textOf(price, "as_of");
        if (const auto day = period.size() > yearAlone ? lastDayOf(period) : std::nullopt)
            newest = std::max(newest, *day);
    }
    return newest;
}

bool fits(const EntryRule &rule, const CatalogRecord &price, const CatalogRecord &node)
{
    const auto item = textOf(price, "item_ref"), term = textOf(price, "term");
    if (rule.entry == "node_usd")
        return item == node.id && term == "purchase";
    if (rule.entry == "accelerator_usd")
        return item == textOf(node, "accelerator_id") && term == "purchase";
    if (rule.entry == "rent_usd_per_hour")
        return item == textOf(node, "accelerator_id");
    return true;
}

bool better(const CatalogRecord *a, const CatalogRecord *b)
{
    if (a->shipped != b->shipped)
        return !a->shipped;
    if (isTextbook(*a) != isTextbook(*b))
        return !isTextbook(*a);
    // Storage is bought by what can be used.
    const auto usable = [](const CatalogRecord &price) { return textOf(price, "unit").ends_with("_usable_tb"); };
    if (usable(*a) != usable(*b))
        return usable(*a);
    return dateOf(*a) > dateOf(*b);
}

std::string described(const CatalogRecord &price)
{
    std::string text = price.name;
    if (const auto vendor = price.text("vendor"))
        text += ", " + *vendor;
    if (const auto period = price.text("as_of"))
        text += ", " + *period;
    return text;
}

class Resolving {
public:
    Resolving(
        const CostDocument &document, const CatalogRecord &node, const CatalogRecord &fabric, const Catalog &catalog)
        : m_document(document), m_node(node), m_fabric(fabric), m_catalog(catalog), m_day(dayOfPrices(catalog))
    {
    }

    Expected<FleetCosts> all(bool siteHasTariff)
    {
        m_costs.paying = m_document.paying;
        m_costs.rentTerm = m_document.rentTerm;
        m_costs.rentVendor = m_document.rentVendor;
        m_costs.cooling = textOf(m_node, "cooling");
        for (const auto &[entry, value] : m_document.entries)
            if (auto ok = stated(entry, value); !ok)
                return std::unexpected(ok.error());
        purchase();
        rent();
        const auto *building = m_costs.find("facility_usd_per_w");
        const bool ownBuilding = building && building->likely > 0;
        for (const std::string_view entry :
            {"storage_usd_per_tb", "support_share", "staff_usd", "colocation_usd_per_kw_month"})
            if (!m_costs.find(entry) && !(ownBuilding && entry == "colocation_usd_per_kw_month"))
                planned(entry);
        planning(siteHasTariff);
        racks();
        if (const auto embodied = m_node.number("embodied_carbon_kg_co2e"); embodied && !m_costs.find(embodiedEntry))
            embodiedOf(*embodied);
        m_costs.network = networkPartsOf(m_fabric, m_catalog, m_day);
        constexpr double processorsPerTray = 2;
        if (const auto processors = m_node.number("host_sockets");
            processors && *processors >= processorsPerTray && m_node.text("kind") == "rack_scale")
            m_costs.network.trays = std::int64_t(*processors / processorsPerTray);
        return std::move(m_costs);
    }

private:
    static constexpr std::string_view embodiedEntry = "embodied_kg_per_accelerator";

    Expected<void> stated(const std::string &entry, const CostEntry &value)
    {
        const auto field = "fleet.costs." + entry;
        if (const auto *id = std::get_if<std::string>(&value.value)) {
            const auto price = m_catalog.require(CatalogKind::Price, *id, field);
            if (!price)
                return std::unexpected(price.error());
            const auto of = costEntryOf(**price);
            if (of != entry)
                return refuse(ErrorCode::UnsupportedValue, field,
                    "The price \u201c" + (*price)->name + "\u201d is in "
                        + unitInWords(textOf(**price, "unit"), textOf(**price, "currency"))
                        + (of.empty() ? ", which no line of the worksheet takes."
                                      : "; it can stand for " + std::string(of) + "."));
            auto figure = figureOf(entry, **price, m_catalog);
            if (!figure)
                return refuse(ErrorCode::UnsupportedValue, field,
                    "The price \u201c" + (*price)->name
                        + "\u201d has no value in USD: enter its typical price, and its currency with a rate.");
            add(std::move(*figure), **price);
            return {};
        }
        CostFigure figure{.entry = entry,
            .likely = std::get<double>(value.value),
            .low = value.low,
            .high = value.high,
            .source = "entered"};
        const bool ordered = !value.low || !value.high || (*value.low <= figure.likely && figure.likely <= *value.high);
        if (!std::isfinite(figure.likely) || value.low.has_value() != value.high.has_value() || !ordered)
            return refuse(ErrorCode::OutOfRange, field, "State one number, or low, likely and high in this order.");
        m_costs.figures.push_back(std::move(figure));
        return {};
    }

    void add(CostFigure figure, const CatalogRecord &price)
    {
        figure.olderThanAYear = m_day - dateOf(price) > freshPrice;
        m_costs.figures.push_back(std::move(figure));
    }

    /// The first price for the entry, where the document states none.
    bool take(std::string_view entry)
    {
        for (const auto *price : pricesFor(entry, m_node, m_document, m_catalog))
            if (auto figure = figureOf(entry, *price, m_catalog)) {
                add(std::move(*figure), *price);
                return true;
            }
        return false;
    }

    void planned(std::string_view entry)
    {
        if (take(entry))
            m_costs.figures.back().assumed = true;
    }

    void purchase()
    {
        if (m_costs.find("node_usd"))
            return;
        const bool parts = m_costs.find("accelerator_usd") || m_costs.find("chassis_usd");
        if (!parts && take("node_usd"))
            return;
        if (!m_costs.find("accelerator_usd") && !take("accelerator_usd")) {
            m_costs.missing.push_back({"node_usd",
                "No price of \u201c" + m_node.name
                    + "\u201d or its accelerator is in the catalog: add one to Prices, or enter one for this fleet."});
            return;
        }
        if (!m_costs.find("chassis_usd"))
            hosts();
    }

    /// What a node costs beyond its accelerators, as in the nodes of which the catalog knows both.
    void hosts()
    {
        std::vector<double> ratios;
        const CostDocument none;
        for (const auto &node : m_catalog.records(CatalogKind::Node)) {
            const auto count = node.number("accelerators_per_node");
            const auto whole = first("node_usd", node, none), part = first("accelerator_usd", node, none);
            if (count && whole && part && !whole->second && !part->second && part->first * *count > 0)
                ratios.push_back(whole->first / (part->first * *count));
        }
        const auto count = m_node.number("accelerators_per_node");
        const auto *accelerator = m_costs.find("accelerator_usd");
        if (ratios.empty() || !count)
            return;
        std::ranges::sort(ratios);
        const auto rest = [&](double ratio) { return std::max(0.0, ratio - 1) * *count * accelerator->likely; };
        m_costs.figures.push_back({.entry = "chassis_usd",
            .likely = rest(ratios[ratios.size() / 2]),
            .low = rest(ratios.front()),
            .high = rest(ratios.back()),
            .source = "the middle of " + std::to_string(ratios.size())
                + " nodes of which the catalog has both prices, over their accelerators",
            .date = accelerator->date,
            .confidence = Confidence::Estimate,
            .notice = "The catalog has no price of \u201c" + m_node.name
                + "\u201d: its hosts are estimated from other nodes. Enter a quotation.",
            .assumed = true});
    }

    /// The likely value, and whether it is nobody's quote.
    [[nodiscard]] std::optional<std::pair<double, bool>> first(
        std::string_view entry, const CatalogRecord &node, const CostDocument &document) const
    {
        for (const auto *price : pricesFor(entry, node, document, m_catalog))
            if (const auto figure = figureOf(entry, *price, m_catalog))
                return std::pair(figure->likely, isTextbook(*price));
        return std::nullopt;
    }

    void rent()
    {
        constexpr std::string_view entry = "rent_usd_per_hour";
        if (m_costs.find(entry))
            return;
        const auto quotes = pricesFor(entry, m_node, m_document, m_catalog);
        std::vector<CostFigure> figures;
        for (const auto *price : quotes) {
            // Those of one kind with the best: no shipped ones beside own, none a year older than the newest.
            if (price->shipped != quotes.front()->shipped || isTextbook(*price) != isTextbook(*quotes.front())
                || dateOf(*quotes.front()) - dateOf(*price) > freshPrice)
                continue;
            if (auto figure = figureOf(entry, *price, m_catalog))
                figures.push_back(std::move(*figure));
        }
        if (figures.empty()) {
            m_costs.missing.push_back({std::string(entry),
                "The catalog has no price of this accelerator " + std::string(words(m_document.rentTerm))
                    + (m_document.rentVendor.empty() ? "" : " of " + m_document.rentVendor)
                    + ": add one to Prices, choose another term, or enter one."});
            return;
        }
        std::ranges::sort(figures, {}, &CostFigure::likely);
        auto middle = figures[(figures.size() - 1) / 2];
        if (figures.size() > 1) {
            for (const auto &figure : figures) {
                middle.low = std::min(middle.low.value_or(middle.likely), figure.low.value_or(figure.likely));
                middle.high = std::max(middle.high.value_or(middle.likely), figure.high.value_or(figure.likely));
            }
            middle.source = "the middle of " + std::to_string(figures.size()) + " quotes "
                + std::string(words(m_document.rentTerm)) + ": " + middle.source;
        }
        add(std::move(middle), *quotes.front());
    }

    /// What the catalog's planning defaults say, where neither the fleet nor a price does.
    void planning(bool siteHasTariff)
    {
        const auto add = [&](std::optional<CostFigure> figure) {
            if (figure)
                m_costs.figures.push_back(std::move(*figure));
            return figure.has_value();
        };
        if (!siteHasTariff && !m_costs.find("usd_per_kwh"))
            add(plannedTariff(m_catalog));
        if (!m_costs.find("rate_per_node_day"))
            add(plannedFailures(m_node, m_catalog));
        if (!m_costs.find("node_delivery_weeks") && !m_costs.find("delivery_weeks")
            && !add(plannedDelivery(m_node, m_catalog)))
            m_costs.missing.push_back({"node_delivery_weeks",
                "The catalog has no lead time of \u201c" + m_node.name
                    + "\u201d: enter the weeks from order to delivery (node_delivery_weeks)."});
    }

    /// Power distribution in the racks, and heat exchange where the node is cooled by liquid.
    void racks()
    {
        constexpr std::string_view entry = "racks_usd_per_kw";
        if (m_costs.find(entry))
            return;
        CostFigure sum{.entry = std::string(entry), .confidence = Confidence::Estimate, .assumed = true};
        for (const std::string_view id : {"plant_busway_800a", "plant_cdu_1350kw"}) {
            const auto *price = m_catalog.find(CatalogKind::Price, id);
            const auto part = price ? figureOf(entry, *price, m_catalog) : std::nullopt;
            if (!part || (id == "plant_cdu_1350kw" && m_costs.cooling != "liquid"))
                continue;
            sum.likely += part->likely;
            sum.source += (sum.source.empty() ? "" : "; ") + part->source;
            sum.date = part->date;
            sum.olderThanAYear = sum.olderThanAYear || m_day - dateOf(*price) > freshPrice;
        }
        if (sum.likely > 0)
            m_costs.figures.push_back(std::move(sum));
    }

    void embodiedOf(double kilograms)
    {
        const double count = m_node.number("accelerators_per_node").value_or(0);
        if (!(count > 0))
            return;
        CostFigure figure{.entry = std::string(embodiedEntry), .likely = kilograms / count, .source = m_node.name};
        const auto low = m_node.number("embodied_carbon_low_kg_co2e"),
                   high = m_node.number("embodied_carbon_high_kg_co2e");
        if (low && high && *low <= kilograms && kilograms <= *high) {
            figure.low = *low / count;
            figure.high = *high / count;
        }
        if (const auto *attribution = m_node.attribution("embodied_carbon_kg_co2e"))
            figure.confidence = attribution->confidence;
        m_costs.figures.push_back(std::move(figure));
    }

    const CostDocument &m_document;
    const CatalogRecord &m_node;
    const CatalogRecord &m_fabric;
    const Catalog &m_catalog;
    sys_days m_day;
    FleetCosts m_costs;
};

} // namespace

const CostFigure *FleetCosts::find(std::string_view entry) const
{
    const auto found = std::ranges::find(figures, entry, &CostFigure::entry);
    return found == figures.end() ? nullptr : &*found;
}

const MissingCost *FleetCosts::findMissing(std::string_view entry) const
{
    const auto found = std::ranges::find(missing, entry, &MissingCost::entry);
    return found == missing.end() ? nullptr : &*found;
}

std::string_view costEntryOf(const CatalogRecord &price)
{
    const auto category = textOf(price, "category"), unit = unitInDollars(price);
    for (const auto &rule : entryRules)
        if (rule.category == category && rule.unit == unit)
            return rule.entry;
    return {};
}

std::vector<const CatalogRecord *> pricesFor(
    std::string_view entry, const CatalogRecord &node, const CostDocument &document, const Catalog &catalog)
{
    std::vector<const CatalogRecord *> found;
    for (const auto &price : catalog.records(CatalogKind::Price)) {
        if (costEntryOf(price) != entry)
            continue;
        const auto *const rule = std::ranges::find(entryRules, entry, &EntryRule::entry);
        if (!fits(*rule, price, node))
            continue;
        if (entry == "rent_usd_per_hour"
            && (textOf(price, "term") != toString(document.rentTerm)
                || (!document.rentVendor.empty() && textOf(price, "vendor") != document.rentVendor)))
            continue;
        found.push_back(&price);
    }
    std::ranges::stable_sort(found, better);
    return found;
}

std::optional<CostFigure> figureOf(std::string_view entry, const CatalogRecord &price, const Catalog &catalog)
{
    double unitsPerUsd = 1;
    if (const auto currency = textOf(price, "currency"); !currency.empty() && currency != "USD") {
        const auto known = catalog.records(CatalogKind::Currency);
        const auto found = std::ranges::find(known, currency, [](const CatalogRecord &c) { return textOf(c, "code"); });
        const auto rate = found == known.end() ? std::nullopt : found->number("units_per_usd");
        if (!rate || !(*rate > 0))
            return std::nullopt;
        unitsPerUsd = *rate;
    }
    const auto low = price.number("low"), typical = price.number("typical"), high = price.number("high");
    if (!typical && !(low && high))
        return std::nullopt;
    const double likely = typical ? *typical : (*low + *high) / 2;
    CostFigure figure{.entry = std::string(entry), .likely = likely / unitsPerUsd};
    if (low && high && *low <= likely && likely <= *high && *low < *high) {
        figure.low = *low / unitsPerUsd;
        figure.high = *high / unitsPerUsd;
    }
    figure.source = described(price);
    figure.date = textOf(price, "as_of");
    if (const auto *attribution = price.attribution(typical ? "typical" : "low"))
        figure.confidence = attribution->confidence;
    if (isTextbook(price))
        figure.notice = "\u201c" + price.name
            + "\u201d is a textbook value, nobody\u2019s quote: enter a street price.";
    else if (!typical)
        figure.notice = "\u201c" + price.name + "\u201d states a range only; its middle is taken as likely.";
    return figure;
}

Expected<FleetCosts> resolveCosts(const CostDocument &document, const CatalogRecord &node, const CatalogRecord &fabric,
    bool siteHasTariff, const Catalog &catalog)
{
    return Resolving(document, node, fabric, catalog).all(siteHasTariff);
}

} // namespace fleetwright
