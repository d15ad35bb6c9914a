// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"

#include <span>
#include <string>
#include <vector>

namespace fleetwright::size {

/// What somebody could allow, and the fleet that it lets in: one limit moved, or another batch.
struct BetterStep {
    std::string takes; ///< "Facility power: 11.3 MW instead of 10 MW", "Batch: 2560 instead of 2048"
    /// Without fabric and site, but for what tells it from the fleet of another step. Empty: the limit, which `takes`
    /// states as it is, alone keeps out nothing better.
    std::string fleet;
    FleetFigures figures{}; ///< of that fleet; unknown where a result of an earlier version has the objective alone
    double objective = unknownFigure;
    double saved = unknownFigure; ///< share of the winner's objective; unknown where no fleet keeps the limits
};

/// Another batch, which keeps all limits, of each limit the first step that gains something and the best without it:
/// what is moved by the least share of its value first; then the limits that alone keep out nothing better. Where no
/// fleet keeps the limits, what lets one in, another batch last.
[[nodiscard]] std::vector<BetterStep> betterSteps(const DecisionDocument &document, const Result &result);

/// shortFleetInWords() of each, in their order; those that read alike but are not the same fleet have behind it what
/// tells them apart: the fabric and the site where these differ, else the layout. Empty for nullptr.
[[nodiscard]] std::vector<std::string> distinctFleetsInWords(
    const DecisionDocument &document, const Result &result, std::span<const Answer *const> answers);

/// "a batch of 2025 instead of 2048", of every job that otherBatches() gives another; empty: of none.
[[nodiscard]] std::string batchesInWords(const DecisionDocument &document, const Result &result);
/// Where no fleet keeps the limits what to ask for: which limit has to give, and who has to agree to another batch.
[[nodiscard]] std::vector<std::string> movesInWords(const DecisionDocument &document, const Result &result);

/// The batch in a line: "With a batch of 2560 instead of 2048: 320 × DGX H200, owned, 42.0 % less cost of the run.";
/// empty where none would do better than the best fleet by as much as is worth a line, or none keeps the limits.
[[nodiscard]] std::string otherBatchInShort(const DecisionDocument &document, const Result &result);

} // namespace fleetwright::size
