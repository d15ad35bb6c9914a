// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleet.h"
#include "solver/worksheet/evaluatedsheet.h"

namespace fleetwright {

/// What a fleet itself says, entered in the fleet's sheet or one that begins with its rows: counts, the node's maximum
/// power or else the accelerator's TDP, PUE, tariff (with the range that is assumed of prices), carbon intensity and
/// WUE of the site. Prices, network and life are entered by the caller.
/// What is unknown stays open: evaluateSheet() then names the entry that is missing. OutOfRange: more accelerators in a
/// node than the sheet takes.
[[nodiscard]] Expected<SheetEntries> enterFleet(const Worksheet &sheet, const Fleet &fleet);

} // namespace fleetwright
