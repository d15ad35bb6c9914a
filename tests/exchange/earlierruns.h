// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/measuredruns.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

/// The shipped measured runs that versions 1.0 and 2.0 of the cost model `detailed` were judged by, in the order of the
/// file: those without the sources that came later. Figures that were published for these versions hold for them.
namespace earlierruns {

inline constexpr std::array<std::string_view, 11> laterSources{"nanotron-ultrascale", "jax-toolbox-pax", "mlperf-v6.0",
    "tpu-recipes-trillium", "torchtitan-2024-12", "megatron-moe-modelzoo", "torchtitan-2025-06", "megatron-core-h100",
    "korthikanti-table5", "torchtitan-trainy-h200", "bigscience-bloom"};

inline bool isLater(const fleetwright::validation::MeasuredRun &run)
{
    return std::ranges::find(laterSources, std::string_view(run.source.key)) != laterSources.end();
}

inline const fleetwright::validation::RunFile &file()
{
    static const auto earlier = [] {
        auto all = *fleetwright::exchange::shippedMeasuredRuns();
        std::erase_if(all.runs, isLater);
        return all;
    }();
    return earlier;
}

} // namespace earlierruns
