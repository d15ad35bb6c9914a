// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartcontent.h"
#include "solver/validation/steprange.h"

#include <QStringList>

namespace fleetwright::charts {

/// One colour of a stacked bar chart: the amount of each plan, in base units of the chart's dimension.
struct BarPart {
    Quantity quantity = Quantity::Other;
    std::vector<double> values;
};

/// A limit drawn across the bars; a plan without a value has no line.
struct LimitLine {
    QString name;
    std::vector<std::optional<double>> values; ///< base units
    bool dashed = false;
};

/// What a chart of stacked bars says, before anything is drawn. Parts that are zero in every plan are left out.
struct BarChartData {
    QString axisTitle; ///< with its unit
    FigureGroup group = FigureGroup::Step; ///< of the parts
    units::UnitSymbol unit{{}, units::Dimension::Number, 1}; ///< of the axis
    QStringList labels; ///< one per plan, in reading order
    std::vector<BarPart> parts; ///< in stacking order
    std::vector<double> totals; ///< base units
    std::vector<LimitLine> lines;
    double axisMaximum = 1; ///< in axis units
    double tickInterval = 1; ///< in axis units
    bool namesAbove =
        false; ///< the plans' names stand above their bars instead of beside them: for narrow charts with long names
    bool legendAbove = false; ///< for charts that are higher than what is seen of them
    [[nodiscard]] double barShare() const
    {
        return namesAbove ? 0.45 : 0.7;
    } ///< of the room for one plan that its bar fills
};

/// One bar for each plan, in seconds or milliseconds as fits; zero parts are left out of the legend.
[[nodiscard]] BarChartData stepBars(const std::vector<LabelledBreakdown> &plans);
/// Marks on stepBars() what measured runs of the site make likely of a plan's step, where they move it, and says that
/// the bars are the formula's: one entry for each bar.
void markLikely(BarChartData &bars, const std::vector<std::optional<validation::PredictionRange>> &ranges);
/// Memory by part with the capacity line, in GB.
[[nodiscard]] BarChartData memoryBars(const std::vector<LabelledMemory> &plans);

/// With the names above the bars where one of them is too long to stand beside its bar.
[[nodiscard]] BarChartData withWholeNames(BarChartData data, const Theme &theme);

/// The bars `first` to `first + count - 1` on the same axis, for charts that continue on the next page.
[[nodiscard]] BarChartData slice(const BarChartData &data, std::size_t first, std::size_t count);

/// Stacked horizontal bars.
[[nodiscard]] std::unique_ptr<QChart> draw(const BarChartData &data, const Theme &theme);

/// The same for whoever takes any chart.
[[nodiscard]] ChartContent barChart(BarChartData data, const QString &name, const QString &description);

/// Names short enough for the axis, and all different, because the axis takes a repeated name for the same category.
[[nodiscard]] QStringList axisNames(const QStringList &labels, const Theme &theme);

/// 1, 2 or 5 times a power of ten, so that five to ten ticks cover `span`.
[[nodiscard]] double niceInterval(double span);

/// Height in pixels at which every bar, the axis and the legend are readable when the chart is `width` pixels wide.
[[nodiscard]] int naturalHeight(const BarChartData &data, const Theme &theme, int width);

} // namespace fleetwright::charts
