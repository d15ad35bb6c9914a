// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/tableroom.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>
#include <utility>
#include <vector>

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

/// Of the longest line of a text, without laying it out.
class RoughWidths {
public:
    explicit RoughWidths(const QFontMetrics &metrics) : m_metrics(metrics) { m_known.fill(-1); }
    int of(const QString &text)
    {
        int longest = 0, line = 0;
        for (const auto letter : text) {
            line = letter == u'\n' ? 0 : line + advanceOf(letter);
            longest = std::max(longest, line);
        }
        return longest;
    }

private:
    int advanceOf(QChar letter)
    {
        if (letter.unicode() >= m_known.size())
            return m_metrics.horizontalAdvance(letter);
        auto &known = m_known[letter.unicode()];
        if (known < 0)
            known = m_metrics.horizontalAdvance(letter);
        return known;
    }

    QFontMetrics m_metrics;
    std::array<int, 256> m_known;
};

} // namespace

int widthOfCells(const QAbstractItemView &view, int column)
{
    constexpr std::size_t most = 12; // that may be the widest: icons and narrow letters make a difference
    const auto *table = qobject_cast<const QTableView *>(&view);
    if (!table || !view.model() || std::size_t(view.model()->rowCount()) <= most)
        return view.sizeHintForColumn(column);
    RoughWidths widths(view.fontMetrics());
    std::vector<std::pair<int, int>> rows; // width and row
    for (int row = 0; row < view.model()->rowCount(); ++row)
        rows.emplace_back(widths.of(view.model()->index(row, column).data().toString()), row);
    std::ranges::partial_sort(rows, rows.begin() + most, std::ranges::greater());
    int widest = 0;
    for (const auto &[width, row] : rows | std::views::take(most))
        widest = std::max(widest, view.sizeHintForIndex(view.model()->index(row, column)).width());
    return widest + (table->showGrid() ? 1 : 0);
}

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
