// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/rowsitem.h"

#include <QChart>
#include <QFontMetricsF>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace fleetwright::charts {

namespace {

constexpr int wrappedName = Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap | Qt::TextDontClip;
/// Of the chart's width, at most: on paper nothing else says the whole name.
double nameShare(const Theme &theme) { return theme.printed ? 0.58 : 0.45; }
constexpr int nameGap = 16;

} // namespace

int nameLines(const QStringList &names, const Theme &theme, double width)
{
    const QFontMetricsF metrics(chartFont(theme));
    width -= 0.5 * metrics.height(); // a printer's letters are not as wide as a screen's
    double most = 1;
    for (const auto &name : names)
        if (metrics.horizontalAdvance(name) > width)
            most = std::max(most,
                metrics.boundingRect(QRectF(0, 0, std::max(width, 1.0), 1e4), wrappedName, name).height()
                    / metrics.height());
    return int(std::lround(most));
}

double roomForNames(const Theme &theme, double chartWidth) { return nameShare(theme) * chartWidth + nameGap - 16; }

QString RowsItem::textAt(const QPointF &where) const
{
    const QRectF plot = chart()->plotArea();
    if (where.y() < plot.top() || where.y() >= plot.bottom() || m_rows == 0)
        return {};
    const auto row = std::size_t((where.y() - plot.top()) / plot.height() * double(m_rows));
    return toolTipOf(std::min(row, m_rows - 1));
}

QRectF RowsItem::bar(std::size_t row, double from, double to) const
{
    const double middle = double(m_rows - 1 - row);
    QRectF bar(position(from, middle + m_barShare / 2), position(to, middle - m_barShare / 2));
    if (const double most = m_mostLines * QFontMetricsF(chartFont(theme())).height(); bar.height() > most)
        bar = QRectF(bar.left(), bar.center().y() - most / 2, bar.width(), most);
    return bar;
}

void RowsItem::paintName(QPainter &painter, const QString &name, double middle) const
{
    const QFontMetricsF metrics(chartFont(theme()));
    const double width = chart()->plotArea().left() - 12, line = metrics.height();
    const double all = chart()->plotArea().height() / double(std::max<std::size_t>(1, m_rows));
    if (const double needed = line * nameLines({name}, theme(), width); needed > line && needed <= all + 1) {
        painter.drawText(QRectF(4, middle - needed / 2, width, needed), wrappedName, name);
        return;
    }
    const QRectF room(4, middle - line / 2, width, line);
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideMiddle, room.width()));
}

void addRowsAxis(QChart *chart, std::size_t rows)
{
    auto *axis = new QValueAxis;
    axis->setRange(-0.5, std::max(1.0, double(rows)) - 0.5);
    axis->setVisible(false);
    chart->addAxis(axis, Qt::AlignLeft);
    tieAxes(chart);
}

void makeRoomForNames(QChart *chart, const QStringList &names, const Theme &theme)
{
    const QFontMetricsF metrics(chartFont(theme));
    double widest = 0;
    for (const auto &name : names)
        widest = std::max(widest, metrics.horizontalAdvance(name));
    const auto makeRoom = [chart, widest, share = nameShare(theme)] {
        auto margins = chart->margins();
        margins.setLeft(int(std::min(widest, share * chart->size().width())) + nameGap);
        chart->setMargins(margins);
    };
    QObject::connect(chart, &QGraphicsWidget::geometryChanged, chart, makeRoom);
    makeRoom();
}

int heightOfRows(std::size_t rows, double linesPerRow, std::vector<LegendEntry> legend, const Theme &theme, int width)
{
    const double line = QFontMetricsF(chartFont(theme)).height();
    return int(
        line * linesPerRow * std::max(2.0, double(rows)) + 4 * line + legendHeight(std::move(legend), theme, width));
}

} // namespace fleetwright::charts
