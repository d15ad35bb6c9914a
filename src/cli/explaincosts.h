// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/application.h"
#include "cli/output.h"
#include "domain/catalog.h"
#include "solver/validation/ownsite.h"

namespace fleetwright::cli {

/// Prints every row of the plan's worksheet that has a value, with its formula, what enters it and its source. `site`:
/// whose runs move ranges; nullptr: none.
[[nodiscard]] ExitStatus explainCosts(
    const std::string &planFile, const Catalog &catalog, const validation::OwnSite *site, Format format);

} // namespace fleetwright::cli
