// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/linechart.h"

namespace fleetwright::charts {

/// One bar; nothing is drawn without a value but a dash on the axis.
struct ColumnValue {
    std::optional<double> value; ///< in the unit of the axis
    QString text; ///< drawn above the bar where it fits
    QString toolTip;
    bool hatched = false; ///< has a value, but does not count (a plan that does not fit)
};

struct ColumnSeries {
    QString name; ///< in the legend; empty: not listed
    std::vector<ColumnValue> values; ///< one per category
};

/// The bars are bins of a quantity, side by side: its axis has round numbers instead of names.
struct ColumnScale {
    double from = 0, to = 0; ///< of the first and the last bin
    std::vector<MarkLine> marks{}; ///< limits on the quantity, within the ends
};

/// Groups of vertical bars, before anything is drawn.
struct ColumnChartData {
    QString name;
    QString description;
    QString xTitle, yTitle;
    QStringList categories;
    std::vector<ColumnSeries> series;
    std::vector<MarkLine> marks;
    QString hatchedName; ///< legend entry for hatched bars
    std::optional<std::pair<std::size_t, std::size_t>> best; ///< series and category, outlined
    QString bestName;
    std::optional<ColumnScale> scale{}; ///< instead of categories
};

[[nodiscard]] ChartContent columnChart(ColumnChartData data);

} // namespace fleetwright::charts
