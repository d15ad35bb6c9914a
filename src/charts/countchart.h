// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <cstdint>

namespace fleetwright::charts {

struct CountRow {
    QString label;
    std::uint64_t count = 0; ///< zero has no bar
    QString text; ///< behind the bar
    QString toolTip;
    std::size_t kind = 0; ///< index into CountChartData::kinds
};

struct CountKind {
    QString name; ///< in the legend, where any row is of this kind
    QColor colour;
};

/// Counts one below the other, before anything is drawn.
struct CountChartData {
    QString name;
    QString description;
    QString axisTitle;
    std::vector<CountKind> kinds;
    std::vector<CountRow> rows; ///< in reading order
    QString emptyText; ///< shown where there is no row
};

/// Horizontal bars on a logarithmic axis, because such counts differ by orders of magnitude: even a single one can be
/// seen.
[[nodiscard]] ChartContent countChart(CountChartData data);

} // namespace fleetwright::charts
