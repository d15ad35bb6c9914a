// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>

#include <functional>

class QAbstractItemView;
class QTableView;

namespace fleetwright::app {

/// The width in pixels that a table or tree has for its columns: all but the bar at its rows where they need one. It
/// follows from the size of the table and from its rows, never from the bars that stand now: columns fitted to what
/// the bars leave would make them come and go for ever.
[[nodiscard]] int roomForColumns(const QAbstractItemView &view);

/// QAbstractItemView::sizeHintForColumn(), which lays out every cell of a table: here only those whose text is longest.
[[nodiscard]] int widthOfCells(const QAbstractItemView &view, int column);

/// As high as its rows, of a table in a page that scrolls.
void fitHeight(QTableView *table);

/// Calls `fit` when a table is given another size. Bars that come or go alone are no other size.
class RoomFollower : public QObject {
    Q_OBJECT
public:
    /// Belongs to the table.
    RoomFollower(QAbstractItemView &view, std::function<void()> fit);
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QAbstractItemView &m_view;
    std::function<void()> m_fit;
    QSize m_size; ///< of all but the bars, when it was fitted
    int m_room = -1;
};

} // namespace fleetwright::app
