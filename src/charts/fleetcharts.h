// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/worksheet/fleetcost.h"

namespace fleetwright::charts {

/// The cash flow of each year of the life, the start first, and its discounted sum so far.
[[nodiscard]] ChartContent cashFlowChart(const CostSheet &sheet);
/// What owning and renting have cost until each month, in present value; the month from which owning is no dearer is
/// marked. Without a rent owning stands alone.
[[nodiscard]] ChartContent buyOrRentChart(const CostSheet &sheet, const QString &rent);

} // namespace fleetwright::charts
