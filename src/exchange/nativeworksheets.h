// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/nativereader.h"

/// Worksheets (src/solver/worksheet) on their native inputs: each entry is a field with the key of its row, units in
/// the names; a row of years is a list of one number or of as many as there are years.
namespace fleetwright::exchange {

[[nodiscard]] Expected<Json> evaluateCashFlow(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateLevelisedCost(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateTrainingCost(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateFleetPower(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateOwnership(NativeReader &in);

} // namespace fleetwright::exchange
