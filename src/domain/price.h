// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <chrono>

/// What an item of the prices catalog says about itself: its unit in words, how old it is, whether it still holds.
namespace fleetwright {

/// "usd_per_device_hour" in USD is "USD per accelerator and hour". Words that are not known stay as they are written,
/// with spaces.
[[nodiscard]] std::string unitInWords(std::string_view unit, std::string_view currency);

/// The unit as items state it: one that was written in words ("EUR per node"), or itself.
[[nodiscard]] std::string unitFromWords(std::string_view unit, std::string_view currency);
/// The same unit of another currency: "eur_per_node" for "usd_per_node"; itself where it names no currency.
[[nodiscard]] std::string unitOfCurrency(std::string_view unit, std::string_view currency);

/// The units of prices in this currency that are known in words, "usd_per_device_hour" first; others may be written.
[[nodiscard]] std::vector<std::string> knownPriceUnits(std::string_view currency);

/// The days on which a price may have been stated.
struct PricePeriod {
    std::chrono::sys_days first, last;
    bool operator==(const PricePeriod &) const = default;
};

/// Of "2026-09-19", "2026-09", "2026-Q1", "2026-H1", "2026" or "2024-2026"; nothing for any other text.
/// Prices are put in order by the first day, since a quote "of 2026" is known to be no younger than that and must not
/// pass one of September; they are old only once the last day is.
[[nodiscard]] std::optional<PricePeriod> periodOf(std::string_view text);
[[nodiscard]] std::optional<std::chrono::sys_days> lastDayOf(std::string_view period);

/// Quotes that are older than this are marked, and their range is assumed wider.
inline constexpr std::chrono::days freshPrice{365};

/// The day on which the catalog's prices stand: the last day of its newest shipped price that names a quarter, a month
/// or a day. Nothing depends on today. Prices of the user's own count only where there is no such one: a date that is
/// mistyped must not make every other price old.
[[nodiscard]] std::chrono::sys_days dayOfPrices(const Catalog &catalog);

/// Whether a figure of this period is more than a year older than `pricesOf`. Without a period shipped ones count as
/// old, one's own do not.
[[nodiscard]] bool isOlderThanAYear(std::string_view period, bool shipped, std::chrono::sys_days pricesOf);

/// A teaching value from upstream, nobody's quote; shipped prices without a date are no quotes either.
[[nodiscard]] bool isTextbook(const CatalogRecord &price);

/// How far a price can be used as it stands. Textbook: see isTextbook().
enum class PriceStanding { Current, Old, Textbook, Expired };

struct PriceAge {
    PriceStanding standing = PriceStanding::Current;
    /// Since the last day of the period that the price is of, at least 0; nothing where it is not dated.
    std::optional<std::chrono::days> age;
    /// Since the first day of a period that is not over, such as "2026" in November.
    std::optional<std::chrono::days> most{};
};

[[nodiscard]] PriceAge priceAge(const CatalogRecord &price, std::chrono::sys_days today);

/// "current", "old", "textbook value", "expired".
[[nodiscard]] std::string_view toString(PriceStanding standing);

/// "this month", "1 month", "14 months", "up to 11 months", "2 years, old", "1 month, expired", "textbook value": for
/// tables.
[[nodiscard]] std::string ageInWords(const PriceAge &age);

/// One sentence about a price that does not stand as it is: expired since when, or how old, and what to do. Empty for
/// current ones.
[[nodiscard]] std::string priceNotice(const CatalogRecord &price, std::chrono::sys_days today);

/// The item of the currencies catalog with the price's exchange rate; nothing in US dollars, and where no currency is
/// stated.
[[nodiscard]] std::optional<std::string> currencyItemOf(const CatalogRecord &price);

/// Units of the price's currency for one US dollar, by the item that currencyItemOf() names; 1 in US dollars and where
/// the unit is no money. Nothing where the currencies catalog has no rate.
[[nodiscard]] std::optional<double> unitsPerUsd(const CatalogRecord &price, const Catalog &catalog);

/// Beyond the rules for fields. OutOfRange "low", "typical", "high" (zero, negative or not in this order); MissingField
/// "typical" (neither the likely value nor both ends); UnsupportedValue "as_of" (no period), "valid_until" (no date),
/// "unit" (of another currency); UnknownReference "currency" (no exchange rate for it in the currencies catalog; USD
/// needs none). Shipped prices may be 0 or unknown, as published.
[[nodiscard]] Expected<void> checkPrice(const CatalogRecord &price, const Catalog &catalog);

} // namespace fleetwright
