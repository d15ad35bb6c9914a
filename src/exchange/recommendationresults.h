// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/plandocuments.h"
#include "solver/search/recommendation.h"

namespace fleetwright::exchange {

/// How a layout that a document leaves open was found, the object `layout` beside an estimate: a row of a search (see
/// layoutSearchRowToJson) with
///     {"best": {row, "gain"}, "rival": {row, "loss"}, "counts", "memory_fraction": share that layouts may fill,
///      "by_runs": {"step_time_s", "formula": {row, "loss"}},
///      "missed": [{"constraint", "needed", "allowed", "unit", "message"}],
///      "nearest": {"nodes", "deadline_days", "max_memory_fraction"}, "sentences": [..]}
/// Gain and loss are shares. `missed` and `nearest` are there where no layout is feasible, `rival` where another split
/// is, `by_runs` where measured runs of the site choose, and its `formula` where the cost model alone would take
/// another.
[[nodiscard]] Json recommendationToJson(
    const layoutsearch::Recommendation &recommended, const layoutsearch::Remedies &remedies = {});

} // namespace fleetwright::exchange
