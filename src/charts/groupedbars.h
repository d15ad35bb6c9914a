// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartdata.h"

namespace fleetwright::charts {

/// One bar of every group: the same quantity with the same colour.
struct GroupedBar {
    QString name;
    QColor colour;
    std::vector<std::optional<double>> values; ///< one per group, in axis units; absent: no bar
};

/// Groups of bars side by side, before anything is drawn.
struct GroupedBarData {
    QString name;
    QString description;
    QString axisTitle; ///< with its unit
    QStringList groups; ///< in reading order
    std::vector<GroupedBar> bars;
    bool legendAbove = false; ///< for charts that are higher than what is seen of them
};

/// Horizontal bars, one group under the other with its name above, each bar with its amount; as high as the bars need.
[[nodiscard]] ChartContent groupedBars(GroupedBarData data);

/// The parts of each plan's step as a group of bars. Parts that are zero in every plan are left out.
[[nodiscard]] GroupedBarData groupedSteps(const std::vector<LabelledBreakdown> &plans);

} // namespace fleetwright::charts
