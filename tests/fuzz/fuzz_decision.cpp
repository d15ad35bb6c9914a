// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/decisiondocuments.h"
#include "exchange/documents.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

bool takeDecision(std::string_view text)
{
    const auto document = exchange::decisionFromText(text);
    if (!document)
        return false;
    requireRoundTrip(*document, exchange::decisionFromText, exchange::decisionToYaml, exchange::decisionToJson);
    static_cast<void>(exchange::checkReferences(*document, catalog()));
    return true;
}

std::vector<std::string> decisionSeeds()
{
    auto seeds = resources("samples", ".yaml");
    std::erase_if(seeds, [](const std::string &text) { return !text.contains("\ndecision:"); });
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(decision, takeDecision, decisionSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
