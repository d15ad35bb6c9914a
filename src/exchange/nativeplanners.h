// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/nativereader.h"

/// The published planners on their own native inputs, field names as in tests/data; for the table of nativemodels.cpp.
namespace fleetwright::exchange {

[[nodiscard]] Expected<Json> evaluateDpWall(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateCube(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateSearcher(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateStrategyCalculator(NativeReader &in);

} // namespace fleetwright::exchange
