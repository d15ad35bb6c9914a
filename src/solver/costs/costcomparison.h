// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/costs/costvalidation.h"

namespace fleetwright::costs {

/// What comparisons take from outside the published row.
struct CostFacts {
    const PublishedCosts &published;
    const Catalog &catalog;
};

/// The row's figure by the worksheet, without discount. UnknownReference or MissingField where the catalog lacks an
/// item or a fact of it.
[[nodiscard]] Expected<CostScore> compareCost(const PublishedCost &row, const CostFacts &facts);

} // namespace fleetwright::costs
