// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/explaincosts.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/scoredmodel.h"

#include "cli/jsonlines.h"
#include "solver/models/detailed/planexplanation.h"
#include "solver/search/bestlayout.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <map>

namespace fleetwright::cli {

namespace {

using Json = nlohmann::ordered_json;

enum class What { Operators, Collectives, Memory, Schedule, Costs };

struct ExplainOptions {
    std::string plan;
    std::string project;
    What what = What::Operators;
    int microbatches = 64;
    Output output;
};

template <class Row>
Table tableOf(std::span<const detailed::TableColumn<Row>> columns, const std::vector<Row> &rows, bool exact)
{
    Table table;
    for (const auto &column : columns)
        table.columns.push_back({std::string(exact ? column.key : column.title), column.isNumber()});
    for (const auto &row : rows) {
        std::vector<std::string> line;
        for (const auto &column : columns)
            line.push_back(exact && column.isNumber() ? units::exact(column.value(row)) : column.text(row));
        table.rows.push_back(std::move(line));
    }
    return table;
}

template <class Row> Json jsonOf(std::span<const detailed::TableColumn<Row>> columns, const std::vector<Row> &rows)
{
    Json list = Json::array();
    for (const auto &row : rows) {
        Json line = Json::object();
        for (const auto &column : columns)
            line[std::string(column.key)] = column.isNumber() ? Json(column.value(row)) : Json(column.words(row));
        list.push_back(std::move(line));
    }
    return list;
}

template <class Row>
void write(const char *name, std::span<const detailed::TableColumn<Row>> columns, const std::vector<Row> &rows,
    const std::string &sentence, Json json, const ExplainOptions &options)
{
    switch (options.output.format) {
    case Format::Table:
        writeAligned(std::cout, tableOf(columns, rows, false));
        std::cout << '\n' << sentence << '\n';
        break;
    case Format::Csv: writeCsv(std::cout, tableOf(columns, rows, true)); break;
    case Format::Json:
        json[name] = jsonOf(columns, rows);
        printJson(json);
        break;
    }
}

Expected<detailed::PlanExplanation> explained(
    const ExplainOptions &options, const Catalog &catalog, const validation::RangeOf &rangeOf, std::string &name)
{
    const auto document = readPlan(options.plan);
    if (!document)
        return std::unexpected(document.error());
    name = document->name;
    const auto decided = layoutsearch::resolveWithBestLayout(*document, catalog, rangeOf);
    if (!decided)
        return std::unexpected(decided.error());
    return detailed::explain(decided->plan, options.microbatches);
}

ExitStatus runExplain(const ExplainOptions &options)
{
    const auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return statusOf(catalog.error());
    }
    const auto facts = factsOf(options.project);
    if (!facts) {
        complain(options.project, facts.error());
        return statusOf(facts.error());
    }
    if (options.what == What::Costs)
        return explainCosts(options.plan, *catalog, facts->site ? &*facts->site : nullptr, options.output.format);
    std::string name;
    const auto explanation = explained(options, *catalog, facts->ranges(), name);
    if (!explanation) {
        complain(options.plan == "-" ? "standard input" : options.plan, explanation.error());
        return statusOf(explanation.error());
    }
    const auto &tables = explanation->tables;
    const auto &reading = explanation->reading;
    const Json json{{"plan", name}, {"step_time_s", tables.figures.stepTime.value()},
        {"software", {{"class", reading.softwareClass}, {"stack", reading.softwareStack}}}};
    const auto withReading = [&reading](const std::string &sentence) {
        std::string text;
        for (const auto &line : inWords(reading))
            text += line + '\n';
        return text + sentence;
    };
    switch (options.what) {
    case What::Operators:
        write("operators", detailed::operatorColumns(), tables.operators,
            withReading(detailed::sumInWords(tables, explanation->straggler)), json, options);
        break;
    case What::Collectives:
        write("collectives", detailed::collectiveColumns(), tables.collectives,
            withReading("Means over the pipeline stages; exposed is what the step waits for."), json, options);
        break;
    case What::Costs: break;
    case What::Memory:
        write("stages", detailed::stageColumns(), detailed::stageRows(tables),
            withReading("One accelerator of each stage, of " + units::format(explanation->capacity) + "."), json,
            options);
        break;
    case What::Schedule: {
        const auto &schedule = explanation->schedule;
        if (!schedule) {
            complain("", schedule.error());
            return statusOf(schedule.error());
        }
        Json head = json;
        head["stages"] = schedule->stages;
        head["virtual_stages"] = explanation->virtualStages;
        head["microbatches"] = schedule->microbatches;
        head["shown_microbatches"] = schedule->shownMicrobatches;
        head["length_s"] = schedule->length.value();
        head["bubble_fraction"] = schedule->bubbleFraction;
        write("boxes", detailed::scheduleColumns(), schedule->boxes,
            detailed::inWords(*schedule, explanation->virtualStages), std::move(head), options);
        break;
    }
    }
    return ExitStatus::Done;
}

} // namespace

void addExplainCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("explain",
        "Where the time, the memory and the money of a plan go: operators, collectives, memory by stage, the pipeline "
        "schedule, and every row of its worksheet");
    const auto options = std::make_shared<ExplainOptions>();
    command
        ->add_option(
            "PLAN", options->plan, "Plan document (YAML or JSON) with the cost model detailed, or - for standard input")
        ->type_name(fileType)
        ->required();
    addChoice<What>(*command, "--what", options->what,
        {{"operators", What::Operators}, {"collectives", What::Collectives}, {"memory", What::Memory},
            {"schedule", What::Schedule}, {"costs", What::Costs}},
        "What to print: operators, collectives, memory, schedule, or the rows of power, money and the run (costs; of "
        "every cost model)")
        ->type_name("WHAT");
    command->add_option("--microbatches", options->microbatches, "Microbatches of the schedule at most (default: 64)")
        ->type_name("N")
        ->check(wholeNumber(1, 512));
    command->add_option("--project", options->project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
    addOutputOptions(*command, options->output);
    command->footer("csv and json hold base units (s, B, FLOP, B/s) in full precision.\nExit status: 0 done; 3 the "
                    "plan was refused or is priced by another cost model.");
    addExamples(*command,
        {"explain plan.yaml", "explain plan.yaml --what schedule -o schedule.csv", "explain plan.yaml --what costs"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runExplain(*options); }); });
}

} // namespace fleetwright::cli
