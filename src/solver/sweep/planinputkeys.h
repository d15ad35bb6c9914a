// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// Inputs of a plan that are none of sweepKeys(), for the sources of PlanInputs.
namespace fleetwright::planinputkeys {

inline constexpr std::string_view layoutKey = "layout", costModelKey = "cost_model", costsPath = "fleet.costs.",
                                  payingKey = "fleet.costs.paying", rentTermKey = "fleet.costs.rent_term",
                                  rentVendorKey = "fleet.costs.rent_vendor";

/// What stands where a plan states nothing.
[[nodiscard]] std::string absentText(std::string_view key);

} // namespace fleetwright::planinputkeys
