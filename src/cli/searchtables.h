// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"
#include "solver/search/searchwords.h"

#include <span>

namespace fleetwright::cli {

/// Which layouts of a search's answer are listed.
enum class Listing { Splits, Layouts, Front };

/// The layouts of the listing, at most `most`: of splits the best of each that has a feasible one.
[[nodiscard]] std::vector<search::Row> listed(const search::Result &result, Listing listing, std::size_t most);

[[nodiscard]] Table tableOf(std::span<const search::Row> rows, const search::Result &result);

/// One line for each change, against the layout that was changed.
[[nodiscard]] Table tableOf(std::span<const search::Change> changes, const search::Row &unchanged);

} // namespace fleetwright::cli
