// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/tableroom.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QTreeView>

namespace fleetwright::app {

namespace {

int heightOfRows(const QAbstractItemView &view)
{
    if (const auto *table = qobject_cast<const QTableView *>(&view))
        return table->verticalHeader()->length();
    if (!view.model() || view.model()->rowCount(view.rootIndex()) == 0)
        return 0;
    const auto *tree = qobject_cast<const QTreeView *>(&view);
    auto last = view.model()->index(view.model()->rowCount(view.rootIndex()) - 1, 0, view.rootIndex());
    while (tree && tree->isExpanded(last) && view.model()->hasChildren(last))
        last = view.model()->index(view.model()->rowCount(last) - 1, 0, last);
    const auto first = view.model()->index(0, 0, view.rootIndex());
    return view.visualRect(last).bottom() - view.visualRect(first).top() + 1;
}

} // namespace

int roomForColumns(const QAbstractItemView &view)
{
    const auto most = view.maximumViewportSize(); // without a bar that always stands
    const bool hasBar = view.verticalScrollBarPolicy() == Qt::ScrollBarAsNeeded && heightOfRows(view) > most.height();
    return most.width() - (hasBar ? view.verticalScrollBar()->sizeHint().width() : 0);
}

void fitHeight(QTableView *table)
{
    table->setFixedHeight(
        table->horizontalHeader()->sizeHint().height() + table->verticalHeader()->length() + 2 * table->frameWidth());
}

RoomFollower::RoomFollower(QAbstractItemView &view, std::function<void()> fit)
    : QObject(&view), m_view(view), m_fit(std::move(fit))
{
    view.viewport()->installEventFilter(this);
}

bool RoomFollower::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::Resize)
        return QObject::eventFilter(watched, event);
    const auto size = m_view.maximumViewportSize();
    const int room = roomForColumns(m_view);
    if (size != m_size || room != m_room) {
        m_size = size;
        m_room = room;
        m_fit();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace fleetwright::app
