// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/newsitecharts.h"

#include "charts/columnchart.h"
#include "charts/coveragechart.h"
#include "charts/linechart.h"
#include "charts/wording.h"
#include "solver/validation/runname.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/columns.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

using namespace validation;

namespace {

constexpr double hundred = 100;

QString shareInWords(double share) { return localized(units::formatPercent(share)); }
/// Of a deviation or half-width as a logarithm, upwards.
double upwards(double logarithm) { return std::exp(logarithm) - 1; }
QString inPercent(const QString &title)
{
    return titleWithUnit(title, *units::findUnit("%", units::Dimension::Fraction));
}
ColumnValue column(double share, const QString &toolTip)
{
    return {.value = share * hundred, .text = localized(units::percentCell(share)), .toolTip = toolTip};
}

} // namespace

ChartContent coverageChartOf(
    const Coverage &coverage, const std::optional<std::string> &selected, std::span<const MeasuredRun> runs)
{
    const NamedSources named(runs);
    std::vector<SourceCoverage> sources = coverage.sources;
    std::ranges::stable_sort(sources, std::less(), &SourceCoverage::covered);
    CoverageChartData data{.name = tr("Runs in their 80 % range, by source"),
        .description = localized(coverageInWords(coverage)),
        .xTitle = tr("%1 sources, the least covered first").arg(sources.size()),
        .yTitle = inPercent(tr("Runs in their range")),
        .bars = {},
        .worst = coverage.worstSources(),
        .promised = rangeCoverage * hundred,
        .mean = coverage.mean * hundred,
        .worstMean = coverage.worstQuarter * hundred,
        .promisedName = tr("promised, %1").arg(localized(promiseInWords())),
        .meanName = tr("mean over sources, %1").arg(shareInWords(coverage.mean)),
        .worstName = tr("worst quarter, mean %1").arg(shareInWords(coverage.worstQuarter)),
        .selected = {}};
    for (const auto &source : sources) {
        if (selected && source.source == *selected)
            data.selected = data.bars.size();
        data.bars.push_back({source.covered * hundred,
            tr("%1\n%2 of %3 runs in their range (%4)\nrange +%5")
                .arg(utf8(named.name(source.source)))
                .arg(qRound(source.covered * source.runs))
                .arg(source.runs)
                .arg(shareInWords(source.covered), shareInWords(upwards(source.halfWidth)))});
    }
    return coverageChart(std::move(data));
}

ChartContent levelsChart(const ErrorLevels &levels)
{
    ColumnChartData data{.name = tr("Where errors arise"),
        .description = {},
        .xTitle = {},
        .yTitle = inPercent(tr("Standard deviation")),
        .categories = {},
        .series = {{}},
        .marks = {},
        .hatchedName = {},
        .best = {},
        .bestName = {}};
    QStringList sentences;
    constexpr std::size_t drawnLevels = 4; // the last is the scatter of the others once more, squared
    const auto all = levelsInWords(levels);
    for (const auto &level : std::span(all).first(drawnLevels)) {
        const double share = upwards(level.deviation);
        data.categories << localized(level.name);
        data.series.front().values.push_back(
            column(share, tr("%1: %2\n%3").arg(localized(level.name), shareInWords(share), localized(level.meaning))));
        sentences << tr("%1 %2").arg(localized(level.name), shareInWords(share));
    }
    data.description = tr("Standard deviations of measured over predicted step time: %1.").arg(sentences.join(u", "_s));
    return columnChart(std::move(data));
}

ChartContent fewShotChart(const std::map<int, FewShotFigures> &figures)
{
    LineChartData data{.name = tr("Errors after a few own runs"),
        .description = {},
        .xTitle = tr("Own runs known"),
        .yTitle = inPercent(tr("Of the step time of the other runs")),
        .xCategories = {},
        .series = {{.name = tr("median error"), .points = {}, .colour = {}, .markers = true},
            {.name = tr("mean error"), .points = {}, .colour = {}, .markers = true},
            {.name = tr("80 % range, upwards"), .points = {}, .colour = {}, .pen = Qt::DashLine, .markers = true}},
        .marks = {},
        .bands = {},
        .current = {},
        .yMinimum = 0};
    QStringList sentences;
    for (const auto &[known, of] : figures) {
        if (of.sources == 0)
            continue;
        const auto x = double(data.xCategories.size());
        data.xCategories << QString::number(known);
        const std::array values{of.median, of.mean, upwards(of.halfWidth)};
        for (std::size_t i = 0; i < values.size(); ++i)
            data.series[i].points.emplace_back(x, values[i] * hundred);
        sentences << tr("%1 after %2").arg(shareInWords(of.median)).arg(known);
    }
    data.description = tr(
        "Median errors of the runs of a source when some of its others are known, mean over sources: %1.")
                           .arg(sentences.join(u", "_s));
    return lineChart(std::move(data));
}

ChartContent productionChart(const ProductionSlice &production)
{
    ColumnChartData data{.name = tr("Errors of the largest jobs"),
        .description = localized(productionInWords(production) + " " + claimsInWords()),
        .xTitle = {},
        .yTitle = inPercent(tr("Error of the step time")),
        .categories = {},
        .series = {{}},
        .marks = {},
        .hatchedName = tr("claimed by its authors, on runs of their choice"),
        .best = {},
        .bestName = {}};
    auto &values = data.series.front().values;
    if (!production.runs.empty()) {
        const auto jobs = production.runs.size();
        data.categories << tr("here, median") << tr("here, mean");
        values.push_back(column(
            production.predicted.medianError, tr("Median error of %1 runs with their source left out").arg(jobs)));
        values.push_back(
            column(production.predicted.meanError, tr("Mean error of %1 runs with their source left out").arg(jobs)));
    }
    for (const auto &claim : publishedClaims()) {
        data.categories << utf8(claim.planner);
        values.push_back(column(claim.error,
            tr("%1: %2\n%3").arg(utf8(claim.planner), localized(errorInWords(claim)), localized(claim.about))));
        values.back().text = localized(errorInWords(claim));
        values.back().hatched = true;
    }
    return columnChart(std::move(data));
}

} // namespace fleetwright::charts
