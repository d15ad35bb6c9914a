// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ledgerentry.h"
#include "solver/answer/solve.h"
#include "solver/planners/plannersearch.h"

namespace fleetwright {

/// What the ledger records of a solved plan: its layout, accelerators, MFU, whether it fits memory, and the sentence of
/// the first constraint that it breaks. Prediction and note are the reader's. `when` as in LedgerEntry.
[[nodiscard]] LedgerEntry decisionOn(const Plan &plan, const Solution &solution, std::string when);

/// What the ledger records of a split that a planner's search found for the plan. Whether it fits memory is unknown
/// where the planner does not say how much it needs.
[[nodiscard]] LedgerEntry decisionOn(
    const PlanDocument &searched, const PlannerSearch &search, const PlannerSearchRow &row, std::string when);

} // namespace fleetwright
