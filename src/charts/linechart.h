// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <QPointF>
#include <QStringList>

namespace fleetwright::charts {

enum class AxisScale { Linear, PowersOfTwo, PowersOfTen };

/// A curve, or points alone. Values are in the axes' units.
struct LineSeries {
    QString name; ///< in the legend; empty: not listed
    std::vector<QPointF> points; ///< not finite: a gap
    QColor colour; ///< invalid: the next of seriesColours()
    Qt::PenStyle pen = Qt::SolidLine; ///< NoPen: points only
    bool markers = false;
    bool wide = false; ///< and below the others: seen on both sides of one that lies on it
};

/// A line across the plot at one value of y: a ceiling, a floor.
struct MarkLine {
    QString name;
    double value = 0;
};

/// A coloured share of the y axis: green, amber, red.
struct Band {
    double from = 0, to = 0;
    QColor colour;
};

/// A chart of curves, before anything is drawn.
struct LineChartData {
    QString name;
    QString description;
    QString xTitle, yTitle; ///< with units
    AxisScale xScale = AxisScale::Linear;
    AxisScale yScale = AxisScale::Linear;
    QStringList xCategories; ///< when not empty, x is the index of a category and the axis shows the names
    std::vector<LineSeries> series;
    std::vector<MarkLine> marks;
    std::vector<Band> bands;
    std::optional<QPointF> current; ///< emphasised: where the user stands
    std::optional<double> yMinimum, yMaximum; ///< otherwise from the data, zero included
};

/// Okabe-Ito colours for series that stand for no quantity of their own.
[[nodiscard]] std::vector<QColor> seriesColours();
/// The colours repeat.
[[nodiscard]] QColor seriesColour(std::size_t series);
[[nodiscard]] ChartContent lineChart(LineChartData data);

} // namespace fleetwright::charts
