// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"

namespace fleetwright::cli {

/// `catalog update`: what the shipped catalogs of this program would change in a project, and those changes applied.
void addCatalogUpdateCommand(CLI::App &catalog, Action &chosen);

} // namespace fleetwright::cli
