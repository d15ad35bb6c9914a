// SPDX-License-Identifier: GPL-3.0-or-later
#include "units/unitsymbol.h"

#include <array>
#include <utility>

namespace fleetwright::units {

namespace {
constexpr double kib = 1024.0;
constexpr double mib = kib * 1024.0;
constexpr double gib = mib * 1024.0;
constexpr double tib = gib * 1024.0;
constexpr double kilowattHourInJoules = 3.6e6;
constexpr double dayInSeconds = 86400.0;
constexpr double yearInSeconds = 365.0 * dayInSeconds;

// The first entry of a dimension is its base unit.
constexpr auto symbols = std::to_array<UnitSymbol>({
    {"", Dimension::Number, 1.0},
    {"k", Dimension::Number, 1e3},
    {"M", Dimension::Number, 1e6},
    {"G", Dimension::Number, 1e9},
    {"B", Dimension::Number, 1e9},
    {"T", Dimension::Number, 1e12},
    {"", Dimension::Fraction, 1.0},
    {"%", Dimension::Fraction, 0.01},
    {"B", Dimension::Information, 1.0},
    {"kB", Dimension::Information, 1e3},
    {"MB", Dimension::Information, 1e6},
    {"GB", Dimension::Information, 1e9},
    {"TB", Dimension::Information, 1e12},
    {"PB", Dimension::Information, 1e15},
    {"EB", Dimension::Information, 1e18},
    {"KiB", Dimension::Information, kib},
    {"MiB", Dimension::Information, mib},
    {"GiB", Dimension::Information, gib},
    {"TiB", Dimension::Information, tib},
    {"FLOP", Dimension::Computation, 1.0},
    {"kFLOP", Dimension::Computation, 1e3},
    {"MFLOP", Dimension::Computation, 1e6},
    {"GFLOP", Dimension::Computation, 1e9},
    {"TFLOP", Dimension::Computation, 1e12},
    {"PFLOP", Dimension::Computation, 1e15},
    {"EFLOP", Dimension::Computation, 1e18},
    {"ZFLOP", Dimension::Computation, 1e21},
    {"YFLOP", Dimension::Computation, 1e24},
    {"s", Dimension::Time, 1.0},
    {"ns", Dimension::Time, 1e-9},
    {"\u00b5s", Dimension::Time, 1e-6},
    {"us", Dimension::Time, 1e-6},
    {"\u03bcs", Dimension::Time, 1e-6},
    {"ms", Dimension::Time, 1e-3},
    {"min", Dimension::Time, 60.0},
    {"h", Dimension::Time, 3600.0},
    {"d", Dimension::Time, dayInSeconds},
    {"day", Dimension::Time, dayInSeconds},
    {"days", Dimension::Time, dayInSeconds},
    {"week", Dimension::Time, 7 * dayInSeconds},
    {"weeks", Dimension::Time, 7 * dayInSeconds},
    {"month", Dimension::Time, yearInSeconds / 12},
    {"months", Dimension::Time, yearInSeconds / 12},
    {"year", Dimension::Time, yearInSeconds},
    {"years", Dimension::Time, yearInSeconds},
    {"J", Dimension::Energy, 1.0},
    {"kJ", Dimension::Energy, 1e3},
    {"MJ", Dimension::Energy, 1e6},
    {"Wh", Dimension::Energy, 3600.0},
    {"kWh", Dimension::Energy, kilowattHourInJoules},
    {"MWh", Dimension::Energy, 3.6e9},
    {"GWh", Dimension::Energy, 3.6e12},
    {"TWh", Dimension::Energy, 3.6e15},
    {"USD", Dimension::Money, 1.0},
    {"$", Dimension::Money, 1.0},
    {"kUSD", Dimension::Money, 1e3},
    {"MUSD", Dimension::Money, 1e6},
    {"BUSD", Dimension::Money, 1e9},
    {"kgCO2e", Dimension::Carbon, 1.0},
    {"gCO2e", Dimension::Carbon, 1e-3},
    {"tCO2e", Dimension::Carbon, 1e3},
    {"ktCO2e", Dimension::Carbon, 1e6},
    {"MtCO2e", Dimension::Carbon, 1e9},
    {"L", Dimension::Water, 1.0},
    {"m\u00b3", Dimension::Water, 1e3},
    {"m3", Dimension::Water, 1e3},
    {"ML", Dimension::Water, 1e6},
    {"GL", Dimension::Water, 1e9},
    {"B/s", Dimension::Bandwidth, 1.0},
    {"kB/s", Dimension::Bandwidth, 1e3},
    {"MB/s", Dimension::Bandwidth, 1e6},
    {"GB/s", Dimension::Bandwidth, 1e9},
    {"TB/s", Dimension::Bandwidth, 1e12},
    {"PB/s", Dimension::Bandwidth, 1e15},
    {"EB/s", Dimension::Bandwidth, 1e18},
    {"GiB/s", Dimension::Bandwidth, gib},
    {"TiB/s", Dimension::Bandwidth, tib},
    {"b/s", Dimension::Bandwidth, 1.0 / 8.0},
    {"kb/s", Dimension::Bandwidth, 1e3 / 8.0},
    {"Mb/s", Dimension::Bandwidth, 1e6 / 8.0},
    {"Gb/s", Dimension::Bandwidth, 1e9 / 8.0},
    {"Tb/s", Dimension::Bandwidth, 1e12 / 8.0},
    {"Mbit/s", Dimension::Bandwidth, 1e6 / 8.0},
    {"Gbit/s", Dimension::Bandwidth, 1e9 / 8.0},
    {"Tbit/s", Dimension::Bandwidth, 1e12 / 8.0},
    {"FLOP/s", Dimension::ComputeRate, 1.0},
    {"kFLOP/s", Dimension::ComputeRate, 1e3},
    {"MFLOP/s", Dimension::ComputeRate, 1e6},
    {"GFLOP/s", Dimension::ComputeRate, 1e9},
    {"TFLOP/s", Dimension::ComputeRate, 1e12},
    {"PFLOP/s", Dimension::ComputeRate, 1e15},
    {"EFLOP/s", Dimension::ComputeRate, 1e18},
    {"ZFLOP/s", Dimension::ComputeRate, 1e21},
    {"W", Dimension::Power, 1.0},
    {"mW", Dimension::Power, 1e-3},
    {"kW", Dimension::Power, 1e3},
    {"MW", Dimension::Power, 1e6},
    {"GW", Dimension::Power, 1e9},
    {"FLOP/B", Dimension::Intensity, 1.0},
    {"kFLOP/B", Dimension::Intensity, 1e3},
    {"MFLOP/B", Dimension::Intensity, 1e6},
    {"GFLOP/B", Dimension::Intensity, 1e9},
    {"USD/s", Dimension::MoneyRate, 1.0},
    {"USD/h", Dimension::MoneyRate, 1.0 / 3600.0},
    {"kUSD/h", Dimension::MoneyRate, 1e3 / 3600.0},
    {"MUSD/h", Dimension::MoneyRate, 1e6 / 3600.0},
    {"USD/J", Dimension::EnergyPrice, 1.0},
    {"USD/kWh", Dimension::EnergyPrice, 1.0 / kilowattHourInJoules},
    {"USD/MWh", Dimension::EnergyPrice, 1.0 / 3.6e9},
    {"kgCO2e/J", Dimension::CarbonIntensity, 1.0},
    {"gCO2e/kWh", Dimension::CarbonIntensity, 1e-3 / kilowattHourInJoules},
    {"kgCO2e/kWh", Dimension::CarbonIntensity, 1.0 / kilowattHourInJoules},
    {"L/J", Dimension::WaterIntensity, 1.0},
    {"L/kWh", Dimension::WaterIntensity, 1.0 / kilowattHourInJoules},
});
} // namespace

std::span<const UnitSymbol> unitSymbols() { return symbols; }

std::optional<UnitSymbol> findUnit(std::string_view symbol, Dimension dimension)
{
    for (const auto &entry : symbols)
        if (entry.dimension == dimension && entry.symbol == symbol)
            return entry;
    return std::nullopt;
}

std::optional<UnitSymbol> findUnit(std::string_view symbol)
{
    for (const auto &entry : symbols)
        if (entry.symbol == symbol && (entry.dimension != Dimension::Number || symbol.empty()))
            return entry;
    return std::nullopt;
}

std::string_view shownSymbol(std::string_view symbol)
{
    static constexpr auto shown = std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"us", "\u00b5s"}, {"\u03bcs", "\u00b5s"}, {"m3", "m\u00b3"}, {"day", "days"}, {"week", "weeks"},
            {"month", "months"}, {"year", "years"}});
    for (const auto &[typed, read] : shown)
        if (symbol == typed)
            return read;
    return symbol;
}

std::string_view baseSymbol(Dimension dimension)
{
    for (const auto &entry : symbols)
        if (entry.dimension == dimension)
            return entry.symbol;
    return {};
}

} // namespace fleetwright::units
