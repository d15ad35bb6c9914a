// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "storage/database.h"
#include "storage/project.h"

#include <string>
#include <vector>

/// The catalog of an open project: what may be saved in it and what may be deleted.
namespace fleetwright::storage {

/// What the file holds, with the constants of the cost model that this program has. `faults` as of readCatalog().
[[nodiscard]] Expected<Catalog> currentCatalog(const Database &database, std::vector<Error> &faults);

/// Inserts or replaces a user item; refuses what came with the program and what the catalog's checks refuse. Call
/// inside a transaction.
[[nodiscard]] Expected<void> storeRecord(Database &database, const CatalogRecord &record, RecordRules rules);
/// Removes a user item; refuses what came with the program and what another item or a document names. Call inside a
/// transaction.
[[nodiscard]] Expected<void> dropRecord(Database &database, CatalogKind kind, const std::string &id);

} // namespace fleetwright::storage
