// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/axisoption.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/layoutsearchtables.h"
#include "cli/plannersearch.h"
#include "cli/progressline.h"
#include "cli/ranks.h"
#include "cli/scoredmodel.h"
#include "cli/spaceoptions.h"

#include "exchange/figurejson.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/layoutsearchresults.h"
#include "exchange/savefile.h"
#include "exchange/textreader.h"
#include "reports/layoutsearchspreadsheet.h"
#include "solver/search/resultbytes.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <iostream>

namespace fleetwright::cli {

namespace {

using exchange::Json;

constexpr int mostThreads = 1024;
constexpr std::size_t tableRows = 20;
constexpr const char *searchEnded =
    "fleetwright-cli: The search was ended before all its processes had answered; nothing was written.\n";

struct SearchOptions {
    std::string plan;
    std::string planner;
    std::string costModel;
    SpaceOptions space;
    std::string vary;
    std::string pareto;
    std::optional<int> top;
    bool allSettings = false;
    std::string whyNot;
    bool sensitivity = false;
    bool noPruning = false;
    int threads = 0;
    std::string project;
    bool searcherFormat = false;
    bool measure = false;
    Output output{.spreadsheets = true};
    std::vector<CLI::Option *> ours; ///< that a published planner has no use for

    [[nodiscard]] std::string subject() const { return plan == "-" ? "standard input" : plan; }
    [[nodiscard]] Listing listing() const
    {
        return !pareto.empty() ? Listing::Front : allSettings ? Listing::Layouts : Listing::Splits;
    }
};

/// The document with the options applied, everything it names, and what is asked of the engine.
struct SearchQuestion {
    LayoutSearchDocument document;
    Catalog catalog;
    layoutsearch::Request request;
};

struct SearchAnswer {
    layoutsearch::Result result;
    std::vector<std::string> recommendation;
    std::vector<std::string> whyNot;
    std::optional<Layout> chosen; ///< that whyNot is about
    std::vector<layoutsearch::Change> changes;
};

Expected<LayoutSearchDocument> documentFrom(const std::string &text)
{
    const auto json = exchange::readText(
        text, {.values = 200'000}); // what cannot be read is left to the plan reader's sentence
    if (json && exchange::isSearch(*json))
        return exchange::layoutSearchFromText(text);
    auto plan = exchange::planFromText(text);
    if (!plan)
        return std::unexpected(plan.error());
    LayoutSearchDocument document;
    document.plan = std::move(*plan);
    return document;
}

Expected<void> applyPareto(const std::string &text, LayoutSearchDocument &document)
{
    constexpr const char *field = "--pareto";
    const auto comma = text.find(',');
    if (comma == std::string::npos)
        return refuse(ErrorCode::ParseError, field,
            "\u201c" + text.substr(0, 60) + "\u201d must be two figures, such as step_time,memory.");
    const std::array<std::string, 2> names{text.substr(0, comma), text.substr(comma + 1)};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto axis = parseParetoAxis(names[i], field);
        if (!axis)
            return std::unexpected(axis.error());
        document.pareto[i] = *axis;
    }
    if (document.pareto[0] == document.pareto[1])
        return refuse(ErrorCode::UnsupportedValue, field, "A Pareto front trades two different figures.");
    return {};
}

Expected<void> applyOptions(const SearchOptions &options, LayoutSearchDocument &document, const Catalog &catalog)
{
    if (!options.costModel.empty()) {
        if (const auto model = findCostModel(options.costModel); !model)
            return refuse(model.error().code, "--cost-model", model.error().message);
        document.costModelId = options.costModel;
    }
    if (auto ok = apply(options.space, document.space, document.objective); !ok)
        return ok;
    if (!options.pareto.empty())
        if (auto ok = applyPareto(options.pareto, document); !ok)
            return ok;
    if (options.top)
        document.rows = *options.top;
    if (options.vary.empty())
        return {};
    if (document.cases)
        return refuse(ErrorCode::UnsupportedValue, "--vary", "This document has cases of its own; leave --vary out.");
    auto axis = axisFromOption(
        options.vary, document.costModelId.empty() ? document.plan.costModelId : document.costModelId, catalog);
    if (!axis)
        return std::unexpected(axis.error());
    document.cases = std::move(*axis);
    return {};
}

Expected<void> checkUsage(const SearchOptions &options)
{
    const auto &file = options.output.file;
    if (options.searcherFormat && !file.empty() && !file.ends_with(".json"))
        return refuse(ErrorCode::UnsupportedValue, "--output",
            "The searcher's format is JSON; \u201c" + file + "\u201d must end in .json.");
    if (options.searcherFormat && !options.output.isJsonOnly())
        return refuse(ErrorCode::UnsupportedValue, "--format", "The searcher's format is JSON; leave --format out.");
    if (!options.whyNot.empty()) // before the search, which may take long
        if (const auto layout = layoutFromOption(options.whyNot, {}); !layout)
            return std::unexpected(layout.error());
    return {};
}

Expected<SearchQuestion> questionFrom(const SearchOptions &options, const std::string &text)
{
    if (auto ok = checkUsage(options); !ok)
        return std::unexpected(ok.error());
    auto catalog = loadCatalog(options.project);
    if (!catalog)
        return refuse(catalog.error().code, options.project, catalog.error().message);
    auto document = documentFrom(text);
    if (!document)
        return std::unexpected(document.error());
    if (auto ok = applyOptions(options, *document, *catalog); !ok)
        return std::unexpected(ok.error());
    auto request = layoutsearch::requestFrom(*document, *catalog);
    if (!request)
        return std::unexpected(request.error());
    request->pruning = !options.noPruning;
    if (options.searcherFormat && request->cases.size() > 1)
        return refuse(ErrorCode::UnsupportedValue, "--searcher-format",
            "The searcher's format holds one fleet; search for one case only.");
    return SearchQuestion{std::move(*document), std::move(*catalog), std::move(*request)};
}

ExitStatus complainAbout(const Error &error, const SearchOptions &options)
{
    if (error.field.starts_with("--")) {
        complain(error.field, error.message);
        return ExitStatus::Usage;
    }
    const bool aboutOutput = !error.field.empty() && error.field == options.output.file;
    complain(error.code == ErrorCode::Cancelled || aboutOutput           ? ""
            : error.field == options.project && !options.project.empty() ? options.project
                                                                         : options.subject(),
        error);
    return statusOf(error);
}

std::string progressText(const layoutsearch::Snapshot &snapshot)
{
    auto text = std::to_string(int(snapshot.share * 100)) + " % of the layouts, "
        + units::format(double(snapshot.examined), units::Dimension::Number) + " so far";
    if (const auto *best = snapshot.partial->best(); best && std::isfinite(best->stepSeconds))
        text += ", best step " + units::format(best->stepSeconds, units::Dimension::Time) + " with "
            + inWords(splitOf(best->layout));
    return text;
}

using Clock = std::chrono::steady_clock;

double secondsBetween(Clock::time_point from, Clock::time_point to)
{
    return std::chrono::duration<double>(to - from).count();
}

void tellEffort(const layoutsearch::Effort &effort, double searching, double reducing, const Ranks &ranks)
{
    std::cerr << "Process 1 of " << ranks.count() << " searched for " << units::threeDigits(searching)
              << " s: " << effort.priced << " step times computed, " << effort.pruned << " not needed.\n";
    if (ranks.count() > 1)
        std::cerr << "Answers of the others: " << ranks.bytesReceived() << " bytes here, "
                  << units::threeDigits(ranks.secondsWaiting()) << " s waiting, "
                  << units::threeDigits(reducing - ranks.secondsWaiting()) << " s moving and merging.\n";
}

Expected<layoutsearch::Result> searched(
    const SearchQuestion &question, const SearchOptions &options, Ranks &ranks, Interrupt &interrupt)
{
    ProgressLine line;
    layoutsearch::Control control{.stop = interrupt.token(),
        .threads = ranks.threads(options.threads),
        .part = ranks.rank(),
        .parts = ranks.count()};
    if (line.isShown() && ranks.isFirst())
        control.progress = [&line](const layoutsearch::Snapshot &snapshot) { line.show(progressText(snapshot)); };
    layoutsearch::Effort effort;
    const auto start = Clock::now();
    auto mine = layoutsearch::run(question.request, control, &effort);
    const auto searchedUntil = Clock::now();
    auto all = ranks.reduce(std::move(mine), layoutsearch::toBytes, layoutsearch::fromBytes,
        [rows = question.request.rows](layoutsearch::Result left, layoutsearch::Result right) {
            return layoutsearch::merge(std::move(left), std::move(right), rows);
        });
    if (options.measure && ranks.isFirst())
        tellEffort(effort, secondsBetween(start, searchedUntil), secondsBetween(searchedUntil, Clock::now()), ranks);
    return all;
}

/// What goes beyond the search itself: sentences, and the questions about the layout that it takes.
Expected<SearchAnswer> answered(
    const SearchQuestion &question, const SearchOptions &options, layoutsearch::Result result)
{
    SearchAnswer answer{.result = std::move(result)};
    answer.recommendation = layoutsearch::recommendation(question.request, answer.result);
    const auto facts = factsOf(options.project);
    if (!facts)
        return std::unexpected(facts.error());
    layoutsearch::sayFormulaAlone(question.request, answer.result, facts->ranges(), answer.recommendation);
    const auto *taken = answer.result.taken();
    if (!taken)
        return answer;
    if (!options.whyNot.empty()) {
        answer.chosen = *layoutFromOption(options.whyNot, taken->layout); // it was read before
        auto why = layoutsearch::whyNot(question.request, *answer.chosen, taken->caseIndex, *taken,
            answer.result.recommended() ? layoutsearch::Against::Recommended : layoutsearch::Against::Best);
        if (!why)
            return std::unexpected(why.error());
        answer.whyNot = std::move(*why);
    }
    if (options.sensitivity) {
        auto changes = layoutsearch::sensitivity(question.request, taken->layout, taken->caseIndex);
        if (!changes)
            return std::unexpected(changes.error());
        answer.changes = std::move(*changes);
    }
    return answer;
}

Json changeToJson(const layoutsearch::Change &change)
{
    Json json{{"option", toString(change.option)},
        {"value", searchValuesToText(change.option, std::array{change.value})}, {"feasible", change.row.has_value()}};
    if (change.excluded)
        json["excluded"] = toString(*change.excluded);
    exchange::putFigure(json, "step_time_s", change.stepSeconds);
    exchange::putFigure(json, "memory.total_bytes", change.memoryBytes);
    return json;
}

std::string jsonOf(const SearchQuestion &question, const SearchAnswer &answer)
{
    Json more = Json::object();
    if (answer.chosen)
        more["why_not"] = {{"layout", inWords(*answer.chosen)}, {"sentences", answer.whyNot}};
    if (!answer.changes.empty()) {
        more["sensitivity"] = Json::array();
        for (const auto &change : answer.changes)
            more["sensitivity"].push_back(changeToJson(change));
    }
    return exchange::layoutSearchAnswerToJson(
        question.document, answer.result, question.catalog, answer.recommendation, &more);
}

std::string csvOf(const SearchOptions &options, const layoutsearch::Result &result)
{
    if (options.listing() == Listing::Splits && !options.top)
        return exchange::layoutSearchGroupsToCsv(result);
    return exchange::layoutSearchRowsToCsv(
        listed(result, options.listing(),
            options.top ? std::size_t(*options.top) : result.rows.size() + result.front.size()),
        result);
}

void printReasons(const SearchOptions &options, const SearchAnswer &answer)
{
    const auto *taken = answer.result.taken();
    if (!taken)
        return;
    if (answer.chosen) {
        std::cout << "\nWhy not " << options.whyNot << "?\n";
        for (const auto &sentence : answer.whyNot)
            std::cout << sentence << '\n';
    }
    if (options.sensitivity) {
        std::cout << (answer.result.recommended() ? "\nOne setting of the recommended layout changed:\n"
                                                  : "\nOne setting of the best changed:\n");
        writeAligned(std::cout, changesTable(answer.changes, *taken));
    }
}

void printTable(const SearchOptions &options, const SearchAnswer &answer)
{
    const auto &result = answer.result;
    const auto rows = listed(result, options.listing(),
        options.top                               ? std::size_t(*options.top)
            : options.listing() == Listing::Front ? result.front.size()
                                                  : tableRows);
    if (!rows.empty()) {
        writeAligned(std::cout, layoutsTable(rows, result));
        std::cout << '\n';
    }
    for (const auto &sentence : answer.recommendation)
        std::cout << sentence << '\n';
    for (const auto &facts : result.cases)
        if (facts.refused)
            std::cout << facts.label << ": " << facts.refused->message << '\n';
    printReasons(options, answer);
}

Expected<void> print(const SearchQuestion &question, const SearchOptions &options, const SearchAnswer &answer)
{
    if (options.searcherFormat) {
        const auto text = exchange::searchToSearcherFormat(answer.result);
        if (!text)
            return std::unexpected(text.error());
        std::cout << *text << '\n';
        return {};
    }
    switch (options.output.format) {
    case Format::Table: printTable(options, answer); break;
    case Format::Csv: std::cout << csvOf(options, answer.result); break;
    case Format::Json: std::cout << jsonOf(question, answer); break;
    }
    return {};
}

/// Everything is put together before the file is touched.
Expected<void> writeFile(const SearchQuestion &question, const SearchOptions &options, const SearchAnswer &answer)
{
    const auto path = QString::fromStdString(options.output.file);
    if (options.output.isSpreadsheet())
        return reports::writeLayoutSearchSpreadsheet(
            question.document, answer.result, question.catalog, answer.recommendation, path);
    if (options.searcherFormat) { // byte for byte as published
        const auto text = exchange::searchToSearcherFormat(answer.result);
        return text ? exchange::saveFile(QByteArray::fromStdString(*text), path) : std::unexpected(text.error());
    }
    Expected<void> printed;
    const auto text = collected([&] { printed = print(question, options, answer); });
    return printed ? exchange::saveFile(QByteArray::fromStdString(text), path) : printed;
}

ExitStatus runLayoutSearch(SearchOptions &options)
{
    options.output.spreadsheets = options.planner.empty();
    const auto settled = settle(options.output);
    if (!options.planner.empty()) {
        for (const auto *option : options.ours)
            if (option->count() > 0) {
                complain(option->get_name(),
                    "The search of a published planner has rules of its own; leave this option or --planner out.");
                return ExitStatus::Usage;
            }
        if (!settled)
            return complainAbout(settled.error(), options);
        return run(PlannerSearchOptions{
            options.plan, options.planner, options.project, options.output, options.top, options.threads});
    }
    auto interrupt = std::make_unique<Interrupt>();
    Ranks ranks;
    if (ranks.count() > 1)
        interrupt->endAtOnce(ranks.isFirst() ? searchEnded : "");
    const auto text = ranks.fromFirst([&] { return readAll(options.plan, exchange::longestDocument); });
    const auto savable = ranks.isFirst() ? checkSavable(options.output) : Expected<void>();
    const auto question = !settled ? std::unexpected(settled.error())
        : !savable                 ? std::unexpected(savable.error())
        : text                     ? questionFrom(options, *text)
                                   : std::unexpected(Error{text.error().code, {}, text.error().message});
    const auto refused = ranks.firstError(question ? std::nullopt : std::optional(question.error()));
    auto result = refused ? Expected<layoutsearch::Result>(std::unexpected(*refused))
                          : searched(*question, options, ranks, *interrupt);
    ranks.leave();
    if (!ranks.isFirst())
        return ExitStatus::Done; // the first rank's status is that of the run
    interrupt->endAtOnce(nullptr);
    if (!result)
        return complainAbout(result.error(), options);
    const auto answer = answered(*question, options, std::move(*result));
    if (!answer)
        return complainAbout(answer.error(), options);
    if (!options.output.file.empty()) {
        if (const auto written = writeFile(*question, options, *answer); !written) {
            complain("", written.error());
            return statusOf(written.error());
        }
        interrupt.reset();
        std::cout << "Wrote " << options.output.file << ".\n";
        if (options.output.format != Format::Table || options.output.isSpreadsheet()) // a table holds them
            printReasons(options, *answer);
    } else {
        interrupt.reset(); // nothing is left half done from here on
        if (const auto printed = print(*question, options, *answer); !printed)
            return complainAbout(printed.error(), options);
    }
    return answer->result.best() ? ExitStatus::Done : ExitStatus::NothingFeasible;
}

} // namespace

void addSearchCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("search",
        "Search every layout of a plan's workload on its fleet: TP, CP, PP, EP, DP and the settings inside each split");
    const auto options = std::make_shared<SearchOptions>();
    command->add_option("PLAN", options->plan, "A plan or a search document (YAML or JSON), or - for standard input")
        ->type_name(fileType)
        ->required();
    command
        ->add_option("--planner", options->planner,
            "Instead the own search of a published planner: searcher, strategy-calculator or first-order")
        ->type_name("ID");
    command
        ->add_option(
            "--top", options->top, "List the best N (default: 20 in a table, all in CSV, 1000 layouts in JSON)")
        ->type_name("N")
        ->check(wholeNumber(1, mostLayoutSearchRows));
    command->add_option("--threads", options->threads, "Threads to search on; 0 is as many as the machine has")
        ->type_name("N")
        ->check(wholeNumber(0, mostThreads))
        ->capture_default_str();
    command->add_option("--project", options->project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
    addOutputOptions(*command, options->output);
    auto &ours = options->ours;
    ours = addSpaceOptions(*command, options->space);
    ours.push_back(
        command->add_option("--cost-model", options->costModel, "Price with this cost model instead of the plan's own")
            ->check(usually(costModelIds()))
            ->type_name("ID"));
    ours.push_back(command
                       ->add_option("--vary", options->vary,
                           "The same search for each value of a key of the plan: key=a,b,c or key=1..1024:x2")
                       ->type_name("KEY=VALUES"));
    ours.push_back(
        command
            ->add_option("--pareto", options->pareto,
                "List the Pareto front of two of step_time, memory, cost_per_token, accelerators, global_batch")
            ->type_name("A,B"));
    ours.push_back(
        command->add_flag("--all-settings", options->allSettings, "List layouts instead of the best of each split"));
    ours.push_back(command
                       ->add_option("--why-not", options->whyNot,
                           "Why another layout is not recommended: tp=8,recompute=full; the rest is as recommended")
                       ->type_name("LAYOUT"));
    ours.push_back(command->add_flag(
        "--sensitivity", options->sensitivity, "What each change of one setting of the recommended layout does"));
    ours.push_back(command->add_flag("--no-pruning", options->noPruning, "Price every layout; the answer is the same"));
    ours.push_back(command->add_flag("--measure", options->measure,
        "Say on standard error how long the search took, what was priced and what processes exchanged"));
    ours.push_back(command->add_flag("--searcher-format", options->searcherFormat,
        "The step times in the searcher's published format: {\"dp, tp, pp\": \"12.3456ms/iter\", ...}"));
    command->footer("A search document holds a plan and what to search: {fleetwright: 1, plan: {...}, space: {tp: [1, "
                    "2, 4]}, objective: mfu}. Options\n"
                    "stand above it. --format json and .json files hold the whole answer: settings, counts by reason, "
                    "best layouts, every split and\n"
                    "the Pareto front. The answer depends neither on --threads nor on pruning nor, under mpirun, on "
                    "the number of processes.\n"
                    "Exit status: 0 a layout is feasible; 2 wrong options; 3 the document was refused; 4 nothing is "
                    "feasible; 5 a file could not be\n"
                    "read or written; 130 cancelled (Ctrl+C), nothing is written.");
    addExamples(*command,
        {"search plan.yaml --top 10", "search plan.yaml --tp 4,8 --recompute none -o answer.xlsx",
            "search plan.yaml --planner searcher"});
    command->callback([options, &chosen] { chosen = [options] { return runLayoutSearch(*options); }; });
}

} // namespace fleetwright::cli
