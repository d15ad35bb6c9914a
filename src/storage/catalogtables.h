// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "storage/database.h"

#include <QString>

#include <vector>

/// Catalog records in their tables: one table for each kind, one column for each field (dots in the field's key become
/// underscores).
namespace fleetwright::storage {

[[nodiscard]] QString tableName(CatalogKind kind);
[[nodiscard]] QString columnName(std::string_view fieldKey);

/// Reads every source and record. What is stored but cannot be (text where a number belongs, a list that is not one)
/// becomes an entry of `faults` with a field such as "nodes/dgx.rack_units", and the value is left unknown. Ranges and
/// references are not checked here. The error is that of the database itself. Only the given kinds are read.
[[nodiscard]] Expected<Catalog> readCatalog(
    const Database &database, std::vector<Error> &faults, std::span<const CatalogKind> kinds = allCatalogKinds);

/// Adds a source at the end of its catalog's list.
[[nodiscard]] Expected<void> insertSource(Database &database, CatalogKind kind, const Source &source);
/// Adds it, or replaces the one with its id at its place.
[[nodiscard]] Expected<void> writeSource(Database &database, CatalogKind kind, const Source &source);
/// Removes it. No attribution may name it any more.
[[nodiscard]] Expected<void> eraseSource(Database &database, CatalogKind kind, const std::string &id);
/// Adds it unless a source with its id is there already.
[[nodiscard]] Expected<void> ensureSource(Database &database, CatalogKind kind, const Source &source);

/// Inserts the record, or replaces the one with its kind and id at its place. Two statements or more: call inside a
/// transaction.
[[nodiscard]] Expected<void> writeRecord(Database &database, const CatalogRecord &record);
/// Removes the record and its attributions. Call inside a transaction.
[[nodiscard]] Expected<void> eraseRecord(Database &database, CatalogKind kind, const std::string &id);

} // namespace fleetwright::storage
