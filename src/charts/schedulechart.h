// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/models/detailed/tables.h"

namespace fleetwright::charts {

/// A pipeline schedule: a row for each stage, the first at the top, time to the right. Forward passes are plain,
/// backward passes darker and hatched, waiting is dotted; boxes carry the number of their microbatch where there is
/// room, the first is 0.
[[nodiscard]] ChartContent scheduleChart(detailed::Schedule schedule, std::int64_t virtualStages);

} // namespace fleetwright::charts
