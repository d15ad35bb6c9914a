// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

namespace fleetwright::layoutsearch {

/// How many times the plan's own batch a new plan may get: larger ones would look fast for the batch alone.
inline constexpr int mostBatchGrowth = 16;

/// The plan with a layout that is valid on its fleet, so that nobody has to choose one before the first answer: the
/// fastest without virtual stages and context parallelism that fills no more than defaultMemoryShare, by the plan's
/// own cost model. Where the fleet's accelerators admit none with the plan's global batch (72 in a rack do not divide
/// 256), the smallest larger batch that they do, up to mostBatchGrowth times. Unchanged where the plan's items cannot
/// be resolved or nothing fits. A search over a few thousand layouts.
[[nodiscard]] PlanDocument withStartingLayout(PlanDocument plan, const Catalog &catalog);

} // namespace fleetwright::layoutsearch
