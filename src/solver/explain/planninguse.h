// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

namespace fleetwright {

/// What an item of the planning defaults is for, in a sentence or two: the assumptions whose default it states in every
/// plan of the project, the user's item that takes its place, or that no figure of this version uses it.
[[nodiscard]] std::string planningUse(const CatalogRecord &record, const Catalog &catalog);

} // namespace fleetwright
