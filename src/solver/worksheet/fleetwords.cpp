// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleettables.h"

#include "units/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

namespace fleetwright {

namespace {

std::string dollars(double value) { return units::threeDigits(value) + " USD"; }

std::string between(const SheetRange &range, const std::function<std::string(double)> &text)
{
    return text(range.likely)
        + (range.low < range.high ? " (" + text(range.low) + " to " + text(range.high) + ")" : std::string());
}

} // namespace

std::vector<std::string> buyOrRentInWords(const Fleet &fleet, const CostSheet &sheet)
{
    const auto owned = sheet.range("levelised_nominal_usd"), rented = sheet.range("rent_usd_per_hour");
    for (const std::string_view key : {"levelised_nominal_usd", "rent_usd_per_hour"})
        if (auto reason = sheet.reasonFor(key); !reason.empty())
            return {std::move(reason)};
    const auto &costs = fleet->costs;
    const auto years = units::asTyped(sheet.value("life_years").value_or(0));
    std::vector<std::string> sentences{"An accelerator-hour costs " + between(*owned, dollars) + " owned for " + years
        + " years, and " + between(*rented, dollars) + " rented " + std::string(words(costs.rentTerm))
        + (costs.rentVendor.empty() ? "" : " from " + costs.rentVendor) + "."};
    if (const auto use = sheet.range("breakeven_utilisation"))
        sentences.push_back(use->likely <= 1
                ? "Owning costs less than renting the hours in use alone from a utilisation of "
                    + between(*use, units::formatPercent) + " on."
                : "Renting the hours in use alone costs less than owning at any utilisation: the break-even would be "
                    + between(*use, units::formatPercent) + ".");
    if (const auto rent = sheet.range("breakeven_rent_usd"))
        sentences.push_back(
            "Rented all year, owning costs less where an hour costs more than " + between(*rent, dollars) + ".");
    const auto month = sheet.value("crossing_month");
    sentences.push_back(month
            ? "Owning has cost no more than renting all year from month " + units::asTyped(*month)
                + " on, in present value."
            : "Over " + years + " years owning stays dearer than renting all year, in present value.");
    return sentences;
}

Expected<int> mostNodesWithin(const Fleet &fleet, Watts contract)
{
    if (!(contract.value() > 0) || !std::isfinite(contract.value()))
        return refuse(ErrorCode::OutOfRange, "contract", "The contracted power must be greater than 0.");
    Expected<void> refused;
    const auto fits = [&](int nodes) {
        FleetFacts facts = *fleet;
        facts.nodeCount = nodes;
        const auto sized = Fleet::create(std::move(facts));
        const auto sheet = sized ? fleetCost(*sized) : Expected<CostSheet>(std::unexpected(sized.error()));
        if (!sheet) {
            refused = std::unexpected(sheet.error());
            return false;
        }
        const auto peak = sheet->value("facility_peak_w");
        if (!peak)
            refused = refuse(ErrorCode::MissingField, "facility_peak_w", sheet->reasonFor("facility_peak_w"));
        return peak && *peak <= contract.value();
    };
    int fitting = 0, beyond = 1;
    while (beyond <= mostNodes && refused && fits(beyond)) {
        fitting = beyond;
        beyond = beyond == mostNodes ? mostNodes + 1 : std::min(2 * beyond, mostNodes);
    }
    while (refused && beyond - fitting > 1) {
        const int middle = fitting + (beyond - fitting) / 2;
        (fits(middle) ? fitting : beyond) = middle;
    }
    if (!refused)
        return std::unexpected(refused.error());
    return fitting;
}

std::string centsText(double value)
{
    constexpr double inFull = 1e13; // a double has no cents beyond
    if (!(std::abs(value) < inFull))
        return units::threeDigits(value);
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%.2f", std::abs(value));
    std::string text = digits.data();
    constexpr std::size_t group = 3, decimals = 3;
    for (std::size_t place = text.size() - decimals; place > group;) {
        place -= group;
        text.insert(place, "\u202f"); // a narrow gap, as units::format() writes it
    }
    return value < 0 && text.find_first_of("123456789") != std::string::npos ? "-" + text : text;
}

std::string valueText(double value, std::string_view unit)
{
    struct Known {
        std::string_view unit;
        units::Dimension dimension;
        double factor;
    };
    constexpr double kilowattHours = 3.6e6;
    static constexpr auto known = std::to_array<Known>({{"W", units::Dimension::Power, 1},
        {"USD", units::Dimension::Money, 1}, {"kWh", units::Dimension::Energy, kilowattHours},
        {"kgCO2e", units::Dimension::Carbon, 1}, {"s", units::Dimension::Time, 1}});
    if (const auto found = std::ranges::find(known, unit, &Known::unit); found != known.end())
        return units::format(value * found->factor, found->dimension);
    if (unit.starts_with("W/"))
        return units::format(value, units::Dimension::Power) + std::string(unit.substr(1));
    const bool whole = value == std::round(value);
    constexpr double writtenOut = 1e15;
    auto text = whole && std::abs(value) < writtenOut ? units::format(value, units::Dimension::Number)
                                                      : units::threeDigits(value);
    if (unit.empty())
        return text;
    constexpr auto counted = std::to_array<std::string_view>(
        {"year", "month", "day", "node", "switch", "accelerator", "transceiver"});
    text += " " + std::string(unit);
    if (value != 1 && std::ranges::find(counted, unit) != counted.end())
        text += unit == "switch" ? "es" : "s";
    return text;
}

} // namespace fleetwright
