// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/rowdocuments.h"

#include "app/widgets/copying.h"
#include "app/workspace/workspace.h"
#include "exchange/catalogfiles.h"
#include "exchange/documents.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/rowtable.h"
#include "text/utf8.h"

#include <unordered_set>

namespace fleetwright::app {

namespace {

QString yamlOf(exchange::Document document) { return utf8(exchange::toText(document, exchange::TextFormat::YamlText)); }

/// `saved` gives what is saved under an id, null where nothing is.
template <class Saved> void copyOne(QAbstractItemView *table, Saved saved)
{
    new RowDocuments(table, [saved](const QModelIndexList &rows) {
        const auto *row = rows.size() == 1 ? saved(rows.front().data(itemmodels::idRole).toLongLong()) : nullptr;
        return row ? yamlOf(row->document) : QString();
    });
}

} // namespace

void copyPlans(QAbstractItemView *table, const Workspace &workspace)
{
    copyOne(table, [&workspace](storage::RowId id) { return workspace.plan(id); });
}

void copySweeps(QAbstractItemView *table, const Workspace &workspace)
{
    copyOne(table, [&workspace](storage::RowId id) { return workspace.sweep(id); });
}

void copyOffers(QAbstractItemView *table, const Workspace &workspace)
{
    copyOne(table, [&workspace](storage::RowId id) { return workspace.offer(id); });
}

void copyMeasuredRuns(QAbstractItemView *table, const Workspace &workspace)
{
    new RowDocuments(table, [&workspace](const QModelIndexList &rows) {
        std::unordered_set<storage::RowId> chosen;
        for (const auto &row : rows)
            chosen.insert(row.data(itemmodels::idRole).toLongLong());
        validation::RunFile file;
        for (const auto &run : workspace.measuredRuns())
            if (chosen.contains(run.id))
                file.runs.push_back(run.document);
        return file.runs.empty() ? QString() : yamlOf(std::move(file));
    });
}

void copyCatalogItems(QAbstractItemView *table, const Workspace &workspace, CatalogKind kind)
{
    new RowDocuments(table, [&workspace, kind](const QModelIndexList &rows) {
        const auto &catalog = *workspace.catalog();
        std::vector<const CatalogRecord *> items;
        for (const auto &row : rows)
            if (const auto *item = catalog.find(
                    kind, row.data(itemmodels::CatalogTableModel::IdRole).toString().toStdString()))
                items.push_back(item);
        return items.empty() ? QString() : utf8(exchange::catalogItemsToYaml(catalog, kind, items));
    });
}

} // namespace fleetwright::app
