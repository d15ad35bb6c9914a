// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/openproject.h"
#include "cli/progressline.h"
#include "cli/ranks.h"
#include "cli/scoredmodel.h"
#include "cli/sizetables.h"

#include "exchange/decisiondocuments.h"
#include "exchange/offerdocuments.h"
#include "exchange/publishedcosts.h"
#include "exchange/savefile.h"
#include "exchange/sizeresults.h"
#include "exchange/validationdata.h"
#include "solver/size/leftoutwords.h"
#include "solver/size/sizewords.h"
#include "storage/project.h"
#include "units/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>

namespace fleetwright::cli {

namespace {

constexpr int mostSizeThreads = 1024;
constexpr const char *sizingEnded =
    "fleetwright-cli: The sizing was ended before all its processes had answered; nothing was written.\n";

struct SizeOptions {
    std::string decision;
    std::string objective;
    std::string project;
    std::vector<std::string> offers; ///< files
    bool all = false;
    bool front = false;
    bool noPruning = false;
    bool measure = false;
    bool likelyOnly = false;
    int threads = 0;
    Output output;

    [[nodiscard]] std::string subject() const { return decision == "-" ? "standard input" : decision; }
};

struct SizeQuestion {
    DecisionDocument document;
    Catalog catalog;
    std::optional<validation::OwnSite> site; ///< of the project: its runs narrow the ranges

    [[nodiscard]] size::RangeOf ranges() const
    {
        return [this](const Plan &plan, Seconds stepTime) {
            return exchange::shippedRangeOf(plan, stepTime, site ? &*site : nullptr);
        };
    }
};

Expected<std::vector<OfferDocument>> offersOf(const std::string &file)
{
    const auto project = openForReading(file);
    if (!project)
        return std::unexpected(project.error());
    auto saved = (*project)->offers();
    if (!saved)
        return std::unexpected(saved.error());
    std::vector<OfferDocument> offers;
    for (auto &offer : *saved)
        offers.push_back(std::move(offer.document));
    return offers;
}

Expected<SizeQuestion> sizeQuestionFrom(const SizeOptions &options, const std::string &text)
{
    auto catalog = loadCatalog(options.project);
    if (!catalog)
        return refuse(catalog.error().code, options.project, catalog.error().message);
    auto document = exchange::decisionFromText(text);
    if (!document)
        return std::unexpected(document.error());
    if (!options.objective.empty()) {
        const auto objective = parseDecisionObjective(options.objective, "--objective");
        if (!objective)
            return std::unexpected(objective.error());
        document->objective = *objective;
    }
    for (const auto &file : options.offers) {
        const auto content = readAll(file, exchange::longestDocument);
        auto offer = content ? exchange::offerFromText(*content) : std::unexpected(content.error());
        if (!offer)
            return refuse(offer.error().code, file + ": " + offer.error().field, offer.error().message);
        document->candidates.offers.emplace_back(std::move(*offer));
    }
    std::vector<OfferDocument> offers;
    if (!options.project.empty()) {
        auto kept = offersOf(options.project);
        if (!kept)
            return refuse(kept.error().code, options.project, kept.error().message);
        offers = std::move(*kept);
    }
    auto named = withOffers(std::move(*document), offers);
    if (!named)
        return std::unexpected(named.error());
    auto facts = factsOf(options.project);
    if (!facts)
        return refuse(facts.error().code, options.project, facts.error().message);
    return SizeQuestion{std::move(*named), std::move(*catalog), std::move(facts->site)};
}

ExitStatus complainAboutSizing(const Error &error, const SizeOptions &options)
{
    if (error.field.starts_with("--")) {
        complain(error.field, error.message);
        return ExitStatus::Usage;
    }
    const bool ownWords = error.code == ErrorCode::Cancelled
        || (!error.field.empty() && error.field == options.output.file);
    complain(ownWords                                                    ? ""
            : error.field == options.project && !options.project.empty() ? options.project
                                                                         : options.subject(),
        error);
    return statusOf(error);
}

std::string sizingProgress(const size::Snapshot &snapshot)
{
    auto text = std::to_string(int(snapshot.share * 100)) + " %";
    if (snapshot.partial)
        if (const auto *best = snapshot.partial->best())
            text += ", best so far " + size::fleetInWords(*snapshot.partial, *best);
    return text;
}

Expected<size::Result> sized(
    const SizeQuestion &question, const SizeOptions &options, Ranks &ranks, const Interrupt &interrupt)
{
    ProgressLine line;
    size::Control control{.stop = interrupt.token(),
        .threads = ranks.threads(options.threads),
        .pruning = !options.noPruning,
        .part = ranks.rank(),
        .parts = ranks.count()};
    if (line.isShown() && ranks.isFirst())
        control.progress = [&line](const size::Snapshot &snapshot) { line.show(sizingProgress(snapshot)); };
    size::Effort effort;
    const auto start = std::chrono::steady_clock::now();
    auto mine = size::run(question.document, question.catalog, question.ranges(), control, &effort);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (options.measure && ranks.isFirst())
        std::cerr << "Process 1 of " << ranks.count() << " took " << units::threeDigits(taken.count())
                  << " s: layouts of " << effort.searched << " fleets searched, " << effort.priced << " priced.\n";
    auto all = ranks.reduce(std::move(mine), exchange::storedSizeResult, exchange::sizeResultFromStored,
        [](size::Result left, const size::Result &right) { return size::merge(std::move(left), right); });
    if (!all || !ranks.isFirst() || ranks.count() == 1)
        return all;
    control.part = 0; // what limits keep out is asked of the whole
    control.parts = 1;
    auto kept = size::keptOut(question.document, question.catalog, question.ranges(), control, *all);
    if (!kept)
        return std::unexpected(std::move(kept.error()));
    all->keptOut = std::move(*kept);
    auto other = size::otherBatch(question.document, question.catalog, question.ranges(), control, *all);
    if (!other)
        return std::unexpected(std::move(other.error()));
    all->otherBatch = std::move(*other);
    return all;
}

void printSizeTable(
    const SizeQuestion &question, const SizeOptions &options, const size::Result &result, const size::HowSure *sure)
{
    const auto advice = size::recommendation(question.document, result, sure);
    for (const auto &sentence : advice)
        std::cout << sentence << '\n';
    if (const auto warning = sure && sure->measured ? validation::warningInWords(*sure->measured) : std::string();
        !warning.empty())
        std::cout << warning << '\n';
    if (result.best())
        for (const auto &sentence : size::notCountedInWords(question.catalog, result, *result.best()))
            std::cout << sentence << '\n';
    if (!result.answers.empty()) {
        std::cout << '\n';
        writeAligned(std::cout,
            options.front ? frontTable(question.document, result)
                          : sizedTable(question.document, result, options.all, sure));
    }
    if (!options.front && result.best()) {
        std::cout << '\n';
        for (const auto &sentence : size::bindingInWords(question.document, result))
            if (std::ranges::find(advice, sentence) == advice.end())
                std::cout << sentence << '\n';
        if (const auto fabrics = size::fabricsInWords(question.document, question.catalog, result); !fabrics.empty())
            std::cout << fabrics << '\n';
    }
    if (const auto binding = bindingTable(result, options.all); !options.front && !binding.rows.empty()) {
        std::cout << '\n';
        writeAligned(std::cout, binding);
    }
    if (sure) {
        std::cout << '\n';
        writeAligned(std::cout, howSureTable(*sure));
        for (const auto &sentence : size::howSureInWords(*sure))
            std::cout << sentence << '\n';
    }
    std::cout << '\n' << size::countsInWords(result) << ".\n";
    std::set<std::string> said; // of several fabrics or sites of one node all may say the same
    for (const auto &refused : result.refused)
        if (const auto line = refused.candidate + ": " + refused.error.message; said.insert(line).second)
            std::cout << line << '\n';
}

void printSizing(
    const SizeQuestion &question, const SizeOptions &options, const size::Result &result, const size::HowSure *sure)
{
    switch (options.output.format) {
    case Format::Table: printSizeTable(question, options, result, sure); break;
    case Format::Csv: std::cout << exchange::sizeResultToCsv(question.document, result, options.all); break;
    case Format::Json:
        std::cout << exchange::sizeResultToJson(question.document, result, question.catalog, options.all, sure).dump(2)
                  << '\n';
        break;
    }
}

ExitStatus runSizing(SizeOptions &options)
{
    const auto settled = settle(options.output);
    auto interrupt = std::make_unique<Interrupt>();
    Ranks ranks;
    if (ranks.count() > 1)
        interrupt->endAtOnce(ranks.isFirst() ? sizingEnded : "");
    const auto text = ranks.fromFirst([&] { return readAll(options.decision, exchange::longestDocument); });
    const auto savable = ranks.isFirst() ? checkSavable(options.output) : Expected<void>();
    const auto question = !settled ? Expected<SizeQuestion>(std::unexpected(settled.error()))
        : !savable                 ? std::unexpected(savable.error())
        : text                     ? sizeQuestionFrom(options, *text)
                                   : std::unexpected(Error{text.error().code, {}, text.error().message});
    const auto refused = ranks.firstError(question ? std::nullopt : std::optional(question.error()));
    const auto result = refused ? Expected<size::Result>(std::unexpected(*refused))
                                : sized(*question, options, ranks, *interrupt);
    ranks.leave();
    if (!ranks.isFirst())
        return ExitStatus::Done; // the first rank's status is that of the run
    interrupt->endAtOnce(nullptr);
    if (!result)
        return complainAboutSizing(result.error(), options);
    std::optional<size::HowSure> sure;
    if (!options.likelyOnly && !result->byNode().empty()) {
        auto drawn = size::howSure(
            question->document, question->catalog, *result, question->ranges(), interrupt->token(), options.threads);
        if (!drawn && drawn.error().code != ErrorCode::MissingField)
            return complainAboutSizing(drawn.error(), options);
        if (drawn) {
            sure = std::move(*drawn);
            sure->money = exchange::shippedMoneyEvidence(question->catalog);
        }
    }
    const auto *draws = sure ? &*sure : nullptr;
    if (options.output.file.empty()) {
        interrupt.reset(); // nothing is left half done from here on
        printSizing(*question, options, *result, draws);
    } else {
        const auto printed = collected([&] { printSizing(*question, options, *result, draws); });
        if (const auto written = exchange::saveFile(
                QByteArray::fromStdString(printed), QString::fromStdString(options.output.file));
            !written) {
            complain("", written.error());
            return statusOf(written.error());
        }
        interrupt.reset();
        std::cout << "Wrote " << options.output.file << ".\n";
    }
    return result->best() ? ExitStatus::Done : ExitStatus::NothingFeasible;
}

} // namespace

void addSizeCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("size",
        "Which fleet to buy or rent: every node, number of nodes, fabric, site and way of paying, each with the "
        "best layout of the jobs");
    const auto options = std::make_shared<SizeOptions>();
    command->add_option("DECISION", options->decision, "A decision document (YAML or JSON), or - for standard input")
        ->type_name(fileType)
        ->required();
    std::string objectives;
    for (const auto objective : allDecisionObjectives)
        objectives += (objectives.empty() ? "" : ", ") + std::string(toString(objective));
    command->add_option("--objective", options->objective, "Instead of the document's own: " + objectives)
        ->type_name("OBJECTIVE");
    command->add_flag(
        "--all", options->all, "The best of every fabric, site and way of paying instead of the best of each node");
    command->add_flag(
        "--front", options->front, "In a table the fleets that none beats in both figures of the document's front");
    command->add_option("--threads", options->threads, "Threads to compute on; 0 is as many as the machine has")
        ->type_name("N")
        ->check(wholeNumber(0, mostSizeThreads))
        ->capture_default_str();
    command
        ->add_option("--offer", options->offers,
            "An offer document as a candidate beside those of the decision; repeat for several")
        ->type_name("FILE");
    command->add_flag("--likely-only", options->likelyOnly, "No draws: figures at their likely values only");
    command->add_flag("--no-pruning", options->noPruning, "Look at every fleet; the answer is the same");
    command->add_flag("--measure", options->measure, "Say on standard error how long it took and what was looked at");
    command->add_option("--project", options->project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
    addOutputOptions(*command, options->output);
    command->footer(
        "A decision document states jobs, and may state candidates, limits, objective and base case: {fleetwright: 1, "
        "decision: 70B in 30 days,\njobs: [{workload: llama3_1_70b, tokens: 15e12, training: {global_batch: 2048, "
        "seq_len: 8192, precision: bf16}}], limits:\n{deadline_days: 30}}. --format json and .json files hold the "
        "whole "
        "answer. The answer depends neither on --threads nor on pruning\nnor, under mpirun, on the number of "
        "processes.\n"
        "Exit status: 0 a fleet keeps all limits; 2 wrong options; 3 the document was refused; 4 nothing is feasible; "
        "5 "
        "a file could not be\nread or written; 130 cancelled (Ctrl+C), nothing is written.");
    addExamples(*command,
        {"size decision.yaml", "size decision.yaml --objective days --all -o answer.json",
            "size decision.yaml --format csv --project my.fleetwright"});
    command->callback([options, &chosen] { chosen = [options] { return runSizing(*options); }; });
}

} // namespace fleetwright::cli
