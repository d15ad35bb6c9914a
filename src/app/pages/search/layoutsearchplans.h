// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchdocument.h"
#include "solver/search/layoutsearch.h"

#include <QString>

namespace fleetwright::app {

/// The plan of the row's case with the row's layout and the search's cost model, as the search priced it.
/// UnsupportedValue when the case changes the accelerator itself, which a plan cannot hold.
[[nodiscard]] Expected<PlanDocument> planOf(
    const LayoutSearchDocument &searched, const layoutsearch::Row &row, const Catalog &catalog);
/// "TP 8, PP 4, DP 8 on InfiniBand NDR": see nameWithLayout(); of a case the workload and what the case changes.
[[nodiscard]] QString planName(const LayoutSearchDocument &searched, const layoutsearch::Row &row,
    const layoutsearch::CaseFacts &facts, const Catalog &catalog);
/// "the best", "12 300 000 looked at, 4.1 M/s, ..." of a running search.
[[nodiscard]] QString progressText(const layoutsearch::Snapshot &snapshot, double seconds);

} // namespace fleetwright::app
