// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/price.h"

#include "domain/calendarday.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace fleetwright {

namespace {

using namespace std::chrono;

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(
        result, result.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::optional<int> wholeNumber(std::string_view digits)
{
    int value = 0;
    const auto *end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value);
    return !digits.empty() && read.ec == std::errc() && read.ptr == end && value >= 0 ? std::optional(value)
                                                                                      : std::nullopt;
}

std::optional<PricePeriod> monthsOf(int firstYear, int firstMonth, int lastYear, int lastMonth)
{
    const auto first = year(firstYear) / firstMonth / 1;
    const auto last = year(lastYear) / lastMonth / std::chrono::last;
    return first.ok() && last.ok() ? std::optional(PricePeriod{sys_days(first), sys_days(last)}) : std::nullopt;
}

constexpr auto unitWords = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"per_device_hour", "per accelerator and hour"},
    {"per_device_year", "per accelerator and year"},
    {"per_device", "per accelerator"},
    {"per_node", "per node"},
    {"per_rack_month", "per rack and month"},
    {"per_rack", "per rack"},
    {"per_cluster", "per cluster"},
    {"per_switch", "per switch"},
    {"per_unit", "per piece"},
    {"per_watt_it", "per W of IT load"},
    {"per_kw_month", "per kW and month"},
    {"per_kwh", "per kWh"},
    {"per_kw", "per kW"},
    {"per_mw", "per MW"},
    {"per_raw_tb", "per TB of raw capacity"},
    {"per_usable_tb", "per TB of usable capacity"},
    {"per_tb_month", "per TB and month"},
    {"per_gb", "per GB"},
    {"per_label", "per label"},
    {"per_person_year", "per person and year"},
    {"hours_per_unit", "hours per piece"},
    {"fraction_of_capex_per_year", "share of the capital per year"},
    {"fraction_of_capex", "share of the capital"},
    {"fraction_of_network_cost", "share of the network's cost"},
    {"fraction_of_insured_value_per_year", "share of the insured value per year"},
    {"fraction_of_contract", "share of the contract"},
    {"kg_co2e_per_device_hour", "kg CO2e per accelerator and hour"},
});

/// "usd" of "usd_per_kwh"; empty where the unit is of no money.
std::string_view currencyPrefix(std::string_view unit)
{
    const auto place = unit.find("_per_");
    return place == 3 ? unit.substr(0, place) : std::string_view();
}

} // namespace

std::string unitInWords(std::string_view unit, std::string_view currency)
{
    const auto prefix = currencyPrefix(unit);
    const auto rest = prefix.empty() ? unit : unit.substr(prefix.size() + 1);
    const auto *const known = std::ranges::find(unitWords, rest, &std::pair<std::string_view, std::string_view>::first);
    std::string words(known == unitWords.end() ? rest : known->second);
    if (known == unitWords.end())
        std::ranges::replace(words, '_', ' ');
    return prefix.empty() ? words : std::string(currency) + " " + words;
}

std::string unitFromWords(std::string_view unit, std::string_view currency)
{
    const auto typed = lowered(unit);
    for (auto &known : knownPriceUnits(currency))
        if (lowered(unitInWords(known, currency)) == typed)
            return std::move(known);
    return std::string(unit);
}

std::string unitOfCurrency(std::string_view unit, std::string_view currency)
{
    const auto prefix = currencyPrefix(unit);
    return prefix.empty() ? std::string(unit) : lowered(currency) + std::string(unit.substr(prefix.size()));
}

std::vector<std::string> knownPriceUnits(std::string_view currency)
{
    std::vector<std::string> units;
    for (const auto &[key, words] : unitWords) {
        const bool ofMoney = key.starts_with("per_");
        units.push_back(ofMoney ? lowered(currency) + "_" + std::string(key) : std::string(key));
    }
    return units;
}

std::optional<PricePeriod> periodOf(std::string_view text)
{
    if (const auto date = dateFromText(text))
        return PricePeriod{*date, *date};
    const auto first = text.size() >= 4 ? wholeNumber(text.substr(0, 4)) : std::nullopt;
    if (!first || *first < 1900 || (text.size() > 4 && text[4] != '-'))
        return std::nullopt;
    if (text.size() == 4)
        return monthsOf(*first, 1, *first, 12);
    const auto rest = text.substr(5);
    if (rest.size() == 4) {
        const auto until = wholeNumber(rest);
        return until && *until >= *first ? monthsOf(*first, 1, *until, 12) : std::nullopt;
    }
    if (rest.size() != 2)
        return std::nullopt;
    const auto part = wholeNumber(rest.substr(1));
    if (rest[0] == 'Q')
        return part && *part >= 1 && *part <= 4 ? monthsOf(*first, 3 * *part - 2, *first, 3 * *part) : std::nullopt;
    if (rest[0] == 'H')
        return part && *part >= 1 && *part <= 2 ? monthsOf(*first, 6 * *part - 5, *first, 6 * *part) : std::nullopt;
    const auto month = wholeNumber(rest);
    return month ? monthsOf(*first, *month, *first, *month) : std::nullopt;
}

std::optional<sys_days> lastDayOf(std::string_view period)
{
    const auto found = periodOf(period);
    return found ? std::optional(found->last) : std::nullopt;
}

sys_days dayOfPrices(const Catalog &catalog)
{
    constexpr days quarter{92};
    sys_days shipped{}, own{};
    for (const auto &price : catalog.records(CatalogKind::Price)) {
        const auto period = periodOf(price.text("as_of").value_or(""));
        if (period && period->last - period->first < quarter) {
            auto &newest = price.shipped ? shipped : own;
            newest = std::max(newest, period->last);
        }
    }
    return shipped != sys_days{} ? shipped : own;
}

bool isOlderThanAYear(std::string_view period, bool shipped, sys_days pricesOf)
{
    const auto last = lastDayOf(period);
    return last ? pricesOf - *last > freshPrice : shipped;
}

bool isTextbook(const CatalogRecord &price)
{
    return price.find("mlsysim") || (price.shipped && !periodOf(price.text("as_of").value_or("")));
}

PriceAge priceAge(const CatalogRecord &price, sys_days today)
{
    PriceAge result;
    if (const auto period = periodOf(price.text("as_of").value_or(""))) {
        result.age = std::max(days(0), today - period->last);
        if (period->first <= today && today <= period->last)
            result.most = today - period->first;
    }
    const auto until = price.text("valid_until");
    const auto lastDay = until ? dateFromText(*until) : std::nullopt;
    if (lastDay && today > *lastDay)
        result.standing = PriceStanding::Expired;
    else if (isTextbook(price))
        result.standing = PriceStanding::Textbook;
    else if (result.age && *result.age > freshPrice)
        result.standing = PriceStanding::Old;
    return result;
}

std::string_view toString(PriceStanding standing)
{
    switch (standing) {
    case PriceStanding::Current: return "current";
    case PriceStanding::Old: return "old";
    case PriceStanding::Textbook: return "textbook value";
    case PriceStanding::Expired: return "expired";
    }
    return {};
}

std::string ageInWords(const PriceAge &price)
{
    const auto counted = [](auto count, const char *one) {
        return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
    };
    std::string words;
    if (price.age && *price.age > freshPrice)
        words = counted(*price.age / freshPrice, "year");
    else if (price.age) {
        const auto months = [](std::chrono::days days) { // whole ones, not of 30 days: half a year is not 6 of those
            return std::chrono::floor<std::chrono::months>(days).count();
        };
        words = price.most && months(*price.most) > 0 ? "up to " + counted(months(*price.most), "month")
            : months(*price.age) == 0                 ? "this month"
                                                      : counted(months(*price.age), "month");
    }
    if (price.standing != PriceStanding::Current)
        words += (words.empty() ? "" : ", ") + std::string(toString(price.standing));
    return words;
}

std::string priceNotice(const CatalogRecord &price, sys_days today)
{
    const auto [standing, age, most] = priceAge(price, today);
    const std::string name = "The price \u201c" + price.name + "\u201d ";
    switch (standing) {
    case PriceStanding::Current: return {};
    case PriceStanding::Expired:
        return name + "was valid until " + *price.text("valid_until") + "; ask for a new offer, or enter its new date.";
    case PriceStanding::Textbook:
        return name + "is a textbook value, nobody\u2019s quote; choose a street price, or enter an offer.";
    case PriceStanding::Old:
        return name + "is of " + price.text("as_of").value_or("") + ", " + std::to_string(*age / freshPrice)
            + (*age / freshPrice == 1 ? " year" : " years") + " ago or more; its range is assumed wider.";
    }
    return {};
}

std::optional<std::string> currencyItemOf(const CatalogRecord &price)
{
    const auto code = lowered(price.text("currency").value_or(""));
    return code.empty() || code == "usd" ? std::nullopt : std::optional(code);
}

std::optional<double> unitsPerUsd(const CatalogRecord &price, const Catalog &catalog)
{
    const auto item = currencyItemOf(price);
    if (!item || currencyPrefix(price.text("unit").value_or("")).empty())
        return 1;
    const auto *currency = catalog.find(CatalogKind::Currency, *item);
    const auto rate = currency ? currency->number("units_per_usd") : std::nullopt;
    return rate && *rate > 0 ? rate : std::nullopt;
}

Expected<void> checkPrice(const CatalogRecord &price, const Catalog &catalog)
{
    double last = 0;
    for (const std::string key : {"low", "typical", "high"}) {
        const auto value = price.number(key);
        if (!value)
            continue;
        const std::string label(findField(CatalogKind::Price, key)->label);
        if (!price.shipped && !(*value > 0))
            return refuse(ErrorCode::OutOfRange, key, label + " must be more than zero; leave it empty if unknown.");
        if (*value < last)
            return refuse(ErrorCode::OutOfRange, key, "Low, likely and high must be in this order.");
        last = *value;
    }
    if (!price.shipped && !price.number("typical") && !(price.number("low") && price.number("high")))
        return refuse(ErrorCode::MissingField, "typical",
            "This price states no likely value; enter it, or both the low and the high one.");
    if (const auto period = price.text("as_of"); period && !periodOf(*period))
        return refuse(ErrorCode::UnsupportedValue, "as_of",
            "A price is of a day, a month, a quarter, a half or years, such as 2026-09-19, 2026-09, 2026-Q3, 2026-H2, "
            "2026 or 2024-2026, not of \u201c"
                + period->substr(0, 40) + "\u201d.");
    if (const auto until = price.text("valid_until"); until && !dateFromText(*until))
        return refuse(ErrorCode::UnsupportedValue, "valid_until",
            "The last day of an offer is a date such as 2027-03-31, not \u201c" + until->substr(0, 40) + "\u201d.");
    const auto currency = price.text("currency").value_or("");
    const auto code = lowered(currency);
    const auto unit = price.text("unit").value_or("");
    if (const auto prefix = currencyPrefix(unit); !prefix.empty() && prefix != code)
        return refuse(ErrorCode::UnsupportedValue, "unit",
            "The unit is in " + std::string(prefix) + " and the currency is " + currency + "; make them the same.");
    const auto item = currencyItemOf(price);
    if (item && (!catalog.find(CatalogKind::Currency, *item) || !unitsPerUsd(price, catalog)))
        return refuse(ErrorCode::UnknownReference, "currency",
            "There is no exchange rate for \u201c" + currency.substr(0, 20)
                + "\u201d; add the currency to the currencies catalog, with its id in lower case.");
    return {};
}

} // namespace fleetwright
