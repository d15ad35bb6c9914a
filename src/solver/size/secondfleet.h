// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/hardwaresizing.h"

namespace fleetwright::size {

/// More jobs than this are not split between two fleets: there would be too many ways.
inline constexpr std::size_t mostSplitJobs = 8;

/// A mix of jobs shared between a fleet that is owned, as it is or extended, and a second one of another node, which
/// takes jobs of its own at the same time: of each owned fleet and each other node (offer, owned fleet) the best that
/// keeps the limits, over all ways to share the jobs and all numbers of nodes of both. Days are those of the later one;
/// costs, power and carbon add up. Layouts are those that single fleets take; where they are too late, the fastest.
/// Empty without an owned fleet, with one job, and with more than mostSplitJobs. `counts`: of each job the numbers of
/// nodes of each hardware of the space that it alone can use. With Sizing::lift, whose judge is then the sizing's, the
/// pairs that its limit keeps out go there; with a chance of the deadline none is looked for beyond the deadline.
[[nodiscard]] std::vector<Answer> withSecondFleets(
    const Sizing &sizing, const std::vector<std::vector<std::vector<int>>> &counts);

} // namespace fleetwright::size
