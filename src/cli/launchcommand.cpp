// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/openproject.h"
#include "cli/output.h"
#include "cli/scoredmodel.h"
#include "cli/visibleoutput.h"

#include "exchange/fleetdocuments.h"
#include "exchange/launch/importedplan.h"
#include "exchange/launch/launchconfiguration.h"
#include "exchange/plandocuments.h"
#include "exchange/savefile.h"
#include "solver/search/bestlayout.h"

#include <iostream>

namespace fleetwright::cli {

namespace {

struct LaunchOptions {
    std::string plan, project, name, file;
    exchange::LaunchFramework framework = exchange::LaunchFramework::MegatronLm;
};

std::string launchPath(const std::string &path) { return path == "-" ? "standard input" : path; }

ExitStatus launchRefused(const std::string &subject, const Error &error)
{
    complain(subject, error);
    return statusOf(error);
}

/// To standard output, or into the file as a whole.
ExitStatus giveLaunch(const std::string &text, const std::string &file)
{
    if (file.empty()) {
        const WordsAsTheyAre script;
        std::cout << text;
        return ExitStatus::Done;
    }
    if (const auto saved = exchange::saveFile(QByteArray::fromStdString(text), QString::fromStdString(file)); !saved)
        return launchRefused("", saved.error());
    std::cout << "Wrote " << file << ".\n";
    return ExitStatus::Done;
}

ExitStatus runLaunch(const LaunchOptions &options)
{
    if (options.plan.empty() && options.name.empty()) {
        complain("", "launch needs PLAN, a document, or --project and --plan.");
        return ExitStatus::Usage;
    }
    const auto catalog = loadCatalog(options.project);
    if (!catalog)
        return launchRefused(options.project, catalog.error());
    const bool ofProject = !options.name.empty();
    const auto subject = ofProject ? options.project : launchPath(options.plan);
    const auto document = ofProject ? planOfProject(options.project, options.name) : readPlan(options.plan);
    if (!document)
        return launchRefused(subject, document.error());
    const auto facts = document->bestLayout ? factsOf(options.project) : ProjectFacts();
    if (!facts)
        return launchRefused(options.project, facts.error());
    const auto decided = layoutsearch::resolveWithBestLayout(*document, *catalog, facts->ranges());
    if (!decided)
        return launchRefused(subject, decided.error());
    const auto written = exchange::launchConfiguration(decided->plan, document->workload, *catalog, options.framework);
    if (!written)
        return launchRefused(subject, written.error());
    const auto status = giveLaunch(written->text, options.file);
    if (status == ExitStatus::Done && !options.file.empty()) {
        std::cout << "Of the plan it does not hold:\n";
        for (const auto &sentence : written->withoutFlag)
            std::cout << "- " << sentence << '\n';
    }
    return status;
}

/// Which options state a part of the plan that no launch configuration says.
std::string optionsFor(const Error &error, const exchange::LaunchImport &import)
{
    const bool isNodeNamed = !import.node.empty() || import.fleet;
    if (error.code != ErrorCode::MissingField || (error.field == "fleet.node" && isNodeNamed))
        return {};
    return error.field == "fleet.node"      ? "State them with --node and --fabric, or with --fleet."
        : error.field == "fleet.fabric"     ? "State it with --fabric."
        : error.field == "fleet.nodes"      ? "State them with --nodes."
        : error.field == "workload"         ? "State it with --workload."
        : error.field == "training.seq_len" ? "State them with --seq-len."
                                            : "";
}

struct PlanFromOptions {
    std::string launch, project, file, fleet;
    exchange::LaunchImport import;
};

ExitStatus runPlanFrom(const PlanFromOptions &options)
{
    const auto catalog = loadCatalog(options.project);
    if (!catalog)
        return launchRefused(options.project, catalog.error());
    auto import = options.import;
    if (!options.fleet.empty()) {
        const auto text = readAll(options.fleet, exchange::longestDocument);
        if (!text)
            return launchRefused(options.fleet, text.error());
        auto fleet = exchange::fleetFromText(*text);
        if (!fleet)
            return launchRefused(options.fleet, fleet.error());
        import.fleet = std::move(*fleet);
    }
    const auto text = readAll(options.launch, exchange::longestDocument);
    if (!text)
        return launchRefused(launchPath(options.launch), text.error());
    const auto imported = exchange::planFromLaunch(*text, import, *catalog);
    if (!imported) {
        auto error = imported.error();
        if (const auto named = optionsFor(error, import); !named.empty())
            error.message += ' ' + named;
        return launchRefused(launchPath(options.launch), error);
    }
    for (const auto &sentence : imported->told)
        complain(launchPath(options.launch), sentence);
    return giveLaunch(exchange::planToYaml(imported->plan), options.file);
}

} // namespace

void addLaunchCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("launch",
        "Write the configuration that launches a plan in a training framework, or say which of its rules the plan "
        "breaks");
    const auto options = std::make_shared<LaunchOptions>();
    auto *document = command->add_option("PLAN", options->plan, "Plan document (YAML or JSON), or - for standard input")
                         ->type_name(fileType);
    std::vector<std::pair<std::string, exchange::LaunchFramework>> words;
    std::string snapshots;
    for (const auto framework : exchange::allLaunchFrameworks) {
        words.emplace_back(toString(framework), framework);
        snapshots += (snapshots.empty() ? "" : ", ") + inWords(exchange::snapshotOf(framework));
    }
    addChoice<exchange::LaunchFramework>(*command, "--for", options->framework, words,
        "The framework: megatron-lm (a shell script), megatron-bridge (overrides of a recipe), deepspeed (JSON), "
        "torchtitan (a Python function) or maxtext (YAML)")
        ->type_name("FRAMEWORK");
    auto *project = command
                        ->add_option("--project", options->project,
                            "Use the catalogs of this project instead of the shipped ones")
                        ->type_name("FILE");
    command->add_option("--plan", options->name, "Instead of a document: the plan of this name in the project")
        ->type_name("NAME")
        ->needs(project)
        ->excludes(document);
    command->add_option("-o,--output", options->file, "Write to this file instead of standard output")
        ->type_name("FILE");
    command->footer("Written for " + snapshots
        + ".\nWhat of the plan has no setting stands in comments of the text (in JSON under fleetwright_launch).\n"
          "An open layout is decided first, as by solve.\n"
          "Exit status: 0 written; 3 the plan is refused, or breaks a rule of the framework, which is named; 5 a file "
          "could not be read or written.");
    addExamples(*command,
        {"launch plan.yaml --for megatron-lm -o launch.sh",
            "launch --project my.fleetwright --plan Llama --for torchtitan",
            "launch plan.yaml --for deepspeed -o ds_config.json", "launch - --for torchtitan < plan.yaml"});
    command->callback([options, &chosen] { chosen = [options] { return runLaunch(*options); }; });
}

void addPlanFromCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand(
        "plan-from", "Make a plan document from Megatron-LM arguments (a script or a list) or DeepSpeed JSON");
    const auto options = std::make_shared<PlanFromOptions>();
    auto &import = options->import;
    command->add_option("FILE", options->launch, "The script, list of arguments or JSON, or - for standard input")
        ->type_name(fileType)
        ->required();
    auto *node = command->add_option("--node", import.node, "The node that it runs on: an id of the nodes catalog")
                     ->type_name("ID");
    command->add_option("--fabric", import.fabric, "What connects the nodes: an id of the fabrics catalog")
        ->type_name("ID");
    command->add_option("--fleet", options->fleet, "Instead of both: a fleet or plan document with the machines")
        ->type_name("FILE")
        ->excludes(node);
    command
        ->add_option_function<int>(
            "--nodes", [&import](int nodes) { import.nodes = nodes; }, "How many, where the text does not say it")
        ->type_name("N")
        ->check(wholeNumber(1, mostNodes));
    command
        ->add_option("--workload", import.workload,
            "The model: an id of the workloads catalog; without it the one with the sizes in the arguments, or one of "
            "their own")
        ->type_name("ID");
    command
        ->add_option_function<int>(
            "--seq-len", [&import](int tokens) { import.sequenceLength = tokens; },
            "Tokens of a sequence, which DeepSpeed JSON does not say")
        ->type_name("N")
        ->check(wholeNumber(1, 1'000'000'000));
    command->add_option("--name", import.name, "The plan's name")->type_name("NAME");
    command->add_option("--project", options->project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
    command->add_option("-o,--output", options->file, "Write to this file instead of standard output")
        ->type_name("FILE");
    command->footer("The plan is printed as YAML; how the text was read and what of it has no place in a plan goes to "
                    "standard error.\nVariables and lists that a script sets itself are filled in; nothing in it is "
                    "run.\nExit status: 0 a plan; 3 the text is refused: the argument is named, and nothing is "
                    "written; 5 a file could not be read or written.");
    addExamples(*command,
        {"plan-from train.sh --node nvidia_dgx_h100 --fabric ib_ndr -o plan.yaml",
            "plan-from ds_config.json --node nvidia_dgx_h100 --fabric ib_ndr --nodes 8 --workload llama3_1_8b "
            "--seq-len 8192",
            "plan-from - --fleet fleet.yaml < arguments.txt"});
    command->callback([options, &chosen] { chosen = [options] { return runPlanFrom(*options); }; });
}

} // namespace fleetwright::cli
