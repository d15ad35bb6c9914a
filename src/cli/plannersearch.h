// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/output.h"

#include <optional>
#include <string>

namespace fleetwright::cli {

/// The searches of the published planners, each over the splits and by the rules of its own.
struct PlannerSearchOptions {
    std::string plan;
    std::string planner; ///< "searcher", "strategy-calculator" or "first-order"
    std::string project;
    Output output;
    std::optional<int> top;
    int threads = 0;
};
[[nodiscard]] ExitStatus run(const PlannerSearchOptions &search);

} // namespace fleetwright::cli
