// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"

namespace fleetwright::size {

/// Puts answers into their order, and what would let in the nearest of those that break limits, where all do.
void finish(Result &result);

} // namespace fleetwright::size
