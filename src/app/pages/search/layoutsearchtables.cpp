// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/layoutsearchtables.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "itemmodels/layoutsearchtablemodel.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <array>
#include <numeric>

namespace fleetwright::app {

using itemmodels::LayoutSearchColumn;

namespace {

constexpr int rowsMeasured = 60; ///< for the width of columns; the others have numbers of the same kind
constexpr int narrowestCase = 88;
constexpr int padding = 8;
constexpr int sortArrow = 16;
/// The first go first.
constexpr std::array givesWay{LayoutSearchColumn::Infeasible, LayoutSearchColumn::MemoryShare,
    LayoutSearchColumn::TokenRate, LayoutSearchColumn::Feasible, LayoutSearchColumn::Cost, LayoutSearchColumn::Mfu};

int widthOf(QTableView *table, int column)
{
    const auto *header = table->horizontalHeader();
    const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
    const int arrow = header->sortIndicatorSection() == column ? sortArrow : 0;
    // Those at the bottom, which are not measured, have longer ones.
    const QString reason = LayoutSearchColumn(column) == LayoutSearchColumn::WhyNot
        ? QStringLiteral("Memory: 99.9 GB over")
        : QString();
    return std::max(table->fontMetrics().horizontalAdvance(reason) + padding,
        std::max(header->fontMetrics().horizontalAdvance(title) + padding + arrow,
            static_cast<QAbstractItemView *>(table)->sizeHintForColumn(column) + padding / 2));
}

} // namespace

void setUpLayoutSearchTable(QTableView *table)
{
    setUpTable(table, -1);
    auto *header = table->horizontalHeader();
    TableColumns::of(*table).fitElsewhere();
    header->setResizeContentsPrecision(rowsMeasured);
    header->setMinimumSectionSize(24);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->sortByColumn(static_cast<int>(LayoutSearchColumn::Rank), Qt::AscendingOrder);
    table->setSortingEnabled(true);
    new RoomFollower(*table, [table] { fitLayoutSearchTable(table); });
    QObject::connect(header, &QHeaderView::sortIndicatorChanged, table, [table] { fitLayoutSearchTable(table); });
}

void fitLayoutSearchTable(QTableView *table)
{
    const auto *model = qobject_cast<const itemmodels::LayoutSearchTableModel *>(table->model());
    if (!model->result())
        return;
    std::vector<int> widths(std::size_t(model->columnCount()), 0);
    for (int column = 0; column < model->columnCount(); ++column)
        if (model->isUsed(static_cast<LayoutSearchColumn>(column)))
            widths[std::size_t(column)] = widthOf(table, column);
    const int room = roomForColumns(*table);
    const auto excess = [&] { return std::accumulate(widths.begin(), widths.end(), 0) - room; };
    // Long names of cases give way first, so that the figures stay in sight.
    auto &cases = widths[static_cast<std::size_t>(LayoutSearchColumn::Case)];
    if (excess() > 0 && cases > 0)
        cases = std::max(std::min(cases, narrowestCase), cases - excess());
    for (const auto column : givesWay)
        if (excess() > 0)
            widths[static_cast<std::size_t>(column)] = 0;
    const auto shown = std::ranges::count_if(widths, [](int width) { return width > 0; });
    const int more = excess() < 0 ? -excess() / int(shown) : 0;
    for (int column = 0; column < model->columnCount(); ++column) {
        const int width = widths[std::size_t(column)];
        table->setColumnHidden(column, width == 0);
        if (width > 0)
            table->setColumnWidth(column, width + more);
    }
}

} // namespace fleetwright::app
