// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/schemaversion.h"
#include "storage/database.h"

#include <map>
#include <span>

namespace fleetwright::storage {

/// Cuts an SQL text into statements at the lines that say "-- cut"; never at a semicolon, which a trigger's body
/// contains too.
[[nodiscard]] QStringList statementsOf(const QString &sql);

/// A fresh project's tables, application id and version. The database must be empty. One transaction.
[[nodiscard]] Expected<void> createSchema(Database &database);

/// The shipped steps: entry N - 1 leads from version N to N + 1 (database/migrations/NNNN_what.sql holds the step to
/// version NNNN).
[[nodiscard]] std::vector<QStringList> shippedMigrations();

/// Brings the database from its version to version `steps.size() + 1`, one transaction for each step, in which foreign
/// keys are checked before the commit. A failing step leaves file and version as they were before that step. NewerFile
/// when there is nothing to come from.
[[nodiscard]] Expected<void> migrate(Database &database, std::span<const QStringList> steps);

/// What a table is made of, one part a line, sorted: columns, keys, indexes, references, STRICT and WITHOUT ROWID. As
/// SQLite understands it, not as it was written, so that a project that was brought up to date equals a fresh one.
using Schema = std::map<QString, QStringList>;
/// Of every ordinary table. Reads what the tables are made of from SQLite, which asks the modules of virtual tables:
/// first see that there are none.
[[nodiscard]] Expected<Schema> schemaOf(const Database &database);
/// The tables of a project made by this version, or by a later one that `steps` leads to.
[[nodiscard]] Expected<Schema> freshSchema(std::span<const QStringList> steps = {});

/// How the tables of a project differ from those of a fresh one: clauses for a sentence, "the table X lacks Y".
[[nodiscard]] Expected<QStringList> schemaDifferences(
    const Database &database, std::span<const QStringList> steps = {});

} // namespace fleetwright::storage
