// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/scatterchart.h"
#include "solver/costs/costvalidation.h"

namespace fleetwright::charts {

/// The worksheet's figures against published ones that measure the same, a series for each kind.
struct CostScatter {
    ScatterChartData data;
    std::vector<std::vector<std::size_t>> rows; ///< of each point of each series: its index into CostValidation::scores
};

/// The figures that measure what those of `kind` do. With a `focus` every other kind is faint; `selected` is an index
/// into CostValidation::scores.
[[nodiscard]] CostScatter costScatter(const costs::CostValidation &validation, costs::CostKind kind,
    std::optional<costs::CostKind> focus = {}, std::optional<std::size_t> selected = {});

} // namespace fleetwright::charts
