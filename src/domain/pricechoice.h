// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "domain/paying.h"
#include "domain/price.h"

/// What a fleet states about its costs, and which prices of the catalog can stand for an entry. Entries have the keys
/// and units of the rows of the worksheet (solver/worksheet), which checks them.
namespace fleetwright {

/// A figure in the unit of its row, yes or no, or a text: the id of a price where takesAPrice(), else a word of the
/// row.
struct CostEntry {
    std::variant<double, bool, std::string> value = 0.0;
    std::optional<double> low, high; ///< of a figure; both or neither
    bool operator==(const CostEntry &) const = default;
};

/// The entry that has the spare nodes ordered that suffice 99 % of the time: yes or no.
inline constexpr std::string_view orderSparesEntry = "order_spares";

/// As documents of fleets hold it; empty: what the catalog has, by the rules of resolveCosts().
struct CostDocument {
    Paying paying = Paying::Own;
    RentTerm rentTerm = RentTerm::OnDemand;
    std::string rentVendor; ///< empty: any
    std::map<std::string, CostEntry, std::less<>> entries; ///< "node_usd", "life_years", "rate_per_node_day"...
    bool operator==(const CostDocument &) const = default;
};

/// One entry with its value, and where that is from.
struct CostFigure {
    std::string entry;
    double likely = 0;
    std::optional<double> low, high;
    std::string word; ///< of a row of words, or "yes" or "no" of a flag: then there is no number
    /// Rests on prices of the catalog or a tariff: where no range is stated, one is assumed (worth-it.md, section 0).
    bool isPrice = false;
    bool olderThanAYear = false; ///< than the catalog's prices; decides the range that is assumed where none is stated
    bool hasRange() const { return low && high; }
    std::string source; ///< "Quotation of 2026-H1: DGX H100 (NVIDIA)", "7 quotes on demand"
    std::string date; ///< as the price states it
    std::string vendor; ///< of the price, as it states it; empty: not stated, or quotes of several
    Confidence confidence = Confidence::User;
    std::string notice; ///< one sentence where the figure does not stand as it is: expired, textbook, a range only
    bool assumed = false; ///< nobody stated this entry for this fleet: a planning default, or an estimate
    bool operator==(const CostFigure &) const = default;
};

/// The entry of the worksheet that a price can stand for, by what it is of and its unit: "node_usd", "accelerator_usd",
/// "rent_usd_per_hour", "usd_per_kwh", "colocation_usd_per_kw_month", "facility_usd_per_w", "storage_usd_per_tb",
/// "support_share", "licence_usd_per_accelerator", "staff_usd"; empty: none.
[[nodiscard]] std::string_view costEntryOf(const CatalogRecord &price);

/// Whether a price can stand for the entry: a text stated for it is the id of one.
[[nodiscard]] bool takesAPrice(std::string_view entry);

/// The id of the price that the fleet names for an entry; nothing where it states something else.
[[nodiscard]] std::optional<std::string_view> priceNamedFor(std::string_view entry, const CostEntry &stated);

/// Whether a price of this entry's kind and unit is of the fleet's node or accelerator, for purchase as new, and of its
/// rent term and vendor. UnsupportedValue `field`: names what the price is of, and what to do.
[[nodiscard]] Expected<void> checkFit(std::string_view entry, const CatalogRecord &price, const CatalogRecord &node,
    const CostDocument &document, const Catalog &catalog, std::string_view field);

/// Which of two prices of one thing is taken: those that are still valid go before expired ones, own items before
/// shipped ones, quotes before textbook values, usable storage before raw, then whose period begins (else ends) later.
[[nodiscard]] bool goesBefore(const CatalogRecord &a, const CatalogRecord &b, std::chrono::sys_days pricesOf);

/// The prices of the catalog that fit the entry for this node (checkFit()), in the order of goesBefore(): the one that
/// resolveCosts() takes first. `pricesOf` is dayOfPrices(), where not given.
[[nodiscard]] std::vector<const CatalogRecord *> pricesFor(std::string_view entry, const CatalogRecord &node,
    const CostDocument &document, const Catalog &catalog, std::optional<std::chrono::sys_days> pricesOf = {});
/// The same in two steps, for who asks about many nodes: all prices that can stand for the entry, and of these the ones
/// that fit a node, in order.
[[nodiscard]] std::vector<const CatalogRecord *> pricesOfEntry(std::string_view entry, const Catalog &catalog);
[[nodiscard]] std::vector<const CatalogRecord *> fitting(std::string_view entry, const CatalogRecord &node,
    const CostDocument &document, std::vector<const CatalogRecord *> prices, std::chrono::sys_days pricesOf);

/// In USD: typical, else the middle of low and high; an end of the range that is not stated is as far away as the one
/// that is; another currency by its rate in the catalog. With a notice where
/// the price had expired on the day of the prices, is a textbook value, or states a range only. Nothing where the price
/// states no value or its currency no rate.
[[nodiscard]] std::optional<CostFigure> figureOf(std::string_view entry, const CatalogRecord &price,
    const Catalog &catalog, std::optional<std::chrono::sys_days> pricesOf = {});

} // namespace fleetwright
