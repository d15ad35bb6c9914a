// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>

namespace fleetwright::units {

/// The number with at most six decimals that `value` was meant to be, where only the rounding of a conversion lies
/// between them; else `value`. So that 326.4 kW stay 326,400 W when a document holds 0.3264 MW.
[[nodiscard]] inline double withoutRest(double value)
{
    const double decimal = std::round(value * 1e6) / 1e6;
    return std::abs(decimal - value) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(value) ? decimal : value;
}

} // namespace fleetwright::units
