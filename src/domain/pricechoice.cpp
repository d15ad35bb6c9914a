// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/pricechoice.h"

#include "units/words.h"

#include <algorithm>
#include <array>

namespace fleetwright {

namespace {

using std::chrono::sys_days;

constexpr std::string_view nodeEntry = "node_usd", acceleratorEntry = "accelerator_usd",
                           rentEntry = "rent_usd_per_hour";

/// What a price is of and in which unit, and the entry that it can stand for.
struct EntryRule {
    std::string_view category, unit, entry;
};
constexpr auto entryRules = std::to_array<EntryRule>({
    {"purchase", "usd_per_node", nodeEntry},
    {"purchase", "usd_per_device", acceleratorEntry},
    {"cloud", "usd_per_device_hour", rentEntry},
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

/// Of the record's own text; empty where it states none.
std::string_view statedIn(const CatalogRecord &price, std::string_view key)
{
    const auto *value = price.find(key);
    const auto *text = value ? std::get_if<std::string>(value) : nullptr;
    return text ? std::string_view(*text) : std::string_view();
}

/// Quotes of other currencies name their own unit: "eur_per_node" is what "usd_per_node" is in dollars.
bool isUnit(std::string_view unit, std::string_view inDollars)
{
    constexpr std::size_t currency = 3;
    return unit == inDollars
        || (inDollars.starts_with("usd_per_") && unit.size() == inDollars.size()
            && unit.substr(currency) == inDollars.substr(currency));
}

bool isExpired(const CatalogRecord &price, sys_days pricesOf)
{
    return priceAge(price, pricesOf).standing == PriceStanding::Expired;
}

/// In which respect a price of the entry's kind and unit is not the fleet's.
enum class Misfit : std::uint8_t { None, Item, Term, Vendor };

Misfit misfitOf(
    std::string_view entry, const CatalogRecord &price, const CatalogRecord &node, const CostDocument &document)
{
    const bool isRent = entry == rentEntry;
    if (!isRent && entry != nodeEntry && entry != acceleratorEntry)
        return Misfit::None;
    const auto item = statedIn(price, "item_ref");
    if (item.empty() || item != (entry == nodeEntry ? node.id : statedIn(node, "accelerator_id")))
        return Misfit::Item;
    if (statedIn(price, "term") != (isRent ? toString(document.rentTerm) : "purchase"))
        return Misfit::Term;
    if (isRent && !document.rentVendor.empty() && statedIn(price, "vendor") != document.rentVendor)
        return Misfit::Vendor;
    return Misfit::None;
}

std::string nameOfItem(CatalogKind kind, std::string_view id, const Catalog &catalog)
{
    const auto *item = catalog.find(kind, id);
    return item ? item->name : std::string(id);
}

std::string sentenceOfItem(bool isOfNode, const CatalogRecord &price, const CatalogRecord &node, const Catalog &catalog)
{
    const auto id = statedIn(price, "item_ref");
    const auto type = parseCatalogKind(statedIn(price, "item_type"));
    const auto of = id.empty() ? std::string("of no item of the catalog")
                               : "of " + inQuotes(type ? nameOfItem(*type, id, catalog) : id);
    const auto wanted = isOfNode ? node.name
                                 : nameOfItem(CatalogKind::Accelerator, statedIn(node, "accelerator_id"), catalog);
    return of + ", not of " + inQuotes(wanted) + ": choose a price of that";
}

std::string sentenceOfTerm(bool isRent, const CatalogRecord &price, const CostDocument &document)
{
    const auto term = statedIn(price, "term");
    const auto is = term.empty() ? std::string("of no stated term") : "of the term " + inQuotes(term);
    if (!isRent)
        return is + ", not \u201cpurchase\u201d: choose a price of new ones";
    return is + ", and the fleet rents " + std::string(words(document.rentTerm)) + " ("
        + inQuotes(std::string(toString(document.rentTerm))) + "): choose a price of this term, change rent_term";
}

std::string sentenceOfVendor(const CatalogRecord &price, const CostDocument &document)
{
    const auto vendor = statedIn(price, "vendor");
    return (vendor.empty() ? std::string("of no stated vendor") : "of " + inQuotes(vendor))
        + ", and the fleet rents of " + inQuotes(document.rentVendor)
        + ": choose a price of this vendor, change rent_vendor";
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

} // namespace

std::string_view costEntryOf(const CatalogRecord &price)
{
    const auto category = statedIn(price, "category"), unit = statedIn(price, "unit");
    for (const auto &rule : entryRules)
        if (rule.category == category && isUnit(unit, rule.unit))
            return rule.entry;
    return {};
}

bool takesAPrice(std::string_view entry)
{
    return std::ranges::find(entryRules, entry, &EntryRule::entry) != entryRules.end();
}

std::optional<std::string_view> priceNamedFor(std::string_view entry, const CostEntry &stated)
{
    const auto *text = std::get_if<std::string>(&stated.value);
    return text && takesAPrice(entry) ? std::optional<std::string_view>(*text) : std::nullopt;
}

Expected<void> checkFit(std::string_view entry, const CatalogRecord &price, const CatalogRecord &node,
    const CostDocument &document, const Catalog &catalog, std::string_view field)
{
    std::string why;
    switch (misfitOf(entry, price, node, document)) {
    case Misfit::None: return {};
    case Misfit::Item: why = sentenceOfItem(entry == nodeEntry, price, node, catalog); break;
    case Misfit::Term: why = sentenceOfTerm(entry == rentEntry, price, document); break;
    case Misfit::Vendor: why = sentenceOfVendor(price, document); break;
    }
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "The price " + inQuotes(price.name) + " is " + why + ", enter a number, or clear " + std::string(entry)
            + " to take what the catalog has.");
}

bool goesBefore(const CatalogRecord &a, const CatalogRecord &b, sys_days pricesOf)
{
    if (const bool expired = isExpired(a, pricesOf); expired != isExpired(b, pricesOf))
        return !expired;
    if (a.shipped != b.shipped)
        return !a.shipped;
    if (const bool textbook = isTextbook(a); textbook != isTextbook(b))
        return !textbook;
    // Storage is bought by what can be used.
    const auto isUsable = [](const CatalogRecord &price) { return statedIn(price, "unit").ends_with("_usable_tb"); };
    if (isUsable(a) != isUsable(b))
        return isUsable(a);
    const auto days = [](const CatalogRecord &price) {
        const auto period = periodOf(statedIn(price, "as_of"));
        return period ? std::pair(period->first, period->last) : std::pair(sys_days{}, sys_days{});
    };
    return days(a) > days(b);
}

std::vector<const CatalogRecord *> pricesFor(std::string_view entry, const CatalogRecord &node,
    const CostDocument &document, const Catalog &catalog, std::optional<sys_days> pricesOf)
{
    return fitting(entry, node, document, pricesOfEntry(entry, catalog), pricesOf ? *pricesOf : dayOfPrices(catalog));
}

std::vector<const CatalogRecord *> pricesOfEntry(std::string_view entry, const Catalog &catalog)
{
    std::vector<const CatalogRecord *> found;
    for (const auto &price : catalog.records(CatalogKind::Price))
        if (costEntryOf(price) == entry)
            found.push_back(&price);
    return found;
}

std::vector<const CatalogRecord *> fitting(std::string_view entry, const CatalogRecord &node,
    const CostDocument &document, std::vector<const CatalogRecord *> prices, sys_days pricesOf)
{
    std::erase_if(
        prices, [&](const CatalogRecord *price) { return misfitOf(entry, *price, node, document) != Misfit::None; });
    std::ranges::stable_sort(
        prices, [&](const CatalogRecord *a, const CatalogRecord *b) { return goesBefore(*a, *b, pricesOf); });
    return prices;
}

std::optional<CostFigure> figureOf(
    std::string_view entry, const CatalogRecord &price, const Catalog &catalog, std::optional<sys_days> pricesOf)
{
    const auto rate = unitsPerUsd(price, catalog);
    const auto low = price.number("low"), typical = price.number("typical"), high = price.number("high");
    if (!rate || (!typical && !(low && high)))
        return std::nullopt;
    const double likely = typical ? *typical : (*low + *high) / 2;
    const auto date = pricesOf ? *pricesOf : dayOfPrices(catalog);
    CostFigure figure{.entry = std::string(entry),
        .likely = likely / *rate,
        .isPrice = true,
        .olderThanAYear = isOlderThanAYear(statedIn(price, "as_of"), price.shipped, date),
        .source = described(price),
        .date = std::string(statedIn(price, "as_of")),
        .vendor = std::string(statedIn(price, "vendor"))};
    // Of an end that nobody states it is as far as of the one that somebody does.
    const auto lowest = low ? low : high ? std::optional(std::max(0.0, 2 * likely - *high)) : std::nullopt;
    const auto highest = high ? high : low ? std::optional(2 * likely - *low) : std::nullopt;
    if (lowest && highest && *lowest <= likely && likely <= *highest && *lowest < *highest) {
        figure.low = *lowest / *rate;
        figure.high = *highest / *rate;
    }
    if (const auto *attribution = price.attribution(typical ? "typical" : "low"))
        figure.confidence = attribution->confidence;
    if (isExpired(price, date) || isTextbook(price))
        figure.notice = priceNotice(price, date);
    else if (!typical)
        figure.notice = inQuotes(price.name) + " states a range only; its middle is taken as likely.";
    return figure;
}

} // namespace fleetwright
