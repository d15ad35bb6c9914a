// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/fleetcosts.h"
#include "exchange/plandocuments.h"

/// The costs in the document of a fleet: {"paying": "own", "rent_term": "reserved-3y", "node_usd":
/// "price_dgx_h100_2026", "life_years": 4, "usd_per_kwh": {"low": 0.05, "likely": 0.06, "high": 0.09},
/// "cooling": "liquid", "colocation_includes_energy": true}.
namespace fleetwright::exchange {

/// What is as by default is left out; an empty object where nothing is stated.
[[nodiscard]] Json costsToJson(const CostDocument &costs);
/// Errors below `path`. Which entries there are, the worksheet knows: it checks them where it is filled in.
[[nodiscard]] Expected<CostDocument> costsFromJson(const Json &json, const std::string &path);

} // namespace fleetwright::exchange
