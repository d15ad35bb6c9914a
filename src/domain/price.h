// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <chrono>

/// What an item of the prices catalog says about itself: its unit in words, how old it is, whether it still holds.
namespace fleetwright {

/// "usd_per_device_hour" in USD is "USD per accelerator and hour". Words that are not known stay as they are written,
/// with spaces.
[[nodiscard]] std::string unitInWords(std::string_view unit, std::string_view currency);

/// The units of prices in this currency that are known in words, "usd_per_device_hour" first; others may be written.
[[nodiscard]] std::vector<std::string> knownPriceUnits(std::string_view currency);

/// The last day of the period that the text names: "2026-09-19", "2026-09", "2026-Q1", "2026-H1", "2026" or
/// "2024-2026". Nothing for any other text.
[[nodiscard]] std::optional<std::chrono::sys_days> lastDayOf(std::string_view period);

/// Quotes that are older than this are marked, and their range is assumed wider.
inline constexpr std::chrono::days freshPrice{365};

/// How far a price can be used as it stands. Textbook: a teaching value from upstream, nobody's quote; undated ones are
/// no quotes either.
enum class PriceStanding { Current, Old, Textbook, Expired };

struct PriceAge {
    PriceStanding standing = PriceStanding::Current;
    /// Since the last day of the period that the price is of, at least 0; nothing where it is not dated.
    std::optional<std::chrono::days> age;
};

[[nodiscard]] PriceAge priceAge(const CatalogRecord &price, std::chrono::sys_days today);

/// "current", "old", "textbook value", "expired".
[[nodiscard]] std::string_view toString(PriceStanding standing);

/// "this month", "1 month", "14 months", "2 years, old", "1 month, expired", "textbook value": for tables.
[[nodiscard]] std::string ageInWords(const PriceAge &age);

/// One sentence about a price that does not stand as it is: expired since when, or how old, and what to do. Empty for
/// current ones.
[[nodiscard]] std::string priceNotice(const CatalogRecord &price, std::chrono::sys_days today);

/// The item of the currencies catalog with the price's exchange rate; nothing in US dollars, and where no currency is
/// stated.
[[nodiscard]] std::optional<std::string> currencyItemOf(const CatalogRecord &price);

/// Beyond the rules for fields. OutOfRange "low", "typical", "high" (zero, negative or not in this order); MissingField
/// "typical" (no value at all); UnsupportedValue "valid_until" (no date), "unit" (of another currency);
/// UnknownReference "currency" (no exchange rate for it in the currencies catalog; USD needs none). Shipped
/// prices may be 0 or unknown, as published.
[[nodiscard]] Expected<void> checkPrice(const CatalogRecord &price, const Catalog &catalog);

} // namespace fleetwright
