// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/plandocuments.h"
#include "solver/size/decisionrisk.h"

namespace fleetwright::exchange {

/// Draws and seed; of each fleet the quantiles, standard errors and chances; what decides the rank and would settle it;
/// who wins at other prices; what would let the losers win. Units stand in the keys' names or beside the values;
/// infinity ("never") is null.
[[nodiscard]] Json howSureToJson(const size::HowSure &sure);

/// {"p10", "p50", "p90", "mean", "p50_error", "mean_error", "likely", "by_formula"}; likely: where measured runs put
/// it; by_formula: by the cost model alone.
[[nodiscard]] Json spreadToJson(const uncertainty::RiskSpread &spread);

} // namespace fleetwright::exchange
