// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/navigation.h"

#include "app/pages/page.h"
#include "app/theme.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeWidget>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

Navigation::Navigation(QTreeWidget *tree, QStackedWidget *pages, QObject *parent)
    : QObject(parent), m_tree(tree), m_pages(pages)
{
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem *item) {
        if (item && !item->data(0, Qt::UserRole).isNull())
            emit requested(item->data(0, Qt::UserRole).toString());
    });
    // Where the layout runs from right to left Qt leaves out the indentation of a line that is no longer chosen.
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, m_tree->viewport(),
        qOverload<>(&QWidget::update));
    // The whole line of a group folds it, not only its small arrow.
    m_tree->setExpandsOnDoubleClick(false);
    connect(m_tree, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem *item) {
        if (item->data(0, Qt::UserRole).isNull())
            item->setExpanded(!item->isExpanded());
        else if (const auto id = item->data(0, Qt::UserRole).toString(); item->childCount() > 0 && id != current())
            emit requested(id); // the current one already, while it stands for what is folded below it
    });
    connect(m_tree, &QTreeWidget::itemCollapsed, this, [this](QTreeWidgetItem *item) { keepFold(item, true); });
    connect(m_tree, &QTreeWidget::itemExpanded, this, [this](QTreeWidgetItem *item) { keepFold(item, false); });
}

QString Navigation::foldOf(const QTreeWidgetItem &item)
{
    const auto id = item.data(0, Qt::UserRole).toString();
    return id.isEmpty() ? item.text(0) : id;
}

void Navigation::keepFold(QTreeWidgetItem *item, bool folded)
{
    if (item->data(0, foldedRole).toBool() == folded)
        return;
    item->setData(0, foldedRole, folded);
    QStringList all;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        if (const auto *each = m_tree->topLevelItem(i); each->data(0, foldedRole).toBool())
            all << foldOf(*each);
    emit foldsChanged(all);
}

void Navigation::setFolded(const QStringList &folded)
{
    const QSignalBlocker quiet(m_tree);
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        if (auto *item = m_tree->topLevelItem(i); folded.contains(foldOf(*item))) {
            item->setData(0, foldedRole, true);
            item->setExpanded(false);
        }
}

void Navigation::move(const QString &id, int row)
{
    auto *moved = item(id);
    const int from = m_tree->indexOfTopLevelItem(moved);
    if (from < 0 || from == row)
        return;
    const QSignalBlocker quiet(m_tree);
    auto *current = m_tree->currentItem();
    m_tree->insertTopLevelItem(row, m_tree->takeTopLevelItem(from));
    moved->setExpanded(!moved->data(0, foldedRole).toBool());
    m_tree->setCurrentItem(current);
}

void Navigation::place(QTreeWidgetItem *item, const QString &title)
{
    item->setText(0, title);
    item->setSizeHint(0, QSize(0, m_tree->fontMetrics().height() + gridUnit));
}

void Navigation::list(Entry entry, QTreeWidgetItem *item)
{
    place(item, entry.title);
    item->setData(0, Qt::UserRole, entry.id);
    entry.item = item;
    m_entries.push_back(std::move(entry));
}

void Navigation::add(Entry entry) { list(std::move(entry), new QTreeWidgetItem(m_tree)); }
void Navigation::addUnlisted(Entry entry) { m_entries.push_back(std::move(entry)); }

void Navigation::addGroup(const QString &title, const QString &icon, std::vector<Entry> entries)
{
    auto *group = new QTreeWidgetItem(m_tree);
    place(group, title);
    group->setFlags(Qt::ItemIsEnabled);
    group->setExpanded(true);
    m_groups.emplace_back(group, icon);
    for (auto &entry : entries)
        list(std::move(entry), new QTreeWidgetItem(group));
}

void Navigation::fillMenu(QMenu *menu)
{
    auto *before = menu->actions().constFirst();
    for (const auto &entry : m_entries) {
        auto *action = new QAction(entry.title, menu);
        action->setObjectName(u"goTo/"_s + entry.id);
        action->setShortcut(QKeySequence(entry.keys));
        connect(action, &QAction::triggered, this, [this, id = entry.id] { emit entered(id); });
        menu->insertAction(before, action);
    }
    menu->insertSeparator(before);
}

Navigation::Entry *Navigation::find(const QString &id)
{
    const auto found = std::ranges::find(m_entries, id, &Entry::id);
    return found == m_entries.end() ? nullptr : &*found;
}

Page *Navigation::page(const QString &id)
{
    auto *entry = find(id);
    if (!entry || entry->page)
        return entry ? entry->page : nullptr;
    entry->page = entry->make();
    m_pages->addWidget(entry->page);
    emit pageMade(entry->page, entry->id, entry->title);
    return entry->page;
}

Page *Navigation::pageIfMade(const QString &id) const
{
    const auto found = std::ranges::find(m_entries, id, &Entry::id);
    return found == m_entries.end() ? nullptr : found->page;
}

void Navigation::show(const QString &id)
{
    if (auto *shown = page(id)) {
        m_pages->setCurrentWidget(shown);
        if (auto *item = find(id)->item)
            m_tree->setCurrentItem(item);
    }
}

QString Navigation::current() const
{
    const auto found = std::ranges::find(m_entries, m_pages->currentWidget(), &Entry::page);
    return found == m_entries.end() ? QString() : found->id;
}

void Navigation::setTitle(const QString &id, const QString &title)
{
    auto *entry = find(id);
    entry->title = title;
    place(entry->item, title);
}

void Navigation::setUsable(const std::function<bool(const Entry &)> &usable)
{
    for (const auto &entry : m_entries) {
        if (entry.item)
            entry.item->setDisabled(!usable(entry));
        if (auto *action = m_tree->window()->findChild<QAction *>(u"goTo/"_s + entry.id))
            action->setEnabled(usable(entry));
    }
}

void Navigation::updateIcons(const QPalette &palette)
{
    for (const auto &entry : m_entries)
        if (entry.item)
            entry.item->setIcon(0, icon(entry.icon, palette));
    for (const auto &[group, name] : m_groups)
        group->setIcon(0, icon(name, palette));
}

} // namespace fleetwright::app
