// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QStringList>
#include <QTableView>

/// What a table cuts off: headings and cells whose words, in as many lines as the row has, do not fit their column.
namespace fleetwright::app {

[[nodiscard]] inline QStringList cutTexts(const QTableView &table)
{
    constexpr int margins = 4, endless = 10000;
    const auto *model = table.model();
    const auto *header = table.horizontalHeader();
    QStringList cut;
    for (int column = 0; column < model->columnCount(); ++column) {
        if (table.isColumnHidden(column))
            continue;
        const int width = table.columnWidth(column);
        const auto title = model->headerData(column, Qt::Horizontal).toString();
        if (!header->isHidden() && header->fontMetrics().size(0, title).width() > width)
            cut << title;
        for (int row = 0; row < model->rowCount(); ++row) {
            const auto index = model->index(row, column);
            const auto given = index.data(Qt::FontRole);
            auto font = table.font();
            font.setBold(given.isValid() && given.value<QFont>().bold());
            const auto text = index.data().toString();
            const auto needed = QFontMetrics(font).boundingRect(
                QRect(0, 0, width - margins, endless), table.wordWrap() ? Qt::TextWordWrap : Qt::TextSingleLine, text);
            if (needed.width() > width - margins || needed.height() > table.rowHeight(row))
                cut << text;
        }
    }
    return cut;
}

} // namespace fleetwright::app
