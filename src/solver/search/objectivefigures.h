// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchspace.h"

#include <string_view>

/// What a search ranks by and trades, in the terms of solver/answer/figures.h.
namespace fleetwright {

struct Figure;

[[nodiscard]] const Figure &figureOf(LayoutSearchObjective objective);
/// nullptr for what a search is given, not told: accelerators and global batch.
[[nodiscard]] const Figure *figureOf(ParetoAxis axis);

[[nodiscard]] std::string_view titleOf(LayoutSearchObjective objective); ///< the figure's label
[[nodiscard]] std::string_view titleOf(ParetoAxis axis); ///< likewise; "Accelerators", "Global batch"
[[nodiscard]] units::Dimension dimensionOf(LayoutSearchObjective objective);
[[nodiscard]] units::Dimension dimensionOf(ParetoAxis axis);

} // namespace fleetwright
