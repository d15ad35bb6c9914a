// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/wrappedcolumns.h"

#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"

#include <QHeaderView>
#include <QStyle>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

namespace {

/// Of the longest part that no line break can part, in bold, which some cells are.
int longestWord(const QFontMetrics &metrics, const QString &text)
{
    int longest = 0;
    for (const auto &word : text.split(u' ')) // units stand behind a space that keeps them
        longest = std::max(longest, metrics.horizontalAdvance(word));
    return longest;
}

} // namespace

WrappedColumns::WrappedColumns(QTableView &table) : QObject(&table), m_table(table)
{
    TableColumns::of(table).fitElsewhere();
    TableColumns::of(table).setOfProject();
    table.setWordWrap(true);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    table.horizontalHeader()->setStretchLastSection(false);
    table.horizontalHeader()->setDefaultAlignment(
        Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter) | Qt::Alignment(int(Qt::TextWordWrap)));
    table.verticalHeader()->setMinimumSectionSize(table.verticalHeader()->defaultSectionSize());
    new RoomFollower(table, [this] { fit(); });
    connect(table.model(), &QAbstractItemModel::modelReset, this, &WrappedColumns::fitSoon);
    connect(table.model(), &QAbstractItemModel::dataChanged, this, &WrappedColumns::fitSoon);
    fitSoon();
}

void WrappedColumns::fitSoon()
{
    if (!std::exchange(m_fitsSoon, true))
        QMetaObject::invokeMethod(this, &WrappedColumns::fit, Qt::QueuedConnection); // after all that changes now
}

void WrappedColumns::fit()
{
    m_fitsSoon = false;
    const auto *model = m_table.model();
    auto *header = m_table.horizontalHeader();
    const int columns = model->columnCount(), rows = model->rowCount();
    if (columns < 2)
        return;
    auto font = m_table.font();
    font.setBold(true);
    const QFontMetrics metrics(font);
    const auto *style = m_table.style();
    const int cellMargins = 2 * (style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &m_table) + 1) + 1,
              headerMargins = 2 * style->pixelMetric(QStyle::PM_HeaderMargin, nullptr, header);
    const auto textOf = [&](int row, int column) { return model->index(row, column).data().toString(); };
    const auto titleOf = [&](int column) { return model->headerData(column, Qt::Horizontal).toString(); };
    int names = 0, least = 0;
    for (int row = 0; row < rows; ++row) {
        names = std::max(names, metrics.horizontalAdvance(textOf(row, 0)) + cellMargins);
        for (int column = 1; column < columns; ++column)
            least = std::max(least, longestWord(metrics, textOf(row, column)) + cellMargins);
    }
    for (int column = 1; column < columns; ++column)
        least = std::max(least, longestWord(metrics, titleOf(column)) + 2 * headerMargins);
    constexpr int mostOfNames = 2; // of five parts of the room
    const int room = roomForColumns(m_table);
    names = std::min(names, room * mostOfNames / 5);
    const int each = std::max(least, (room - names) / (columns - 1));
    header->resizeSection(0, std::max(names, room - each * (columns - 1)));
    int height = metrics.height();
    for (int column = 1; column < columns; ++column) {
        header->resizeSection(column, each);
        const QRect within(0, 0, each - 2 * headerMargins, QWIDGETSIZE_MAX);
        height = std::max(height, metrics.boundingRect(within, Qt::TextWordWrap, titleOf(column)).height());
    }
    header->setFixedHeight(height + 2 * headerMargins);
    m_table.resizeRowsToContents();
}

} // namespace fleetwright::app
