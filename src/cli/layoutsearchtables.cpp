// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/layoutsearchtables.h"

#include "solver/answer/figures.h"
#include "solver/search/layoutsearchfigures.h"
#include "units/columns.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::cli {

namespace {

/// Rows of which each adds its cell of a column that is shown in one unit.
void append(Table &table, std::string_view label, units::Dimension dimension, std::span<const double> values)
{
    std::vector<std::optional<double>> known;
    for (const auto value : values)
        known.push_back(std::isfinite(value) ? std::optional(value) : std::nullopt);
    const auto column = figureColumn(label, dimension, known);
    table.columns.push_back({column.title, true});
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        table.rows[i].push_back(column.cells[i]);
}

/// "Microbatch size 2"
std::string changeInWords(const layoutsearch::Change &change)
{
    return std::string(titleOf(change.option)) + " " + searchValuesToText(change.option, std::array{change.value});
}

std::string difference(double value, double before)
{
    if (!std::isfinite(value) || !(before > 0))
        return "-";
    return units::signedPercentCell(value / before - 1);
}

} // namespace

std::vector<layoutsearch::Row> listed(const layoutsearch::Result &result, Listing listing, std::size_t most)
{
    std::vector<layoutsearch::Row> rows;
    if (listing == Listing::Splits) {
        for (const auto &group : result.groups)
            if (group.best && rows.size() < most)
                rows.push_back(*group.best);
        return rows;
    }
    const auto &all = listing == Listing::Front ? result.front : result.rows;
    rows.assign(all.begin(), all.begin() + std::ptrdiff_t(std::min(most, all.size())));
    return rows;
}

Table layoutsTable(std::span<const layoutsearch::Row> rows, const layoutsearch::Result &result)
{
    Table table{{{"#", true}}, {}};
    const bool cases = result.cases.size() > 1;
    if (cases)
        table.columns.push_back({"Case"});
    for (const auto *ranks : {"TP", "CP", "PP", "EP", "DP"})
        table.columns.push_back({ranks, true});
    table.columns.insert(
        table.columns.end(), {{"Virtual", true}, {"Microbatch", true}, {"ZeRO", true}, {"Recompute"}, {"SP"}});
    for (const auto &row : rows) {
        const auto &layout = row.layout;
        const auto &facts = result.factsOf(row);
        std::vector<std::string> line{std::to_string(table.rows.size() + 1)};
        if (cases)
            line.push_back(facts.label);
        for (const int ranks : {layout.tp, layout.cp, layout.pp, layout.ep, layout.dp})
            line.push_back(std::to_string(ranks));
        for (const int setting : {layout.virtualStages, layout.microbatchSize, int(layout.zeroStage)})
            line.push_back(std::to_string(setting));
        line.insert(line.end(), {std::string(toString(layout.recompute)), layout.sequenceParallel ? "yes" : "no"});
        table.rows.push_back(std::move(line));
    }
    for (const auto &figure : layoutsearch::rowFigures()) {
        std::vector<double> values;
        for (const auto &row : rows)
            values.push_back(figure.value(row, result.factsOf(row)));
        const auto &known = *findFigure(figure.key);
        if (std::ranges::any_of(values, [](double value) { return std::isfinite(value); }))
            append(table, narrowLabel(known), known.dimension, values);
    }
    return table;
}

Table changesTable(std::span<const layoutsearch::Change> changes, const layoutsearch::Row &unchanged)
{
    Table table{{{"Change"}}, {}};
    for (const auto &change : changes)
        table.rows.push_back({changeInWords(change)});
    const auto compared = [&](std::string_view key, double layoutsearch::Change::*value, double before) {
        const auto &figure = *findFigure(key);
        std::vector<double> values;
        for (const auto &change : changes)
            values.push_back(change.*value);
        append(table, figure.label, figure.dimension, values);
        table.columns.push_back({std::string(figure.label) + " [%]", true});
        for (std::size_t i = 0; i < values.size(); ++i)
            table.rows[i].push_back(difference(values[i], before));
    };
    compared("step_time_s", &layoutsearch::Change::stepSeconds, unchanged.stepSeconds);
    compared("memory.total_bytes", &layoutsearch::Change::memoryBytes, unchanged.memoryBytes);
    table.columns.push_back({"Verdict"});
    for (std::size_t i = 0; i < changes.size(); ++i)
        table.rows[i].push_back(changes[i].excluded ? std::string(titleOf(*changes[i].excluded)) : "feasible");
    return table;
}

} // namespace fleetwright::cli
