// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

namespace fleetwright::layoutsearch {

/// How many times the plan's own batch a new plan may get: larger ones would look fast for the batch alone.
inline constexpr int mostBatchGrowth = 16;

/// A plan with an open layout that is valid on its fleet from the start: with its own global batch where some layout
/// fits the memory by the plan's own cost model, else (72 accelerators in a rack do not divide 256) with the smallest
/// larger batch with which one does, up to mostBatchGrowth times. Layouts with virtual stages and context parallelism
/// are not tried, nor are the plan's limits looked at. Unchanged where the plan's items cannot be resolved or nothing
/// fits. A search over a few thousand layouts.
[[nodiscard]] PlanDocument withStartingBatch(PlanDocument plan, const Catalog &catalog);

} // namespace fleetwright::layoutsearch
