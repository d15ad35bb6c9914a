// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"

namespace fleetwright::cli {

/// `catalog import` and `catalog export`: items of a project from and to files.
void addCatalogTransferCommands(CLI::App &catalog, Action &chosen);

} // namespace fleetwright::cli
