// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearch.h"

#include <QString>

/// Texts that the charts of a search share.
namespace fleetwright::charts {

/// Layout and settings in words, then each figure that is known, a line each; first the case where there are several.
[[nodiscard]] QString searchRowText(const layoutsearch::Row &row, const layoutsearch::Result &result);
/// "7.41 s", "41.2 %", "12 300 per s", "USD 0.42".
[[nodiscard]] QString searchValueText(LayoutSearchObjective objective, double value);
[[nodiscard]] QString searchValueText(ParetoAxis axis, double value);
/// "40 112", all digits.
[[nodiscard]] QString wholeNumber(std::uint64_t count);

} // namespace fleetwright::charts
