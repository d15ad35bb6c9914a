// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"

#include <string>
#include <vector>

namespace fleetwright::size {

/// What somebody could allow, and the fleet that it lets in: one limit moved, or another batch.
struct BetterStep {
    std::string takes; ///< "Facility power: 11.3 MW instead of 10 MW", "Batch: 2560 instead of 2048"
    /// Without fabric and site. Empty: the limit, which `takes` states as it is, alone keeps out nothing better.
    std::string fleet;
    FleetFigures figures{}; ///< of that fleet; unknown where a result of an earlier version has the objective alone
    double objective = unknownFigure;
    double saved = unknownFigure; ///< share of the winner's objective; unknown where no fleet keeps the limits
};

/// Another batch, which keeps all limits, then of each limit the first step that gains something and the best without
/// it, of both the most valuable first; then the limits that alone keep out nothing better. Where no fleet keeps the
/// limits, what lets one in.
[[nodiscard]] std::vector<BetterStep> betterSteps(const DecisionDocument &document, const Result &result);

/// The batch in a line: "With a batch of 2560 instead of 2048: 320 × DGX H200, owned, 42.0 % less cost of the run.";
/// empty where none would do better than the best fleet, or none keeps the limits.
[[nodiscard]] std::string otherBatchInShort(const DecisionDocument &document, const Result &result);

} // namespace fleetwright::size
