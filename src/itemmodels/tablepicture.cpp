// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/tablepicture.h"

#include "text/utf8.h"

#include <QAbstractItemModel>
#include <QBrush>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

namespace {

constexpr qreal widestColumn = 320;
constexpr qreal padding = 6;
constexpr int wrapping = Qt::TextWordWrap | Qt::AlignVCenter;

struct Cell {
    QString text;
    int alignment = Qt::AlignLeft;
    QColor ink, ground; ///< invalid: those of the table
};

QColor colourOf(const QVariant &brush)
{
    if (brush.typeId() == QMetaType::QBrush)
        return brush.value<QBrush>().color();
    return brush.value<QColor>();
}

std::vector<std::vector<Cell>> cellsOf(const QAbstractItemModel &model, const TablePart &part)
{
    std::vector<std::vector<Cell>> rows(1);
    for (const int column : part.columns)
        rows.front().push_back({model.headerData(column, Qt::Horizontal).toString(),
            isRightAligned(part, column) ? Qt::AlignRight : Qt::AlignLeft, {}, {}});
    const auto texts = shownTexts(model, part);
    for (std::size_t row = 0; row < texts.size(); ++row) {
        auto &cells = rows.emplace_back();
        for (std::size_t i = 0; i < part.columns.size(); ++i) {
            const auto index = part.rows[qsizetype(row)].siblingAtColumn(part.columns[i]);
            cells.push_back({utf8(texts[row][i].second), rows.front()[i].alignment,
                colourOf(index.data(Qt::ForegroundRole)), colourOf(index.data(Qt::BackgroundRole))});
        }
    }
    return rows;
}

} // namespace

QImage tablePicture(const QAbstractItemModel &model, const TablePart &part, const PictureLook &look)
{
    const auto rows = cellsOf(model, part);
    auto bold = look.font;
    bold.setBold(true);
    const auto fontOf = [&](std::size_t row) { return row == 0 ? bold : look.font; };

    std::vector<qreal> widths(part.columns.size()), heights(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const auto words = QFontMetricsF(fontOf(row)).boundingRect(QRectF(), 0, rows[row][i].text).width();
            widths[i] = std::max(widths[i], std::min(widestColumn, std::ceil(words) + 1));
        }
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const QFontMetricsF metrics(fontOf(row));
            const auto words = metrics.boundingRect(QRectF(0, 0, widths[i], 1), wrapping, rows[row][i].text);
            heights[row] = std::max({heights[row], std::ceil(words.height()), std::ceil(metrics.height())});
        }

    qreal width = 1, height = 1;
    for (const auto column : widths)
        width += column + 2 * padding;
    for (const auto row : heights)
        height += row + padding;
    QImage picture((QSizeF(width, height) * look.scale).toSize(), QImage::Format_RGB32);
    picture.setDevicePixelRatio(look.scale);
    picture.fill(look.palette.color(QPalette::Base));
    QPainter painter(&picture);
    qreal top = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        painter.setFont(fontOf(row));
        qreal left = 0;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const auto &cell = rows[row][i];
            const QRectF box(left, top, widths[i] + 2 * padding, heights[row] + padding);
            if (cell.ground.isValid())
                painter.fillRect(box, cell.ground);
            else if (row == 0)
                painter.fillRect(box, look.palette.color(QPalette::AlternateBase));
            painter.setPen(cell.ink.isValid() ? cell.ink : look.palette.color(QPalette::Text));
            painter.drawText(box.adjusted(padding, 0, -padding, 0), wrapping | cell.alignment, cell.text);
            left += box.width();
        }
        top += heights[row] + padding;
        painter.setPen(look.palette.color(QPalette::Mid));
        painter.drawLine(QPointF(0, top), QPointF(width, top));
    }
    return picture;
}

} // namespace fleetwright::itemmodels
