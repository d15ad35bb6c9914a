// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/validation/newsite.h"

#include <map>
#include <optional>

/// Charts about what a prediction is worth at a site that nobody has measured.
namespace fleetwright::charts {

/// Each source's share of runs in their 80 % range, rising; `selected` is outlined. `runs`: whose titles name the
/// sources.
[[nodiscard]] ChartContent coverageChartOf(const validation::Coverage &coverage,
    const std::optional<std::string> &selected = {}, std::span<const validation::MeasuredRun> runs = {});
/// Deviations by level.
[[nodiscard]] ChartContent levelsChart(const validation::ErrorLevels &levels);
/// Errors and half-widths over the number of known runs.
[[nodiscard]] ChartContent fewShotChart(const std::map<int, validation::FewShotFigures> &figures);
/// The error of the largest jobs beside what others claim of theirs.
[[nodiscard]] ChartContent productionChart(const validation::ProductionSlice &production);

} // namespace fleetwright::charts
