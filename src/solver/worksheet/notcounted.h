// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/fleetcost.h"

namespace fleetwright {

/// What an order of the fleet needs and its capital leaves out, a sentence each, with the money where it is known; all
/// of them are among the notices.
[[nodiscard]] std::vector<std::string> notCounted(const CostSheet &sheet);

/// What of the training network's power is in no catalog and entered nowhere, and so counts as nothing, in a sentence;
/// empty where all of it is known.
[[nodiscard]] std::string_view networkWithoutPower(const CostSheet &sheet);
/// Whether a value of the sheet is too low by it: of the rows of power, energy, carbon and water.
[[nodiscard]] bool isAtLeast(const CostSheet &sheet, std::string_view row);

} // namespace fleetwright
