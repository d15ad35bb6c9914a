// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/steprange.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace fleetwright {

/// A figure of the speed by the step that measured runs of the site make likely, by which days and costs are: the step
/// time, and the rates and utilisations that fall as it grows. Nothing for other figures, and where no run moves the
/// step.
/// `value`: the figure by the cost model, by which a step takes `step`; both in base units.
[[nodiscard]] inline std::optional<double> likelyByRuns(std::string_view key, std::optional<double> value,
    std::optional<double> step, const std::optional<validation::PredictionRange> &range)
{
    constexpr auto falling = std::to_array<std::string_view>(
        {"tokens_per_s", "samples_per_s", "mfu", "hfu", "flops_per_accelerator_per_s"});
    if (!value || !step || !(*step > 0) || !range || range->runs == 0 || range->ownRuns == 0)
        return std::nullopt;
    const double likely = range->middle().value();
    if (!(likely > 0))
        return std::nullopt;
    if (key == "step_time_s")
        return likely;
    if (std::ranges::find(falling, key) != falling.end())
        return *value * *step / likely;
    return std::nullopt;
}

} // namespace fleetwright
