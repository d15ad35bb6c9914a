// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QString>

#include <optional>

class QWidget;

namespace fleetwright::app {

class Prompts;
class Workspace;

/// Whether the file is one of catalog items by its content, or a table named after a catalog ("nodes.csv").
[[nodiscard]] bool isCatalogFile(const QString &path);

struct ImportedItems {
    QString told; ///< for the status bar
    CatalogKind kind; ///< of the first item
};

/// Makes the items of the file the user's own, in one undo step. `kind` is that of a file which does not say. Where
/// some items are refused, or would replace others, it says which and asks before anything changes. Nothing when none
/// is there to take, or it was declined.
[[nodiscard]] std::optional<ImportedItems> importCatalogItems(QWidget *parent, Prompts &prompts, Workspace &workspace,
    const QString &path, std::optional<CatalogKind> kind = std::nullopt);

/// Asks for a file and imports it; see above. What to tell in the status bar.
[[nodiscard]] QString importCatalogFile(QWidget *parent, Prompts &prompts, Workspace &workspace, CatalogKind kind);

/// Asks where to and writes the catalog, as JSON or as a table by the ending of the name. What to tell in the status
/// bar; empty when nothing was written.
[[nodiscard]] QString exportCatalogFile(QWidget *parent, Prompts &prompts, const Catalog &catalog, CatalogKind kind);

} // namespace fleetwright::app
