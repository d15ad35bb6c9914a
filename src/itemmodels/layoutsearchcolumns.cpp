// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/layoutsearchcolumns.h"

#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Description {
    const char *title; ///< translated in the context "Search"
    const char *help;
    const char *fileTitle;
    bool number = true;
    bool count = false; ///< whole numbers
    double factor = 1; ///< base units per unit of the title
    Dimension dimension = Dimension::Number;
};

constexpr std::array<Description, layoutSearchColumnCount> descriptions{{
    {QT_TRANSLATE_NOOP("Search", "#"), QT_TRANSLATE_NOOP("Search", "Place by the search's objective"), "rank", true,
        true},
    {QT_TRANSLATE_NOOP("Search", "Case"), QT_TRANSLATE_NOOP("Search", "Which of the compared cases"), "case", false},
    {QT_TRANSLATE_NOOP("Search", "TP"), QT_TRANSLATE_NOOP("Search", "Tensor-parallel ranks"), "tp", true, true},
    {QT_TRANSLATE_NOOP("Search", "CP"), QT_TRANSLATE_NOOP("Search", "Context-parallel ranks"), "cp", true, true},
    {QT_TRANSLATE_NOOP("Search", "PP"), QT_TRANSLATE_NOOP("Search", "Pipeline stages"), "pp", true, true},
    {QT_TRANSLATE_NOOP("Search", "EP"), QT_TRANSLATE_NOOP("Search", "Expert-parallel ranks"), "ep", true, true},
    {QT_TRANSLATE_NOOP("Search", "DP"), QT_TRANSLATE_NOOP("Search", "Data-parallel replicas"), "dp", true, true},
    {QT_TRANSLATE_NOOP("Search", "VP"),
        QT_TRANSLATE_NOOP("Search", "Virtual stages: chunks of layers on each pipeline stage"), "virtual_stages", true,
        true},
    {QT_TRANSLATE_NOOP("Search", "MB"), QT_TRANSLATE_NOOP("Search", "Microbatch size, in sequences"), "microbatch_size",
        true, true},
    {QT_TRANSLATE_NOOP("Search", "Recomp."),
        QT_TRANSLATE_NOOP("Search", "Which activations are computed again in the backward pass"), "recompute", false},
    {QT_TRANSLATE_NOOP("Search", "ZeRO"), QT_TRANSLATE_NOOP("Search", "ZeRO stage: what data parallelism shards"),
        "zero_stage", true, true},
    {QT_TRANSLATE_NOOP("Search", "SP"), QT_TRANSLATE_NOOP("Search", "Sequence parallelism beside TP"),
        "sequence_parallel", false},
    {QT_TRANSLATE_NOOP("Search", "Step [s]"), QT_TRANSLATE_NOOP("Search", "Time of one optimizer step"), "step_time_s",
        true, false, 1, Dimension::Time},
    {QT_TRANSLATE_NOOP("Search", "Worse [%]"),
        QT_TRANSLATE_NOOP("Search", "How much worse than the best the layout is by the search's objective"),
        "worse_than_best", true, false, 0.01, Dimension::Fraction},
    {QT_TRANSLATE_NOOP("Search", "MFU [%]"),
        QT_TRANSLATE_NOOP("Search", "Model FLOPs utilisation: share of the accelerators' dense peak"), "mfu", true,
        false, 0.01, Dimension::Fraction},
    {QT_TRANSLATE_NOOP("Search", "ktok/s"),
        QT_TRANSLATE_NOOP("Search", "Thousands of tokens per second of the whole fleet"), "tokens_per_s", true, false,
        1e3},
    {QT_TRANSLATE_NOOP("Search", "Mem. [GB]"),
        QT_TRANSLATE_NOOP(
            "Search", "Memory of the fullest accelerator; where nothing fits, the least that the split needs"),
        "memory_bytes", true, false, 1e9, Dimension::Information},
    {QT_TRANSLATE_NOOP("Search", "Of limit [%]"),
        QT_TRANSLATE_NOOP("Search", "Memory as a share of what the accelerator has or the plan allows"),
        "memory_share_of_limit", true, false, 0.01, Dimension::Fraction},
    {QT_TRANSLATE_NOOP("Search", "$/Mtok"),
        QT_TRANSLATE_NOOP("Search", "Dollars for a million tokens at the accelerators' lowest cloud price"),
        "cost_usd_per_million_tokens", true, false, 1, Dimension::Money},
    {QT_TRANSLATE_NOOP("Search", "Feas."), QT_TRANSLATE_NOOP("Search", "Feasible layouts of this split"), "feasible",
        true, true},
    {QT_TRANSLATE_NOOP("Search", "Infeas."),
        QT_TRANSLATE_NOOP("Search", "Layouts of this split that could run but break a limit"), "infeasible", true,
        true},
}};

const Description &of(LayoutSearchColumn column) { return descriptions[static_cast<std::size_t>(column)]; }
QString translated(const char *text) { return QCoreApplication::translate("Search", text); }
QString recomputeText(Recompute recompute) { return utf8(toString(recompute)); }

double worse(const LayoutSearchItem &item)
{
    const double value = layoutsearch::valueOf(item.objective, *item.row, *item.facts);
    return layoutsearch::lessIsBetter(item.objective) ? value / item.bestValue - 1 : 1 - value / item.bestValue;
}

double figureOf(LayoutSearchColumn column, const LayoutSearchItem &item)
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
    default: return unknown;
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
    default: return item.row ? figureOf(column, item) : unknown;
    }
}

QString textOf(LayoutSearchColumn column, const LayoutSearchItem &item)
{
    if (column == LayoutSearchColumn::Case)
        return utf8(item.facts->label);
    const double value = valueOf(column, item);
    if (!std::isfinite(value))
        return u"\u2013"_s;
    if (column == LayoutSearchColumn::Recompute)
        return recomputeText(item.row->layout.recompute);
    if (column == LayoutSearchColumn::SequenceParallel)
        return value > 0 ? translated(QT_TRANSLATE_NOOP("Search", "yes"))
                         : translated(QT_TRANSLATE_NOOP("Search", "no"));
    const auto &description = of(column);
    if (description.count)
        return utf8(units::format(value, Dimension::Number));
    return utf8(units::threeDigits(value / description.factor));
}

QString toolTipOf(LayoutSearchColumn column, const LayoutSearchItem &item)
{
    const QString layout = utf8(item.row ? inWords(item.row->layout) : inWords(item.split));
    const QString where = item.facts->label.empty() ? layout : u"%1: %2"_s.arg(utf8(item.facts->label), layout);
    const double value = valueOf(column, item);
    const auto &description = of(column);
    QStringList lines{where};
    if (!item.row)
        lines << translated(QT_TRANSLATE_NOOP("Search", "No layout of this split is feasible; select it to see why."));
    if (std::isfinite(value) && description.number) {
        const QString full = utf8(units::exact(value));
        const QString symbol = utf8(units::baseSymbol(description.dimension));
        lines << u"%1: %2"_s.arg(translated(description.help),
            symbol.isEmpty() || description.dimension == Dimension::Fraction ? full : full + u' ' + symbol);
    }
    return lines.join(u'\n');
}

bool isNumber(LayoutSearchColumn column) { return of(column).number; }
QString titleOf(LayoutSearchColumn column) { return translated(of(column).title); }
QString helpOf(LayoutSearchColumn column) { return translated(of(column).help); }
QString fileTitleOf(LayoutSearchColumn column) { return QString::fromLatin1(of(column).fileTitle); }

} // namespace fleetwright::itemmodels
