// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/linechart.h"
#include "charts/scatterchart.h"

namespace fleetwright::charts {

/// A quantity along one side: its name with the unit, in which the points are.
struct XyAxis {
    QString title;
    bool logarithmic = false; ///< values that are not positive are not drawn then
    bool whole = false; ///< counts: no ticks between whole numbers
    std::vector<MarkLine> marks{}; ///< limits, dashed across the plot; the axis reaches to one that is not far off
};

struct XyPoint {
    double x = 0, y = 0; ///< a point that is not finite is not drawn
    QString toolTip;
};

struct XySeries {
    QString name; ///< in the legend, where it has points; empty: not listed
    std::vector<XyPoint> points;
    std::size_t look = 0; ///< colour and shape, which repeat after seven: series that belong together share them
    bool emphasised = false; ///< larger, ringed, above the others
    bool faint = false; ///< small and translucent
    std::optional<std::size_t> shape{}; ///< instead of that of the look: the colour says one thing, the shape another
};

/// The points that no other one beats in both quantities, less being better: joined by steps, below which nothing was
/// found.
struct XyFrontLine {
    QString name; ///< in the legend
    std::vector<QPointF> points; ///< ascending in x
};

/// Points by two quantities of any kind, before anything is drawn.
struct XyChartData {
    QString name;
    QString description;
    XyAxis x, y;
    std::vector<XySeries> series; ///< later ones lie above earlier ones and are picked first
    std::optional<XyFrontLine> front;
    std::optional<QPointF> selected; ///< ringed
    QString selectedName; ///< in the legend
    QString emptyText; ///< shown where there is no point
    /// The user clicked a point. Called while the chart handles the event, so whoever replaces the chart does it later.
    /// Empty: not clickable.
    std::function<void(ScatterIndex)> picked;
};

/// Each axis spans its points. On a logarithmic one the ticks are labelled at 1, 2 and 5 times powers of ten, or at the
/// powers alone.
[[nodiscard]] ChartContent xyChart(XyChartData data);

/// Where a value of such an axis stands in the chart's own coordinates: its logarithm to base ten on a logarithmic one.
[[nodiscard]] double coordinate(const XyAxis &axis, double value);

} // namespace fleetwright::charts
