// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QString>

class QWidget;

namespace fleetwright::app {

class Prompts;
class Workspace;

/// Asks for a catalog file and makes its items the user's own, in one undo step. `kind` is that of a file which does
/// not say. Where some items are refused, or would replace others, it says which and asks before anything changes. What
/// to tell in the status bar; empty when nothing was imported.
[[nodiscard]] QString importCatalogFile(QWidget *parent, Prompts &prompts, Workspace &workspace, CatalogKind kind);

/// Asks where to and writes the catalog, as JSON or as a table by the ending of the name. What to tell in the status
/// bar; empty when nothing was written.
[[nodiscard]] QString exportCatalogFile(QWidget *parent, Prompts &prompts, const Catalog &catalog, CatalogKind kind);

} // namespace fleetwright::app
