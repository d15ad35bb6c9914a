// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"

namespace fleetwright::cli {

/// `catalog add CATALOG/ID --project FILE`: an item of the user's own, by the same rules as the window's form.
void addCatalogAddCommand(CLI::App &catalog, Action &chosen);

} // namespace fleetwright::cli
