// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"
#include "solver/search/layoutsearchwords.h"

#include <span>

namespace fleetwright::cli {

/// Which layouts of a search's answer are listed.
enum class Listing { Splits, Layouts, Front };

/// The layouts of the listing, at most `most`: of splits the best of each that has a feasible one.
[[nodiscard]] std::vector<layoutsearch::Row> listed(
    const layoutsearch::Result &result, Listing listing, std::size_t most);

[[nodiscard]] Table layoutsTable(std::span<const layoutsearch::Row> rows, const layoutsearch::Result &result);

/// One line for each change, against the layout that was changed.
[[nodiscard]] Table changesTable(std::span<const layoutsearch::Change> changes, const layoutsearch::Row &unchanged);

} // namespace fleetwright::cli
