// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ledgerentry.h"
#include "solver/size/size.h"

#include <QString>

namespace fleetwright::app {

/// A question to start from: Llama 3.1 70B on 15 T tokens in 30 days, among the nodes that people ask about.
/// Without a base case: what somebody has already, nobody else knows.
[[nodiscard]] DecisionDocument startingDecision(const Catalog &catalog);

/// "Llama 3.1 70B, 15 T tokens; 30 days, 10 MW; every node, 1 to 4 096 of each; owned; least cost of the run".
[[nodiscard]] QString questionInWords(const DecisionDocument &document, const Catalog &catalog);

/// What the ledger records of a fleet of an answer. `when` as in LedgerEntry.
[[nodiscard]] LedgerEntry ledgerEntryOn(
    const DecisionDocument &document, const size::Result &result, const size::LotAnswer &fleet, std::string when);

} // namespace fleetwright::app
