// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/offer.h"

/// An offer as a fleet that any part of the program can price: what it leaves out costs what the catalog says.
/// worth-it.md, section 9.
namespace fleetwright {

/// A part that the offer has no price for, or has without a price of its own.
struct OfferMark {
    enum class Kind : std::uint8_t {
        Added, ///< not in the offer: at catalog prices
        NoPrice, ///< not in the offer, and without a price in the catalog: counts as 0
        Included ///< in the price of other lines
    };
    OfferPart part = OfferPart::Nodes;
    Kind kind = Kind::Added;
    double usd = 0; ///< of Added: what was added, paid as isYearly() says
    std::string sentence;
    bool operator==(const OfferMark &) const = default;
};

/// "added", "no_price", "included".
[[nodiscard]] std::string_view toString(OfferMark::Kind kind);
/// Its amount is that of a year, the first one, and no part of the capital: support and licences.
[[nodiscard]] bool isYearly(const OfferMark &mark);

struct NormalOffer {
    /// The offer's fleet with its prices as entries of its costs, in USD; whatever prices fleets takes it from here.
    FleetDocument fleet;
    double unitsPerUsd = 1; ///< of the offer's currency, by the catalog
    std::vector<OfferPart> offered; ///< parts with lines, in the order of allOfferParts
    std::vector<OfferMark> marks;
    std::vector<std::string> notices;
    bool operator==(const NormalOffer &) const = default;
};

struct OfferScope {
    std::optional<std::chrono::sys_days> asOf; ///< the day on which it must still stand; nothing: not looked at
    bool licences = false; ///< licences belong to the scope, also where the offer has none
};

/// The part that a line buys. UnknownReference "lines[i].item" for what is neither an item of the catalog nor a part;
/// UnsupportedValue for an item that the offer's fleet has not.
[[nodiscard]] Expected<OfferPart> partOf(const OfferDocument &offer, std::size_t line, const Catalog &catalog);

/// A line without a price buys nothing until it has one; what is free has a discount of 100 %, or stands in the scope.
[[nodiscard]] inline bool isPriced(const OfferLine &line) { return line.unitPrice > 0 || line.discount == 1; }

/// Whether the vendor has stated any price: without one an offer is a draft, and what it would cost is the catalog's
/// word, or nothing.
[[nodiscard]] bool isPriced(const OfferDocument &offer);

/// What the lines of an offer add up to, in its currency, as it is written.
[[nodiscard]] double linesTotal(const OfferDocument &offer);

inline constexpr std::string_view licenceEntry = "licence_usd_per_accelerator"; ///< of a fleet's costs
/// The price in the catalog of the licences for a fleet's node; nullptr where it has none.
[[nodiscard]] const CatalogRecord *licencePriceOf(const FleetDocument &fleet, const Catalog &catalog);

/// Refused as check(OfferDocument), partOf() and resolve(FleetDocument); OutOfRange "valid_until" (expired), "lines"
/// (quantities that do not add up to the fleet's nodes); UnknownReference "currency" (no rate in the catalog);
/// UnsupportedValue "fleet.costs.<entry>" (a price that the offer itself states), "support_years" (other than the
/// quantity of the line).
[[nodiscard]] Expected<NormalOffer> normalise(
    const OfferDocument &offer, const Catalog &catalog, const OfferScope &scope = {});

} // namespace fleetwright
