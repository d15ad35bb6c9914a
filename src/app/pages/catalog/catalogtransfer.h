// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/catalogfiles.h"

#include <QStringList>

#include <optional>

class QWidget;

namespace fleetwright::app {

class Prompts;
class Workspace;

/// What `text`, the file's, holds where it is one of catalog items by its content, or a table named after a catalog
/// ("nodes.csv"); else nothing.
[[nodiscard]] std::optional<Expected<exchange::CatalogFile>> catalogFileIn(
    const QString &path, const std::string &text);

struct ImportedItems {
    QString told; ///< for the status bar
    CatalogKind kind = CatalogKind::Node;
    QStringList ids; ///< of the items of that kind: what was taken, or what is here already
};

/// Makes the items of the file the user's own, in one undo step. Where some items are refused, or would replace others,
/// it says which and asks before anything changes. Nothing when none is there to take, it was declined, or the file
/// could not be read, which is said too. With something to say `before`, it asks in any case.
[[nodiscard]] std::optional<ImportedItems> importCatalogItems(QWidget *parent, Prompts &prompts, Workspace &workspace,
    const QString &path, Expected<exchange::CatalogFile> file, const QString &before = {});

/// Asks for a file, of catalog items or a model's config.json, and imports it; see above. What to tell in the status
/// bar.
[[nodiscard]] QString importCatalogFile(QWidget *parent, Prompts &prompts, Workspace &workspace, CatalogKind kind);

/// Asks where to and writes the catalog, as JSON or as a table by the ending of the name. What to tell in the status
/// bar; empty when nothing was written.
[[nodiscard]] QString exportCatalogFile(QWidget *parent, Prompts &prompts, const Catalog &catalog, CatalogKind kind);

} // namespace fleetwright::app
