// SPDX-License-Identifier: GPL-3.0-or-later
#include "units/format.h"

#include "units/grouping.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace fleetwright::units {

namespace {

std::string printed(double value, int decimals)
{
    std::array<char, 400> buffer{};
    const auto result = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return {buffer.data(), result.ptr};
}

std::string notFinite(double value)
{
    if (std::isnan(value))
        return "not a number";
    return value > 0 ? "infinite" : "-infinite";
}

/// What the value becomes once it is rounded to three significant digits, so that 999.96 takes the next prefix.
double rounded(double value)
{
    if (value == 0.0)
        return 0.0;
    const double scale = std::pow(10.0, 2 - std::floor(std::log10(std::abs(value))));
    return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

/// A unit and the smallest value, in base units, that is shown in it.
struct Step {
    Dimension dimension;
    std::string_view symbol;
    double from = 0;
};

// Smallest first within a dimension. A unit begins where its number reaches one, later where people go on counting in
// the smaller unit (hours up to two days, dollars up to ten thousand).
constexpr double day = 86400;
constexpr auto steps = std::to_array<Step>({
    {Dimension::Fraction, "%", 0},
    {Dimension::Information, "B", 0},
    {Dimension::Information, "kB", 1e3},
    {Dimension::Information, "MB", 1e6},
    {Dimension::Information, "GB", 1e9},
    {Dimension::Information, "TB", 1e12},
    {Dimension::Information, "PB", 1e15},
    {Dimension::Information, "EB", 1e18},
    {Dimension::Computation, "FLOP", 0},
    {Dimension::Computation, "kFLOP", 1e3},
    {Dimension::Computation, "MFLOP", 1e6},
    {Dimension::Computation, "GFLOP", 1e9},
    {Dimension::Computation, "TFLOP", 1e12},
    {Dimension::Computation, "PFLOP", 1e15},
    {Dimension::Computation, "EFLOP", 1e18},
    {Dimension::Computation, "ZFLOP", 1e21},
    {Dimension::Computation, "YFLOP", 1e24},
    {Dimension::Time, "ns", 0},
    {Dimension::Time, "\u00b5s", 1e-6},
    {Dimension::Time, "ms", 1e-3},
    {Dimension::Time, "s", 1},
    {Dimension::Time, "min", 120},
    {Dimension::Time, "h", 7200},
    {Dimension::Time, "days", 2 * day},
    {Dimension::Time, "years", 1000 * day},
    {Dimension::Energy, "J", 0},
    {Dimension::Energy, "kJ", 1e3},
    {Dimension::Energy, "kWh", 3.6e6},
    {Dimension::Energy, "MWh", 3.6e9},
    {Dimension::Energy, "GWh", 3.6e12},
    {Dimension::Energy, "TWh", 3.6e15},
    {Dimension::Money, "USD", 0},
    {Dimension::Money, "kUSD", 1e4},
    {Dimension::Money, "MUSD", 1e6},
    {Dimension::Money, "BUSD", 1e9},
    {Dimension::Carbon, "gCO2e", 0},
    {Dimension::Carbon, "kgCO2e", 1},
    {Dimension::Carbon, "tCO2e", 1e3},
    {Dimension::Carbon, "ktCO2e", 1e7},
    {Dimension::Carbon, "MtCO2e", 1e10},
    {Dimension::Water, "L", 0},
    {Dimension::Water, "m\u00b3", 1e3},
    {Dimension::Water, "ML", 1e7},
    {Dimension::Water, "GL", 1e10},
    {Dimension::Bandwidth, "B/s", 0},
    {Dimension::Bandwidth, "kB/s", 1e3},
    {Dimension::Bandwidth, "MB/s", 1e6},
    {Dimension::Bandwidth, "GB/s", 1e9},
    {Dimension::Bandwidth, "TB/s", 1e12},
    {Dimension::Bandwidth, "PB/s", 1e15},
    {Dimension::Bandwidth, "EB/s", 1e18},
    {Dimension::ComputeRate, "FLOP/s", 0},
    {Dimension::ComputeRate, "kFLOP/s", 1e3},
    {Dimension::ComputeRate, "MFLOP/s", 1e6},
    {Dimension::ComputeRate, "GFLOP/s", 1e9},
    {Dimension::ComputeRate, "TFLOP/s", 1e12},
    {Dimension::ComputeRate, "PFLOP/s", 1e15},
    {Dimension::ComputeRate, "EFLOP/s", 1e18},
    {Dimension::ComputeRate, "ZFLOP/s", 1e21},
    {Dimension::Power, "mW", 0},
    {Dimension::Power, "W", 1},
    {Dimension::Power, "kW", 1e3},
    {Dimension::Power, "MW", 1e6},
    {Dimension::Power, "GW", 1e9},
    {Dimension::Intensity, "FLOP/B", 0},
    {Dimension::Intensity, "kFLOP/B", 1e3},
    {Dimension::Intensity, "MFLOP/B", 1e6},
    {Dimension::Intensity, "GFLOP/B", 1e9},
    {Dimension::MoneyRate, "USD/h", 0},
    {Dimension::MoneyRate, "kUSD/h", 1e4 / 3600},
    {Dimension::MoneyRate, "MUSD/h", 1e6 / 3600},
    {Dimension::EnergyPrice, "USD/kWh", 0},
    {Dimension::CarbonIntensity, "gCO2e/kWh", 0},
    {Dimension::WaterIntensity, "L/kWh", 0},
});

UnitSymbol unitOf(std::string_view symbol, Dimension dimension)
{
    return findUnit(symbol, dimension).value_or(UnitSymbol{symbol, dimension, 1});
}

/// Whether people read the number without counting zeros.
bool isReadable(double number)
{
    const double size = std::abs(rounded(number));
    return size == 0.0 || (size >= 1e-3 && size < 1e4);
}

std::string scientific(double value)
{
    std::array<char, 64> buffer{};
    const auto result = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 2);
    return {buffer.data(), result.ptr};
}

std::string withSymbol(std::string number, std::string_view symbol)
{
    return symbol.empty() ? number : number.append("\u00a0").append(shownSymbol(symbol));
}

std::string written(double value, const UnitSymbol &unit)
{
    const double number = value / unit.factor;
    return withSymbol(isReadable(number) ? threeDigits(number) : scientific(number), unit.symbol);
}

/// In the last of the units, smallest first, in which the number is not less than one.
std::string prefixed(double value, Dimension dimension, std::initializer_list<std::string_view> symbols)
{
    auto unit = unitOf(*symbols.begin(), dimension);
    for (const auto symbol : symbols)
        if (const auto next = unitOf(symbol, dimension); rounded(std::abs(value) / next.factor) >= 1)
            unit = next;
    return written(value, unit);
}

std::string formatCount(double value)
{
    if (std::abs(value) < 1e6 && value == std::round(value))
        return grouped(printed(value, 0));
    if (std::abs(rounded(value)) >= 1e4 && std::abs(rounded(value)) < 1e6)
        return written(value, unitOf("k", Dimension::Number));
    return prefixed(value, Dimension::Number, {"", "M", "B", "T"});
}

} // namespace

std::string grouped(const std::string &digits)
{
    const auto start = digits.starts_with('-') ? 1UZ : 0UZ;
    auto point = digits.find('.');
    if (point == std::string::npos)
        point = digits.size();
    if (point - start <= 4)
        return digits;
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > start && i < point && (point - i) % 3 == 0)
            out += "\u202f"; // narrow no-break space
        out += digits[i];
    }
    return out;
}

std::string threeDigits(double value)
{
    if (!std::isfinite(value))
        return notFinite(value);
    if (value == 0.0)
        return "0";
    const double size = std::abs(rounded(value));
    if (size < 1e-4 || size >= 1e15)
        return scientific(value);
    const int exponent = int(std::floor(std::log10(size)));
    return grouped(printed(rounded(value), std::max(0, 2 - exponent)));
}

std::string exact(double value)
{
    if (!std::isfinite(value))
        return notFinite(value);
    std::array<char, 64> buffer{};
    char *const last = buffer.data() + buffer.size();
    const bool plainCount = value == std::round(value) && std::abs(value) < 1e15; // 1000000 rather than 1e+06
    const auto result = plainCount ? std::to_chars(buffer.data(), last, value, std::chars_format::fixed)
                                   : std::to_chars(buffer.data(), last, value);
    return {buffer.data(), result.ptr};
}

UnitSymbol unitFor(double largest, Dimension dimension)
{
    UnitSymbol unit{{}, dimension, 1};
    bool first = true;
    for (const auto &step : steps) {
        if (step.dimension != dimension)
            continue;
        const auto next = unitOf(step.symbol, dimension);
        // In the unit's own number, so that 999.96 takes the next prefix. Zero is zero of the base unit.
        const bool reached = largest == 0.0 || !std::isfinite(largest)
            ? next.factor <= 1.0
            : rounded(std::abs(largest) / next.factor) >= step.from / next.factor;
        if (first || reached)
            unit = next;
        first = false;
    }
    return unit;
}

std::string format(double value, Dimension dimension)
{
    if (!std::isfinite(value))
        return notFinite(value);
    return dimension == Dimension::Number ? formatCount(value) : written(value, unitFor(value, dimension));
}

std::string formatInColumn(double value, const UnitSymbol &unit)
{
    if (unit.dimension == Dimension::Number)
        return format(value, unit.dimension);
    const double number = value / unit.factor;
    return std::isfinite(value) && isReadable(number) ? threeDigits(number) : format(value, unit.dimension);
}

std::string asTyped(double value, std::string_view symbol)
{
    if (!std::isfinite(value))
        return notFinite(value);
    constexpr int digits = 6; // more than anybody typed, fewer than conversions leave behind
    std::array<char, 64> buffer{};
    const auto result = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
    double shorter = value;
    std::from_chars(buffer.data(), result.ptr, shorter);
    const bool whole = value == std::round(value) && std::abs(value) < 1e15;
    return withSymbol(exact(whole ? value : shorter), symbol);
}

std::string formatBits(Bandwidth rate)
{
    return std::isfinite(rate.value())
        ? prefixed(rate.value(), Dimension::Bandwidth, {"b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"})
        : notFinite(rate.value());
}

std::string formatPercent(double share)
{
    constexpr double least = 1e-5; // of which a per cent still reads as a number of digits
    return share > 0 && share < least ? "< " + format(least, Dimension::Fraction) : format(share, Dimension::Fraction);
}

std::string counted(double count, std::string_view one, std::string_view many)
{
    return format(count, Dimension::Number) + " " + std::string(count == 1 ? one : many);
}

} // namespace fleetwright::units
