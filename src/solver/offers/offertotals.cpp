// SPDX-License-Identifier: GPL-3.0-or-later
// What one offer costs and adds up to.
#include "solver/offers/offercomparison.h"

namespace fleetwright {

Expected<ComparedOffer> pricedOffer(const OfferDocument &offer, const Catalog &catalog, const OfferScope &scope)
{
    auto normal = normalise(offer, catalog, scope);
    if (!normal)
        return std::unexpected(std::move(normal.error()));
    const auto fleet = resolve(normal->fleet, catalog);
    if (!fleet)
        return std::unexpected(fleet.error());
    auto costs = fleetCost(*fleet);
    if (!costs)
        return std::unexpected(std::move(costs.error()));
    const std::string_view total = offer.rent ? "rent_present_usd" : "present_cost_usd";
    const auto present = costs->value(total);
    if (!present)
        return refuse(ErrorCode::MissingField, "fleet.costs", costs->reasonFor(total));
    return ComparedOffer{offer, std::move(*normal), std::make_shared<const CostSheet>(std::move(*costs)), *present};
}

OfferTotals totalsOf(const ComparedOffer &offer)
{
    const auto of = [&](std::string_view key) { return offer.costs->value(key).value_or(0); };
    OfferTotals totals{.presentCost_usd = offer.presentCost_usd, .years = of("life_years")};
    if (offer.offer.rent) {
        totals.rentYear_usd = of("rent_usd_per_year");
        return totals;
    }
    totals.lines_usd = linesTotal(offer.offer) / offer.normal.unitsPerUsd;
    for (const auto &mark : offer.normal.marks)
        (isYearly(mark) ? totals.addedYear_usd : totals.added_usd) += mark.usd;
    totals.contingency_usd = of("contingency_usd");
    totals.facility_usd = of("facility_usd");
    totals.owned_usd = of("owned_usd");
    totals.capital_usd = of("capital_usd");
    // Every other line of the capital is priced by the offer, by a mark, or by what the buyer stated.
    totals.buyers_usd = totals.capital_usd - totals.lines_usd - totals.added_usd - totals.contingency_usd
        - totals.facility_usd - totals.owned_usd;
    return totals;
}

Expected<OfferTotals> totalsOf(const OfferDocument &offer, const Catalog &catalog, const OfferScope &scope)
{
    const auto priced = pricedOffer(offer, catalog, scope);
    return priced ? Expected<OfferTotals>(totalsOf(*priced)) : std::unexpected(priced.error());
}

} // namespace fleetwright
