// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/axisoption.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/openproject.h"
#include "cli/output.h"
#include "cli/progressline.h"
#include "cli/ranks.h"
#include "cli/spaceoptions.h"
#include "cli/sweepcells.h"

#include "cli/jsonlines.h"
#include "exchange/rangedsolution.h"
#include "exchange/sweepdocuments.h"
#include "exchange/sweepresults.h"
#include "exchange/textreader.h"
#include "solver/sweep/leftoutfabrics.h"
#include "solver/validation/ownsite.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <mutex>

namespace fleetwright::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *sweepEnded =
    "fleetwright-cli: The sweep was ended before all its processes had answered; nothing was printed.\n";

struct SweepArguments {
    std::string file;
    std::vector<std::string> vary;
    std::string figure;
    std::vector<std::string> costModels;
    bool search = false;
    SpaceOptions space;
    std::vector<CLI::Option *> spaceOptions;
    std::string project;
    int threads = 0;
    Output output;
};

/// Whether the text is a sweep document: it has the key that gives a sweep its name. What cannot be read is left to the
/// plan reader's sentence.
bool isSweep(std::string_view text)
{
    const auto json = exchange::readText(text, {.values = 400'000});
    return json && json->is_object() && json->contains("sweep");
}

std::string plain(std::optional<double> value) { return value ? units::exact(*value) : std::string(); }

std::vector<std::string> pointTexts(const SweepDocument &document, const SweepCell &cell, const Catalog &catalog)
{
    std::vector<std::string> texts{describe(document.axes[0].points[cell.row], catalog)};
    if (document.axes.size() > 1)
        texts.push_back(describe(document.axes[1].points[cell.column], catalog));
    return texts;
}

std::string missedOf(const SweepCell &cell)
{
    std::string text;
    for (const auto &missed : cell.missed)
        text += (text.empty() ? "" : "; ") + missed;
    return text;
}

void writeTable(std::ostream &out, const SweepDocument &document, const SweepResult &result, const ChosenFigure &figure,
    const Catalog &catalog)
{
    Table table;
    for (const auto &axis : document.axes)
        table.columns.push_back({describe(axis), !numbersOf(axis).empty()});
    if (result.models.size() > 1)
        table.columns.push_back({"Cost model"});
    std::vector<std::string> keys{figure.key};
    for (const auto *usual : usualSweepFigures)
        if (figure.key != usual)
            keys.emplace_back(usual);
    std::vector<FigureColumn> figures;
    for (const auto &key : keys) {
        const auto shown = key == figure.key ? figure : *chooseFigure(key);
        std::vector<std::optional<double>> values;
        for (const auto &cell : result.cells)
            values.push_back(result.figure(cell, key));
        figures.push_back(figureColumn(shown.shortLabel, shown.dimension, values));
        table.columns.push_back({figures.back().title, true});
    }
    table.columns.push_back({"Feasible"});
    if (searchesCells(document))
        table.columns.push_back({"Layout"});
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const auto &cell = result.cells[i];
        auto row = pointTexts(document, cell, catalog);
        if (result.models.size() > 1)
            row.push_back(result.models[cell.model].id);
        for (const auto &column : figures)
            row.push_back(column.cells[i]);
        row.push_back(cell.refused ? "refused: " + cell.refused->message
                : !cell.feasible   ? "no: " + missedOf(cell)
                                   : std::string(inWords(cell.feasibility(), cell.onlyLikely)));
        if (searchesCells(document))
            row.push_back(cell.layout ? inWords(*cell.layout) : "-");
        table.rows.push_back(std::move(row));
    }
    writeAligned(out, table);
    out << '\n' << describeFeasibility(result) << '\n';
    if (const auto leftOut = describeLeftOutFabrics(document, catalog); !leftOut.empty())
        out << leftOut << '\n';
    for (std::size_t model = 0; model < result.models.size(); ++model) {
        out << describeBest(document, result, figure, model, catalog) << '\n';
        if (const auto each = describeBestOfEach(document, result, figure, model, catalog); !each.empty())
            out << each << '\n';
        if (document.mark)
            for (std::size_t column = 0; column < result.columns; ++column)
                out << describeCrossing(document, result, figure, *document.mark, column, model, catalog) << '\n';
    }
}

/// In the order of allLayoutSearchOptions; empty cells without a layout.
void appendLayout(std::vector<std::string> &row, const std::optional<Layout> &layout)
{
    if (!layout) {
        row.resize(row.size() + layoutSearchOptionCount);
        return;
    }
    for (const int value : {layout->tp, layout->cp, layout->pp, layout->ep, layout->dp, layout->virtualStages,
             layout->microbatchSize, int(layout->zeroStage)})
        row.push_back(std::to_string(value));
    row.emplace_back(toString(layout->recompute));
    row.emplace_back(layout->sequenceParallel ? "true" : "false");
}

/// What programs read of an axis: a column for each key that it sets, after one for the labels that its points have.
struct AxisColumns {
    std::vector<std::string> keys;
    bool labelled = false;
};

std::vector<AxisColumns> columnsOf(const SweepDocument &document)
{
    std::vector<AxisColumns> columns;
    for (const auto &axis : document.axes) {
        auto &own = columns.emplace_back();
        for (const auto &point : axis.points) {
            own.labelled = own.labelled || !point.label.empty();
            for (const auto &setting : point.settings)
                if (std::ranges::find(own.keys, setting.key) == own.keys.end())
                    own.keys.push_back(setting.key);
        }
    }
    return columns;
}

/// A number in the unit that its key names; that of an assumption, whose key names none, in SI like figures.
std::string plainSetting(const SweepSetting &setting, const SweepResult &result)
{
    const auto *number = std::get_if<double>(&setting.value);
    if (!number) {
        if (const auto *flag = std::get_if<bool>(&setting.value))
            return *flag ? "true" : "false";
        return std::get<std::string>(setting.value);
    }
    double factor = 1;
    const auto look = [&](std::span<const AssumptionDescriptor> assumptions) {
        for (const auto &assumption : assumptions)
            if (sweepKeyOf(assumption).key == setting.key)
                if (const auto unit = units::findUnit(assumption.unit, assumption.dimension))
                    factor = unit->factor;
    };
    if (isAssumptionKey(setting.key)) {
        look(operationsAssumptions());
        for (const auto &model : result.models)
            look((*findCostModel(model.id))->assumptions());
    }
    return units::exact(*number * factor);
}

void appendPoint(
    std::vector<std::string> &row, const AxisColumns &columns, const SweepPoint &point, const SweepResult &result)
{
    if (columns.labelled)
        row.push_back(point.label);
    for (const auto &key : columns.keys) {
        const auto setting = std::ranges::find(point.settings, key, &SweepSetting::key);
        row.push_back(setting == point.settings.end() ? std::string() : plainSetting(*setting, result));
    }
}

void writeCells(std::ostream &out, const SweepDocument &document, const SweepResult &result)
{
    Table table;
    const auto axes = columnsOf(document);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].labelled)
            table.columns.push_back({i == 0 ? "label" : "label_2"});
        for (const auto &key : axes[i].keys)
            table.columns.push_back({key});
    }
    table.columns.insert(table.columns.end(), {{"cost_model"}, {"cost_model_version"}, {"ok"}, {"feasible"}});
    for (const auto &key : result.figures)
        table.columns.push_back({key});
    if (searchesCells(document))
        for (const auto option : allLayoutSearchOptions)
            table.columns.push_back({"best_" + std::string(toString(option))});
    table.columns.insert(
        table.columns.end(), {{"missed"}, {"problems"}, {"error_code"}, {"error_field"}, {"error_message"}});
    for (const auto &cell : result.cells) {
        std::vector<std::string> row;
        appendPoint(row, axes[0], document.axes[0].points[cell.row], result);
        if (axes.size() > 1)
            appendPoint(row, axes[1], document.axes[1].points[cell.column], result);
        const auto &model = result.models[cell.model];
        row.insert(row.end(),
            {model.id, model.version, cell.refused ? "false" : "true",
                cell.refused || !cell.decided ? ""
                    : cell.feasible           ? "true"
                                              : "false"});
        for (std::size_t i = 0; i < result.figures.size(); ++i)
            row.push_back(cell.refused ? std::string() : plain(cell.figures[i]));
        if (searchesCells(document))
            appendLayout(row, cell.layout);
        row.push_back(missedOf(cell));
        std::string problems;
        for (const auto &problem : cell.problems)
            problems += (problems.empty() ? "" : " ") + problem;
        row.push_back(problems);
        if (cell.refused)
            row.insert(
                row.end(), {std::string(toString(cell.refused->code)), cell.refused->field, cell.refused->message});
        else
            row.insert(row.end(), {"", "", ""});
        table.rows.push_back(std::move(row));
    }
    writeCsv(out, table);
}

Expected<void> applyOptions(const SweepArguments &options, SweepDocument &document, const Catalog &catalog)
{
    for (const auto &vary : options.vary) {
        auto axis = axisFromOption(
            vary, options.costModels.empty() ? document.plan.costModelId : options.costModels.front(), catalog);
        if (!axis)
            return std::unexpected(axis.error());
        document.axes.push_back(std::move(*axis));
    }
    if (options.search && !document.search)
        document.search.emplace();
    if (document.search)
        if (auto ok = apply(options.space, document.search->space, document.search->objective); !ok)
            return ok;
    if (!options.costModels.empty())
        document.costModels = options.costModels;
    if (!options.figure.empty())
        document.figure = options.figure;
    const auto figure = chooseFigure(document.figure);
    if (!figure)
        return refuse(figure.error().code, "--figure", figure.error().message);
    document.figure = figure->key;
    return {};
}

struct SweepQuestion {
    SweepDocument document;
    Catalog catalog;
};

Expected<SweepQuestion> questionFrom(const SweepArguments &options, const std::string &text)
{
    const bool sweep = isSweep(text);
    if (sweep != options.vary.empty())
        return refuse(ErrorCode::UnsupportedValue, "--vary",
            sweep ? "This document is a sweep with axes of its own; leave --vary out."
                  : "Say what to vary, such as --vary fleet.nodes=1..1024:x2, or name a sweep document.");
    auto catalog = loadCatalog(options.project);
    if (!catalog)
        return refuse(catalog.error().code, options.project, catalog.error().message);
    SweepDocument document;
    if (sweep) {
        auto read = exchange::sweepFromText(text);
        if (!read)
            return std::unexpected(read.error());
        document = std::move(*read);
    } else {
        auto plan = exchange::planFromText(text);
        if (!plan)
            return std::unexpected(plan.error());
        document.name = plan->name;
        document.plan = std::move(*plan);
    }
    if (!options.search && !document.search)
        for (const auto *option : options.spaceOptions)
            if (option->count() > 0)
                return refuse(ErrorCode::UnsupportedValue, option->get_name(),
                    "This option belongs to a search in each cell; add --search.");
    if (auto ok = applyOptions(options, document, *catalog); !ok)
        return std::unexpected(ok.error());
    return SweepQuestion{std::move(document), std::move(*catalog)};
}

ExitStatus complainAbout(const Error &error, const SweepArguments &options)
{
    if (error.field.starts_with("--")) {
        complain(error.field, error.message);
        return ExitStatus::Usage;
    }
    if (!error.field.empty() && error.field == options.output.file) {
        complain("", error);
        return statusOf(error);
    }
    if (error.code == ErrorCode::Cancelled || error.field == "cost_model") {
        complain("", error);
        return error.field == "cost_model" ? ExitStatus::Usage : ExitStatus::Cancelled;
    }
    complain(error.field == options.project && !options.project.empty() ? options.project
            : options.file == "-"                                       ? "standard input"
                                                                        : options.file,
        error);
    return statusOf(error);
}

Expected<SweepResult> swept(
    const SweepQuestion &question, const SweepArguments &options, Ranks &ranks, const Interrupt &interrupt)
{
    ProgressLine line;
    std::mutex writing;
    SweepOptions how{.stop = interrupt.token(),
        .threads = ranks.threads(options.threads),
        .part = ranks.rank(),
        .parts = ranks.count(),
        .solver = exchange::solveForVerdict};
    if (line.isShown() && ranks.isFirst())
        how.progress = [&](std::size_t done, std::size_t total) {
            if (const std::unique_lock lock(writing, std::try_to_lock); lock)
                line.show(std::to_string(done) + " of " + std::to_string(total) + " cells");
        };
    auto mine = runSweep(question.document, question.catalog, how);
    if (ranks.count() == 1)
        return mine;
    auto cells = mine ? Expected<SweepCells>(cellsOf(*mine, ranks.rank(), ranks.count()))
                      : std::unexpected(mine.error());
    auto all = ranks.reduce(std::move(cells), toBytes, cellsFromBytes, [](SweepCells left, SweepCells right) {
        left.merge(std::move(right));
        return left;
    });
    if (!all)
        return std::unexpected(all.error());
    for (auto &[place, cell] : *all)
        mine->cells[place] = std::move(cell);
    return mine;
}

/// Whether plans and decisions of the project go by its measured runs, where their cost model does.
bool goesByRuns(const std::string &path)
{
    if (path.empty())
        return false;
    needCoreApplication();
    const auto project = openForReading(path);
    const auto runs = project ? (*project)->measuredRuns() : std::unexpected(project.error());
    return runs && validation::anyUsable(*runs, &storage::SavedMeasuredRun::document);
}

void printSweep(const SweepArguments &options, const SweepQuestion &question, const SweepResult &result)
{
    const auto &[document, catalog] = question;
    switch (options.output.format) {
    case Format::Table: {
        writeTable(std::cout, document, result, *chooseFigure(document.figure), catalog);
        if (const auto sentence = describeFormulaAlone(result); !sentence.empty() && goesByRuns(options.project))
            std::cout << sentence << '\n';
        break;
    }
    case Format::Csv: writeCells(std::cout, document, result); break;
    case Format::Json: printJson(exchange::sweepAnswerToJson(document, result, catalog));
    }
}

ExitStatus runSweep(SweepArguments &options)
{
    const auto settled = settle(options.output);
    auto interrupt = std::make_unique<Interrupt>();
    Ranks ranks;
    if (ranks.count() > 1)
        interrupt->endAtOnce(ranks.isFirst() ? sweepEnded : "");
    const auto text = ranks.fromFirst([&] { return readAll(options.file, exchange::longestDocument); });
    const auto savable = ranks.isFirst() ? checkSavable(options.output) : Expected<void>();
    const auto question = !settled ? std::unexpected(settled.error())
        : !savable                 ? std::unexpected(savable.error())
        : text                     ? questionFrom(options, *text)
                                   : std::unexpected(Error{text.error().code, {}, text.error().message});
    const auto refused = ranks.firstError(question ? std::nullopt : std::optional(question.error()));
    const auto result = refused ? Expected<SweepResult>(std::unexpected(*refused))
                                : swept(*question, options, ranks, *interrupt);
    ranks.leave();
    if (!ranks.isFirst())
        return ExitStatus::Done; // the first rank's status is that of the run
    interrupt.reset();
    if (!result)
        return complainAbout(result.error(), options);
    return printed(options.output, [&] {
        printSweep(options, *question, *result);
        const bool any = std::ranges::any_of(result->cells, [](const SweepCell &cell) { return cell.feasible; });
        return any ? ExitStatus::Done : ExitStatus::NothingFeasible;
    });
}

} // namespace

void addSweepCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("sweep", "Price a plan at many values of one or two of its keys");
    const auto options = std::make_shared<SweepArguments>();
    command->add_option("DOCUMENT", options->file, "A plan or a sweep document (YAML or JSON), or - for standard input")
        ->type_name(fileType)
        ->required();
    command->add_option("--vary", options->vary, "An axis, at most two: key=a,b,c or key=1..1024:x2 or key=1..64:+1")
        ->type_name("KEY=VALUES")
        ->allow_extra_args(false);
    command
        ->add_option("--figure", options->figure,
            "The figure to rank and show, as in the JSON of solve (default: the document's, or step_time_s)")
        ->type_name("KEY");
    command->add_option("--cost-model", options->costModels, "Price with this cost model; may stand several times")
        ->check(usually(costModelIds()))
        ->type_name("ID")
        ->allow_extra_args(false);
    command->add_flag("--search", options->search,
        "Each cell shows its best layout instead of the plan's own; what an axis sets stays fixed");
    options->spaceOptions = addSpaceOptions(*command, options->space);
    command->add_option("--threads", options->threads, "Threads to use (default: all cores)")
        ->type_name("N")
        ->check(wholeNumber(1, 1024));
    command->add_option("--project", options->project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
    addOutputOptions(*command, options->output);
    command->footer(
        "Keys are those of a plan document (fleet.nodes, fleet.fabric, parallelism.tp, training.microbatch_count,\n"
        "assumptions.efficiency) and numbers of its catalog items in the catalog's units (fleet.fabric.latency_us).\n"
        "Cells that a cost model refuses and cells that are not feasible are printed as such. A sweep has at most 10 "
        "000 cells.\n"
        "--format csv has a column for each key that an axis sets: a number is in the unit that the key names, else in "
        "SI.\n"
        "Exit status: 0 a cell is feasible; 2 wrong options; 3 the document was refused; 4 no cell is\n"
        "feasible; 5 a file could not be read; 130 cancelled (Ctrl+C).");
    addExamples(*command,
        {"sweep plan.yaml --vary fleet.nodes=16,32,64", "sweep plan.yaml --vary parallelism.tp=1..8:x2 -o sweep.csv"});
    command->callback([options, &chosen] { chosen = [options] { return runSweep(*options); }; });
}

} // namespace fleetwright::cli
