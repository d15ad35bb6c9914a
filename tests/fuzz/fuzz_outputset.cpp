// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/outputdocuments.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

bool takeOutputSet(std::string_view text)
{
    const auto document = exchange::outputSetFromText(text);
    if (!document)
        return false;
    requireRoundTrip(*document, exchange::outputSetFromText, exchange::outputSetToYaml, exchange::outputSetToJson);
    return true;
}

std::vector<std::string> outputsetSeeds()
{
    auto seeds = resources("samples", ".yaml");
    std::erase_if(seeds, [](const std::string &text) { return !text.contains("\noutputs:"); });
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(outputset, takeOutputSet, outputsetSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
