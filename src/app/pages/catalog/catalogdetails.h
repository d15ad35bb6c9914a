// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "itemmodels/priceuser.h"

#include <QPalette>
#include <QString>

namespace fleetwright::app {

/// Everything that is known about an item as HTML: warnings first, of a price what uses it (links plan:ID, fleet:ID and
/// decision:ID), then each value with its exact figure, source, confidence and whether the source was read, then what
/// is unknown, notes and sources.
[[nodiscard]] QString describeRecord(const CatalogRecord &record, const Catalog &catalog,
    const std::vector<itemmodels::PriceUser> &users, const QPalette &palette);

} // namespace fleetwright::app
