// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <cstdint>

/// Idle time of a pipeline (GPipe, Huang 2019; 1F1B and interleaving, Narayanan 2019 and 2021).
namespace fleetwright {

namespace formulas {

/// The idle share of the whole pipelined interval: (p-1) / (v m + p - 1).
[[nodiscard]] inline double bubbleFraction(double stages, double microbatches, double virtualStages)
{
    return (stages - 1.0) / (virtualStages * microbatches + stages - 1.0);
}

/// Idle time over busy time: (p-1) / (v m), which is q / (1-q) of the share above.
[[nodiscard]] inline double bubbleRatio(double stages, double microbatches, double virtualStages)
{
    return (stages - 1.0) / (virtualStages * microbatches);
}

} // namespace formulas

/// OutOfRange with field "pp_size", "microbatch_count" or "v_stages", in this order, when one is below 1 (also for a
/// single stage).
[[nodiscard]] Expected<double> bubbleFraction(
    std::int64_t stages, std::int64_t microbatches, std::int64_t virtualStages);

} // namespace fleetwright
