// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"
#include "solver/uncertainty/risk.h"

namespace fleetwright::size {

/// Fleets of an answer whose risk is drawn together.
inline constexpr std::size_t usualRiskFleets = 20;

/// What an answer's draws are asked: the best fleet of each node, feasible ones first, at most `most` of them, and the
/// base case last, each with its layouts and the ranges of their step times; deadline, budget, draws and seed are the
/// decision's. Carbon and energy are not drawn: for them the cost of the run is. Days of a delivery are not counted:
/// the deadline is that of the run.
struct DecisionRisk {
    uncertainty::RiskQuestion question;
    std::vector<const Answer *> answers; ///< of each fleet of the question; the result's
};
/// Refused as resolve(), planRun() and riskFleet(). The result must outlive the answer.
[[nodiscard]] Expected<DecisionRisk> riskOf(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, const RangeOf &rangeOf, std::size_t most = usualRiskFleets);

} // namespace fleetwright::size
