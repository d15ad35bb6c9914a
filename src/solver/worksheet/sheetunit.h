// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/unitsymbol.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fleetwright {

/// The unit of a worksheet's row as exponents of base dimensions and a scale, so that a formula can be checked before
/// anything is computed. Values of a sheet stand in the row's own unit and never convert by themselves: W x h is Wh,
/// and a row in kWh says where its thousand is. What is counted (nodes, accelerators, switches...) is a dimension too:
/// a price per accelerator times a number of nodes is refused.
class SheetUnit {
public:
    /// A plain number.
    SheetUnit() = default;
    /// Factors separated by blanks, at most one slash, parentheses around several factors below it: "W/node",
    /// "USD/(accelerator h)", "1/(node day)"; "" and "1" are plain numbers. Knows the symbols of unitSymbols() and the
    /// words year (365 days), month (a twelfth of it), day, node, accelerator, chip, switch, transceiver, FTE and
    /// quantity (whatever a levelised cost is per). UnknownReference: another word; ParseError: another shape.
    [[nodiscard]] static Expected<SheetUnit> parse(std::string_view text);

    [[nodiscard]] SheetUnit operator*(const SheetUnit &other) const;
    [[nodiscard]] SheetUnit operator/(const SheetUnit &other) const;
    [[nodiscard]] SheetUnit power(int exponent) const;
    [[nodiscard]] bool isNumber() const { return same(SheetUnit()); }
    /// Equal exponents, and a scale that differs by rounding only.
    [[nodiscard]] bool same(const SheetUnit &other) const;
    [[nodiscard]] bool sameDimension(const SheetUnit &other) const { return m_exponents == other.m_exponents; }
    /// Whether it measures this, per whatever is counted: USD/node measures money.
    [[nodiscard]] bool measures(units::Dimension dimension) const;
    /// How many base units (of src/units/quantity.h) one of this unit is.
    [[nodiscard]] double scale() const { return m_scale; }
    /// The unit of a typed quantity in base units.
    [[nodiscard]] static SheetUnit of(units::Dimension dimension);

private:
    enum Base { Information, Computation, Time, Energy, Money, Carbon, Water, FirstCounted };
    static constexpr std::size_t counted = 7, bases = FirstCounted + counted;
    [[nodiscard]] static std::optional<SheetUnit> factor(std::string_view word);

    std::array<std::int8_t, bases> m_exponents{};
    double m_scale = 1;
};

} // namespace fleetwright
