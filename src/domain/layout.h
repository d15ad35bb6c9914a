// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <compare>

namespace fleetwright {

/// Everything about how a job is split that a search varies: the parallelism, the microbatch size and recomputation.
struct Layout {
    int tp = 1, cp = 1, pp = 1, ep = 1, dp = 1; ///< DP as the cost model derives it
    int virtualStages = 1;
    int microbatchSize = 1; ///< sequences
    Recompute recompute = Recompute::None;
    std::int8_t zeroStage = 0;
    bool sequenceParallel = false;
    /// A total order, in which searches break ties.
    auto operator<=>(const Layout &) const = default;
};

/// The ranks alone: two layouts with the same split are one idea with other settings.
struct Split {
    int tp = 1, cp = 1, pp = 1, ep = 1, dp = 1;
    auto operator<=>(const Split &) const = default;
};
[[nodiscard]] constexpr Split splitOf(const Layout &layout)
{
    return {layout.tp, layout.cp, layout.pp, layout.ep, layout.dp};
}

[[nodiscard]] Parallelism parallelismOf(const Layout &layout);
/// The training with the layout's microbatch size (instead of a number of microbatches) and recomputation.
[[nodiscard]] Training trainingOf(const Layout &layout, Training training);
/// Fixes the layout of a plan; what a layout does not say stays as it is.
void adopt(const Layout &layout, PlanDocument &document);

/// "TP 8, PP 12, DP 16"; CP and EP where they are above 1.
[[nodiscard]] std::string inWords(const Split &split);
/// "2 virtual stages, microbatch 1, selective recomputation, ZeRO 1, sequence parallel".
[[nodiscard]] std::string settingsInWords(const Layout &layout);
/// Both.
[[nodiscard]] std::string inWords(const Layout &layout);

} // namespace fleetwright
