// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/uncertainty/risk.h"

/// Who else wins in the draws of a decision.
namespace fleetwright::size {

/// Which of the first two in the draws is not this one; nullptr where they have no order.
[[nodiscard]] const uncertainty::FleetRisk *rivalOf(
    const uncertainty::RiskAnswer &draws, const uncertainty::FleetRisk &fleet);
/// How often not this fleet is the best, and who then mostly is; empty where it always is, or nothing else.
[[nodiscard]] std::string othersInWords(const uncertainty::RiskAnswer &draws, const uncertainty::FleetRisk &fleet);

} // namespace fleetwright::size
