// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <QStringList>

namespace fleetwright::charts {

/// What several sources say about one thing.
struct RangeRow {
    struct Point {
        std::size_t source = 0; ///< index of RangeChartData::sources
        double value = 0; ///< in axis units
        QString text; ///< with its unit
    };
    QString label;
    std::vector<Point> points; ///< lowest first
};

/// Ranges from the lowest to the highest source, before anything is drawn.
struct RangeChartData {
    QString name;
    QString description;
    QString axisTitle; ///< with its unit
    QStringList sources;
    std::vector<RangeRow> rows; ///< in reading order
};

/// A line from the lowest to the highest value of each row with a point for every source; the names of both ends stand
/// under it.
[[nodiscard]] ChartContent rangeChart(RangeChartData data);

/// "A 2.57 s to B 9.2 s, × 3.6"; the one value where there is one source.
[[nodiscard]] QString rangeText(const RangeChartData &data, const RangeRow &row);

} // namespace fleetwright::charts
