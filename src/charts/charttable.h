// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <vector>

/// What a chart draws as a table, for who wants to draw it otherwise: plain numbers in the units of its axes, nothing
/// where a value is missing.
namespace fleetwright::charts {

struct BarChartData;
struct LineChartData;
struct ScatterChartData;
struct XyChartData;
struct ColumnChartData;
struct GroupedBarData;
struct HeatMapData;
struct RangeChartData;
struct CountChartData;
struct CoverageChartData;
struct SpreadChartData;

struct ChartTable {
    QStringList titles;
    std::vector<QStringList> rows; ///< as wide as `titles`
};

[[nodiscard]] ChartTable tableOf(const BarChartData &data);
[[nodiscard]] ChartTable tableOf(const LineChartData &data);
[[nodiscard]] ChartTable tableOf(const ScatterChartData &data);
[[nodiscard]] ChartTable tableOf(const XyChartData &data);
[[nodiscard]] ChartTable tableOf(const ColumnChartData &data);
[[nodiscard]] ChartTable tableOf(const GroupedBarData &data);
[[nodiscard]] ChartTable tableOf(const HeatMapData &data);
[[nodiscard]] ChartTable tableOf(const RangeChartData &data);
[[nodiscard]] ChartTable tableOf(const CountChartData &data);
[[nodiscard]] ChartTable tableOf(const CoverageChartData &data);
[[nodiscard]] ChartTable tableOf(const SpreadChartData &data);

/// Lines of cells between tabs, titles first; what a spreadsheet would run stands behind an apostrophe.
[[nodiscard]] QString toTabSeparated(const ChartTable &table);

} // namespace fleetwright::charts
