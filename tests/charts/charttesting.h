// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartdecoration.h"
#include "charts/chartview.h"

#include <QChart>
#include <QGraphicsTextItem>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>

namespace fleetwright::charts {

inline QImage painted(const ChartContent &content, const Theme &theme = Theme::light(), QSize size = {600, 400})
{
    const auto chart = content.draw(theme);
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.background);
    QPainter painter(&image);
    paint(*chart, painter, QRectF(QPointF(), size));
    return image;
}

inline QStringList legendOf(const ChartContent &content)
{
    const auto chart = content.draw(Theme::light());
    for (auto *child : chart->childItems())
        if (const auto *legend = dynamic_cast<ChartLegend *>(child))
            return legend->entries();
    return {};
}

/// The numbers that Qt Charts writes along the axes of the chart.
inline QStringList axisNumbersOf(const QChart &chart)
{
    static const QRegularExpression number(QStringLiteral("^[-\u2212]?[\\d\u202f]+(?:[.,]\\d+)?(?:e[-+]?\\d+)?$"));
    QStringList numbers;
    const auto visit = [&](const auto &self, const QGraphicsItem *item) -> void {
        if (const auto *text = qgraphicsitem_cast<const QGraphicsTextItem *>(item);
            text && text->isVisible() && number.match(text->toPlainText()).hasMatch())
            numbers << text->toPlainText();
        for (const auto *child : item->childItems())
            self(self, child);
    };
    visit(visit, &chart);
    return numbers;
}

inline int pixelsOf(const QImage &image, QColor colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == colour.rgb();
    return count;
}

/// Where the chart shows this point, for clicks.
inline QPoint placeOf(const ChartView &view, double x, double y)
{
    return view.mapFromScene(
        view.chart()->mapToScene(view.chart()->mapToPosition({x, y}, view.chart()->series().constFirst())));
}

} // namespace fleetwright::charts
