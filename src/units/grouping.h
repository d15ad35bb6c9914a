// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fleetwright::units {

/// A number's digits with a thin gap between thousands, where there are five or more before the point: "57 500".
/// Every place that groups digits for people asks this; nobody reads "57,500" in one table and "57 500" in the next.
[[nodiscard]] std::string grouped(const std::string &digits);

} // namespace fleetwright::units
