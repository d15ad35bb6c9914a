// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <QStringList>

#include <optional>

namespace fleetwright::charts {

/// What several sources say about one thing.
struct RangeRow {
    struct Point {
        std::size_t source = 0; ///< index of RangeChartData::sources
        double value = 0; ///< in axis units
        QString text; ///< with its unit
        /// From where to where the source says that it may be.
        struct Ends {
            double low = 0, high = 0; ///< in axis units
            QString text; ///< "2.58 s to 3.78 s"
        };
        std::optional<Ends> ends{};
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

/// A line from the lowest to the highest value of each row with a point for every source, on a broad line as far as the
/// source says that it may be; the names of both ends stand under it. The axis is above, where it is seen first.
[[nodiscard]] ChartContent rangeChart(RangeChartData data);

/// "A 2.57 s to B 9.2 s, × 3.6"; of one source its value and how far it may be: "A 2.57 s, 2.2 s to 3 s".
[[nodiscard]] QString rangeText(const RangeChartData &data, const RangeRow &row);

} // namespace fleetwright::charts
