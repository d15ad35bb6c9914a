// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/output.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>

namespace {

/// The library only says that a command is missing when it does not know the one that was given.
std::string unknownCommand(const CLI::App &app, int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return {};
    std::string names;
    for (const auto *command : app.get_subcommands([](const CLI::App *) { return true; })) {
        if (command->get_name() == argv[1])
            return {};
        names += (names.empty() ? "" : ", ") + command->get_name();
    }
    return "There is no command \u201c" + std::string(argv[1]).substr(0, 60) + "\u201d; the commands are " + names
        + ".";
}

int report(const CLI::App &app, const CLI::ParseError &problem)
{
    using fleetwright::cli::ExitStatus;
    if (problem.get_exit_code() == 0) { // --help or --version
        app.exit(problem, std::cout, std::cerr);
        return int(finishOutput(ExitStatus::Done));
    }
    fleetwright::cli::complain("", std::string(problem.what()));
    std::cerr << "Run with --help to see what is accepted.\n";
    return int(ExitStatus::Usage);
}

} // namespace

int main(int argc, char **argv)
{
    using namespace fleetwright::cli;
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe shows as a failed write instead
#endif
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    const ApplicationScope scope;

    CLI::App app("Plans AI training fleets: step time, memory and feasibility of a training plan on a fleet.",
        "fleetwright-cli");
    app.set_version_flag("--version", "fleetwright-cli " FLEETWRIGHT_VERSION, "Print the version and leave");
    app.set_help_flag("-h,--help", "Print this help and leave");
    app.require_subcommand(1);
    app.footer("Exit status: 0 done; 2 usage; 3 invalid input; 4 nothing feasible; 5 file or database error.");
    Action chosen;
    addEvaluateCommand(app, chosen);
    addSolveCommand(app, chosen);
    addCompareCommand(app, chosen);
    addSweepCommand(app, chosen);
    addModelsCommand(app, chosen);
    addCatalogCommand(app, chosen);
    addProjectCommand(app, chosen);
    addSearchCommand(app, chosen);
    addReportCommand(app, chosen);
    addValidateCommand(app, chosen);
    addCalibrateCommand(app, chosen);
    addExplainCommand(app, chosen);
    try {
        if (const auto sentence = unknownCommand(app, argc, argv); !sentence.empty()) {
            complain("", sentence);
            return int(ExitStatus::Usage);
        }
        app.parse(argc, argv);
        return int(finishOutput(chosen()));
    } catch (const CLI::ParseError &problem) {
        return report(app, problem);
    } catch (const std::exception &problem) {
        complain("", "The command stopped: " + std::string(problem.what()) + ".");
        return int(ExitStatus::FileError);
    }
}
