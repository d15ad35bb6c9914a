// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"

namespace fleetwright::cli {

/// Scores the worksheet on published purchases, powers, energies and interruptions: the work of `validate --costs`.
/// Prices are those of the project's catalog, of the program's where `project` is empty.
[[nodiscard]] ExitStatus scoreCosts(Format format, const std::string &project);

} // namespace fleetwright::cli
