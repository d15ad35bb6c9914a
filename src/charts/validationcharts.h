// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/scatterchart.h"
#include "charts/spreadchart.h"
#include "solver/validation/breakdown.h"

#include <memory>
#include <vector>

namespace fleetwright::charts {

/// Predicted against measured step times of one cost model, a series for each group.
struct ValidationScatter {
    ScatterChartData data;
    std::vector<std::vector<std::size_t>> rows; ///< of each point of each series: its index into Validation::runs
    [[nodiscard]] std::optional<ScatterIndex> indexOf(std::size_t row) const;
};

/// The groups with the most runs get a colour of their own, the rest share the last. With a `focus` every other group
/// is faint. The texts of the points are made from the run when they are asked for: `validation` is one of `file`,
/// which the chart keeps. `selected` is an index into Validation::runs.
[[nodiscard]] ValidationScatter validationScatter(const std::shared_ptr<const validation::ScoredFile> &file,
    const validation::Validation &validation, validation::Grouping grouping, const std::string &focus = {},
    std::optional<std::size_t> selected = {});

/// Signed errors from the 10th to the 90th percentile, a row for each group. `runs`: whose sources the groups may be.
[[nodiscard]] ChartContent validationSpread(const std::vector<validation::GroupErrors> &groups,
    validation::Grouping grouping, std::span<const validation::MeasuredRun> runs, const QString &model,
    const std::string &focus = {});

} // namespace fleetwright::charts
