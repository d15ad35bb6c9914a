// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartdata.h"

namespace fleetwright::charts {

/// Marks on stepBars() what measured runs of the site make likely of a plan's step, where they move it, and says that
/// the bars are the formula's: one entry for each bar.
void markLikely(BarChartData &bars, const std::vector<std::optional<Seconds>> &likely);

} // namespace fleetwright::charts
