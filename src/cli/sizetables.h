// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"
#include "solver/size/decisionrisk.h"

namespace fleetwright::cli {

/// Fleets with their figures, best first: the best of each node, or of every kind. Chances as the draws have them
/// where `sure` has drawn a fleet.
[[nodiscard]] Table sizedTable(
    const DecisionDocument &document, const size::Result &result, bool all, const size::HowSure *sure);
/// What binds each fleet that keeps not all limits, and what would free it.
[[nodiscard]] Table bindingTable(const size::Result &result, bool all);
/// Fleets that none beats in both figures of the decision's front.
[[nodiscard]] Table frontTable(const DecisionDocument &document, const size::Result &result);

/// Quantiles of days and money over the draws, chances, and how often each fleet is the best.
[[nodiscard]] Table howSureTable(const size::HowSure &sure);

} // namespace fleetwright::cli
