// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"
#include "solver/validation/ownsite.h"

namespace fleetwright::exchange {

/// solve(), and for plans of the cost model `detailed` the range of the step time from the measured runs that come with
/// the program and the own runs of its site, where they are given. The shipped runs are read on the first call.
[[nodiscard]] Expected<Solution> solveWithRange(const Plan &plan, const validation::OwnSite *site = nullptr);
/// solve() with the trace and the feasibility of solveWithRange(), whose range is left out where it decides neither:
/// for many plans at a time, of which the verdict is shown and no range.
[[nodiscard]] Expected<Solution> solveForVerdict(const Plan &plan);

} // namespace fleetwright::exchange
