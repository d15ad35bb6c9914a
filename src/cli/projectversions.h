// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"

namespace CLI {
class App;
}

namespace fleetwright::cli {

/// `project versions`, `project restore-version`, `project salvage` and `project accept`.
void addProjectVersionCommands(CLI::App &project, Action &chosen);

} // namespace fleetwright::cli
