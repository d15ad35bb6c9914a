// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/scoredmodel.h"

#include "cli/jsonlines.h"
#include "exchange/plandocuments.h"
#include "exchange/validationdata.h"
#include "solver/answer/comparisontext.h"
#include "solver/explain/figureorigin.h"
#include "units/editdistance.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace fleetwright::cli {

using Json = nlohmann::ordered_json;

namespace {

constexpr int mostColumns = 1'000'000;

struct CompareOptions {
    std::vector<std::string> plans;
    std::vector<std::string> models;
    std::string project;
    std::string explain;
    std::size_t reference = 1;
    bool details = false;
    Output output;
};

/// "12.3 * (+5 %)": the value, the mark of the best and the difference to the reference.
std::string decorated(const Comparison &comparison, const ComparisonRow &row, std::size_t column, std::size_t reference)
{
    std::string text = cellText(comparison, row, column);
    if (row.cells[column].best)
        text += " *";
    const auto difference = comparison.difference(row, column, reference);
    return difference && column != reference ? text + " (" + differenceText(*difference) + ")" : text;
}

Table tableOf(const Comparison &comparison, std::size_t reference)
{
    Table table{{{"Figure"}}, {}};
    for (std::size_t i = 0; i < comparison.columns.size(); ++i)
        table.columns.push_back({columnTitle(comparison, i), true});
    std::string group;
    for (const auto &row : comparison.rows) {
        if (row.group != group) {
            group = row.group;
            table.rows.emplace_back(table.columns.size());
            table.rows.back().front() = group;
        }
        std::vector<std::string> line{"  " + rowTitle(comparison, row)};
        for (std::size_t i = 0; i < comparison.columns.size(); ++i)
            line.push_back(decorated(comparison, row, i, reference));
        table.rows.push_back(std::move(line));
    }
    return table;
}

std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (const auto &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

void writeFindings(const Comparison &comparison, std::size_t reference)
{
    std::cout << '\n'
              << (comparison.plans.size() > 1 ? "* best plan by the same cost model; in" : "In")
              << " parentheses the difference to " << columnTitle(comparison, reference) << ".\n";
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
        const auto &column = comparison.columns[i];
        if (!column.solution)
            std::cout << "refused  " << columnTitle(comparison, i) << ": " << column.solution.error().message << '\n';
        else if (!column.outOfScope.empty())
            std::cout << "outside  " << columnTitle(comparison, i) << " was not made for such a plan. "
                      << column.outOfScope << '\n';
        if (!column.ignoredAssumptions.empty())
            std::cout << "note     " << columnTitle(comparison, i)
                      << " does not know these edited assumptions: " << listed(column.ignoredAssumptions) << '\n';
    }
    for (const auto &sentence : payingDifferences(comparison.plans))
        std::cout << "note     " << sentence << '\n';
    for (const auto *key : {"step_time_s", "mfu", "memory.total_bytes"}) {
        const auto *row = comparison.row(key);
        for (const auto &spread : comparison.spread(key)) {
            if (spread.values.size() < 2)
                continue;
            const auto say = [&](const Spread::Value &value) {
                return units::format(value.value, row->dimension) + " (" + comparison.columns[value.column].modelTitle
                    + ")";
            };
            std::cout << "spread   " << comparison.plans[spread.plan].name << ": " << row->label << ' '
                      << say(spread.values.front()) << " to " << say(spread.values.back());
            if (const auto ratio = spread.ratio())
                std::cout << ", \u00d7 " << units::threeDigits(*ratio);
            std::cout << '\n';
        }
    }
}

/// Numbers in base units and full precision; a cell without a value holds the reason.
Table csvOf(const Comparison &comparison)
{
    Table table{{{"figure"}, {"unit"}}, {}};
    for (const auto &column : comparison.columns)
        table.columns.push_back({column.planName + ", " + column.modelId});
    for (const auto &row : comparison.rows) {
        std::vector<std::string> line{row.key, std::string(units::baseSymbol(row.dimension))};
        for (const auto &cell : row.cells)
            line.push_back(!cell.value ? (cell.refused ? "refused: " : "absent: ") + cell.reason
                    : row.verdict      ? (*cell.value != 0 ? "true" : "false")
                                       : units::exact(*cell.value));
        table.rows.push_back(std::move(line));
    }
    return table;
}

Json jsonOf(const Comparison &comparison, std::size_t reference)
{
    Json json{
        {"columns", Json::array()}, {"reference", reference + 1}, {"rows", Json::array()}, {"spread", Json::array()}};
    for (const auto &column : comparison.columns) {
        Json line{{"plan", column.planName}, {"cost_model", {{"id", column.modelId}, {"version", column.modelVersion}}},
            {"ok", column.solution.has_value()}};
        if (!column.solution)
            line["error"] = exchange::errorToJson(column.solution.error());
        if (!column.outOfScope.empty())
            line["out_of_scope"] = column.outOfScope;
        if (!column.ignoredAssumptions.empty())
            line["ignored_assumptions"] = column.ignoredAssumptions;
        json["columns"].push_back(std::move(line));
    }
    if (const auto terms = payingDifferences(comparison.plans); !terms.empty())
        json["terms"] = terms;
    for (const auto &row : comparison.rows) {
        Json line{{"key", row.key}, {"label", row.label}, {"group", row.group},
            {"unit", units::baseSymbol(row.dimension)}, {"cells", Json::array()}};
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const auto &cell = row.cells[i];
            Json entry = Json::object();
            if (cell.value)
                entry["value"] = row.verdict ? Json(*cell.value != 0) : Json(*cell.value);
            else
                entry[cell.refused ? "refused" : "absent"] = cell.reason;
            if (cell.best)
                entry["best"] = true;
            if (cell.onlyLikely)
                entry["only_likely"] = true;
            if (const auto difference = comparison.difference(row, i, reference))
                entry["difference"] = *difference;
            line["cells"].push_back(std::move(entry));
        }
        json["rows"].push_back(std::move(line));
        for (const auto &spread : comparison.spread(row.key)) {
            if (spread.values.size() < 2 || row.verdict)
                continue;
            Json range{{"plan", comparison.plans[spread.plan].name}, {"key", row.key}, {"low", spread.low()},
                {"low_model", comparison.columns[spread.values.front().column].modelId}, {"high", spread.high()},
                {"high_model", comparison.columns[spread.values.back().column].modelId}};
            if (const auto ratio = spread.ratio())
                range["ratio"] = *ratio;
            json["spread"].push_back(std::move(range));
        }
    }
    return json;
}

Json explainedJson(const ExplainedFigure &figure, const ComparisonColumn &column, const PlanDocument &plan,
    const Catalog &catalog, const CostModel &model)
{
    Json json{{"key", figure.key}, {"label", figure.label}, {"value", figure.value},
        {"unit", units::baseSymbol(figure.dimension)}, {"formula", figure.formula}, {"source", figure.source},
        {"inputs", Json::array()}};
    for (const auto &input : figure.inputs) {
        Json line{{"symbol", input.symbol}, {"meaning", input.meaning}, {"value", input.value},
            {"unit", units::baseSymbol(input.dimension)}, {"origin", input.origin}};
        if (!column.explained(input.origin)) {
            const auto origin = describeOrigin(input.origin, plan, catalog, model);
            line["from"] = origin.place;
            if (!origin.source.empty())
                line["source"] = origin.source;
        }
        json["inputs"].push_back(std::move(line));
    }
    return json;
}

void writeExplained(const ExplainedFigure &figure, const ComparisonColumn &column, const PlanDocument &plan,
    const Catalog &catalog, const CostModel &model)
{
    std::cout << figure.label << " (" << figure.key << ") = " << exactText(figure.value, figure.dimension)
              << "\n  = " << figure.formula << "    [" << figure.source << "]\n";
    for (const auto &input : figure.inputs) {
        std::cout << "    " << input.symbol << " = " << exactText(input.value, input.dimension) << ": " << input.meaning
                  << "; ";
        if (column.explained(input.origin)) {
            std::cout << "see " << input.origin << '\n';
        } else {
            const auto origin = describeOrigin(input.origin, plan, catalog, model);
            std::cout << origin.place << (origin.source.empty() ? "" : " (" + origin.source + ")") << '\n';
        }
    }
}

/// The row itself where it is explained under its key; a model's own figures and verdicts are too.
ExitStatus explain(const Comparison &comparison, const CompareOptions &options, const Catalog &catalog)
{
    bool any = false;
    Json all = Json::array();
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
        const auto &column = comparison.columns[i];
        const auto model = findCostModel(column.modelId);
        const auto chain = chainOf(column.explanation, options.explain);
        any = any || !chain.empty();
        if (options.output.format == Format::Json) {
            Json line{{"plan", column.planName},
                {"cost_model", {{"id", column.modelId}, {"version", column.modelVersion}}}, {"figures", Json::array()}};
            for (const auto *figure : chain)
                line["figures"].push_back(
                    explainedJson(*figure, column, comparison.plans[column.plan], catalog, **model));
            all.push_back(std::move(line));
            continue;
        }
        std::cout << (i == 0 ? "" : "\n") << column.planName << ", " << column.modelTitle << ' ' << column.modelVersion
                  << '\n';
        if (!column.solution)
            std::cout << "refused: " << column.solution.error().message << '\n';
        else if (chain.empty())
            std::cout << "This cost model does not give this figure.\n";
        for (const auto *figure : chain)
            writeExplained(*figure, column, comparison.plans[column.plan], catalog, **model);
    }
    if (options.output.format == Format::Json)
        printJson(all);
    if (any)
        return ExitStatus::Done;
    std::vector<std::string> keys;
    for (const auto &row : comparison.rows)
        keys.push_back(row.key);
    complain("--explain",
        "No column explains a figure \u201c" + options.explain.substr(0, 60) + "\u201d"
            + didYouMean(options.explain, keys, "; the figures are " + listed(keys) + "."));
    return ExitStatus::Usage;
}

/// `site`: whose runs move ranges, or nullptr; it must outlive the request.
Expected<ComparisonRequest> requestOf(const CompareOptions &options, const validation::OwnSite *site)
{
    ComparisonRequest request{.plans = {},
        .modelIds = options.models,
        .ownFigures = options.details,
        .rangeOf = [site](
                       const Plan &plan, Seconds stepTime) { return exchange::shippedRangeOf(plan, stepTime, site); }};
    if (request.modelIds.empty())
        for (const auto *model : costModels())
            request.modelIds.emplace_back(model->id());
    for (const auto &path : options.plans) {
        const auto text = readAll(path, exchange::longestDocument);
        if (!text)
            return std::unexpected(text.error());
        auto document = exchange::planFromText(*text);
        if (!document)
            return refuse(document.error().code,
                (path == "-" ? "standard input" : path)
                    + (document.error().field.empty() ? "" : ": " + document.error().field),
                document.error().message);
        request.plans.push_back(std::move(*document));
    }
    return request;
}

ExitStatus runCompare(const CompareOptions &options)
{
    if (std::ranges::count(options.plans, "-") > 1) {
        complain("", "Standard input (-) can be read only once.");
        return ExitStatus::Usage;
    }
    if (options.output.format == Format::Csv && !options.explain.empty()) {
        complain("", "An explanation is printed as table or json.");
        return ExitStatus::Usage;
    }
    for (const auto &id : options.models)
        if (const auto model = findCostModel(id); !model) {
            complain("", model.error().message);
            return ExitStatus::Usage;
        }
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
    const auto request = requestOf(options, facts->site ? &*facts->site : nullptr);
    if (!request) {
        complain("", request.error());
        return statusOf(request.error());
    }
    const auto comparison = compare(*request, *catalog);
    if (!comparison) {
        complain("", comparison.error());
        return statusOf(comparison.error());
    }
    if (options.reference > comparison->columns.size()) {
        complain("",
            "The comparison has " + std::to_string(comparison->columns.size())
                + " columns; --reference takes one of them.");
        return ExitStatus::Usage;
    }
    if (!options.explain.empty())
        return explain(*comparison, options, *catalog);
    switch (options.output.format) {
    case Format::Table:
        writeAligned(std::cout, tableOf(*comparison, options.reference - 1));
        writeFindings(*comparison, options.reference - 1);
        break;
    case Format::Csv: writeCsv(std::cout, csvOf(*comparison)); break;
    case Format::Json: printJson(jsonOf(*comparison, options.reference - 1)); break;
    }
    const auto &columns = comparison->columns;
    if (std::ranges::none_of(columns, [](const ComparisonColumn &column) { return column.solution.has_value(); }))
        return ExitStatus::InvalidInput;
    return std::ranges::any_of(
               columns, [](const ComparisonColumn &column) { return column.solution && column.solution->feasible; })
        ? ExitStatus::Done
        : ExitStatus::NothingFeasible;
}

} // namespace

void addCompareCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand(
        "compare", "Plans and cost models side by side, with the best of each figure, differences and explanations");
    const auto options = std::make_shared<CompareOptions>();
    command->add_option("PLAN", options->plans, "Plan documents (YAML or JSON), or - for standard input")
        ->type_name(fileType)
        ->required();
    command->add_option("--cost-model", options->models, "Compare these cost models; repeat for several (default: all)")
        ->check(usually(costModelIds()))
        ->type_name("ID");
    command->add_option("--reference", options->reference, "Column that differences refer to, counted from 1")
        ->type_name("N")
        ->check(wholeNumber(1, mostColumns));
    command
        ->add_option("--explain", options->explain,
            "Print how this figure came about in each column, down to the plan and the catalog")
        ->type_name("KEY");
    command->add_flag("--details", options->details, "Also the figures that a single cost model produces");
    command->add_option("--project", options->project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
    addOutputOptions(*command, options->output);
    command->footer("csv and json hold base units (s, B, FLOP/s...) in full precision. Keys for --explain are those of "
                    "json and csv.\n"
                    "Exit status: 0 a column is feasible; 3 every column was refused or a plan could not be read; 4 no "
                    "column is feasible.");
    addExamples(*command,
        {"compare plan.yaml", "compare plan.yaml other.yaml --cost-model detailed",
            "compare plan.yaml --explain step_time_s"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runCompare(*options); }); });
}

} // namespace fleetwright::cli
