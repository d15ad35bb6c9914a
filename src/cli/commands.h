// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace fleetwright::cli {

/// What the program tells the shell. Cancelled is what shells report of a program that Ctrl+C ended.
enum class ExitStatus { Done = 0, Usage = 2, InvalidInput = 3, NothingFeasible = 4, FileError = 5, Cancelled = 130 };

/// The command that the arguments chose, ready to run.
using Action = std::function<ExitStatus()>;

/// Each adds one command with its options to the program and, when the user names it, sets `chosen`.
void addEvaluateCommand(CLI::App &app, Action &chosen);
void addSolveCommand(CLI::App &app, Action &chosen);
void addCompareCommand(CLI::App &app, Action &chosen);
void addSweepCommand(CLI::App &app, Action &chosen);
void addModelsCommand(CLI::App &app, Action &chosen);
void addCatalogCommand(CLI::App &app, Action &chosen);
void addProjectCommand(CLI::App &app, Action &chosen);
void addSearchCommand(CLI::App &app, Action &chosen);
void addReportCommand(CLI::App &app, Action &chosen);
void addCalibrateCommand(CLI::App &app, Action &chosen);
void addEstimateCommand(CLI::App &app, Action &chosen);
void addValidateCommand(CLI::App &app, Action &chosen);
void addExplainCommand(CLI::App &app, Action &chosen);
void addFleetCommand(CLI::App &app, Action &chosen);
void addSizeCommand(CLI::App &app, Action &chosen);
void addOffersCommand(CLI::App &app, Action &chosen);
void addLaunchCommand(CLI::App &app, Action &chosen);
void addPlanFromCommand(CLI::App &app, Action &chosen);
void addCompletionCommand(CLI::App &app, Action &chosen);
/// Knows the commands that were added before it.
void addManualCommand(CLI::App &app, Action &chosen);

} // namespace fleetwright::cli
