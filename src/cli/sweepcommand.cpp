// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/axisoption.h"
#include "cli/input.h"
#include "cli/output.h"

#include "storage/exchange/sweepdocuments.h"
#include "storage/exchange/sweepresults.h"
#include "storage/exchange/textreader.h"
#include "units/format.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace fleetwright::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longestDocument = 4UZ * 1024 * 1024;

struct Options {
    std::string file;
    std::vector<std::string> vary;
    std::string figure;
    std::vector<std::string> costModels;
    std::string project;
    int threads = 0;
    Format format = Format::Table;
};

/// Whether the text is a sweep document: it has the key that gives a sweep its name. What cannot be read is left to the plan reader's sentence.
bool isSweep(std::string_view text)
{
    const auto json = exchange::readText(text, {.values = 400'000});
    return json && json->is_object() && json->contains("sweep");
}

std::string plain(std::optional<double> value) { return value ? units::exact(*value) : std::string(); }

std::string scaled(const SweepResult &result, const SweepCell &cell, std::string_view key, double scale)
{
    const auto value = result.figure(cell, key);
    return value ? units::threeDigits(*value * scale) : "-";
}

std::vector<std::string> pointTexts(const SweepDocument &document, const SweepCell &cell, const Catalog &catalog)
{
    std::vector<std::string> texts{describe(document.axes[0].points[cell.row], catalog)};
    if (document.axes.size() > 1)
        texts.push_back(describe(document.axes[1].points[cell.column], catalog));
    return texts;
}

void writeTable(std::ostream &out, const SweepDocument &document, const SweepResult &result, const SweepFigure &figure, const Catalog &catalog)
{
    Table table;
    for (const auto &axis : document.axes)
        table.columns.push_back({describe(axis), !numbersOf(axis).empty()});
    if (result.models.size() > 1)
        table.columns.push_back({"Cost model"});
    const bool share = figure.dimension == units::Dimension::Fraction;
    const bool own = figure.key != "step_time_s" && figure.key != "mfu" && figure.key != "memory.total_bytes";
    if (own)
        table.columns.push_back({columnTitle(figure, share ? shownUnit(figure.dimension, 0) : ShownUnit()), true});
    table.columns.insert(table.columns.end(), {{"Step time [s]", true}, {"MFU [%]", true}, {"Memory [GB]", true}, {"Feasible"}});
    for (const auto &cell : result.cells) {
        auto row = pointTexts(document, cell, catalog);
        if (result.models.size() > 1)
            row.push_back(result.models[cell.model].id);
        if (own) {
            const auto value = result.figure(cell, figure.key);
            row.push_back(value && share ? units::threeDigits(*value * 100) : figureText(figure, value));
        }
        row.insert(row.end(), {scaled(result, cell, "step_time_s", 1), scaled(result, cell, "mfu", 100), scaled(result, cell, "memory.total_bytes", 1e-9),
                                  cell.refused ? "refused: " + cell.refused->message : !cell.feasible ? "no: " + cell.problems.front() : std::string(inWords(cell.feasibility()))});
        table.rows.push_back(std::move(row));
    }
    writeAligned(out, table);
    out << '\n' << describeFeasibility(result) << '\n';
    for (std::size_t model = 0; model < result.models.size(); ++model) {
        out << describeBest(document, result, figure, model, catalog) << '\n';
        if (const auto each = describeBestOfEach(document, result, figure, model, catalog); !each.empty())
            out << each << '\n';
        if (document.mark)
            for (std::size_t column = 0; column < result.columns; ++column)
                out << describeCrossing(document, result, figure, *document.mark, column, model, catalog) << '\n';
    }
}

void writeCells(std::ostream &out, const SweepDocument &document, const SweepResult &result, const Catalog &catalog)
{
    Table table;
    for (const auto &axis : document.axes)
        table.columns.push_back({describe(axis)});
    table.columns.insert(table.columns.end(), {{"cost_model"}, {"cost_model_version"}, {"ok"}, {"feasible"}});
    for (const auto &key : result.figures)
        table.columns.push_back({key});
    table.columns.insert(table.columns.end(), {{"problems"}, {"error_code"}, {"error_field"}, {"error_message"}});
    for (const auto &cell : result.cells) {
        auto row = pointTexts(document, cell, catalog);
        const auto &model = result.models[cell.model];
        row.insert(row.end(), {model.id, model.version, cell.refused ? "false" : "true", cell.refused || !cell.decided ? "" : cell.feasible ? "true" : "false"});
        for (std::size_t i = 0; i < result.figures.size(); ++i)
            row.push_back(cell.refused ? std::string() : plain(cell.figures[i]));
        std::string problems;
        for (const auto &problem : cell.problems)
            problems += (problems.empty() ? "" : " ") + problem;
        row.push_back(problems);
        if (cell.refused)
            row.insert(row.end(), {std::string(toString(cell.refused->code)), cell.refused->field, cell.refused->message});
        else
            row.insert(row.end(), {"", "", ""});
        table.rows.push_back(std::move(row));
    }
    writeCsv(out, table);
}

Expected<SweepDocument> documentFrom(const std::string &text, const Options &options, const Catalog &catalog)
{
    if (isSweep(text))
        return exchange::sweepFromText(text);
    auto plan = exchange::planFromText(text);
    if (!plan)
        return std::unexpected(plan.error());
    SweepDocument document;
    document.name = plan->name;
    document.plan = std::move(*plan);
    for (const auto &vary : options.vary) {
        auto axis = axisFromOption(vary, options.costModels.empty() ? document.plan.costModelId : options.costModels.front(), catalog);
        if (!axis)
            return std::unexpected(axis.error());
        document.axes.push_back(std::move(*axis));
    }
    return document;
}

ExitStatus run(const Options &options)
{
    const auto text = readAll(options.file, longestDocument);
    if (!text) {
        complain(options.file, text.error());
        return statusOf(text.error());
    }
    const bool sweep = isSweep(*text);
    if (sweep != options.vary.empty()) {
        complain("", sweep ? "This document is a sweep with axes of its own; leave --vary out." : "Say what to vary, such as --vary fleet.nodes=1..1024:x2, or name a sweep document.");
        return ExitStatus::Usage;
    }
    const auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return statusOf(catalog.error());
    }
    auto document = documentFrom(*text, options, *catalog);
    if (!document) {
        const bool option = document.error().field == "--vary";
        complain(option ? "--vary" : options.file == "-" ? "standard input" : options.file, option ? Error{document.error().code, {}, document.error().message} : document.error());
        return option ? ExitStatus::Usage : statusOf(document.error());
    }
    if (!options.costModels.empty())
        document->costModels = options.costModels;
    if (!options.figure.empty())
        document->figure = options.figure;
    const auto figure = findSweepFigure(document->figure);
    if (!figure) {
        complain("--figure", figure.error().message);
        return ExitStatus::Usage;
    }
    const auto result = runSweep(*document, *catalog, {.threads = options.threads});
    if (!result) {
        complain("", result.error());
        return result.error().field == "cost_model" ? ExitStatus::Usage : statusOf(result.error());
    }
    switch (options.format) {
    case Format::Table: writeTable(std::cout, *document, *result, *figure, *catalog); break;
    case Format::Csv: writeCells(std::cout, *document, *result, *catalog); break;
    case Format::Json: std::cout << exchange::sweepAnswerToJson(*document, *result, *catalog).dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    }
    const bool any = std::ranges::any_of(result->cells, [](const SweepCell &cell) { return cell.feasible; });
    return any ? ExitStatus::Done : ExitStatus::NothingFeasible;
}

} // namespace

void addSweepCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("sweep", "Price a plan at many values of one or two of its keys");
    const auto options = std::make_shared<Options>();
    command->add_option("DOCUMENT", options->file, "A plan or a sweep document (YAML or JSON), or - for standard input")->required();
    command->add_option("--vary", options->vary, "An axis, at most two: key=a,b,c or key=1..1024:x2 or key=1..64:+1")->type_name("KEY=VALUES")->allow_extra_args(false);
    command->add_option("--figure", options->figure, "The figure to rank and show, as in the JSON of solve (default: the document's, or step_time_s)")->type_name("KEY");
    command->add_option("--cost-model", options->costModels, "Price with this cost model; may stand several times")->type_name("ID")->allow_extra_args(false);
    command->add_option("--threads", options->threads, "Threads to use (default: all cores)")->type_name("N")->check(CLI::Range(1, 1024));
    command->add_option("--project", options->project, "Use the catalogs of this project instead of the shipped ones")->type_name("FILE");
    addFormatOption(*command, options->format);
    command->footer("Keys are those of a plan document (fleet.nodes, fleet.fabric, parallelism.tp, training.microbatch_count,\n"
                    "assumptions.efficiency) and numbers of its catalog items in the catalog's units (fleet.fabric.latency_us).\n"
                    "Cells that a cost model refuses and cells that are not feasible are printed as such. A sweep has at most 10 000 cells.\n"
                    "Exit status: 0 a cell is feasible; 2 wrong --vary, --figure or --cost-model; 3 the document was refused; 4 no cell is\n"
                    "feasible; 5 a file could not be read.");
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

} // namespace fleetwright::cli
