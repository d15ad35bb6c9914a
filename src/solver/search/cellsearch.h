// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"
#include "solver/search/layoutsearch.h"

namespace fleetwright::layoutsearch {

/// The plan with its best layout instead of its own. Options that `settings` set (a sweep over TP, say) are kept as the
/// plan has them. On one thread: cells run side by side. OutOfMemory or ConstraintViolated with the counts when no
/// layout is feasible; else as run().
[[nodiscard]] Expected<Row> bestLayout(const Plan &plan, const CellSearch &search,
    std::span<const SweepSetting> settings, const std::stop_token &stop = {});
[[nodiscard]] Expected<Plan> withLayout(const Plan &plan, const Layout &layout);

} // namespace fleetwright::layoutsearch
