// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/quantity.h"

#include <optional>
#include <span>
#include <string_view>

namespace fleetwright::units {

/// The kinds of quantity that people read and type. Number: a plain count or ratio without a unit.
enum class Dimension {
    Number,
    Fraction, ///< a share of one; shown and accepted in percent too
    Information,
    Computation,
    Time,
    Energy,
    Money,
    Carbon,
    Water,
    Bandwidth,
    ComputeRate,
    Power,
    Intensity, ///< FLOP per byte
    MoneyRate,
    EnergyPrice,
    CarbonIntensity,
    WaterIntensity
};

/// A symbol such as "GB/s", what it measures and how many base units (byte, FLOP, second, joule, USD, kgCO2e, litre) it
/// stands for.
struct UnitSymbol {
    std::string_view symbol;
    Dimension dimension;
    double factor;
};

/// All symbols that the program writes or accepts. Symbols are case-sensitive in the letter that tells bits from bytes.
[[nodiscard]] std::span<const UnitSymbol> unitSymbols();

/// The symbol's entry for the dimension, or nothing when the dimension has no such symbol.
[[nodiscard]] std::optional<UnitSymbol> findUnit(std::string_view symbol, Dimension dimension);

/// The symbol's entry whatever it measures; the empty symbol is Number.
[[nodiscard]] std::optional<UnitSymbol> findUnit(std::string_view symbol);

/// The symbol as people read it where it can be typed in ASCII too: "us" is "µs", "m3" is "m³".
[[nodiscard]] std::string_view shownSymbol(std::string_view symbol);

/// The symbol of the dimension's base unit: "B", "FLOP", "s", "B/s"...
[[nodiscard]] std::string_view baseSymbol(Dimension dimension);

template <class Q> struct DimensionOf;
template <> struct DimensionOf<Bytes> {
    static constexpr Dimension value = Dimension::Information;
};
template <> struct DimensionOf<Flops> {
    static constexpr Dimension value = Dimension::Computation;
};
template <> struct DimensionOf<Seconds> {
    static constexpr Dimension value = Dimension::Time;
};
template <> struct DimensionOf<Joules> {
    static constexpr Dimension value = Dimension::Energy;
};
template <> struct DimensionOf<Dollars> {
    static constexpr Dimension value = Dimension::Money;
};
template <> struct DimensionOf<KilogramsCo2e> {
    static constexpr Dimension value = Dimension::Carbon;
};
template <> struct DimensionOf<Litres> {
    static constexpr Dimension value = Dimension::Water;
};
template <> struct DimensionOf<Bandwidth> {
    static constexpr Dimension value = Dimension::Bandwidth;
};
template <> struct DimensionOf<FlopRate> {
    static constexpr Dimension value = Dimension::ComputeRate;
};
template <> struct DimensionOf<Watts> {
    static constexpr Dimension value = Dimension::Power;
};
template <> struct DimensionOf<ArithmeticIntensity> {
    static constexpr Dimension value = Dimension::Intensity;
};
template <> struct DimensionOf<DollarRate> {
    static constexpr Dimension value = Dimension::MoneyRate;
};
template <> struct DimensionOf<EnergyPrice> {
    static constexpr Dimension value = Dimension::EnergyPrice;
};
template <> struct DimensionOf<CarbonIntensity> {
    static constexpr Dimension value = Dimension::CarbonIntensity;
};
template <> struct DimensionOf<WaterIntensity> {
    static constexpr Dimension value = Dimension::WaterIntensity;
};

} // namespace fleetwright::units
