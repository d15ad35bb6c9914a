// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/linechart.h"
#include "solver/models/cube/cube.h"
#include "solver/models/dpwall/dpwall.h"

namespace fleetwright::charts {

/// The MFU over 8 to 1024 accelerators by the published and by the corrected formulas together, the three observations
/// that the lab reports, its practical floor, and where `current` (one of the two, with its own number of accelerators)
/// stands. In percent.
[[nodiscard]] Expected<LineChartData> wallChart(
    const dpwall::Inputs &published, const dpwall::Inputs &corrected, const dpwall::Inputs &current);

/// The bubble over 1 to 32 stages for the lab's microbatch counts, in the lab's convention, with its ceiling and where
/// `current` stands. In percent.
[[nodiscard]] Expected<LineChartData> cubeChart(const cube::Inputs &current);

} // namespace fleetwright::charts
