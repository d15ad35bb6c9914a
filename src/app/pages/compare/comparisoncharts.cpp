// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/comparisoncharts.h"

#include "app/wording.h"
#include "charts/chartdata.h"
#include "charts/groupedbars.h"
#include "charts/rangechart.h"
#include "solver/answer/comparisontext.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// Beyond this the shorter ones of stacked bars cannot be read.
constexpr double widestStacked = 10;

QString labelOf(const Comparison &comparison, std::size_t column)
{
    return QString::fromStdString(columnTitle(comparison, column));
}

} // namespace

std::optional<charts::ChartContent> stepChart(const Comparison &comparison)
{
    std::vector<charts::LabelledBreakdown> steps;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i)
        if (const auto &solution = comparison.columns[i].solution; solution && solution->estimate.stepTime)
            steps.push_back({labelOf(comparison, i), solution->breakdown});
    if (steps.empty())
        return std::nullopt;
    auto bars = charts::stepBars(steps);
    const auto [shortest, longest] = std::ranges::minmax(bars.totals);
    if (longest > widestStacked * shortest) { // a stack cannot stand on a logarithmic axis
        auto groups = charts::groupedSteps(steps);
        groups.legendAbove = true;
        return charts::groupedBars(std::move(groups));
    }
    bars.namesAbove = bars.legendAbove = true;
    return charts::barChart(std::move(bars), tr("Step time by part"), charts::describeStepBreakdown(steps));
}

std::optional<charts::ChartContent> memoryChart(const Comparison &comparison)
{
    std::vector<charts::LabelledMemory> plans;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
        const auto &column = comparison.columns[i];
        if (column.solution && column.solution->estimate.memory)
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
    charts::RangeChartData data{.name = tr("Spread between cost models"),
        .description = {},
        .axisTitle = QString::fromStdString(rowTitle(comparison, *row)),
        .sources = {},
        .rows = {}};
    std::vector<std::string> ids;
    for (const auto &column : comparison.columns)
        if (std::ranges::find(ids, column.modelId) == ids.end()) {
            ids.push_back(column.modelId);
            data.sources << QString::fromStdString(column.modelTitle);
        }
    QStringList sentences;
    for (const auto &spread : spreads) {
        charts::RangeRow range{.label = QString::fromStdString(comparison.plans[spread.plan].name), .points = {}};
        for (const auto &value : spread.values) {
            const auto source = std::ranges::find(ids, comparison.columns[value.column].modelId) - ids.begin();
            range.points.push_back({std::size_t(source), inDisplayUnit(comparison, *row, value.value),
                QString::fromStdString(units::format(value.value, row->dimension))});
        }
        sentences << range.label + u": "_s + charts::rangeText(data, range);
        data.rows.push_back(std::move(range));
    }
    data.description = tr("%1 by cost model. %2.").arg(QString::fromStdString(row->label), sentences.join(u"; "_s));
    return charts::rangeChart(std::move(data));
}

} // namespace fleetwright::app
