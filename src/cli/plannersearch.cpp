// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/plannersearch.h"

#include "cli/application.h"
#include "cli/input.h"
#include "cli/jsonlines.h"
#include "exchange/figurejson.h"
#include "exchange/savefile.h"
#include "solver/answer/figures.h"
#include "solver/planners/plannersearch.h"
#include "units/editdistance.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace fleetwright::cli {

using Json = nlohmann::ordered_json;

namespace {

using Rows = std::vector<const PlannerSearchRow *>;

/// How good a row is, by what the planner compares: time, or rows that fit before others and then volume.
std::tuple<bool, double> rank(const PlannerSearchRow &row)
{
    return {!row.fits, row.stepTime ? row.stepTime->value() : row.volume ? row.volume->value() : 0.0};
}

/// All rows in the planner's own order, or the best `top` ones, best first.
Rows chosenRows(const PlannerSearch &search, const std::optional<int> &top)
{
    Rows rows;
    for (const auto &row : search.rows)
        rows.push_back(&row);
    if (!top)
        return rows;
    if (search.planner != "first-order") // ranked already
        std::ranges::stable_sort(rows, {}, [](const PlannerSearchRow *row) { return rank(*row); });
    rows.resize(std::min(rows.size(), std::size_t(*top)));
    return rows;
}

/// A figure of a row under its key, or under "details.<key>" where only one planner knows it.
struct RowFigure {
    std::string_view key;
    std::optional<double> (*value)(const PlannerSearchRow &row);
};

template <auto Member> std::optional<double> quantity(const PlannerSearchRow &row)
{
    const auto &value = row.*Member;
    return value ? std::optional(value->value()) : std::nullopt;
}
template <auto Member> std::optional<double> number(const PlannerSearchRow &row) { return row.*Member; }

/// Of the planner's choice, not of an estimate.
constexpr std::string_view microbatches = "microbatches";

constexpr auto figures = std::to_array<RowFigure>({
    {microbatches, number<&PlannerSearchRow::microbatches>},
    {"step_time_s", quantity<&PlannerSearchRow::stepTime>},
    {"compute_time_s", quantity<&PlannerSearchRow::computeTime>},
    {"dp_comm_time_s", quantity<&PlannerSearchRow::dpTime>},
    {"tp_comm_time_s", quantity<&PlannerSearchRow::tpTime>},
    {"pp_comm_time_s", quantity<&PlannerSearchRow::ppTime>},
    {"mfu", number<&PlannerSearchRow::mfu>},
    {"memory.total_bytes", quantity<&PlannerSearchRow::memory>},
    {"details.volume_bytes", quantity<&PlannerSearchRow::volume>},
    {"details.tp_volume_bytes", quantity<&PlannerSearchRow::tpVolume>},
    {"details.pp_volume_bytes", quantity<&PlannerSearchRow::ppVolume>},
    {"details.dp_volume_bytes", quantity<&PlannerSearchRow::dpVolume>},
    {"bubble_fraction", number<&PlannerSearchRow::bubble>},
});

std::vector<const RowFigure *> filled(const Rows &rows)
{
    std::vector<const RowFigure *> used;
    for (const auto &figure : figures)
        if (std::ranges::any_of(rows, [&](const PlannerSearchRow *row) { return figure.value(*row).has_value(); }))
            used.push_back(&figure);
    return used;
}

FigureColumn columnOf(const RowFigure &figure, const Rows &rows)
{
    std::vector<std::optional<double>> values;
    for (const auto *row : rows)
        values.push_back(figure.value(*row));
    if (figure.key == microbatches)
        return figureColumn("Microbatches", units::Dimension::Number, values);
    const auto known = *chooseFigure(figure.key);
    return figureColumn(known.shortLabel, known.dimension, values);
}

Table tableOf(const Rows &rows)
{
    Table table{{{"DP", true}, {"TP", true}, {"PP", true}}, {}};
    std::vector<FigureColumn> columns;
    for (const auto *figure : filled(rows)) {
        columns.push_back(columnOf(*figure, rows));
        table.columns.push_back({columns.back().title, true});
    }
    table.columns.push_back({"Verdict"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto *row = rows[i];
        std::vector<std::string> line{std::to_string(row->dp), std::to_string(row->tp), std::to_string(row->pp)};
        for (const auto &column : columns)
            line.push_back(column.cells[i]);
        line.push_back(row->best ? (row->why.empty() ? "best" : "best; " + row->why)
                : row->fits      ? row->why
                                 : "does not fit: " + row->why);
        table.rows.push_back(std::move(line));
    }
    return table;
}

Table csvOf(const Rows &rows)
{
    const auto used = filled(rows);
    Table table{{{"dp"}, {"tp"}, {"pp"}, {"best"}, {"fits"}}, {}};
    for (const auto *figure : used)
        table.columns.push_back({std::string(figure->key)});
    table.columns.push_back({"note"});
    for (const auto *row : rows) {
        std::vector<std::string> line{std::to_string(row->dp), std::to_string(row->tp), std::to_string(row->pp),
            row->best ? "true" : "false", row->fits ? "true" : "false"};
        for (const auto *figure : used) {
            const auto value = figure->value(*row);
            line.push_back(value ? units::exact(*value) : "");
        }
        line.push_back(row->why);
        table.rows.push_back(std::move(line));
    }
    return table;
}

Json rowJson(const PlannerSearchRow &row)
{
    Json json{{"dp", row.dp}, {"tp", row.tp}, {"pp", row.pp}, {"best", row.best}, {"fits", row.fits}};
    for (const auto &figure : figures)
        exchange::putFigure(json, figure.key, figure.value(row));
    if (row.microbatches)
        json[microbatches] = *row.microbatches; // whole
    if (!row.why.empty())
        json["note"] = row.why;
    return json;
}

Json jsonOf(const PlannerSearch &search, const Rows &rows)
{
    Json json{{"planner", search.planner}, {"default_assumptions", search.defaultAssumptions},
        {"inputs", Json::object()}, {"evaluated", search.rows.size()}};
    for (const auto &input : search.inputs) {
        Json line{{"value", input.value}};
        if (!input.unit.empty())
            line["unit"] = input.unit;
        line["derivation"] = input.figure.formula;
        json["inputs"][input.name] = std::move(line);
    }
    json["best"] = search.best() ? rowJson(*search.best()) : Json();
    json["rows"] = Json::array();
    for (const auto *row : rows)
        json["rows"].push_back(rowJson(*row));
    json["recommendation"] = search.recommendation;
    json["advice"] = search.advice;
    json["warnings"] = search.warnings;
    return json;
}

void print(const PlannerSearch &search, const Rows &rows, Format format)
{
    switch (format) {
    case Format::Table:
        writeAligned(std::cout, tableOf(rows));
        std::cout << '\n';
        for (const auto *lines : {&search.recommendation, &search.advice, &search.warnings})
            for (const auto &line : *lines)
                std::cout << line << '\n';
        if (search.defaultAssumptions)
            std::cout << "The plan's assumptions belong to another cost model; the defaults of " << search.planner
                      << " were used.\n";
        break;
    case Format::Csv: writeCsv(std::cout, csvOf(rows)); break;
    case Format::Json: printJson(jsonOf(search, rows)); break;
    }
}

/// What would be printed, but the searcher's JSON is its own published format, which holds every split it evaluated.
Expected<void> writeFile(const PlannerSearch &search, const Rows &rows, const Output &output)
{
    const bool published = search.planner == "searcher" && output.format == Format::Json;
    const auto text = published ? searcher::searcherJson(search.searcherRows)
                                : collected([&] { print(search, rows, output.format); });
    return exchange::saveFile(QByteArray::fromStdString(text), QString::fromStdString(output.file));
}

Expected<Plan> planOf(const PlannerSearchOptions &options, const Catalog &catalog)
{
    const auto document = readPlan(options.plan);
    if (!document)
        return std::unexpected(document.error());
    return resolve(*document, catalog);
}

} // namespace

ExitStatus run(const PlannerSearchOptions &options)
{
    if (std::ranges::find(searchPlanners(), options.planner) == searchPlanners().end()) {
        complain("--planner",
            "\u201c" + options.planner.substr(0, 60) + "\u201d is no published planner with a search of its own"
                + didYouMean(options.planner, searchPlanners(), "; use searcher, strategy-calculator or first-order."));
        return ExitStatus::Usage;
    }
    if (!options.output.file.empty())
        if (const auto savable = exchange::checkSavable(QString::fromStdString(options.output.file)); !savable) {
            complain("", savable.error());
            return statusOf(savable.error());
        }
    const auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return statusOf(catalog.error());
    }
    const std::string subject = options.plan == "-" ? "standard input" : options.plan;
    const auto plan = planOf(options, *catalog);
    if (!plan) {
        complain(subject, plan.error());
        return statusOf(plan.error());
    }
    const auto search = runPlannerSearch(*plan, options.planner, options.threads);
    if (!search) {
        complain(subject, search.error());
        return statusOf(search.error());
    }
    const auto rows = chosenRows(*search, options.top);
    if (!options.output.file.empty()) {
        if (const auto written = writeFile(*search, rows, options.output); !written) {
            complain("", written.error());
            return statusOf(written.error());
        }
        std::cout << "Wrote " << options.output.file << ".\n";
    } else {
        print(*search, rows, options.output.format);
    }
    return search->best() ? ExitStatus::Done : ExitStatus::NothingFeasible;
}

} // namespace fleetwright::cli
