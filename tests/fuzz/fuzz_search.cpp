// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/layoutsearchdocuments.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

bool takeSearch(std::string_view text)
{
    const auto search = exchange::layoutSearchFromText(text);
    if (!search)
        return false;
    const auto again = exchange::layoutSearchFromJson(exchange::layoutSearchToJson(*search));
    require(again && *again == *search, "written as JSON it reads back as an equal document");
    require(exchange::layoutSearchInputHash(*search, catalog()).size() == 64, "an accepted search has a hash");
    return true;
}

std::vector<std::string> searchSeeds()
{
    std::vector<std::string> seeds;
    for (const auto &plan : resources("samples/tutorial/plans", "-ndr.yaml")) {
        std::string text = "fleetwright: 1\nplan:\n";
        for (std::size_t from = 0; from < plan.size();) {
            const auto end = std::min(plan.find('\n', from), plan.size() - 1) + 1;
            const auto line = plan.substr(from, end - from);
            text += line.starts_with("fleetwright:") ? std::string() : "  " + line;
            from = end;
        }
        seeds.push_back(text
            + "space:\n  tp: [1, 2, 4, 8]\n  pp: {from: 1, to: 64}\n  recompute: [none, full]\n"
              "cases: {key: fleet.nodes, values: [64, 128]}\nobjective: step_time\npareto: [step_time, memory]\n"
              "rows: 100\n");
        seeds.push_back(text + "space: {}\n");
    }
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(search, takeSearch, searchSeeds, Form::Text, 600)

} // namespace fleetwright::fuzz
