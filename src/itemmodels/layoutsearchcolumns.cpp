// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/layoutsearchcolumns.h"

#include "itemmodels/wording.h"
#include "solver/search/layoutsearchwords.h"
#include "text/figuretext.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

const QString recommendedMark = u"\u2605 "_s;
const QString byRunsMark = u"\u25c6 "_s;
constexpr double unknownFigure = std::numeric_limits<double>::quiet_NaN();

struct ColumnDescription {
    const char *title; ///< of what is no figure
    const char *help; ///< likewise; of a figure what the table adds to the figure's own, or nullptr
    const char *key; ///< of the figure, or what heads the column in files
    bool number = true;
    Dimension dimension = Dimension::Number;
    bool figure = false;
};

constexpr ColumnDescription figure(const char *key, const char *help = nullptr)
{
    return {nullptr, help, key, true, Dimension::Number, true};
}

constexpr std::array<ColumnDescription, layoutSearchColumnCount> columnDescriptions{{
    {QT_TRANSLATE_NOOP("Table", "#"), QT_TRANSLATE_NOOP("Table", "Place by the search's objective"), "rank"},
    {QT_TRANSLATE_NOOP("Table", "Case"), QT_TRANSLATE_NOOP("Table", "Which of the compared cases"), "case", false},
    {QT_TRANSLATE_NOOP("Table", "TP"), QT_TRANSLATE_NOOP("Table", "Tensor-parallel ranks"), "tp"},
    {QT_TRANSLATE_NOOP("Table", "CP"), QT_TRANSLATE_NOOP("Table", "Context-parallel ranks"), "cp"},
    {QT_TRANSLATE_NOOP("Table", "PP"), QT_TRANSLATE_NOOP("Table", "Pipeline stages"), "pp"},
    {QT_TRANSLATE_NOOP("Table", "EP"), QT_TRANSLATE_NOOP("Table", "Expert-parallel ranks"), "ep"},
    {QT_TRANSLATE_NOOP("Table", "DP"), QT_TRANSLATE_NOOP("Table", "Data-parallel replicas"), "dp"},
    {QT_TRANSLATE_NOOP("Table", "VP"),
        QT_TRANSLATE_NOOP("Table", "Virtual stages: chunks of layers on each pipeline stage"), "virtual_stages"},
    {QT_TRANSLATE_NOOP("Table", "MB"), QT_TRANSLATE_NOOP("Table", "Microbatch size, in sequences"), "microbatch_size"},
    {QT_TRANSLATE_NOOP("Table", "Recomp."),
        QT_TRANSLATE_NOOP("Table", "Which activations are computed again in the backward pass"), "recompute", false},
    {QT_TRANSLATE_NOOP("Table", "ZeRO"), QT_TRANSLATE_NOOP("Table", "ZeRO stage: what data parallelism shards"),
        "zero_stage"},
    {QT_TRANSLATE_NOOP("Table", "SP"), QT_TRANSLATE_NOOP("Table", "Sequence parallelism beside TP"),
        "sequence_parallel", false},
    figure("step_time_s"),
    {QT_TRANSLATE_NOOP("Table", "vs \u2605"),
        QT_TRANSLATE_NOOP("Table",
            "How much worse than the recommended one (\u2605) the layout is by the search's objective; below 0: "
            "better"),
        "worse_than_recommended", true, Dimension::Fraction},
    figure("mfu"),
    figure("tokens_per_s"),
    figure("memory.total_bytes", QT_TRANSLATE_NOOP("Table", "Where nothing fits, the least that the split needs.")),
    figure("memory.share_of_limit"),
    figure("cost_usd_per_million_tokens"),
    {QT_TRANSLATE_NOOP("Table", "Feas."), QT_TRANSLATE_NOOP("Table", "Feasible layouts of this split"), "feasible"},
    {QT_TRANSLATE_NOOP("Table", "Infeas."),
        QT_TRANSLATE_NOOP("Table", "Layouts of this split that could run but break a limit"), "infeasible"},
    {QT_TRANSLATE_NOOP("Table", "Why not"),
        QT_TRANSLATE_NOOP("Table",
            "What the layouts of this split break where none is feasible; of a split that is better than the "
            "recommended one (\u2605) why it is not taken"),
        "why_not", false},
}};

const ColumnDescription &of(LayoutSearchColumn column) { return columnDescriptions[static_cast<std::size_t>(column)]; }
Dimension dimensionOf(LayoutSearchColumn column)
{
    const auto *shown = figureOf(column);
    return shown ? shown->dimension : of(column).dimension;
}
QString recomputeText(Recompute recompute) { return localizedWord(toString(recompute)); }

double worse(const LayoutSearchItem &item)
{
    const double value = layoutsearch::valueOf(item.objective, *item.row, *item.facts);
    return layoutsearch::lessIsBetter(item.objective) ? value / item.takenValue - 1 : 1 - value / item.takenValue;
}

double rowValue(LayoutSearchColumn column, const LayoutSearchItem &item)
{
    const auto &row = *item.row;
    switch (column) {
    case LayoutSearchColumn::VirtualStages: return row.layout.virtualStages;
    case LayoutSearchColumn::Microbatch: return row.layout.microbatchSize;
    case LayoutSearchColumn::Recompute: return static_cast<double>(row.layout.recompute);
    case LayoutSearchColumn::Zero: return row.layout.zeroStage;
    case LayoutSearchColumn::SequenceParallel: return row.layout.sequenceParallel ? 1 : 0;
    case LayoutSearchColumn::StepTime: return row.stepSeconds;
    case LayoutSearchColumn::Difference: return worse(item);
    case LayoutSearchColumn::Mfu: return row.mfu;
    case LayoutSearchColumn::TokenRate:
        return layoutsearch::valueOf(LayoutSearchObjective::TokensPerSecond, row, *item.facts);
    case LayoutSearchColumn::Cost: return layoutsearch::valueOf(LayoutSearchObjective::CostPerToken, row, *item.facts);
    default: return unknownFigure;
    }
}

double memoryOf(const LayoutSearchItem &item) { return item.row ? item.row->memoryBytes : item.leastMemoryBytes; }

} // namespace

double valueOf(LayoutSearchColumn column, const LayoutSearchItem &item)
{
    switch (column) {
    case LayoutSearchColumn::Rank: return item.rank;
    case LayoutSearchColumn::Case: return item.caseIndex;
    case LayoutSearchColumn::Tp: return item.split.tp;
    case LayoutSearchColumn::Cp: return item.split.cp;
    case LayoutSearchColumn::Pp: return item.split.pp;
    case LayoutSearchColumn::Ep: return item.split.ep;
    case LayoutSearchColumn::Dp: return item.split.dp;
    case LayoutSearchColumn::Memory: return memoryOf(item);
    case LayoutSearchColumn::MemoryShare: return memoryOf(item) / item.facts->limitBytes;
    case LayoutSearchColumn::Feasible: return double(item.feasible);
    case LayoutSearchColumn::Infeasible: return double(item.infeasible);
    case LayoutSearchColumn::WhyNot: // by the memory that is lacking
        return item.row ? unknownFigure : std::max(0.0, item.leastMemoryBytes - item.facts->limitBytes);
    default: return item.row ? rowValue(column, item) : unknownFigure;
    }
}

const Figure *figureOf(LayoutSearchColumn column)
{
    static const auto shown = [] {
        std::array<const Figure *, layoutSearchColumnCount> figures{};
        for (std::size_t i = 0; i < figures.size(); ++i)
            figures[i] = columnDescriptions[i].figure ? &figureNamed(columnDescriptions[i].key) : nullptr;
        return figures;
    }();
    return shown[static_cast<std::size_t>(column)];
}

LayoutSearchUnits::LayoutSearchUnits()
{
    for (std::size_t i = 0; i < m_units.size(); ++i)
        m_units[i] = units::unitFor(0, dimensionOf(LayoutSearchColumn(i)));
}

LayoutSearchUnits::LayoutSearchUnits(const layoutsearch::Result &result)
{
    std::array<double, layoutSearchColumnCount> most{};
    const auto consider = [&](const LayoutSearchItem &item) {
        for (std::size_t i = 0; i < most.size(); ++i)
            if (const auto column = LayoutSearchColumn(i); figureOf(column))
                if (const double value = valueOf(column, item); std::isfinite(value))
                    most[i] = std::max(most[i], std::abs(value));
    };
    for (const auto &group : result.groups) // they hold the best layouts; a cell far off has a unit of its own
        consider({.split = group.split,
            .row = group.best ? &*group.best : nullptr,
            .leastMemoryBytes = group.leastMemoryBytes,
            .facts = &result.cases[std::size_t(group.caseIndex)]});
    for (std::size_t i = 0; i < most.size(); ++i) {
        const auto *shown = figureOf(LayoutSearchColumn(i));
        m_units[i] = shown ? unitFor(shown->group, shown->dimension, most[i])
                           : units::unitFor(0, dimensionOf(LayoutSearchColumn(i)));
    }
}

QString textOf(LayoutSearchColumn column, const LayoutSearchItem &item, const units::UnitSymbol &unit)
{
    if (column == LayoutSearchColumn::Case)
        return localized(item.facts->label);
    if (column == LayoutSearchColumn::WhyNot)
        return !item.group ? QString()
            : item.row     ? localized(layoutsearch::whyNotTaken(*item.result, *item.group))
                           : localized(layoutsearch::whyNoneIsFeasible(*item.result, *item.group));
    const double value = valueOf(column, item);
    if (!std::isfinite(value))
        return none;
    if (column == LayoutSearchColumn::Rank)
        return (item.isRecommended ? recommendedMark : QString()) + (item.isByRuns ? byRunsMark : QString())
            + localized(units::formatInColumn(value, unit));
    if (column == LayoutSearchColumn::Recompute)
        return recomputeText(item.row->layout.recompute);
    if (column == LayoutSearchColumn::SequenceParallel)
        return value > 0 ? tr(QT_TRANSLATE_NOOP("Table", "yes")) : tr(QT_TRANSLATE_NOOP("Table", "no"));
    return localized(units::formatInColumn(value, unit));
}

QString toolTipOf(LayoutSearchColumn column, const LayoutSearchItem &item)
{
    const QString layout = localized(item.row ? inWords(item.row->layout) : inWords(item.split));
    const QString where = item.facts->label.empty() ? layout : u"%1: %2"_s.arg(localized(item.facts->label), layout);
    const double value = valueOf(column, item);
    const auto &description = of(column);
    QStringList lines{where};
    if (item.isRecommended)
        lines << tr(QT_TRANSLATE_NOOP("Table", "\u2605 Recommended: see the sentences above the table."));
    if (item.isByRuns)
        lines << tr(QT_TRANSLATE_NOOP("Table", "\u25c6 What plans and Decide take: measured runs count there."));
    if (!item.row && item.group)
        lines << tr(QT_TRANSLATE_NOOP("Table", "No layout of this split is feasible (%1); select it to see why."))
                     .arg(localized(layoutsearch::whyNoneIsFeasible(*item.result, *item.group)));
    if (std::isfinite(value) && description.number) {
        const QString full = utf8(units::exact(value));
        const QString symbol = localized(units::baseSymbol(dimensionOf(column)));
        lines << u"%1: %2"_s.arg(helpOf(column), symbol.isEmpty() ? full : full + u' ' + symbol);
    }
    return lines.join(u'\n');
}

bool isNumber(LayoutSearchColumn column) { return of(column).number; }
QString titleOf(LayoutSearchColumn column, const units::UnitSymbol &unit)
{
    const auto *shown = figureOf(column);
    return titleWithUnit(shown ? shortLabelOf(*shown) : tr(of(column).title), unit);
}
QString helpOf(LayoutSearchColumn column)
{
    const auto *shown = figureOf(column);
    const auto *own = of(column).help;
    if (!shown)
        return tr(own);
    return own ? fleetwright::helpOf(*shown) + u' ' + tr(own) : fleetwright::helpOf(*shown);
}
QString fileTitleOf(LayoutSearchColumn column) { return QString::fromLatin1(of(column).key); }

} // namespace fleetwright::itemmodels
