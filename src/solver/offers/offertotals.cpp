// SPDX-License-Identifier: GPL-3.0-or-later
// What one offer costs and adds up to, and how the figures of a comparison are written.
#include "solver/offers/offercomparison.h"

#include "units/format.h"

#include <algorithm>
#include <cmath>

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

namespace {

/// A number of a row with its unit; money in `money`, or each amount in its own.
std::string amountOf(const OfferRow &row, double value, const units::UnitSymbol *money)
{
    if (row.unit == "USD" && money)
        return units::formatInColumn(value, *money) + " " + std::string(units::shownSymbol(money->symbol));
    if (row.unit == "USD")
        return units::format(value, units::Dimension::Money);
    if (row.unit == "W")
        return units::format(value, units::Dimension::Power);
    if (row.unit == "USD/(accelerator h)")
        return units::threeDigits(value) + " USD/h";
    if (row.unit == "nodes" || row.unit == "accelerators") // which are counted
        return units::format(value, units::Dimension::Number) + " " + row.unit;
    return units::threeDigits(value) + " " + row.unit;
}

/// With the sign that words have, too.
std::string signedAmountOf(const OfferRow &row, double value, const units::UnitSymbol *money)
{
    return (value < 0 ? "\u2212" : "") + amountOf(row, std::abs(value), money);
}

std::string cellText(const OfferRow &row, const OfferCell &cell, const units::UnitSymbol *money)
{
    if (cell.from == OfferCell::From::Included && cell.value.value_or(0) == 0)
        return "included";
    if (!cell.value)
        return cell.text.empty() ? "\u2013" : cell.text;
    return signedAmountOf(row, *cell.value, money) + (cell.from == OfferCell::From::Added ? " *" : "");
}

} // namespace

std::string textOf(const OfferRow &row, const OfferCell &cell) { return cellText(row, cell, nullptr); }

std::string textOf(const OfferRow &row, const OfferCell &cell, const units::UnitSymbol &money)
{
    return cellText(row, cell, &money);
}

std::string differenceOf(const OfferRow &row, std::size_t offer, const units::UnitSymbol &money)
{
    const auto &base = row.cells.front().value, &now = row.cells.at(offer).value;
    if (!base || !now)
        return {};
    const double by = *now - *base;
    return by == 0 ? "same" : (by > 0 ? "+" : "") + signedAmountOf(row, by, &money);
}

units::UnitSymbol moneyUnitOf(const OfferComparison &comparison)
{
    double largest = 0;
    for (const auto &row : comparison.rows)
        for (const auto &cell : row.cells)
            if (row.unit == "USD" && cell.value)
                largest = std::max(largest, std::abs(*cell.value));
    return units::unitFor(largest, units::Dimension::Money);
}

} // namespace fleetwright
