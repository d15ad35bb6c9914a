// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/layoutsearchcharts.h"

#include "charts/countchart.h"
#include "charts/heatmap.h"
#include "charts/layoutsearchtexts.h"
#include "charts/wording.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

using namespace layoutsearch;

namespace {

/// All splits of one TP and PP.
struct Cell {
    std::optional<Row> best;
    double value = 0;
    std::uint64_t feasible = 0, infeasible = 0;
    double leastMemory = std::numeric_limits<double>::infinity();
};

void gather(Cell &cell, const Group &group, const CaseFacts &facts, LayoutSearchObjective objective)
{
    cell.feasible += group.feasible;
    cell.infeasible += group.infeasible;
    if (group.leastMemoryBytes < cell.leastMemory)
        cell.leastMemory = group.leastMemoryBytes;
    if (!group.best)
        return;
    const double value = valueOf(objective, *group.best, facts);
    if (!std::isfinite(value))
        return;
    if (!cell.best || (lessIsBetter(objective) ? value < cell.value : value > cell.value)) {
        cell.best = group.best;
        cell.value = value;
    }
}

/// Why no layout of a legal cell can be had.
QString reasonOf(const Cell &cell, const CaseFacts &facts)
{
    if (std::isfinite(cell.leastMemory) && cell.leastMemory > facts.limitBytes)
        return tr("infeasible: memory\nneeds at least %1, %2 allowed")
            .arg(searchValueText(ParetoAxis::Memory, cell.leastMemory),
                searchValueText(ParetoAxis::Memory, facts.limitBytes));
    return tr("infeasible: every layout breaks a limit of memory or of the plan");
}

QString toolTip(
    const Cell *cell, int tp, int pp, const Result &result, const CaseFacts &facts, LayoutSearchObjective objective)
{
    const auto place = tr("TP %1, PP %2").arg(tp).arg(pp);
    if (!cell || cell->feasible + cell->infeasible == 0)
        return tr("%1\nno legal layout").arg(place);
    if (cell->feasible == 0)
        return place + u'\n' + reasonOf(*cell, facts) + u'\n'
            + tr("%1 legal layouts").arg(wholeNumber(cell->infeasible));
    const auto counts =
        tr("%1 feasible layouts, %2 infeasible").arg(wholeNumber(cell->feasible), wholeNumber(cell->infeasible));
    if (!cell->best)
        return place + u'\n' + tr("%1 is not known").arg(labelOf(figureOf(objective))) + u'\n' + counts;
    auto text = searchRowText(*cell->best, result);
    if (objective == LayoutSearchObjective::MemoryHeadroom)
        text += u'\n'
            + tr("%1 %2").arg(withinSentence(labelOf(figureOf(objective))), searchValueText(objective, cell->value));
    return text + u'\n' + counts;
}

QString heatMapSentence(const Result &result, const CaseFacts &facts, LayoutSearchObjective objective,
    std::size_t feasible, std::size_t legal, const Cell *outlined, bool isTaken)
{
    auto text = tr("Best %1 for each TP and PP%2")
                    .arg(withinSentence(labelOf(figureOf(objective))),
                        result.cases.size() > 1 ? tr(", %1").arg(localized(facts.label)) : QString());
    if (objective != result.objective)
        text += tr(", of the layouts that are the best of their split by %1")
                    .arg(withinSentence(labelOf(figureOf(result.objective))));
    text += tr(": %1 of %2 combinations with legal layouts have a feasible one. ").arg(feasible).arg(legal);
    if (outlined)
        return text
            + (isTaken ? tr("The recommended one has %1 with %2.") : tr("The best is %1 with %2."))
                  .arg(searchValueText(objective, outlined->value), localized(inWords(outlined->best->layout)));
    return text + (feasible > 0 ? tr("Its value is not known for any layout.") : tr("No layout is feasible."));
}

} // namespace

ChartContent layoutSearchHeatMap(const Result &result, int caseIndex, LayoutSearchObjective objective,
    std::function<void(const LayoutSearchCell &)> picked)
{
    HeatMapData data{.name = tr("TP and PP, %1").arg(withinSentence(labelOf(figureOf(objective)))),
        .description = {},
        .xTitle = tr("TP"),
        .yTitle = tr("PP"),
        .columns = {},
        .rows = {}};
    if (caseIndex < 0 || std::size_t(caseIndex) >= result.cases.size()) {
        data.description = tr("Nothing was searched.");
        return heatMap(std::move(data));
    }
    const auto &facts = result.cases[std::size_t(caseIndex)];
    std::map<std::pair<int, int>, Cell> cells; // by PP, then TP
    std::set<int> tps, pps;
    for (const auto &group : result.groups)
        if (group.caseIndex == caseIndex) {
            gather(cells[{group.split.pp, group.split.tp}], group, facts, objective);
            tps.insert(group.split.tp);
            pps.insert(group.split.pp);
        }
    for (const int tp : tps)
        data.columns << QString::number(tp);
    for (const int pp : pps)
        data.rows << QString::number(pp);
    const auto *taken = objective == result.objective ? result.taken() : nullptr;
    const auto cellOfTaken = taken && taken->caseIndex == caseIndex ? cells.find({taken->layout.pp, taken->layout.tp})
                                                                    : cells.end();
    if (cellOfTaken != cells.end()) {
        cellOfTaken->second.best = *taken;
        cellOfTaken->second.value = valueOf(objective, *taken, facts);
    }
    std::vector<LayoutSearchCell> clickable;
    const Cell *outlined = nullptr;
    std::size_t feasible = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const int pp : pps)
        for (const int tp : tps) {
            const auto found = cells.find({pp, tp});
            const auto *cell = found == cells.end() ? nullptr : &found->second;
            HeatCell shown{.value = {}, .text = {}, .toolTip = toolTip(cell, tp, pp, result, facts, objective)};
            clickable.push_back({tp, pp, cell ? cell->best : std::nullopt});
            if (cell && cell->best) {
                shown.value = cell->value;
                shown.text = searchValueText(objective, cell->value);
                low = std::min(low, cell->value);
                high = std::max(high, cell->value);
                const bool isBetter = !outlined
                    || (lessIsBetter(objective) ? cell->value < outlined->value : cell->value > outlined->value);
                if (cellOfTaken != cells.end() ? found == cellOfTaken : isBetter) {
                    outlined = cell;
                    data.best = data.cells.size();
                }
            } else if (cell && cell->feasible == 0 && cell->infeasible > 0) {
                shown.refused = true;
            }
            feasible += cell && cell->feasible > 0;
            data.cells.push_back(std::move(shown));
        }
    constexpr double wide = 8;
    data.logarithmic = low > 0 && high > wide * low;
    data.format = [objective](double value) { return searchValueText(objective, value); };
    const bool memory = std::ranges::all_of(cells, [&](const auto &entry) {
        const auto &cell = entry.second;
        return cell.feasible > 0 || (std::isfinite(cell.leastMemory) && cell.leastMemory > facts.limitBytes);
    });
    data.refusedName = memory ? tr("crossed: needs more memory") : tr("crossed: infeasible");
    const bool isTaken = cellOfTaken != cells.end();
    data.bestName = isTaken ? tr("recommended") : tr("best");
    data.description = heatMapSentence(result, facts, objective, feasible, cells.size(), outlined, isTaken);
    if (picked)
        data.picked = [clickable = std::move(clickable), width = tps.size(), picked = std::move(picked)](
                          std::size_t column, std::size_t row) { picked(clickable[row * width + column]); };
    return heatMap(std::move(data));
}

ChartContent layoutSearchExclusions(const Counts &counts)
{
    CountChartData data{.name = tr("What became of the candidates"),
        .description = {},
        .axisTitle = tr("Layouts"),
        .kinds = {},
        .rows = {},
        .emptyText = tr("Nothing was looked at yet.")};
    enum Kind : std::size_t { Feasible, Infeasible, NoEffect, Illegal };
    // Okabe and Ito: bluish green, vermilion, sky blue; grey for what was never a choice.
    data.kinds = {{tr("feasible"), QColor(0x00, 0x9e, 0x73)}, {tr("breaks a limit"), QColor(0xd5, 0x5e, 0x00)},
        {tr("repeats another"), QColor(0x56, 0xb4, 0xe9)}, {tr("cannot run"), QColor(0x88, 0x88, 0x88)}};
    const auto all = counts.candidates();
    const auto row = [&](std::string_view title, std::uint64_t count, Kind kind, std::string_view sentence) {
        const auto share = localized(units::formatPercent(double(count) / double(all)));
        return CountRow{.label = localized(title),
            .count = count,
            .text = wholeNumber(count),
            .toolTip = tr("%1: %2 of %3 (%4)\n%5")
                           .arg(localized(title), wholeNumber(count), wholeNumber(all), share, localized(sentence)),
            .kind = kind};
    };
    for (std::size_t i = 0; i < exclusionCount; ++i) {
        const auto exclusion = Exclusion(i);
        if (counts[exclusion] > 0)
            data.rows.push_back(row(titleOf(exclusion), counts[exclusion],
                isIllegal(exclusion)          ? Illegal
                    : isInfeasible(exclusion) ? Infeasible
                                              : NoEffect,
                layoutsearch::sentence(exclusion)));
    }
    if (all > 0)
        data.rows.push_back(row(tr("Feasible").toStdString(), counts.feasible, Feasible,
            tr("These layouts can run within every limit.").toStdString()));
    std::ranges::stable_sort(data.rows, [](const CountRow &left, const CountRow &right) {
        return left.kind != right.kind ? left.kind < right.kind : left.count > right.count;
    });
    QStringList reasons;
    for (const auto &each : data.rows)
        if (each.kind != Feasible)
            reasons << tr("%1: %2").arg(each.label, each.text);
    data.description = all == 0 ? data.emptyText
                                : tr("Of %1 candidates %2 are feasible. %3.")
                                      .arg(wholeNumber(all), wholeNumber(counts.feasible),
                                          reasons.isEmpty() ? tr("None was excluded") : reasons.join(u"; "_s));
    return countChart(std::move(data));
}

} // namespace fleetwright::charts
