// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/unitsymbol.h"

#include <string>
#include <string_view>

namespace fleetwright::units {

/// The unit in which a value of this size reads easily; for a column, an axis or a group, of its largest value: 3.35e12
/// B/s in TB/s, 0.365 USD in USD, 50e6 USD in MUSD, shares in percent, seconds from two minutes up in minutes, hours,
/// days or years. Plain numbers have no unit. Every place that scales a value for people asks this.
[[nodiscard]] UnitSymbol unitFor(double largest, Dimension dimension);

/// `value` in base units of `dimension`, with three significant digits in unitFor() it: 3.35e12 B/s is "3.35 TB/s",
/// 0.00741 s is "7.41 ms". Whole counts below a million are written out ("131 072"), other numbers take a prefix (k, M,
/// B, T: "70.6 B"). Beyond the smallest and largest units the number has an exponent. NaN and infinities are "not a
/// number" and "infinite".
[[nodiscard]] std::string format(double value, Dimension dimension);

/// The number alone, for a column whose title names the unit; a value that is unreadable there (0.0000229 days) comes
/// with a unit of its own. `value` in base units.
[[nodiscard]] std::string formatInColumn(double value, const UnitSymbol &unit);

/// A number that stands in the given unit already, as somebody typed it: "0.12 USD/kWh", without what conversions leave
/// behind (0.11999999999999998); six significant digits, whole numbers in full.
[[nodiscard]] std::string asTyped(double value, std::string_view symbol = {});

/// The shortest decimal text that reads back as the same double; no unit. For form fields and files.
[[nodiscard]] std::string exact(double value);

/// Three significant digits, thousands separated by a thin gap, no unit, no prefix.
[[nodiscard]] std::string threeDigits(double value);

template <class Q> [[nodiscard]] std::string format(const Q &quantity)
{
    return format(quantity.value(), DimensionOf<Q>::value);
}

/// A network rate in bits: 50e9 B/s is "400 Gb/s".
[[nodiscard]] std::string formatBits(Bandwidth rate);
/// 0.412 is "41.2 %"; what is above 0 and below 0.001 % is "< 0.00100 %".
[[nodiscard]] std::string formatPercent(double share);
/// "1 node", "1,024 nodes".
[[nodiscard]] std::string counted(double count, std::string_view one, std::string_view many);

} // namespace fleetwright::units
