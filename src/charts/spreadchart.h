// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

namespace fleetwright::charts {

/// How something is distributed in one group, in the unit of the axis.
struct SpreadRow {
    QString label;
    double low = 0, middle = 0, high = 0; ///< the ends of the bar and the mark on it; low <= middle <= high
    QString count; ///< behind the bar: "n = 12"
    QString toolTip;
    bool emphasised = false;
};

/// Distributions one below the other, before anything is drawn.
struct SpreadChartData {
    QString name;
    QString description;
    QString axisTitle; ///< with its unit
    QString barName, middleName; ///< in the legend: "10th to 90th percentile", "median"
    std::vector<SpreadRow> rows; ///< in reading order
    double leastReach = 0; ///< the axis reaches at least as far from 0 on both sides
};

/// A bar for each row on an axis with both signs, and a line at zero.
[[nodiscard]] ChartContent spreadChart(SpreadChartData data);

} // namespace fleetwright::charts
