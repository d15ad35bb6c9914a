// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/sweepdocuments.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

/// Accepted sweeps are written and read back; the cells that can be told at once resolve or are refused.
bool takeSweep(std::string_view text)
{
    const auto sweep = exchange::sweepFromText(text);
    if (!sweep)
        return false;
    requireRoundTrip(*sweep, exchange::sweepFromText, exchange::sweepToYaml, exchange::sweepToJson);
    for (const auto &axis : sweep->axes)
        if (!axis.points.empty())
            static_cast<void>(apply(axis.points.back().settings, sweep->plan, catalog()));
    return true;
}

std::vector<std::string> sweepSeeds()
{
    auto seeds = resources("samples/tutorial/sweeps", ".yaml");
    seeds.emplace_back("{fleetwright: 1, name: a, sweep: {axes: [{key: fleet.nodes, values: [1, 2]}]}}");
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(sweep, takeSweep, sweepSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
