// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/fleetcost.h"

namespace fleetwright {

/// What an order of the fleet needs and its capital leaves out, a sentence each, with the money where it is known; all
/// of them are among the notices.
[[nodiscard]] std::vector<std::string> notCounted(const CostSheet &sheet);

} // namespace fleetwright
