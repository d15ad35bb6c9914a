// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/usedprices.h"

#include "domain/calendarday.h"
#include "domain/plannedcosts.h"
#include "domain/pricechoice.h"
#include "solver/worksheet/sheetentries.h"
#include "solver/worksheet/sheets.h"

#include <algorithm>

namespace fleetwright {

namespace {

constexpr std::string_view racksEntry = "racks_usd_per_kw";

const CatalogRecord *recordOf(CatalogKind kind, const ItemReference &reference, const Catalog &catalog)
{
    const auto *inlined = std::get_if<CatalogRecord>(&reference);
    return inlined ? inlined : catalog.find(kind, std::get<std::string>(reference));
}

/// The rent of a catalog that has nothing but these quotes, their currencies and the day of the real one's prices; its
/// rules decide which of them count.
std::optional<CostFigure> rentOf(const std::vector<CatalogRecord> &quotes, const CatalogRecord &node,
    const CatalogRecord &fabric, const CostDocument &costs, const Catalog &catalog, std::chrono::sys_days day)
{
    Catalog few;
    for (const auto &currency : catalog.records(CatalogKind::Currency))
        few.insert(currency);
    CatalogRecord ofTheDay;
    ofTheDay.kind = CatalogKind::Price;
    ofTheDay.id = "day of the prices"; // no item can be called so
    ofTheDay.shipped = true;
    ofTheDay.values["as_of"] = dateText(day);
    few.insert(std::move(ofTheDay));
    for (const auto &quote : quotes)
        few.insert(quote);
    CostDocument rented;
    rented.rentTerm = costs.rentTerm;
    rented.rentVendor = costs.rentVendor;
    const auto resolved = resolveCosts(rented, node, fabric, true, few);
    const auto *figure = resolved ? resolved->find(rentEntry) : nullptr;
    return figure ? std::optional(*figure) : std::nullopt;
}

/// Those quotes without whose value the rent would be another one.
void addQuotes(std::vector<UsedPrice> &used, const std::vector<const CatalogRecord *> &candidates,
    const CatalogRecord &node, const CatalogRecord &fabric, const CostDocument &costs, const Catalog &catalog,
    std::chrono::sys_days day)
{
    std::vector<CatalogRecord> quotes;
    for (const auto *price : candidates)
        quotes.push_back(*price);
    const auto all = rentOf(quotes, node, fabric, costs, catalog, day);
    for (auto &quote : quotes) {
        const auto values = quote.values;
        for (const auto *key : {"low", "typical", "high"})
            quote.values.erase(key);
        if (rentOf(quotes, node, fabric, costs, catalog, day) != all)
            used.push_back({quote.id, std::string(rentEntry)});
        quote.values = values;
    }
}

} // namespace

UsedPrices::UsedPrices(const Catalog &catalog) : m_catalog(catalog), m_day(dayOfPrices(catalog)) { }

const std::vector<UsedPrice> &UsedPrices::of(const FleetDocument &fleet)
{
    // One that stands elsewhere, or has another number of nodes, pays the same prices.
    FleetDocument same{.node = fleet.node, .fabric = fleet.fabric, .costs = fleet.costs};
    const auto known = std::ranges::find(m_known, same, &Known::fleet);
    if (known != m_known.end())
        return known->prices;
    auto prices = lookedFor(same);
    return m_known.emplace_back(std::move(same), std::move(prices)).prices;
}

std::vector<UsedPrice> UsedPrices::lookedFor(const FleetDocument &fleet) const
{
    const auto *node = recordOf(CatalogKind::Node, fleet.node, m_catalog);
    const auto *fabric = recordOf(CatalogKind::Fabric, fleet.fabric, m_catalog);
    const auto costs = node && fabric ? resolveCosts(fleet.costs, *node, *fabric, true, m_catalog)
                                      : Expected<FleetCosts>(std::unexpected(Error{}));
    std::vector<UsedPrice> used;
    if (!costs)
        return used;
    const auto isMadeFrom = [&](const CostFigure &figure, const CatalogRecord &price) {
        const auto its = figureOf(figure.entry, price, m_catalog, m_day);
        return its && its->likely == figure.likely && its->source == figure.source;
    };
    for (const auto &figure : costs->figures) {
        if (const auto stated = fleet.costs.entries.find(figure.entry); stated != fleet.costs.entries.end()) {
            if (const auto named = priceNamedFor(figure.entry, stated->second))
                used.push_back({std::string(*named), figure.entry});
        } else if (figure.entry == rentEntry) {
            addQuotes(used, pricesFor(rentEntry, *node, fleet.costs, m_catalog, m_day), *node, *fabric, fleet.costs,
                m_catalog, m_day);
        } else if (figure.entry == racksEntry) { // a sum of several
            for (const auto id : rackPriceIds)
                if (const auto *price = m_catalog.find(CatalogKind::Price, id))
                    if (const auto part = figureOf(racksEntry, *price, m_catalog, m_day);
                        part && figure.source.contains(part->source))
                        used.push_back({price->id, figure.entry});
        } else if (figure.isPrice) {
            const auto prices = pricesFor(figure.entry, *node, fleet.costs, m_catalog, m_day);
            const auto first = std::ranges::find_if(
                prices, [&](const CatalogRecord *price) { return isMadeFrom(figure, *price); });
            if (first != prices.end())
                used.push_back({(*first)->id, figure.entry});
        }
    }
    if (fleet.costs.entries.contains("network_usd")) // stated as a whole
        return used;
    const auto &network = costs->network;
    for (const auto &[entry, part] :
        {std::pair("switch_usd", &network.switchPart), {"out_of_band_switch_usd", &network.managementSwitch},
            {"transceiver_usd", &network.switchTransceiver}, {"node_transceiver_usd", &network.nodeTransceiver}}) {
        if (!*part || !(*part)->price || fleet.costs.entries.contains(entry))
            continue;
        const auto prices = m_catalog.records(CatalogKind::Price);
        const auto first = std::ranges::find_if(prices, [&](const CatalogRecord &price) {
            return price.text("item_ref") == (*part)->id && isMadeFrom(*(*part)->price, price);
        });
        if (first != prices.end())
            used.push_back({first->id, entry});
    }
    return used;
}

std::optional<RangeInUse> rangeInUse(const CatalogRecord &price, const Catalog &catalog, std::chrono::sys_days pricesOf)
{
    const auto entry = costEntryOf(price);
    const auto low = price.number("low"), typical = price.number("typical"), high = price.number("high");
    const auto figure = entry.empty() || entry == rentEntry || !typical || (low && high)
        ? std::nullopt
        : figureOf(entry, price, catalog, pricesOf);
    if (!figure || !(figure->likely > 0))
        return std::nullopt;
    SheetFigure stated(figure->likely);
    stated.low = figure->low;
    stated.high = figure->high;
    const auto used = withAssumedRange(std::move(stated), figure->olderThanAYear);
    const double unit = *typical / figure->likely; // its currency's, of a dollar
    if (!used.low || !used.high)
        return std::nullopt;
    return RangeInUse{*used.low * unit, *used.high * unit,
        !used.rangeIsAssumed         ? "Not stated: taken to lie as far from the typical value as the end that is."
            : figure->olderThanAYear ? "Not stated: 20 % to either side is assumed of a price older than a year "
                                       "(handbook, What it costs)."
                                     : "Not stated: 10 % to either side is assumed of a price that states one value "
                                       "(handbook, What it costs)."};
}

std::string_view entryInWords(std::string_view entry)
{
    const auto &sheet = sheets::fleet();
    const auto row = sheet.find(entry);
    return row ? std::string_view(sheet.row(*row).label) : entry;
}

} // namespace fleetwright
