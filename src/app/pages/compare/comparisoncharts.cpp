// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/comparisoncharts.h"

#include "app/wording.h"
#include "charts/chartdata.h"
#include "charts/groupedbars.h"
#include "charts/rangechart.h"
#include "solver/answer/comparisontext.h"
#include "text/figuretext.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// Beyond this the shorter ones of stacked bars cannot be read.
constexpr double widestStacked = 10;
constexpr std::string_view firstOfStep = "step_time_s";

QString labelOf(const Comparison &comparison, std::size_t column) { return titleOfColumn(comparison, column); }

/// From where to where the figure may be in the column's answer: what prices and the step time leave open.
std::optional<charts::RangeRow::Point::Ends> endsOf(
    const Comparison &comparison, const ComparisonRow &row, std::size_t column)
{
    const auto &solution = *comparison.columns[column].solution;
    const auto *figure = findFigure(row.key);
    std::optional<std::pair<double, double>> ends;
    if (figure && row.key == firstOfStep && solution.range && solution.range->runs > 0)
        ends = {solution.range->low.value(), solution.range->high.value()};
    else if (const auto range = figure ? rangeOf(*figure, solution) : std::nullopt;
             range && std::isfinite(range->low) && std::isfinite(range->high))
        ends = {range->low, range->high};
    if (!ends)
        return std::nullopt;
    return charts::RangeRow::Point::Ends{inDisplayUnit(comparison, row, ends->first),
        inDisplayUnit(comparison, row, ends->second),
        tr("%1 to %2")
            .arg(localized(units::format(ends->first, row.dimension)),
                localized(units::format(ends->second, row.dimension)))};
}

} // namespace

std::optional<charts::ChartContent> stepChart(const Comparison &comparison)
{
    std::vector<charts::LabelledBreakdown> steps;
    std::vector<std::optional<validation::PredictionRange>> ranges;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i)
        if (const auto &solution = comparison.columns[i].solution;
            solution && !comparison.isAside(i) && solution->estimate.stepTime) {
            steps.push_back({labelOf(comparison, i), solution->breakdown});
            ranges.push_back(solution->range);
        }
    if (steps.empty())
        return std::nullopt;
    auto bars = charts::stepBars(steps);
    const auto [shortest, longest] = std::ranges::minmax(bars.totals);
    if (longest > widestStacked * shortest) { // a stack cannot stand on a logarithmic axis
        auto groups = charts::groupedSteps(steps);
        groups.legendAbove = true;
        return charts::groupedBars(std::move(groups));
    }
    charts::markLikely(bars, ranges);
    bars.namesAbove = bars.legendAbove = true;
    return charts::barChart(std::move(bars), tr("Step time by part"), charts::describeStepBreakdown(steps));
}

std::optional<charts::ChartContent> memoryChart(const Comparison &comparison)
{
    std::vector<charts::LabelledMemory> plans;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
        const auto &column = comparison.columns[i];
        if (column.solution && !comparison.isAside(i) && column.solution->estimate.memory)
            plans.push_back({labelOf(comparison, i), *column.solution->estimate.memory,
                column.resolved.value()->constraints.maxMemoryShare});
    }
    if (plans.empty())
        return std::nullopt;
    auto bars = charts::memoryBars(plans);
    bars.namesAbove = bars.legendAbove = true;
    return charts::barChart(std::move(bars), tr("Memory by part"), charts::describeMemory(plans));
}

std::optional<charts::ChartContent> spreadChart(const Comparison &comparison, const QString &key)
{
    const auto *row = comparison.row(key.toStdString());
    const auto spreads = comparison.spread(key.toStdString());
    if (!row || spreads.empty())
        return std::nullopt;
    charts::RangeChartData data{
        .name = comparison.plans.size() > 1 ? tr("Range of each plan") : tr("Spread between cost models"),
        .description = {},
        .axisTitle = localized(rowTitle(comparison, *row)),
        .sources = {},
        .rows = {}};
    std::vector<std::string> ids;
    const auto isDrawn = [&](std::size_t column) {
        return std::ranges::any_of(spreads, [column](const Spread &spread) {
            return std::ranges::find(spread.values, column, &Spread::Value::column) != spread.values.end();
        });
    };
    for (std::size_t i = 0; i < comparison.columns.size(); ++i)
        if (const auto &column = comparison.columns[i];
            isDrawn(i) && std::ranges::find(ids, column.modelId) == ids.end()) {
            ids.push_back(column.modelId);
            data.sources << localized(column.modelTitle);
        }
    QStringList sentences;
    for (const auto &spread : spreads) {
        const auto head = headOfColumn(comparison, spread.values.front().column);
        charts::RangeRow range{.label = comparison.plans.size() > 1
                ? head.section(u'\n', 0, 0)
                : QString::fromStdString(comparison.plans[spread.plan].name),
            .points = {}};
        for (const auto &value : spread.values) {
            const auto source = std::ranges::find(ids, comparison.columns[value.column].modelId) - ids.begin();
            range.points.push_back({std::size_t(source), inDisplayUnit(comparison, *row, value.value),
                localized(units::format(value.value, row->dimension)), endsOf(comparison, *row, value.column)});
        }
        sentences << range.label + u": "_s + charts::rangeText(data, range);
        data.rows.push_back(std::move(range));
    }
    data.description = tr("%1 by cost model. %2.").arg(localized(row->label), sentences.join(u"; "_s));
    return charts::rangeChart(std::move(data));
}

} // namespace fleetwright::app
