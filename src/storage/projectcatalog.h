// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogedit.h"
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
/// Brings items and sources from one side of an edit to the other, shipped items too. ConstraintViolated where an item
/// of the user would take the place of a shipped one or the other way round; with RecordRules::Checked what the
/// catalog's checks say of the result. Call inside a transaction.
[[nodiscard]] Expected<void> replaceItems(
    Database &database, const CatalogItems &from, const CatalogItems &to, RecordRules rules);
/// Removes a user item; refuses what came with the program and what another item or a document names. Call inside a
/// transaction.
[[nodiscard]] Expected<void> dropRecord(Database &database, CatalogKind kind, const std::string &id);

} // namespace fleetwright::storage
