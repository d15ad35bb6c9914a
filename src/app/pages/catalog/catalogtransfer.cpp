// SPDX-License-Identifier: GPL-3.0-or-later
// How items come and go in files, and the menu of a catalog's page for it.
#include "app/pages/catalog/catalogtransfer.h"

#include "app/dialogs/catalogupdatedialog.h"
#include "app/pages/catalog/catalogpage.h"
#include "app/pages/catalog/huggingfaceimport.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "exchange/catalogfiles.h"
#include "exchange/readfile.h"
#include "itemmodels/catalogtablemodel.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_catalogpage.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

class Texts {
    Q_DECLARE_TR_FUNCTIONS(CatalogTransfer)
};

bool isTable(const QString &path) { return path.endsWith(u".csv"_s, Qt::CaseInsensitive); }

std::optional<CatalogKind> kindByName(const QString &path)
{
    const auto named = parseCatalogKind(QFileInfo(path).completeBaseName().toStdString());
    return named ? std::optional(*named) : std::nullopt;
}

/// `kind` is that of a file which does not say.
Expected<exchange::CatalogFile> catalogFileFrom(const QString &path, const std::string &text, CatalogKind kind)
{
    const auto meant = kindByName(path).value_or(kind);
    if (isTable(path))
        return exchange::catalogFileFromCsv(text, meant);
    // A file may hold its catalog's name, which says more than that of the file.
    if (auto file = exchange::catalogFileIfOne(text, meant))
        return std::move(*file);
    return exchange::catalogFileFromJson(text, meant); // says why it is none
}

/// The first few of what is refused, one a line.
QString refusalLines(const std::vector<RefusedItem> &refused)
{
    constexpr std::size_t shown = 6;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(shown, refused.size()); ++i) {
        const auto &[item, error] = refused[i];
        lines << u"%1, %2: %3"_s.arg(item.id.empty() ? localized(toString(item.kind)) : localized(toString(item)),
            utf8(error.field), localized(error.message));
    }
    if (refused.size() > shown)
        lines << Texts::tr("and %1 more").arg(refused.size() - shown);
    return lines.join(u'\n');
}

/// What the user must know before: nothing where there are only new items and nothing is said of them.
QString questionBefore(const CatalogImport &import, const QString &before)
{
    QStringList parts;
    if (!before.isEmpty())
        parts << before;
    if (!import.replaced.empty()) {
        QStringList items;
        for (const auto &item : import.replaced)
            items << localized(toString(item));
        constexpr int shown = 6;
        const auto more = items.size() > shown ? Texts::tr(" and %1 more").arg(items.size() - shown) : QString();
        parts << Texts::tr("Items of your own take the values of the file: %1%2.")
                     .arg(items.mid(0, shown).join(u", "_s), more);
    }
    if (!import.refused.empty())
        parts << Texts::tr("Refused:\n%1").arg(refusalLines(import.refused));
    if (parts.isEmpty())
        return {};
    parts << (!before.isEmpty() && import.added.size() + import.replaced.size() == 1
            ? Texts::tr("Import it? You can undo this.")
            : Texts::tr("Import %1 new and %2 changed items? You can undo this.")
                  .arg(import.added.size())
                  .arg(import.replaced.size()));
    return parts.join(u"\n\n"_s);
}

} // namespace

std::optional<Expected<exchange::CatalogFile>> catalogFileIn(const QString &path, const std::string &text)
{
    const auto named = kindByName(path);
    if (!isTable(path)) {
        // A document is read by its own reader, and large ones take a while: only what has such a key is tried.
        const bool mayBeOne = std::ranges::any_of(std::initializer_list<std::string_view>{"items", "catalogs", "\\u"},
            [&](std::string_view key) { return text.contains(key); });
        return mayBeOne ? exchange::catalogFileIfOne(text, named) : std::nullopt;
    }
    return named ? std::optional(exchange::catalogFileFromCsv(text, *named)) : std::nullopt;
}

std::optional<ImportedItems> importCatalogItems(QWidget *parent, Prompts &prompts, Workspace &workspace,
    const QString &path, Expected<exchange::CatalogFile> file, const QString &before)
{
    const auto failed = [&](const Error &error) -> std::optional<ImportedItems> {
        prompts.showError(parent, Texts::tr("\u201c%1\u201d was not imported").arg(QFileInfo(path).fileName()), error);
        return std::nullopt;
    };
    if (!file)
        return failed(file.error());
    const auto import = importInto(
        *workspace.catalog(), std::move(file->items), std::move(file->refused), ExistingItems::Replace);
    const auto taken = import.added.size() + import.replaced.size();
    if (taken == 0 && !import.refused.empty())
        return failed({import.refused.front().error.code, import.refused.front().error.field,
            refusalLines(import.refused).toStdString()});
    const auto first = [](const auto &...lists) {
        std::optional<ItemId> found;
        ((found = found || lists.empty() ? found : std::optional(lists.front())), ...);
        return found;
    }(import.added, import.replaced, import.unchanged);
    if (!first)
        return failed({ErrorCode::MissingField, {}, "The file has no items."});
    const auto items = [&first](const QString &told, std::initializer_list<const std::vector<ItemId> *> lists) {
        ImportedItems answer{told, first->kind, {}};
        for (const auto *list : lists)
            for (const auto &item : *list)
                if (item.kind == first->kind)
                    answer.ids << utf8(item.id);
        return answer;
    };
    if (taken == 0) {
        const auto *known = import.unchanged.size() == 1 ? workspace.catalog()->find(first->kind, first->id) : nullptr;
        return items(known ? Texts::tr("Nothing to import: \u201c%1\u201d is already here").arg(utf8(known->name))
                           : Texts::tr("Nothing to import: all %1 items are already here").arg(import.unchanged.size()),
            {&import.unchanged});
    }
    if (const auto question = questionBefore(import, before); !question.isEmpty()
        && !prompts.confirm(parent, Texts::tr("Import catalog items"), question, Texts::tr("Import")))
        return {};
    if (const auto done = workspace.applyCatalogEdit(import.edit); !done)
        return failed(done.error());
    return items(taken == 1 ? Texts::tr("1 item imported") : Texts::tr("%1 items imported").arg(taken),
        {&import.added, &import.replaced});
}

QString importCatalogFile(QWidget *parent, Prompts &prompts, Workspace &workspace, CatalogKind kind)
{
    const auto path = prompts.fileToOpen(
        parent, Texts::tr("Import catalog items"), Texts::tr("Catalog files (*.json *.csv);;All files (*)"));
    if (path.isEmpty())
        return {};
    const auto text = exchange::readFile(path, exchange::longestCatalogFile);
    auto model = text ? exchange::huggingFaceIfOne(*text) : std::nullopt;
    const auto imported = model ? importHuggingFaceModel(parent, prompts, workspace, {path, *text}, std::move(*model))
                                : importCatalogItems(parent, prompts, workspace, path,
                                    text ? catalogFileFrom(path, *text, kind) : std::unexpected(text.error()));
    return imported ? imported->told : QString();
}

QString exportCatalogFile(QWidget *parent, Prompts &prompts, const Catalog &catalog, CatalogKind kind)
{
    return prompts.saveFile(parent,
        {.title = Texts::tr("Export %1").arg(itemmodels::catalogTitle(kind)),
            .name = utf8(toString(kind)) + u".json"_s,
            .filter = Texts::tr("Catalog file with sources (*.json);;Table (*.csv)"),
            .failure = Texts::tr("The catalog was not exported")},
        [&](const QString &path) {
            return QByteArray::fromStdString(path.endsWith(u".csv"_s, Qt::CaseInsensitive)
                    ? exchange::catalogFileToCsv(catalog, kind)
                    : exchange::catalogFileToJson(catalog, std::span(&kind, 1)));
        });
}

void CatalogPage::makeMoreMenu()
{
    auto *menu = new QMenu(this);
    m_import = menu->addAction(tr("&Import\u2026"), this, [this] {
        if (const auto done = importCatalogFile(this, m_prompts, m_workspace, m_kind); !done.isEmpty())
            emit statusMessage(done);
    });
    menu->addAction(tr("&Export\u2026"), this, [this] {
        if (const auto done = exportCatalogFile(this, m_prompts, *m_workspace.catalog(), m_kind); !done.isEmpty())
            emit statusMessage(done);
    });
    menu->addSeparator();
    m_update = menu->addAction(tr("&Update from shipped catalog\u2026"), this, &CatalogPage::updateFromShipped);
    m_update->setVisible(isShippedAsFile(m_kind));
    m_ui->moreButton->setMenu(menu);
}

void CatalogPage::updateFromShipped()
{
    openCatalogUpdate(m_workspace, m_prompts, this, [this](const QString &text) { emit statusMessage(text); });
}

} // namespace fleetwright::app
