// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleettables.h"

#include "solver/worksheet/notcounted.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fleetwright {

namespace {

/// Units whose prefix follows the size of the value.
struct ScaledUnit {
    std::string_view unit;
    units::Dimension dimension;
    double factor; ///< base units in one
    bool perItem; ///< also per node, per accelerator...
};
const std::string gap = "\u00a0"; // no line ends between a number and its unit
constexpr double kilowattHours = 3.6e6;
constexpr auto scaledUnits = std::to_array<ScaledUnit>({{"W", units::Dimension::Power, 1, true},
    {"USD", units::Dimension::Money, 1, false}, {"kWh", units::Dimension::Energy, kilowattHours, false},
    {"kgCO2e", units::Dimension::Carbon, 1, false}, {"s", units::Dimension::Time, 1, false}});

std::string hourly(const SheetRange &range)
{
    const auto texts = rangeTexts(range, {});
    return texts.likely + " USD" + (texts.low.empty() ? "" : " (" + texts.low + " to " + texts.high + ")");
}

std::string shareText(const SheetRange &range)
{
    return units::formatPercent(range.likely)
        + (range.low < range.high
                ? " (" + units::formatPercent(range.low) + " to " + units::formatPercent(range.high) + ")"
                : "");
}

} // namespace

std::string rentInWords(const Fleet &fleet)
{
    const auto &costs = fleet->costs;
    const auto *rent = costs.find("rent_usd_per_hour");
    if (!rent || !rent->isPrice)
        return "at the price that was entered";
    return std::string(words(costs.rentTerm)) + (costs.rentVendor.empty() ? "" : " from " + costs.rentVendor);
}

std::vector<std::string> buyOrRentInWords(const Fleet &fleet, const CostSheet &sheet)
{
    const auto owned = sheet.range("levelised_nominal_usd"), rented = sheet.range("rent_usd_per_hour");
    for (const std::string_view key : {"levelised_nominal_usd", "rent_usd_per_hour"})
        if (auto reason = sheet.reasonFor(key); !reason.empty())
            return {std::move(reason)};
    const auto &costs = fleet->costs;
    const auto life = sheet.value("life_years").value_or(0);
    const auto years = units::asTyped(life) + (life == 1 ? " year" : " years");
    const auto *rent = costs.find("rent_usd_per_hour");
    const bool isQuoted = rent && rent->isPrice; // by the fleet's rent term and vendor
    // The range of the quotes that the likely one is the median of is another thing than that of eight draws in ten.
    const auto prices = rangeTexts(*rented, {});
    std::vector<std::string> sentences{isQuoted && !prices.low.empty()
            ? "An accelerator-hour costs " + hourly(*owned) + " owned for " + years + ", and " + prices.likely
                + " USD rented " + rentInWords(fleet) + " (quotes from " + prices.low + " to " + prices.high + ")."
            : "An accelerator-hour costs " + hourly(*owned) + " owned for " + years + ", and " + hourly(*rented)
                + " rented " + rentInWords(fleet) + "."};
    const bool isReserved = isQuoted && yearsOf(costs.rentTerm) > 0; // and paid for whether it is used or not
    if (const auto use = sheet.range("breakeven_utilisation"); use && !isReserved)
        sentences.push_back(use->likely <= 1
                ? "Owning costs less than renting the hours in use alone from a utilisation of " + shareText(*use)
                    + " on."
                : (use->low < 1 ? "At likely prices renting" : "Renting")
                    + std::string(" the hours in use alone costs less than owning at any utilisation: the break-even "
                                  "would be ")
                    + shareText(*use) + ".");
    const double reserved = sheet.value("reserved_share").value_or(1);
    const auto renting = reserved < 1 ? "renting " + units::formatPercent(reserved) + " of the year"
                                      : std::string("renting all year");
    if (const auto price = sheet.range("breakeven_rent_usd"))
        sentences.push_back(price->likely > 0
                ? "Against " + renting + ", owning costs less where an hour costs more than " + hourly(*price) + "."
                : "Against " + renting
                    + ", owning costs less at any price of an hour: the extras of renting alone "
                      "cost more.");
    const auto month = sheet.value("crossing_month");
    const auto thatRent = renting + ", " + rentInWords(fleet);
    const auto months = std::size_t(std::llround(life * 12));
    const auto own = sheet.value("own_by_month_usd", months), rental = sheet.value("rent_by_month_usd", months);
    const bool staysAhead = own && rental && *own <= *rental;
    if (!month)
        sentences.push_back("Over " + years + " owning stays dearer than " + thatRent
            + ", in present value of what is paid by the month.");
    else
        sentences.push_back(staysAhead ? "From month " + units::asTyped(*month) + " on, owning has cost less than "
                    + thatRent + ", in present value of what is paid by the month."
                                       : "From month " + units::asTyped(*month) + " owning has cost less than "
                    + thatRent + " for a time; at the end of its " + years
                    + " it has cost more again, in present value of what is paid by the month.");
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
            const bool isTooLarge = sheet.error().code == ErrorCode::OutOfRange && sheet.error().field == "nodes";
            if (!isTooLarge) // beyond the reach of the network: no fleet that fits
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
    const auto texts = rangeTexts({value, value, value}, unit);
    return texts.unit.empty() ? texts.likely : texts.likely + gap + texts.unit;
}

RangeTexts rangeTexts(const SheetRange &range, std::string_view unit, std::optional<double> largestOfTable)
{
    const auto written = [&](const auto &text, std::string symbol) {
        const bool ranged = range.low < range.high;
        const auto end = [&](double value) {
            return !ranged ? std::string() : std::isinf(value) ? std::string("never") : text(value);
        };
        return RangeTexts{end(range.low), text(range.likely), end(range.high), std::move(symbol)};
    };
    for (const auto &known : scaledUnits) {
        const auto rest = unit.substr(std::min(unit.size(), known.unit.size()));
        const bool isOfTable = largestOfTable && known.dimension == units::Dimension::Money;
        if (!unit.starts_with(known.unit) || !(rest.empty() || ((known.perItem || isOfTable) && rest.starts_with('/'))))
            continue;
        double largest = std::abs(range.likely);
        for (const double end : {range.low, range.high})
            if (std::isfinite(end))
                largest = std::max(largest, std::abs(end));
        if (isOfTable)
            largest = *largestOfTable;
        const auto shown = units::unitFor(largest * known.factor, known.dimension);
        return written([&](double value) { return units::formatInColumn(value * known.factor, shown); },
            std::string(units::shownSymbol(shown.symbol)) + std::string(rest));
    }
    constexpr auto counted = std::to_array<std::string_view>(
        {"year", "month", "week", "day", "node", "switch", "accelerator", "transceiver"});
    std::string symbol(unit);
    if (range.likely != 1 && std::ranges::find(counted, unit) != counted.end())
        symbol += unit == "switch" ? "es" : "s";
    constexpr double writtenOut = 1e15;
    return written(
        [isRate = unit == "USD/(accelerator h)"](double value) { // beside rates with cents
            return !isRate && value == std::round(value) && std::abs(value) < writtenOut
                ? units::format(value, units::Dimension::Number)
                : units::threeDigits(value);
        },
        std::move(symbol));
}

namespace {

constexpr std::string_view atLeast = "\u2265 ";

std::string inOneLine(const RangeTexts &texts)
{
    return texts.likely + (texts.unit.empty() ? "" : gap + texts.unit)
        + (texts.low.empty() ? "" : " (" + texts.low + " to " + texts.high + ")");
}

} // namespace

std::string rangeText(const SheetRange &range, std::string_view unit) { return inOneLine(rangeTexts(range, unit)); }

RangeTexts rangeTexts(const FleetFigureLine &line, std::optional<double> largestOfTable)
{
    if (!line.isShare) {
        auto texts = rangeTexts(*line.value, line.unit, largestOfTable);
        if (line.isAtLeast)
            texts.likely = std::string(atLeast) + texts.likely;
        return texts;
    }
    constexpr double hundred = 100;
    const auto &[low, likely, high] = *line.value;
    auto texts = rangeTexts({low * hundred, likely * hundred, high * hundred}, {});
    texts.unit = "%";
    return texts;
}

std::string rangeText(const FleetFigureLine &line) { return inOneLine(rangeTexts(line)); }

std::string_view networkWithoutPower(const CostSheet &sheet)
{
    const auto &rows = sheet.sheet();
    const auto has = [&](std::string_view key) { return sheet.value(key).value_or(0) > 0; };
    if (!rows.flag("network_is_reachable"))
        return {};
    if (!rows.isEntered("switches"))
        return "The power of the network is not in the catalog.";
    const bool ofSwitches = has("switches") && !rows.isEntered("switch_w");
    const bool ofTransceivers = !rows.isEntered("transceiver_w") // which those in nodes are taken from
        && (has("transceivers") || (has("node_transceivers") && !rows.isEntered("node_transceiver_w")));
    if (ofSwitches && ofTransceivers)
        return "The power of the network\u2019s switches and transceivers is not in the catalog.";
    if (ofSwitches)
        return "The power of the network\u2019s switches is not in the catalog.";
    return ofTransceivers ? "The power of the network\u2019s transceivers is not in the catalog." : "";
}

bool isAtLeast(const CostSheet &sheet, std::string_view row)
{
    static constexpr auto ofPower = std::to_array<std::string_view>({"network_w", "other_it_w", "it_peak_w",
        "facility_peak_w", "facility_w_per_accelerator", "it_train_w", "facility_train_w", "it_idle_w",
        "facility_idle_w", "energy_kwh", "paid_kwh", "run_it_kwh", "run_kwh", "run_grid_kg", "run_water_l"});
    return std::ranges::find(ofPower, row) != ofPower.end() && !networkWithoutPower(sheet).empty();
}

} // namespace fleetwright
