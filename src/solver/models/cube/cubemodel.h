// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/cube/cube.h"

/// The cost model `cube` over plans. Parameters, accelerators, their memory and the scale-up domain (the instrument's
/// node) are the plan's; m is the plan's number of microbatches; the remaining constants are assumptions. DP =
/// accelerators / (TP PP); a product that does not divide the accelerators is refused. EP is ignored (with a notice);
/// CP above 1 is refused.
///
/// The instrument gives an MFU. The step time is derived from it: model FLOP / (accelerators x dense peak x MFU), model
/// FLOP = 6 P_a B s. It is split in the order in which the formula multiplies its losses:
///     compute = FLOP / (N R 0.52);   TP = compute (1/f_tp - 1);   bubble = compute / f_tp (1/f_bubble - 1);
///     DP = compute / (f_tp f_bubble) (1/f_dp - 1)
/// so the parts are what each factor costs, not what a collective takes. The bubble is in the instrument's own
/// convention, (pp-1)/(pp m), and therefore a detail and not the common bubble share.
namespace fleetwright::cube {

[[nodiscard]] const CostModel &costModel();

} // namespace fleetwright::cube
