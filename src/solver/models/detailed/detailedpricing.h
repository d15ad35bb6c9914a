// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/pricer.h"
#include "solver/models/layoutpricing.h"

#include <memory>

namespace fleetwright::detailed {

/// The engine as a search uses it: the same figures as Pricer::price(), memory and time apart, with bounds. `expertTp`,
/// `shardGroup` and
/// `recomputeShare` as in PlanSetting.
[[nodiscard]] std::unique_ptr<LayoutPricing> layoutPricing(
    Pricer pricer, std::int64_t expertTp, std::int64_t shardGroup, std::optional<double> recomputeShare);

} // namespace fleetwright::detailed
