// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/helpformat.h"
#include "cli/output.h"
#include "cli/visibleoutput.h"
#include "text/localized.h"
#include "units/fault.h"

#include <csignal>
#include <iostream>

namespace {

/// A flag is there or not; the library would take --flag=3, too.
void refuseValuesOfFlags(CLI::App &app)
{
    for (auto *option : app.get_options())
        if (option->get_items_expected_max() == 0)
            option->disable_flag_override();
    for (auto *command : app.get_subcommands([](CLI::App *) { return true; }))
        refuseValuesOfFlags(*command);
}

int report(CLI::App &app, const CLI::ParseError &problem)
{
    using fleetwright::cli::ExitStatus;
    if (problem.get_exit_code() == 0) { // --help or --version
        fleetwright::cli::translateHelp(app);
        const fleetwright::cli::WordsAsTheyAre inLanguageAlready;
        app.exit(problem, std::cout, std::cerr);
        return int(finishOutput(ExitStatus::Done));
    }
    fleetwright::cli::complain("", fleetwright::cli::usageSentence(app, problem));
    std::cerr << "Run with --help to see what is accepted.\n";
    return int(ExitStatus::Usage);
}

} // namespace

int main(int argc, char **argv)
{
    using namespace fleetwright::cli;
    fleetwright::useLanguage(fleetwright::languageOfSystem());
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe ends the work as a failed write, and without a word
#endif
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN); // so does a file that may not grow
#endif
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    const VisibleOutput output(std::cout), errors(std::cerr);
    const ApplicationScope scope;

    CLI::App app("Plans AI training fleets: step time, memory and feasibility of a training plan on a fleet.",
        "fleetwright-cli");
    app.set_version_flag("--version", "fleetwright-cli " FLEETWRIGHT_VERSION, "Print the version and leave");
    app.set_help_flag("-h,--help", "Print this help and leave");
    app.require_subcommand(1);
    app.formatter(std::make_shared<HelpFormat>()); // of the commands below it, too
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("Subcommands", "Commands");
    app.get_formatter()->label("Subcommand", "Command");
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
    addSizeCommand(app, chosen);
    addReportCommand(app, chosen);
    addValidateCommand(app, chosen);
    addCalibrateCommand(app, chosen);
    addEstimateCommand(app, chosen);
    addExplainCommand(app, chosen);
    addFleetCommand(app, chosen);
    addOffersCommand(app, chosen);
    addLaunchCommand(app, chosen);
    addPlanFromCommand(app, chosen);
    addCompletionCommand(app, chosen);
    addManualCommand(app, chosen);
    // Last: commands begin with the footer that stands when they are added.
    app.footer(app.get_footer()
        + "\nTables are made as narrow as the terminal that they go to: names wrap, figures do not, and "
          "columns that find no room beside each other stand below each other; so do the lines of long sentences. "
          "COLUMNS says another width. Nothing is printed in colours, with or without NO_COLOR.");
    addExamples(app, {"solve plan.yaml", "search plan.yaml --top 10", "project new my.fleetwright --sample"});
    refuseValuesOfFlags(app);
    try {
        app.parse(argc, argv);
        return int(finishOutput(chosen()));
    } catch (const CLI::ParseError &problem) {
        return report(app, problem);
    } catch (const std::exception &problem) {
        complain("", "The command stopped: " + fleetwright::faultInWords(problem) + ".");
        return int(ExitStatus::FileError);
    }
}
