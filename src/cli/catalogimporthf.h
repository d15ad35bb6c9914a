// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"

namespace fleetwright::cli {

/// `catalog import-hf`: a Hugging Face config.json as a workload.
void addHuggingFaceImportCommand(CLI::App &catalog, Action &chosen);

} // namespace fleetwright::cli
