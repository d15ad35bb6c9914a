// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/validationcharts.h"

#include "charts/wording.h"
#include "solver/models/costmodel.h"
#include "solver/validation/runname.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

using namespace validation;

namespace {

constexpr std::size_t seriesShown = 7; // as many as there are colours

QString signedPercent(double share)
{
    return (share > 0 ? u"+"_s : QString()) + localized(units::formatPercent(share));
}

QString modelTitle(const std::string &id)
{
    const auto model = findCostModel(id);
    return model ? localized((*model)->title()) : utf8(id);
}

/// Groups by falling number of timed runs.
std::vector<std::string> groupsBySize(const ScoredFile &file, const Validation &of, Grouping grouping)
{
    std::map<std::string, int> counts;
    for (const auto &run : of.runs)
        if (run.timed && run.run < file.places.size())
            ++counts[file.places[run.run][grouping]];
    std::vector<std::pair<std::string, int>> ordered(counts.begin(), counts.end());
    std::ranges::stable_sort(ordered, std::greater(), &std::pair<std::string, int>::second);
    std::vector<std::string> names;
    for (auto &entry : ordered)
        names.push_back(std::move(entry.first));
    return names;
}

/// Of axes that hold every step time.
units::UnitSymbol stepUnit(const Validation &of)
{
    double largest = 0;
    for (const auto &run : of.runs)
        if (run.timed)
            largest = std::max({largest, run.measured.value(), run.predicted.value()});
    return unitFor(FigureGroup::Step, units::Dimension::Time, largest);
}

QString toolTip(const ScoredFile &file, const ScoredRun &scored)
{
    return tr("%1\n%2\npredicted %3, measured %4\nerror %5")
        .arg(localized(file.nameOf(scored.run)), localized(sourceName(file.file.runs[scored.run].source)),
            localized(units::format(scored.predicted)), localized(units::format(scored.measured)),
            signedPercent(scored.error));
}

} // namespace

std::optional<ScatterIndex> ValidationScatter::indexOf(std::size_t row) const
{
    for (std::size_t s = 0; s < rows.size(); ++s)
        if (const auto found = std::ranges::find(rows[s], row); found != rows[s].end())
            return ScatterIndex{s, std::size_t(found - rows[s].begin())};
    return std::nullopt;
}

ValidationScatter validationScatter(const std::shared_ptr<const ScoredFile> &shared, const Validation &of,
    Grouping grouping, const std::string &focus, std::optional<std::size_t> selected)
{
    const auto &file = *shared;
    ValidationScatter made;
    auto names = groupsBySize(file, of, grouping);
    if (const auto looked = std::ranges::find(names, focus);
        looked != names.end() && std::size_t(looked - names.begin()) + 1 >= seriesShown)
        std::rotate(names.begin(), looked, looked + 1); // never among the others while it is looked at
    const bool others = names.size() > seriesShown;
    const std::size_t own = others ? seriesShown - 1 : names.size();
    const bool bySource = grouping == Grouping::Source;
    const NamedSources sources(bySource ? std::span(file.file.runs) : std::span<const MeasuredRun>());
    for (std::size_t i = 0; i < own; ++i)
        made.data.series.push_back({.name = localized(bySource ? sources.shortName(names[i]) : names[i]),
            .points = {},
            .faint = !focus.empty() && names[i] != focus});
    if (others)
        made.data.series.push_back(
            {.name = tr("%1 others").arg(names.size() - own), .points = {}, .faint = !focus.empty()});
    made.rows.resize(made.data.series.size());
    const auto unit = stepUnit(of);
    for (std::size_t i = 0; i < of.runs.size(); ++i) {
        const auto &scored = of.runs[i];
        if (!scored.timed || scored.run >= file.places.size())
            continue;
        const auto group = std::size_t(std::ranges::find(names, file.places[scored.run][grouping]) - names.begin());
        const auto series = std::min(group, made.data.series.size() - 1);
        made.data.series[series].points.push_back(
            {.measured = scored.measured.value() / unit.factor, .predicted = scored.predicted.value() / unit.factor});
        made.rows[series].push_back(i);
    }
    made.data.toolTip = [shared, &of, rows = made.rows](ScatterIndex index) {
        const auto &scored = of.runs[rows[index.series][index.point]];
        return toolTip(*shared, scored);
    };
    if (selected)
        made.data.selected = made.indexOf(*selected);
    const QString title = modelTitle(of.costModelId);
    made.data.name = tr("Predicted against measured, %1").arg(title);
    made.data.description = of.overall.count == 0
        ? tr("%1 scored none of the runs.").arg(title)
        : tr("Step times of %1 runs as predicted by %2 against what was measured, by %3; the median error is %4.")
              .arg(of.overall.count)
              .arg(title, withinSentence(localized(validation::title(grouping))),
                  localized(units::formatPercent(of.overall.medianError)));
    made.data.measuredTitle = titleWithUnit(tr("Measured step time"), unit);
    made.data.predictedTitle = titleWithUnit(tr("Predicted"), unit); // which a low chart has room for
    made.data.emptyText = tr("%1 prices none of these runs. The tab \u201cSkipped\u201d says why.").arg(title);
    return made;
}

ChartContent validationSpread(const std::vector<GroupErrors> &groups, Grouping grouping,
    std::span<const MeasuredRun> runs, const QString &model, const std::string &focus)
{
    constexpr double leastReach = 10;
    const auto unit = *units::findUnit("%", units::Dimension::Fraction);
    SpreadChartData data{.name = tr("Errors by %1, %2").arg(withinSentence(localized(title(grouping))), model),
        .axisTitle = titleWithUnit(tr("Predicted over measured, minus one"), unit),
        .barName = tr("10th to 90th percentile"),
        .middleName = tr("median"),
        .rows = {},
        .leastReach = leastReach};
    QStringList sentences;
    const bool bySource = grouping == Grouping::Source;
    const NamedSources sources(bySource ? runs : std::span<const MeasuredRun>());
    for (const auto &group : groups) {
        SpreadRow row{.label = localized(bySource ? sources.shortName(group.group) : group.group),
            .low = group.low / unit.factor,
            .middle = group.middle / unit.factor,
            .high = group.high / unit.factor,
            .count = QString::number(group.figures.count)};
        row.toolTip = tr("%1\n%2 runs; eight of ten between %3 and %4\nmedian %5")
                          .arg(utf8(bySource ? sources.name(group.group) : group.group))
                          .arg(group.figures.count)
                          .arg(signedPercent(group.low), signedPercent(group.high), signedPercent(group.middle));
        row.emphasised = !focus.empty() && group.group == focus;
        sentences << tr("%1: %2 to %3").arg(row.label, signedPercent(group.low), signedPercent(group.high));
        data.rows.push_back(std::move(row));
    }
    data.description = tr("Range of the signed error that holds eight of ten runs. %1.").arg(sentences.join(u"; "_s));
    return spreadChart(std::move(data));
}

} // namespace fleetwright::charts
