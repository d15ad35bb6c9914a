// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"

#include <optional>
#include <vector>

namespace fleetwright::charts {

/// One bar, in percent.
struct CoverageBar {
    double covered = 0;
    QString toolTip;
};

/// Shares of runs that lie in their ranges, source by source, before anything is drawn.
struct CoverageChartData {
    QString name;
    QString description;
    QString xTitle, yTitle;
    std::vector<CoverageBar> bars; ///< rising
    std::size_t worst = 0; ///< so many of the first are the worst quarter, in a colour of their own
    double promised = 0, mean = 0, worstMean = 0; ///< lines across the plot, the last across the worst quarter only
    QString promisedName, meanName, worstName; ///< in the legend
    std::optional<std::size_t> selected; ///< outlined
};

/// A column for each source on an axis from 0 to 100 %.
[[nodiscard]] ChartContent coverageChart(CoverageChartData data);

} // namespace fleetwright::charts
