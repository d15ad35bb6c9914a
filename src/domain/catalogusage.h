// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

/// Whether a document names a catalog item, so that the item cannot be removed without breaking it. Items that stand
/// inline name nothing.
namespace fleetwright {

[[nodiscard]] bool uses(const FleetDocument &fleet, CatalogKind kind, std::string_view id);
[[nodiscard]] bool uses(const PlanDocument &plan, CatalogKind kind, std::string_view id);
/// The base plan's items and those that the axes try.
[[nodiscard]] bool uses(const SweepDocument &sweep, CatalogKind kind, std::string_view id);

} // namespace fleetwright
