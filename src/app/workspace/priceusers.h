// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/priceuser.h"

namespace fleetwright::app {

class Workspace;

/// What in the project uses each price of its catalog: plans and fleets with the prices of UsedPrices, those that only
/// stand for comparison (rent of what is bought) said to be so; a decision with those of its candidates that it names,
/// of its base case, and of the fleets that its last answer rests on.
[[nodiscard]] itemmodels::PriceUsers priceUsers(const Workspace &workspace);

} // namespace fleetwright::app
