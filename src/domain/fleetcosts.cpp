// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/fleetcosts.h"

#include "domain/networkparts.h"
#include "domain/plannedcosts.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

using std::chrono::sys_days;

std::string textOf(const CatalogRecord &record, std::string_view key) { return record.text(key).value_or(""); }

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
        if (const auto id = priceNamedFor(entry, value))
            return named(entry, *id, field);
        CostFigure figure{.entry = entry, .low = value.low, .high = value.high, .source = "entered"};
        if (const auto *word = std::get_if<std::string>(&value.value)) {
            figure.word = *word;
            if (entry == "cooling")
                m_costs.cooling = *word;
        } else if (const auto *flag = std::get_if<bool>(&value.value)) {
            figure.word = *flag ? "yes" : "no";
        } else {
            figure.likely = std::get<double>(value.value);
        }
        const bool ordered = !value.low || !value.high || (*value.low <= figure.likely && figure.likely <= *value.high);
        if (!std::isfinite(figure.likely) || value.low.has_value() != value.high.has_value() || !ordered)
            return refuse(ErrorCode::OutOfRange, field, "State one number, or low, likely and high in this order.");
        m_costs.figures.push_back(std::move(figure));
        return {};
    }

    /// The price that the fleet names.
    Expected<void> named(const std::string &entry, std::string_view id, const std::string &field)
    {
        const auto price = m_catalog.require(CatalogKind::Price, id, field);
        if (!price)
            return std::unexpected(price.error());
        const auto of = costEntryOf(**price);
        if (of != entry)
            return refuse(ErrorCode::UnsupportedValue, field,
                "The price \u201c" + (*price)->name + "\u201d is in "
                    + unitInWords(textOf(**price, "unit"), textOf(**price, "currency"))
                    + (of.empty() ? ", which no line of the worksheet takes."
                                  : "; it can stand for " + std::string(of) + "."));
        if (auto fits = checkFit(entry, **price, m_node, m_document, m_catalog, field); !fits)
            return fits;
        auto figure = figureOf(entry, **price, m_catalog, m_day);
        if (!figure)
            return refuse(ErrorCode::UnsupportedValue, field,
                "The price \u201c" + (*price)->name
                    + "\u201d has no value in USD: enter its typical price, and its currency with a rate.");
        m_costs.figures.push_back(std::move(*figure));
        return {};
    }

    /// The first price for the entry, where the document states none.
    bool take(std::string_view entry)
    {
        for (const auto *price : pricesFor(entry, m_node, m_document, m_catalog, m_day))
            if (auto figure = figureOf(entry, *price, m_catalog, m_day)) {
                m_costs.figures.push_back(std::move(*figure));
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
        if (parts)
            sayThatPartsStand();
        if (!m_costs.find("accelerator_usd") && !take("accelerator_usd") && !priceOfAccelerator()) {
            m_costs.missing.push_back({"node_usd",
                "No price of \u201c" + m_node.name
                    + "\u201d or its accelerator is in the catalog: add one to Prices, or enter one for this fleet."});
            return;
        }
        if (!m_costs.find("chassis_usd"))
            hosts();
    }

    /// A part's price that the fleet states takes the place of the node's own, which may be another by far.
    void sayThatPartsStand()
    {
        for (const auto *price : pricesFor("node_usd", m_node, m_document, m_catalog, m_day))
            if (const auto node = figureOf("node_usd", *price, m_catalog, m_day)) {
                const auto part = std::ranges::find_if(m_costs.figures, [](const CostFigure &figure) {
                    return figure.entry == "accelerator_usd" || figure.entry == "chassis_usd";
                });
                part->notice = "The node\u2019s own price, " + units::format(node->likely, units::Dimension::Money)
                    + " (" + node->source + "), is not used: the fleet states a price of its parts. Clear "
                    + part->entry + " to take it.";
                return;
            }
    }

    /// What the accelerator's own item says.
    bool priceOfAccelerator()
    {
        constexpr std::string_view field = "purchase_price_usd_typical";
        const auto *accelerator = m_catalog.find(CatalogKind::Accelerator, textOf(m_node, "accelerator_id"));
        const auto price = accelerator ? accelerator->number(field) : std::nullopt;
        if (!price || !(*price > 0))
            return false;
        CostFigure figure{.entry = "accelerator_usd",
            .likely = *price,
            .low = accelerator->number("purchase_price_usd_low"),
            .high = accelerator->number("purchase_price_usd_high"),
            .isPrice = true,
            .olderThanAYear = accelerator->shipped,
            .source = accelerator->name,
            .notice = "No price of \u201c" + accelerator->name
                + "\u201d is in Prices: the purchase price of its own item is taken, which has no date. Add a price.",
            .assumed = true};
        if (!figure.hasRange() || !(*figure.low <= *price && *price <= *figure.high) || *figure.low == *figure.high)
            figure.low = figure.high = std::nullopt;
        if (const auto *attribution = accelerator->attribution(field))
            figure.confidence = attribution->confidence;
        m_costs.figures.push_back(std::move(figure));
        return true;
    }

    /// What a node costs beyond its accelerators, as in the nodes of which the catalog knows both.
    void hosts()
    {
        std::vector<double> ratios;
        const CostDocument none;
        // Looked for once: most of the catalog is neither.
        const auto ofNodes = pricesOfEntry("node_usd", m_catalog),
                   ofParts = pricesOfEntry("accelerator_usd", m_catalog);
        const auto first = [&](std::string_view entry, const CatalogRecord &node,
                               const std::vector<const CatalogRecord *> &prices) {
            return firstOf(entry, fitting(entry, node, none, prices, m_day));
        };
        for (const auto &node : m_catalog.records(CatalogKind::Node)) {
            const auto count = node.number("accelerators_per_node");
            const auto whole = first("node_usd", node, ofNodes), part = first("accelerator_usd", node, ofParts);
            if (count && whole && part && !whole->second && !part->second && part->first * *count > 0)
                ratios.push_back(whole->first / (part->first * *count));
        }
        const auto count = m_node.number("accelerators_per_node");
        const auto accelerator = std::ranges::find(
            m_costs.figures, std::string_view("accelerator_usd"), &CostFigure::entry);
        if (ratios.empty() || !count) {
            if (accelerator->notice.empty())
                accelerator->notice = "The catalog has no price of \u201c" + m_node.name
                    + "\u201d, and no other node by which to estimate its hosts: they are left out. Enter chassis_usd.";
            return;
        }
        std::ranges::sort(ratios);
        const auto rest = [&](double ratio) { return std::max(0.0, ratio - 1) * *count * accelerator->likely; };
        m_costs.figures.push_back({.entry = "chassis_usd",
            .likely = rest(ratios[ratios.size() / 2]),
            .low = rest(ratios.front()),
            .high = rest(ratios.back()),
            .isPrice = true,
            .source = "the middle of " + std::to_string(ratios.size())
                + " nodes of which the catalog has both prices, over their accelerators",
            .date = accelerator->date,
            .confidence = Confidence::Estimate,
            .notice = "The catalog has no price of \u201c" + m_node.name
                + "\u201d: its hosts are estimated from other nodes. Enter a quotation.",
            .assumed = true});
    }

    /// The likely value, and whether it is nobody's quote.
    [[nodiscard]] std::optional<std::pair<double, bool>> firstOf(
        std::string_view entry, const std::vector<const CatalogRecord *> &prices) const
    {
        for (const auto *price : prices)
            if (const auto figure = figureOf(entry, *price, m_catalog, m_day))
                return std::pair(figure->likely, isTextbook(*price));
        return std::nullopt;
    }

    void rent()
    {
        constexpr std::string_view entry = "rent_usd_per_hour";
        if (m_costs.find(entry))
            return;
        auto rent = middleRent(m_document);
        if (!rent) {
            m_costs.missing.push_back({std::string(entry),
                "The catalog has no price of this accelerator " + std::string(words(m_document.rentTerm))
                    + (m_document.rentVendor.empty() ? "" : " of " + m_document.rentVendor)
                    + ": add one to Prices, choose another term, or enter one."});
            return;
        }
        const bool isReserved = toString(m_document.rentTerm).starts_with("reserved");
        auto onDemand = m_document;
        onDemand.rentTerm = RentTerm::OnDemand;
        const auto unreserved = isReserved ? middleRent(onDemand) : std::nullopt;
        if (unreserved && unreserved->likely < rent->likely && rent->notice.empty())
            rent->notice = "The quotes " + std::string(words(m_document.rentTerm))
                + " are dearer than those on demand (" + units::threeDigits(unreserved->likely)
                + " USD/h): they are of other vendors. Name one (rent_vendor) to compare like with like.";
        m_costs.figures.push_back(std::move(*rent));
    }

    /// The median of the quotes of a term and vendor (of an even number halfway between the two in the middle), from
    /// the lowest to the highest.
    [[nodiscard]] std::optional<CostFigure> middleRent(const CostDocument &document) const
    {
        constexpr std::string_view entry = "rent_usd_per_hour";
        const auto quotes = pricesFor(entry, m_node, document, m_catalog, m_day);
        std::vector<CostFigure> figures;
        for (const auto *price : quotes)
            if (isOfOneKind(*quotes.front(), *price))
                if (auto figure = figureOf(entry, *price, m_catalog, m_day))
                    figures.push_back(std::move(*figure));
        if (figures.empty())
            return std::nullopt;
        std::ranges::sort(figures, {}, &CostFigure::likely);
        auto middle = figures[(figures.size() - 1) / 2];
        if (const auto &upper = figures[figures.size() / 2]; figures.size() % 2 == 0) {
            middle.likely += (upper.likely - middle.likely) / 2;
            middle.source += "; " + upper.source;
            middle.date = std::min(middle.date, upper.date);
            middle.olderThanAYear = middle.olderThanAYear || upper.olderThanAYear;
            if (middle.notice.empty())
                middle.notice = upper.notice;
        }
        if (figures.size() > 1) {
            for (const auto &figure : figures) {
                middle.low = std::min(middle.low.value_or(middle.likely), figure.low.value_or(figure.likely));
                middle.high = std::max(middle.high.value_or(middle.likely), figure.high.value_or(figure.likely));
                if (figure.vendor != middle.vendor)
                    middle.vendor.clear();
            }
            middle.source = "the middle of " + std::to_string(figures.size()) + " quotes "
                + std::string(words(document.rentTerm)) + ": " + middle.source;
        }
        return middle;
    }

    /// No shipped quotes beside own, no expired beside valid, none wholly a year older than the newest.
    [[nodiscard]] bool isOfOneKind(const CatalogRecord &first, const CatalogRecord &other) const
    {
        const auto isExpired = [&](const CatalogRecord &price) {
            return priceAge(price, m_day).standing == PriceStanding::Expired;
        };
        const auto newest = periodOf(textOf(first, "as_of"));
        return first.shipped == other.shipped && isTextbook(first) == isTextbook(other)
            && isExpired(first) == isExpired(other)
            && !(newest && isOlderThanAYear(textOf(other, "as_of"), false, newest->first));
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
        CostFigure sum{
            .entry = std::string(entry), .isPrice = true, .confidence = Confidence::Estimate, .assumed = true};
        for (const auto id : rackPriceIds) {
            const auto *price = m_catalog.find(CatalogKind::Price, id);
            const auto part = price ? figureOf(entry, *price, m_catalog, m_day) : std::nullopt;
            if (!part || (id == heatExchange && m_costs.cooling != "liquid"))
                continue;
            sum.likely += part->likely;
            sum.source += (sum.source.empty() ? "" : "; ") + part->source;
            sum.date = part->date;
            sum.olderThanAYear = sum.olderThanAYear || part->olderThanAYear;
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

Expected<FleetCosts> resolveCosts(const CostDocument &document, const CatalogRecord &node, const CatalogRecord &fabric,
    bool siteHasTariff, const Catalog &catalog)
{
    return Resolving(document, node, fabric, catalog).all(siteHasTariff);
}

} // namespace fleetwright
