// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/copying.h"

#include "app/widgets/stackedbar.h"
#include "app/widgets/tablecolumns.h"
#include "app/workspace/prompts.h"
#include "charts/chartview.h"
#include "exchange/yamlwriter.h"
#include "itemmodels/tablepicture.h"
#include "itemmodels/tabletext.h"
#include "text/utf8.h"

#include <QAction>
#include <QApplication>
#include <QCalendarWidget>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMimeData>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <set>
#include <utility>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

namespace {

const QHeaderView *columnsOf(const QAbstractItemView &view)
{
    if (const auto *table = qobject_cast<const QTableView *>(&view))
        return table->horizontalHeader();
    const auto *tree = qobject_cast<const QTreeView *>(&view);
    return tree ? tree->header() : nullptr;
}

/// Lists for choosing (navigation, studies) are trees without a header.
bool isTable(const QAbstractItemView &view)
{
    const auto *table = qobject_cast<const QTableView *>(&view);
    const auto *tree = qobject_cast<const QTreeView *>(&view);
    return table ? !qobject_cast<const QCalendarWidget *>(table->parentWidget()) : tree && !tree->isHeaderHidden();
}

/// In the order in which they stand, without those that were taken away.
std::vector<int> columnsToCopy(const QAbstractItemView &view)
{
    const auto *header = columnsOf(view);
    const auto *chosen = view.findChild<TableColumns *>(QString(), Qt::FindDirectChildrenOnly);
    std::vector<int> columns;
    for (int visual = 0; visual < header->count(); ++visual)
        if (const int column = header->logicalIndex(visual); !chosen || !chosen->isTakenAway(column))
            columns.push_back(column);
    return columns;
}

/// Whole rows take every column; cells take theirs, and the titles of their rows where row headers stand for them.
itemmodels::TablePart selectedPart(const QAbstractItemView &view, itemmodels::TablePart whole)
{
    const auto *selection = view.selectionModel();
    if (!selection || !selection->hasSelection())
        return whole;
    whole.rows.removeIf(
        [&](const QModelIndex &row) { return !selection->rowIntersectsSelection(row.row(), row.parent()); });
    if (view.selectionBehavior() == QAbstractItemView::SelectRows)
        return whole;
    const auto *table = qobject_cast<const QTableView *>(&view);
    const bool hasRowTitles = table && table->isColumnHidden(0) && !table->verticalHeader()->isHidden();
    std::set<int> chosen;
    for (const auto &index : selection->selectedIndexes())
        chosen.insert(index.column());
    std::erase_if(whole.columns, [&](int column) { return !chosen.contains(column) && (column > 0 || !hasRowTitles); });
    return whole;
}

bool isCopyKey(const QEvent &event)
{
    return (event.type() == QEvent::ShortcutOverride || event.type() == QEvent::KeyPress)
        && static_cast<const QKeyEvent &>(event).matches(QKeySequence::Copy);
}

QAction *copyAction(QWidget &view, const QString &name, const QString &text)
{
    auto *action = new QAction(text, &view);
    action->setObjectName(name);
    view.addAction(action);
    return action;
}

QString yamlOf(const QAbstractItemView &view, const itemmodels::TablePart &part)
{
    if (const auto *documents = view.findChild<RowDocuments *>(QString(), Qt::FindDirectChildrenOnly))
        if (auto text = documents->text(part.rows); !text.isEmpty())
            return text;
    return utf8(exchange::rowsToYaml(itemmodels::shownTexts(*view.model(), part)));
}

} // namespace

RowDocuments::RowDocuments(QAbstractItemView *view, Writer write) : QObject(view), m_write(std::move(write)) { }

QString copyTable(const QAbstractItemView &view, CopyAs as, CopyWhat what)
{
    const auto *model = view.model();
    if (!model)
        return {};
    constexpr int pictureScale = 2; // as charts are copied
    auto part = itemmodels::wholeTable(*model);
    part.columns = columnsToCopy(view);
    if (what == CopyWhat::Selection)
        part = selectedPart(view, std::move(part));
    auto *content = new QMimeData;
    if (as == CopyAs::TabSeparated) {
        content->setText(itemmodels::toTabSeparated(*model, part));
    } else if (as == CopyAs::Yaml) {
        content->setText(yamlOf(view, part));
    } else if (as == CopyAs::Picture) {
        if (part.rows.size() > itemmodels::mostPictureRows)
            return Copying::tr("Not copied: a picture has room for %1 rows, and these are %2. Choose fewer.")
                .arg(itemmodels::mostPictureRows)
                .arg(part.rows.size());
        content->setImageData(itemmodels::tablePicture(*model, part, {view.font(), view.palette(), pictureScale}));
    } else {
        const auto text = itemmodels::toMarkdown(*model, part);
        content->setText(text);
        content->setData(u"text/markdown"_s, text.toUtf8());
    }
    QGuiApplication::clipboard()->setMimeData(content);
    return part.rows.size() == 1 ? Copying::tr("1 row copied") : Copying::tr("%1 rows copied").arg(part.rows.size());
}

Copying::Copying(Prompts &prompts, QObject *parent) : QObject(parent), m_prompts(prompts)
{
    qApp->installEventFilter(this);
}

QAction *Copying::actionOf(const QWidget &widget)
{
    const auto actions = widget.actions();
    const auto *view = qobject_cast<const QAbstractItemView *>(&widget);
    const auto found = std::ranges::find_if(actions, [&](const QAction *action) {
        if (action->objectName() == u"copyDocumentAction")
            return view && !view->currentIndex().data(documentTextRole).isNull();
        return action->objectName() == u"copyTableAction" || action->objectName() == u"copyChartAction";
    });
    return found == actions.end() ? nullptr : *found;
}

bool Copying::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Polish) {
        if (auto *view = qobject_cast<QAbstractItemView *>(watched); view && isTable(*view))
            attach(*view);
        else if (view && !view->findChild<QAction *>(u"copyDocumentAction"_s, Qt::FindDirectChildrenOnly))
            attachDocuments(*view);
        else if (auto *chart = qobject_cast<charts::ChartView *>(watched))
            attach(*chart);
        else if (auto *bar = qobject_cast<StackedBar *>(watched))
            connect(bar, &StackedBar::copied, this, &Copying::copied, Qt::UniqueConnection);
        return false;
    }
    if (!isCopyKey(*event) || !watched->isWidgetType())
        return false;
    auto *action = actionOf(*static_cast<QWidget *>(watched));
    if (!action)
        return false;
    // The window has a shortcut of the same keys: it must not come first, nor the view, which copies one cell.
    event->accept();
    if (event->type() == QEvent::KeyPress)
        action->trigger();
    return true;
}

void Copying::attach(QAbstractItemView &view)
{
    if (actionOf(view))
        return;
    const auto add = [&](const QString &name, const QString &text, CopyAs as, CopyWhat what) {
        auto *action = copyAction(view, name, text);
        connect(action, &QAction::triggered, this, [this, &view, as, what] { emit copied(copyTable(view, as, what)); });
    };
    if (!view.actions().isEmpty()) {
        auto *separator = new QAction(&view);
        separator->setSeparator(true);
        view.addAction(separator);
    }
    // No shortcut, which only one action of a window can have: eventFilter() knows the keys.
    const auto keys = u'\t' + QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText);
    add(u"copyTableAction"_s, tr("&Copy") + keys, CopyAs::TabSeparated, CopyWhat::Selection);
    add(u"copyMarkdownAction"_s, tr("Copy as &Markdown"), CopyAs::Markdown, CopyWhat::Selection);
    add(u"copyYamlAction"_s, tr("Copy as &YAML"), CopyAs::Yaml, CopyWhat::Selection);
    add(u"copyPictureAction"_s, tr("Copy as &picture"), CopyAs::Picture, CopyWhat::Selection);
    add(u"copyWholeTableAction"_s, tr("Copy &whole table"), CopyAs::TabSeparated, CopyWhat::Table);
    add(u"copyWholeMarkdownAction"_s, tr("Copy whole table &as Markdown"), CopyAs::Markdown, CopyWhat::Table);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

void Copying::attachDocuments(QAbstractItemView &view)
{
    auto *action = copyAction(view, u"copyDocumentAction"_s, tr("&Copy"));
    connect(action, &QAction::triggered, this, [this, &view] {
        const auto current = view.currentIndex();
        QGuiApplication::clipboard()->setText(current.data(documentTextRole).toString());
        emit copied(tr("\u201c%1\u201d copied as YAML").arg(current.data().toString()));
    });
}

void Copying::attach(charts::ChartView &view)
{
    if (view.hasFileChooser())
        return;
    m_prompts.saveChart(view);
    connect(&view, &charts::ChartView::copied, this, &Copying::copied);
}

} // namespace fleetwright::app
