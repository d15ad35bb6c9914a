// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"
#include "cli/scoredmodel.h"
#include "cli/seekanswer.h"
#include "cli/solutiontables.h"

#include "cli/input.h"
#include "exchange/plandocuments.h"
#include "exchange/rangedsolution.h"
#include "exchange/recommendationresults.h"
#include "exchange/validationdata.h"
#include "solver/search/bestlayout.h"

#include <algorithm>
#include <iostream>

namespace fleetwright::cli {

namespace {

struct SolveOptions {
    std::vector<std::string> plans; ///< documents
    std::vector<std::string> names; ///< plans of the project
    std::string costModel;
    std::string project;
    bool batch = false;
    SeekArguments seek;
    Output output;
};

struct Solved {
    Plan plan;
    std::string inputHash;
    Solution solution;
    std::optional<layoutsearch::Recommendation> layout; ///< where the document leaves it open
    layoutsearch::Remedies remedies;
    std::vector<std::string> ignoredAssumptions; ///< of the plan, which the model asked for does not know
};

/// Prices the plan with the cost model that was asked for; returns the assumptions that it does not know.
std::vector<std::string> takeCostModel(PlanDocument &document, const SolveOptions &options)
{
    std::vector<std::string> ignored;
    if (!options.costModel.empty() && options.costModel != document.costModelId) {
        document.costModelId = options.costModel;
        if (const auto model = findCostModel(document.costModelId))
            document.assumptions = understoodBy(**model, document.assumptions, ignored);
    }
    return ignored;
}

Expected<Solved> solveDocument(
    PlanDocument document, const SolveOptions &options, const Catalog &catalog, const validation::OwnSite *site)
{
    auto ignored = takeCostModel(document, options);
    auto decided = layoutsearch::resolveWithBestLayout(document, catalog, exchange::rangesOfSite(site));
    if (!decided)
        return std::unexpected(decided.error());
    auto solution = exchange::solveWithRange(decided->plan, site);
    if (!solution)
        return std::unexpected(solution.error());
    layoutsearch::Remedies remedies;
    if (decided->layout && !decided->layout->isFeasible()) {
        auto found = layoutsearch::remediesOf(
            decided->plan, *document.bestLayout, *decided->layout, exchange::rangesOfSite(site));
        if (!found)
            return std::unexpected(found.error());
        remedies = *found;
    }
    auto hash = exchange::inputHash(document, decided->plan);
    return Solved{std::move(decided->plan), std::move(hash), std::move(*solution), std::move(decided->layout), remedies,
        std::move(ignored)};
}

Json costModelJson(const Solution &solution)
{
    return {{"id", solution.costModelId}, {"version", solution.costModelVersion}};
}

/// A line of a batch is {"id", "plan": {...}} or the plan itself with an optional "id" beside its keys.
Expected<Json> answerLine(
    const Json &request, const SolveOptions &options, const Catalog &catalog, const validation::OwnSite *site)
{
    Json plan = request;
    if (const auto wrapped = request.find("plan"); wrapped != request.end())
        plan = Json(*wrapped);
    else
        plan.erase("id");
    auto document = exchange::planFromJson(plan);
    if (!document)
        return std::unexpected(document.error());
    const auto solved = solveDocument(std::move(*document), options, catalog, site);
    if (!solved)
        return std::unexpected(solved.error());
    Json json{{"cost_model", costModelJson(solved->solution)}};
    if (!solved->ignoredAssumptions.empty())
        json["ignored_assumptions"] = solved->ignoredAssumptions;
    json["estimate"] = exchange::solutionToJson(solved->solution, solved->plan);
    if (solved->layout)
        json["layout"] = exchange::recommendationToJson(*solved->layout, solved->remedies);
    return json;
}

/// `from`: the file, or the name in the project.
Answer answerDocument(const std::string &from, Expected<PlanDocument> document, const SolveOptions &options,
    const Catalog &catalog, const validation::OwnSite *site)
{
    Answer answer{from, {}, std::nullopt, {}};
    if (!document) {
        answer.refused = document.error();
        return answer;
    }
    answer.name = document->name;
    auto solved = solveDocument(std::move(*document), options, catalog, site);
    if (!solved) {
        answer.refused = solved.error();
        return answer;
    }
    answer.inputHash = std::move(solved->inputHash);
    answer.estimate = exchange::solutionToJson(solved->solution, solved->plan);
    if (solved->layout) {
        answer.layout = exchange::recommendationToJson(*solved->layout, solved->remedies);
        answer.layoutInWords = inWords(*solved->layout, &solved->remedies);
    }
    answer.range = solved->solution.range;
    answer.solution = std::move(solved->solution);
    answer.ignoredAssumptions = std::move(solved->ignoredAssumptions);
    return answer;
}

Json toJson(const Answer &answer)
{
    Json json{{"file", answer.file}};
    if (!answer.name.empty())
        json["name"] = answer.name;
    json["ok"] = !answer.refused;
    if (answer.refused) {
        json["error"] = exchange::errorToJson(*answer.refused);
        return json;
    }
    json["cost_model"] = costModelJson(*answer.solution);
    if (!answer.ignoredAssumptions.empty())
        json["ignored_assumptions"] = answer.ignoredAssumptions;
    json["input_hash"] = answer.inputHash;
    json["estimate"] = answer.estimate;
    if (!answer.layout.is_null())
        json["layout"] = answer.layout;
    return json;
}

void print(const std::vector<Answer> &answers, Format format)
{
    switch (format) {
    case Format::Table: writeTable(std::cout, answers); break;
    case Format::Csv: writeCsv(std::cout, csvOf(answers)); break;
    case Format::Json: {
        Json json = Json::array();
        for (const auto &answer : answers)
            json.push_back(toJson(answer));
        printJson(answers.size() == 1 ? json.front() : json);
    }
    }
}

/// A refused plan outweighs an infeasible one; one feasible plan among valid ones is success.
ExitStatus worstStatus(const std::vector<Answer> &answers)
{
    for (const auto &answer : answers)
        if (answer.refused)
            return cli::statusOf(*answer.refused);
    const bool any = std::ranges::any_of(answers, [](const Answer &answer) { return answer.solution->feasible; });
    return any ? ExitStatus::Done : ExitStatus::NothingFeasible;
}

void complainOfIgnored(const std::string &subject, const std::vector<std::string> &ignored, const SolveOptions &options)
{
    for (const auto &key : ignored)
        complain(subject,
            "The cost model " + options.costModel + " does not know the plan's assumption " + key
                + "; it was ignored.");
}

ExitStatus runSeek(const SolveOptions &options, const Catalog &catalog, const validation::OwnSite *site)
{
    const bool ofProject = options.plans.empty();
    const auto &path = ofProject ? options.project : options.plans.front();
    const std::string subject = path == "-" ? "standard input" : path;
    auto document = ofProject ? planOfProject(path, options.names.front()) : readPlan(path);
    if (!document) {
        complain(subject, document.error());
        return cli::statusOf(document.error());
    }
    complainOfIgnored(subject, takeCostModel(*document, options), options);
    return answerSeek(options.seek, subject, *document, catalog, exchange::rangesOfSite(site), options.output.format);
}

ExitStatus runSolve(const SolveOptions &options)
{
    if (options.batch && !options.output.isJsonOnly()) {
        complain("", batchSentence);
        return ExitStatus::Usage;
    }
    if (options.batch && options.plans.size() > 1) {
        complain("", "A batch reads one file of JSON Lines; name one, or - for standard input.");
        return ExitStatus::Usage;
    }
    if (options.seek.isAsked() && (options.batch || options.plans.size() + options.names.size() != 1)) {
        complain("--seek", "Name one plan: a document, - for standard input, or --plan with --project.");
        return ExitStatus::Usage;
    }
    if (!options.batch && std::ranges::count(options.plans, "-") > 1) {
        complain("", "Standard input (-) can be read only once.");
        return ExitStatus::Usage;
    }
    if (!options.batch && options.plans.empty() && options.names.empty()) {
        complain("", "Name at least one plan document, - for standard input, or --plan with --project.");
        return ExitStatus::Usage;
    }
    if (!options.costModel.empty())
        if (const auto model = findCostModel(options.costModel); !model) {
            complain("", model.error().message);
            return ExitStatus::Usage;
        }
    const auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return cli::statusOf(catalog.error());
    }
    const auto facts = factsOf(options.project);
    if (!facts) {
        complain(options.project, facts.error());
        return cli::statusOf(facts.error());
    }
    const auto *site = facts->site ? &*facts->site : nullptr;
    if (options.seek.isAsked())
        return runSeek(options, *catalog, site);
    if (options.batch)
        return answerLines(options.plans.empty() ? "-" : options.plans.front(),
            [&](const Json &request) { return answerLine(request, options, *catalog, site); });

    std::vector<Answer> answers;
    for (const auto &path : options.plans)
        answers.push_back(answerDocument(path, readPlan(path), options, *catalog, site));
    for (const auto &name : options.names)
        answers.push_back(answerDocument(name, planOfProject(options.project, name), options, *catalog, site));
    const bool any = std::ranges::any_of(answers, [](const Answer &answer) { return !answer.refused; });
    if (any || options.output.file.empty()) // refusals alone replace no file
        print(answers, options.output.format);
    for (const auto &answer : answers) {
        const std::string subject = answer.file == "-" ? "standard input" : answer.file;
        if (answer.refused)
            complain(subject, *answer.refused);
        complainOfIgnored(subject, answer.ignoredAssumptions, options);
    }
    return worstStatus(answers);
}

} // namespace

void addSolveCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("solve", "Estimate plans: step time, MFU, memory, constraints");
    const auto options = std::make_shared<SolveOptions>();
    command->add_option("PLAN", options->plans, "Plan documents (YAML or JSON), or - for standard input")
        ->type_name(fileType);
    command->add_option("--cost-model", options->costModel, "Price with this cost model instead of the plan's own")
        ->check(usually(costModelIds()))
        ->type_name("ID");
    auto *project = command
                        ->add_option("--project", options->project,
                            "Use the catalogs and own runs of this project instead of what is shipped")
                        ->type_name("FILE");
    auto *named = command
                      ->add_option("--plan", options->names, "The plan of this name in the project; repeat for several")
                      ->type_name("NAME")
                      ->allow_extra_args(false)
                      ->needs(project);
    command->add_flag("--batch", options->batch, "JSON Lines: one plan per line, one answer per line in the same order")
        ->excludes(named);
    command
        ->add_option("--seek", options->seek.key,
            "Which value of this key reaches the goal, such as fleet.nodes; fleet.nodes=1..1024 says where to look")
        ->type_name("KEY[=FROM..TO]");
    command
        ->add_option("--goal", options->seek.goal,
            "What --seek shall reach: a figure as in the JSON of solve and its value with any unit")
        ->type_name("FIGURE=VALUE");
    addOutputOptions(*command, options->output);
    command->footer(
        "--format json prints one object for one plan and an array for several; csv prints a line per plan.\n"
        "A line of a batch is a plan with an optional \"id\", or {\"id\": ..., \"plan\": {...}}; the answer is\n"
        "{\"id\", \"ok\": true, \"cost_model\", \"estimate\"} or {\"id\", \"ok\": false, \"error\": {\"code\", "
        "\"field\", \"message\"}}.\n"
        "Exit status: 0 a plan is feasible; 3 a plan was refused; 4 no plan is feasible; 5 a file could not be read.\n"
        "A batch answers bad lines too, goes on and ends with 0.\n"
        "--seek takes a number of the plan, of its cost model or of its catalog items (keys as of sweep --vary). A "
        "whole\n"
        "number is exact where the figure only rises or falls, with its neighbour that does not reach the goal; other\n"
        "numbers have six digits. Open layouts are priced with the best of each value. csv prints every value tried.\n"
        "Exit status: 4 no value reaches the goal, or none that is feasible; 130 cancelled (Ctrl+C).");
    addExamples(*command,
        {"solve plan.yaml", "solve --project my.fleetwright --plan Llama",
            "solve plan.yaml --seek fleet.nodes --goal run_time_s=30d", "solve plan.yaml other.yaml --format csv",
            "solve - --cost-model first-order -o answer.json < plan.yaml"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runSolve(*options); }); });
}

} // namespace fleetwright::cli
