// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/decisionrisk.h"

#include <string>

/// What the draws of some fleets say of others, and of limits that are broken in draws alone.
namespace fleetwright::size {

/// HowSure::of() where only days are asked for: those of the same nodes, laid out alike on the same site, have the same
/// draws whoever pays for them, longer by as much as another fabric makes their steps.
[[nodiscard]] const uncertainty::FleetRisk *riskOfDays(const HowSure &sure, const Result &result, const Answer &answer);

/// remediesInWords() of a fleet as its draws have it (asDrawn()): one that breaks the demanded chance in them alone
/// says so, and which chance would let it in.
[[nodiscard]] std::string remediesInWords(const LotAnswer &lot, const Answer &drawn);

} // namespace fleetwright::size
