// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plandocuments.h"
#include "fuzzsupport.h"
#include "solver/answer/solve.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

/// Accepted plans are written and read back, and their answers are numbers.
bool takePlan(std::string_view text)
{
    const auto plan = exchange::planFromText(text);
    if (!plan)
        return false;
    requireRoundTrip(*plan, exchange::planFromText, exchange::planToYaml, exchange::planToJson);
    if (const auto resolved = resolve(*plan, catalog()); resolved && !plan->bestLayout)
        if (const auto solution = solve(*resolved))
            require(isFinite(exchange::solutionToJson(*solution, *resolved)), "an answer holds finite numbers only");
    return true;
}

std::vector<std::string> planSeeds() { return resources("samples", "-ndr.yaml"); }

} // namespace

FLEETWRIGHT_FUZZ_TARGET(plan, takePlan, planSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
