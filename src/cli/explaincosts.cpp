// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/explaincosts.h"

#include "cli/arguments.h"
#include "cli/input.h"
#include "cli/jsonlines.h"
#include "exchange/plandocuments.h"
#include "exchange/rangedsolution.h"
#include "exchange/validationdata.h"
#include "solver/answer/figures.h"
#include "solver/search/bestlayout.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

namespace fleetwright::cli {

namespace {

Expected<Solution> solved(const std::string &planFile, const Catalog &catalog, const validation::OwnSite *site)
{
    const auto text = readAll(planFile, exchange::longestDocument);
    if (!text)
        return std::unexpected(text.error());
    const auto document = exchange::planFromText(*text);
    if (!document)
        return std::unexpected(document.error());
    const auto decided = layoutsearch::resolveWithBestLayout(*document, catalog, exchange::rangesOfSite(site));
    if (!decided)
        return std::unexpected(decided.error());
    return exchange::solveWithRange(decided->plan, site);
}

/// What is counted is whole, as in a bill.
std::string shown(const std::optional<double> &value, std::string_view unit, bool exact)
{
    constexpr std::array<std::string_view, 5> inPieces{"", "node", "accelerator", "switch", "transceiver"};
    if (!value || exact)
        return value ? units::exact(*value) : std::string();
    const bool isCount = *value == std::round(*value) && std::ranges::find(inPieces, unit) != inPieces.end();
    return isCount ? units::format(*value, units::Dimension::Number) : units::threeDigits(*value);
}

Table tableOf(const std::vector<ExplainedCell> &cells, bool exact)
{
    Table table{{{.title = exact ? "key" : "Row", .isOfNames = true}, {exact ? "label" : "What"},
                    {exact ? "value" : "Value", true}, {exact ? "low" : "Low", true}, {exact ? "high" : "High", true},
                    {exact ? "unit" : "Unit"}, {.title = exact ? "formula" : "Formula", .isOfNames = true},
                    {exact ? "source" : "Source"}, {exact ? "date" : "Date"}},
        {}};
    for (const auto &cell : cells)
        table.rows.push_back(
            {cell.key, cell.label + (cell.column > 0 && !exact ? ", year " + std::to_string(cell.column) : ""),
                shown(cell.value, cell.unit, exact), shown(cell.low, cell.unit, exact),
                shown(cell.high, cell.unit, exact), cell.unit, cell.formula, cell.source, cell.date});
    return table;
}

Json jsonOf(const Solution &solution, const std::vector<ExplainedCell> &cells)
{
    const auto number = [](const std::optional<double> &value) { return value ? Json(*value) : Json(); };
    Json rows = Json::array();
    for (const auto &cell : cells) {
        Json inputs = Json::object();
        for (const auto &input : cell.inputs)
            inputs[input.key] = number(input.value);
        Json row{{"key", cell.key}, {"label", cell.label}, {"value", number(cell.value)}, {"unit", cell.unit},
            {"formula", cell.formula}, {"inputs", inputs}, {"source", cell.source}, {"date", cell.date}};
        if (cell.column > 0)
            row["year"] = cell.column;
        if (cell.low && cell.high)
            row["entered_range"] = {*cell.low, *cell.high};
        if (const auto range = solution.costs->range(cell.key, cell.column); range && range->low != range->high)
            row["range"] = {range->low, range->high};
        rows.push_back(std::move(row));
    }
    return Json{{"rows", rows}, {"notices", solution.costs->notices()}};
}

} // namespace

ExitStatus explainCosts(
    const std::string &planFile, const Catalog &catalog, const validation::OwnSite *site, Format format)
{
    const auto solution = solved(planFile, catalog, site);
    if (!solution) {
        complain(planFile == "-" ? "standard input" : planFile, solution.error());
        return statusOf(solution.error());
    }
    const auto cells = fleetwright::explainCosts(*solution);
    switch (format) {
    case Format::Table:
        writeAligned(std::cout, tableOf(cells, false));
        for (const auto &notice : solution->costs->notices())
            std::cout << '\n' << notice;
        std::cout << '\n';
        break;
    case Format::Csv: writeCsv(std::cout, tableOf(cells, true)); break;
    case Format::Json: printJson(jsonOf(*solution, cells)); break;
    }
    return ExitStatus::Done;
}

} // namespace fleetwright::cli
