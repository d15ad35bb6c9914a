// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"
#include "solver/search/layoutsearch.h"

namespace fleetwright::layoutsearch {

/// Fixes in the space what `settings` set (a sweep over TP, say), as the plan has it.
void keep(LayoutSearchSpace &space, const Plan &plan, std::span<const SweepSetting> settings);
/// The best layout of the plan; nothing where none is feasible. On one thread: cells run side by side. Refuses as
/// run().
[[nodiscard]] Expected<std::optional<Row>> bestLayout(
    const Plan &plan, const CellSearch &search, const std::stop_token &stop = {});
/// The plan with this layout instead of its own.
[[nodiscard]] Expected<Plan> withLayout(const Plan &plan, const Layout &layout);

} // namespace fleetwright::layoutsearch
