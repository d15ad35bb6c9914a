// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/layoutsearchtables.h"

#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::cli {

namespace {

constexpr double gigabyte = 1e9;

std::string shown(double value) { return std::isfinite(value) ? units::threeDigits(value) : "-"; }

/// A column of figures, which is left out where no layout has it.
struct Figure {
    const char *title;
    double (*value)(const layoutsearch::Row &row, const layoutsearch::CaseFacts &facts);
};
constexpr std::array figures{
    Figure{
        "Step time [s]", [](const layoutsearch::Row &row, const layoutsearch::CaseFacts &) { return row.stepSeconds; }},
    Figure{"MFU [%]", [](const layoutsearch::Row &row, const layoutsearch::CaseFacts &) { return row.mfu * 100; }},
    Figure{"Tokens/s",
        [](const layoutsearch::Row &row, const layoutsearch::CaseFacts &facts) {
            return valueOf(LayoutSearchObjective::TokensPerSecond, row, facts);
        }},
    Figure{"Memory [GB]",
        [](const layoutsearch::Row &row, const layoutsearch::CaseFacts &) { return row.memoryBytes / gigabyte; }},
    Figure{"Headroom [GB]",
        [](const layoutsearch::Row &row, const layoutsearch::CaseFacts &facts) {
            return valueOf(LayoutSearchObjective::MemoryHeadroom, row, facts) / gigabyte;
        }},
    Figure{"USD per M tokens",
        [](const layoutsearch::Row &row, const layoutsearch::CaseFacts &facts) {
            return valueOf(LayoutSearchObjective::CostPerToken, row, facts);
        }},
};

/// "Microbatch size 2"
std::string inWords(const layoutsearch::Change &change)
{
    return std::string(titleOf(change.option)) + " " + searchValuesToText(change.option, std::array{change.value});
}

std::string difference(double value, double before)
{
    if (!std::isfinite(value) || !(before > 0))
        return "-";
    const double share = value / before - 1;
    return (share >= 0 ? "+" : "") + units::threeDigits(share * 100);
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

Table tableOf(std::span<const layoutsearch::Row> rows, const layoutsearch::Result &result)
{
    Table table{{{"#", true}}, {}};
    const bool cases = result.cases.size() > 1;
    if (cases)
        table.columns.push_back({"Case"});
    for (const auto *ranks : {"TP", "CP", "PP", "EP", "DP"})
        table.columns.push_back({ranks, true});
    table.columns.insert(
        table.columns.end(), {{"Virtual", true}, {"Microbatch", true}, {"ZeRO", true}, {"Recompute"}, {"SP"}});
    std::vector<const Figure *> used;
    for (const auto &figure : figures)
        if (std::ranges::any_of(rows,
                [&](const layoutsearch::Row &row) { return std::isfinite(figure.value(row, result.factsOf(row))); })) {
            used.push_back(&figure);
            table.columns.push_back({figure.title, true});
        }
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
        for (const auto *figure : used)
            line.push_back(shown(figure->value(row, facts)));
        table.rows.push_back(std::move(line));
    }
    return table;
}

Table tableOf(std::span<const layoutsearch::Change> changes, const layoutsearch::Row &unchanged)
{
    Table table{{{"Change"}, {"Step time [s]", true}, {"Step time [%]", true}, {"Memory [GB]", true},
                    {"Memory [%]", true}, {"Verdict"}},
        {}};
    for (const auto &change : changes)
        table.rows.push_back(
            {inWords(change), shown(change.stepSeconds), difference(change.stepSeconds, unchanged.stepSeconds),
                shown(change.memoryBytes / gigabyte), difference(change.memoryBytes, unchanged.memoryBytes),
                change.excluded ? std::string(titleOf(*change.excluded)) : "feasible"});
    return table;
}

} // namespace fleetwright::cli
