// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pointsitem.h"

#include <QChart>
#include <QGraphicsSceneMouseEvent>
#include <QPainter>

namespace fleetwright::charts {

PointsItem::PointsItem(QChart *chart, std::function<void(ScatterIndex)> picked, const Theme &theme)
    : PlotItem(chart, theme), m_picked(std::move(picked))
{
    if (m_picked)
        setAcceptedMouseButtons(Qt::LeftButton);
}

QString PointsItem::textAt(const QPointF &where) const
{
    const auto found = nearest(where);
    return found ? toolTipOf(*found) : QString();
}

void PointsItem::mousePressEvent(QGraphicsSceneMouseEvent *event)
{
    event->setAccepted(nearest(event->pos()).has_value());
}

void PointsItem::mouseReleaseEvent(QGraphicsSceneMouseEvent *event)
{
    if (const auto found = nearest(event->pos()))
        m_picked(*found);
}

void PointsItem::paintRing(QPainter &painter, const QPointF &centre) const
{
    constexpr double pixels = 15;
    const double radius = pixels * theme().fontPixels / 12.0 / 2;
    painter.setBrush(Qt::NoBrush);
    for (const auto &[colour, width] : {std::pair(theme().background, 4.5), std::pair(theme().text, 2.0)}) {
        painter.setPen(QPen(colour, width));
        painter.drawEllipse(centre, radius, radius);
    }
}

void PointsItem::paintEmptyText(QPainter &painter, const QString &text) const
{
    useChartFont(painter, chartFont(theme()));
    painter.setPen(theme().text);
    painter.drawText(chart()->plotArea().adjusted(16, 16, -16, -16), int(Qt::AlignCenter | Qt::TextWordWrap), text);
}

std::optional<ScatterIndex> PointsItem::nearest(const QPointF &where) const
{
    constexpr double reach = 16; // pixels: a small point is hit without aiming
    std::optional<ScatterIndex> found;
    double best = reach * reach;
    for (std::size_t s = 0; s < seriesCount(); ++s)
        for (std::size_t p = 0; p < pointCount(s); ++p)
            if (const auto place = placeOf({s, p})) {
                const QPointF away = *place - where;
                const double distance = QPointF::dotProduct(away, away) + handicap(s);
                if (distance < best || (distance == best && tie() == Tie::Last)) {
                    best = distance;
                    found = ScatterIndex{s, p};
                }
            }
    return found;
}

} // namespace fleetwright::charts
