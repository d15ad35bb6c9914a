// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/models/dpwall/dpwall.h"

/// The cost model `dp-wall` over plans: every accelerator of the fleet is one replica. TP, PP, EP and CP of the plan
/// are ignored, and Notice::SplitIgnored says so where one is above 1.
/// - N = accelerators, b = max(1, floor(B / N)) samples per accelerator; with fewer samples than accelerators each
/// still works on one.
/// - published: the lab's constants, whatever the fleet's hardware, and no sequence length: so there are no tokens per
/// second.
/// - corrected: the dense peak, scale-up domain and bandwidths of the fleet (scale-out with its oversubscription),
/// tokens = b s, active
///   parameters compute, the plan's precision sizes the gradients, and the overlap assumption hides a share of the
///   all-reduce.
/// - The gradients travel over the scale-up fabric where its domain holds the whole fleet, else over the scale-out
/// fabric. Step = compute + exposed all-reduce. The MFU is the instrument's own: over the published peak, or over the
/// dense peak.
namespace fleetwright::dpwall {

[[nodiscard]] const CostModel &costModel();

} // namespace fleetwright::dpwall
