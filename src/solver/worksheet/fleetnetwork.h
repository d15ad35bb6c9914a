// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/worksheet/fleetcost.h"

namespace fleetwright {

/// Of the spare transceivers those for switches; the others are for nodes.
[[nodiscard]] std::int64_t sparesInSwitches(const NetworkBill &bill);

/// What the network of the nodes that are owned already ("owned_nodes") consists of, by entry of the sheet: an
/// extension buys the rest. Empty where none is owned, where all are, and where no bill is known.
[[nodiscard]] std::vector<std::pair<std::string_view, std::int64_t>> ownedNetwork(const Fleet &fleet);

} // namespace fleetwright
