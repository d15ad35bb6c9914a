// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"
#include "cli/output.h"
#include "domain/plandocument.h"
#include "solver/validation/steprange.h"

namespace fleetwright::cli {

/// What `solve --seek KEY --goal FIGURE=VALUE` was asked.
struct SeekArguments {
    std::string key; ///< "fleet.nodes" or "fleet.nodes=1..1024"
    std::string goal; ///< "run_time_s=30d"
    [[nodiscard]] bool isAsked() const { return !key.empty() || !goal.empty(); }
};

/// Looks for the value and prints the answer. `subject`: the plan's file, for complaints; `rangeOf`: of its site.
[[nodiscard]] ExitStatus answerSeek(const SeekArguments &arguments, const std::string &subject,
    const PlanDocument &document, const Catalog &catalog, const validation::RangeOf &rangeOf, Format format);

} // namespace fleetwright::cli
