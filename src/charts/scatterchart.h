// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <functional>

namespace fleetwright::charts {

/// One thing that was both measured and predicted, both in the unit of the axes. Values that are not positive are not
/// drawn: the axes are logarithmic.
struct ScatterPoint {
    double measured = 0, predicted = 0;
    QString toolTip;
};

struct ScatterSeries {
    QString name; ///< in the legend
    std::vector<ScatterPoint> points;
    bool faint = false; ///< drawn behind the others and greyed, because another group is looked at
};

/// Where a point stands in ScatterChartData.
struct ScatterIndex {
    std::size_t series = 0, point = 0;
    bool operator==(const ScatterIndex &) const = default;
};

/// Predicted against measured, before anything is drawn.
struct ScatterChartData {
    QString name;
    QString description;
    QString measuredTitle, predictedTitle; ///< of the axes, with unit
    QString equalTitle{}; ///< in the legend, of the line where both are equal; empty: "as measured"
    std::vector<ScatterSeries> series; ///< colours and shapes repeat after seven
    std::optional<ScatterIndex> selected; ///< emphasised
    QString emptyText; ///< shown where there is no point
    /// The user clicked a point. Called while the chart handles the event, so whoever replaces the chart does it later.
    /// Empty: not clickable.
    std::function<void(ScatterIndex)> picked;
    /// Of points without a text of their own: made when it is shown, since a thousand texts take longer than a frame.
    std::function<QString(ScatterIndex)> toolTip;
};

/// Logarithmic axes of one range, with the line where both are equal and lines 10 and 25 % beside it.
[[nodiscard]] ChartContent scatterChart(ScatterChartData data);

} // namespace fleetwright::charts
