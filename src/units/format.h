// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/unitsymbol.h"

#include <string>

namespace fleetwright::units {

/// `value` in base units of `dimension`, with three significant digits and the prefix that leaves one to three digits
/// before the point: 3.35e12 B/s is "3.35 TB/s", 0.00741 s is "7.41 ms". Times from two minutes up are minutes, hours,
/// days or years. Counts take a space for thousands up to six digits and a prefix (k, M, B, T: "70.6 B") above. NaN and
/// infinities are "not a number" and "infinite".
[[nodiscard]] std::string format(double value, Dimension dimension);

/// `value` in base units, written in exactly the given unit: ("GB/s", 3.35e12) is "3 350 GB/s".
[[nodiscard]] std::string formatIn(double value, std::string_view symbol);

/// The shortest decimal text that reads back as the same double; no unit. For form fields and files.
[[nodiscard]] std::string exact(double value);

/// Three significant digits, thousands separated by a thin gap, no unit, no prefix.
[[nodiscard]] std::string threeDigits(double value);

template <class Q> [[nodiscard]] std::string format(const Q &quantity)
{
    return format(quantity.value(), DimensionOf<Q>::value);
}

/// Binary prefixes: 85899345920 B is "80 GiB".
[[nodiscard]] std::string formatBinary(Bytes amount);
/// A network rate in bits: 50e9 B/s is "400 Gb/s".
[[nodiscard]] std::string formatBits(Bandwidth rate);
/// 0.412 is "41.2 %".
[[nodiscard]] std::string formatPercent(double share);

} // namespace fleetwright::units
