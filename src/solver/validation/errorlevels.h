// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/predictionrange.h"

#include <span>

/// At which level errors arise.
namespace fleetwright::validation {

/// Standard deviations of ln(measured / predicted), each beyond the levels above it.
struct ErrorLevels {
    double family = 0; ///< of accelerators
    double group = 0; ///< kind of software and model (RangeGroup)
    double source = 0; ///< site with its release of the software
    double run = 0; ///< within a source: the median over sources of two runs or more
    double runRms = 0; ///< root mean square over these sources, where the scattered ones weigh
};

/// A normal effect of each family, group and source and a scatter of each source's own, by expectation-maximisation. A
/// source counts as at most 40 runs and scatters by at least 6 %, so that none decides alone. All zero for fewer than
/// two sources.
[[nodiscard]] ErrorLevels errorLevels(std::span<const ReferenceRun> runs);

} // namespace fleetwright::validation
