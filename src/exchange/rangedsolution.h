// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"

namespace fleetwright::exchange {

/// solve(), and for plans of the cost model `detailed` the range of the step time from the measured runs that come with
/// the program. The runs are read and priced on the first call.
[[nodiscard]] Expected<Solution> solveWithRange(const Plan &plan);

} // namespace fleetwright::exchange
