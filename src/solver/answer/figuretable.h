// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/figures.h"

namespace fleetwright {

/// The row whose value the figure is; two of them follow how the fleet is paid for. Empty: none of the worksheet.
[[nodiscard]] std::string_view rowKeyOf(const Figure &figure, const Solution &solution);
/// How many base units one of the row is; 0: no such row here.
[[nodiscard]] double baseOf(const CostSheet &costs, std::string_view row);

} // namespace fleetwright
