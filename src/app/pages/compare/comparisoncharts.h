// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/answer/comparison.h"

namespace fleetwright::app {

/// The parts of each column's step, side by side; nothing where no column has a step time.
[[nodiscard]] std::optional<charts::ChartContent> stepChart(const Comparison &comparison);
/// Memory by part with the capacity line; nothing where no column has memory.
[[nodiscard]] std::optional<charts::ChartContent> memoryChart(const Comparison &comparison);
/// What the models say about one figure of each plan, as ranges; nothing where no column has it.
[[nodiscard]] std::optional<charts::ChartContent> spreadChart(const Comparison &comparison, const QString &key);

} // namespace fleetwright::app
