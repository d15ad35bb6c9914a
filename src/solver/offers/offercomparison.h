// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/offers/normaloffer.h"
#include "solver/worksheet/fleetcost.h"
#include "units/unitsymbol.h"

#include <memory>

/// Offers side by side, line by line, over one scope. worth-it.md, section 9.
namespace fleetwright {

enum class OfferSection : std::uint8_t {
    Capital,
    Life, ///< present value of what is paid over the life, less what is left
    Figures, ///< of the whole fleet
    Terms ///< as written
};
[[nodiscard]] std::string_view toString(OfferSection section); ///< "capital", "life", "figures", "terms"
[[nodiscard]] std::string_view titleOf(OfferSection section); ///< "Over the life, present value"

struct OfferCell {
    /// Where a price is from.
    enum class From : std::uint8_t {
        Common, ///< what follows from the fleet, the site and the buyer's own figures
        Offered, ///< a line of the offer
        Included, ///< in the prices of other lines
        Added ///< at catalog prices, or 0 where the catalog has none
    };
    std::optional<double> value; ///< in the row's unit
    std::string text; ///< of terms; why there is no value
    From from = From::Common;
    [[nodiscard]] std::string_view origin() const; ///< "common", "offered", "included", "added"
    std::string note; ///< of Included and Added: the sentence of the mark
    bool operator==(const OfferCell &) const = default;
};

struct OfferRow {
    OfferSection section = OfferSection::Capital;
    std::string key, label;
    std::string unit; ///< "USD", "W", "days"...; empty of texts
    bool isTotal = false;
    std::vector<OfferCell> cells; ///< by offer
    bool operator==(const OfferRow &) const = default;
};

/// What a table shows: "5.2 M$", "1.2 M$ *" of what is added, "included", "26 weeks", a text; an en dash for nothing.
[[nodiscard]] std::string textOf(const OfferRow &row, const OfferCell &cell);
/// The same in the unit that all amounts of money of the comparison share.
[[nodiscard]] std::string textOf(const OfferRow &row, const OfferCell &cell, const units::UnitSymbol &money);
/// What an offer costs or has more than the first: "+0.22 MUSD", "−8 nodes", "same"; empty where one has no value.
[[nodiscard]] std::string differenceOf(const OfferRow &row, std::size_t offer, const units::UnitSymbol &money);
/// The offers whose value is the least of a row in which less is better (money, weeks, days) and two or more state one
/// of their own; empty where all that do are alike.
[[nodiscard]] std::vector<std::size_t> bestOf(const OfferRow &row);
/// What the star means.
inline constexpr std::string_view bestSentence = "\u2605 the least of its row.";
/// What the asterisk means.
inline constexpr std::string_view addedSentence = "* not stated or not priced in the offer: from the catalog.";

struct ComparedOffer {
    OfferDocument offer;
    NormalOffer normal;
    std::shared_ptr<const CostSheet> costs;
    double presentCost_usd = 0; ///< over the life, as it is paid for
};

struct OfferComparison {
    std::vector<ComparedOffer> offers; ///< as given
    std::vector<OfferRow> rows;
    /// For each offer after the first what it costs more or less and where; then what an accelerator-hour costs, days
    /// and delivery.
    std::vector<std::string> sentences;
    std::vector<std::string> notes; ///< what was added to which offer or is included, and currencies
};

/// The unit that the largest amount of money reads in.
[[nodiscard]] units::UnitSymbol moneyUnitOf(const OfferComparison &comparison);

struct OfferComparing {
    std::optional<std::chrono::sys_days> asOf; ///< the day on which they must still stand; nothing: not looked at
    std::optional<PlanDocument> plan; ///< what the fleets are to run; its own fleet does not count
};

/// Refused as normalise(), with "offers[i]." before the field and the offer's name before the sentence; MissingField
/// "offers" for fewer than two; UnsupportedValue "fleet.costs.life_years" where lives differ. A plan that an offer's
/// fleet cannot run says so in its cell.
[[nodiscard]] Expected<OfferComparison> compareOffers(
    std::span<const OfferDocument> offers, const Catalog &catalog, const OfferComparing &comparing = {});

/// One offer as it stands in a comparison. Refused as normalise(); MissingField "fleet.costs" where what it costs over
/// its life is not known.
[[nodiscard]] Expected<ComparedOffer> pricedOffer(
    const OfferDocument &offer, const Catalog &catalog, const OfferScope &scope = {});

/// What one offer adds up to over the scope, in USD: as it stands in a comparison.
struct OfferTotals {
    double lines_usd = 0;
    double added_usd = 0; ///< for what its scope lacks and is paid with the order, at catalog prices
    double buyers_usd = 0; ///< for what the buyer's own figures price, such as spare nodes without a line
    double contingency_usd = 0, facility_usd = 0;
    double owned_usd = 0; ///< what is owned already and not bought; not above 0
    double capital_usd = 0; ///< all of these; 0 of a rent
    double addedYear_usd = 0; ///< for what its scope lacks and is paid by the year, at catalog prices: the first year
    double rentYear_usd = 0; ///< of the first year; 0 of a purchase
    double presentCost_usd = 0; ///< over the life, as it is paid for
    double years = 0; ///< of the life
    bool operator==(const OfferTotals &) const = default;
};
[[nodiscard]] OfferTotals totalsOf(const ComparedOffer &offer);
/// Refused as pricedOffer().
[[nodiscard]] Expected<OfferTotals> totalsOf(
    const OfferDocument &offer, const Catalog &catalog, const OfferScope &scope = {});

} // namespace fleetwright
