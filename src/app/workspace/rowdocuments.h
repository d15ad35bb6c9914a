// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemView;

namespace fleetwright {
enum class CatalogKind;
} // namespace fleetwright

namespace fleetwright::app {

class Workspace;

/// What "Copy as YAML" means in a table whose rows (itemmodels::idRole) stand for documents of the project: the
/// document of the row, measured runs and items of a catalog together as one file, which pasting into a project reads.
/// Where several rows have no common document they are copied as any table is.
void copyPlans(QAbstractItemView *table, const Workspace &workspace);
void copySweeps(QAbstractItemView *table, const Workspace &workspace);
void copyOffers(QAbstractItemView *table, const Workspace &workspace);
void copyMeasuredRuns(QAbstractItemView *table, const Workspace &workspace);
void copyCatalogItems(QAbstractItemView *table, const Workspace &workspace, CatalogKind kind);

} // namespace fleetwright::app
