// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fleetwright {

/// How an instrument judges a figure: as hoped, worth a look, or failing. Every instrument states its own thresholds
/// beside its constants.
enum class Band { Green, Amber, Red };

} // namespace fleetwright
