// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/studydocuments.h"
#include "fuzzsupport.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

bool takeStudy(std::string_view text)
{
    const auto document = exchange::studyFromText(text);
    if (!document)
        return false;
    requireRoundTrip(*document, exchange::studyFromText, exchange::studyToYaml, exchange::studyToJson);
    return true;
}

std::vector<std::string> studySeeds() { return resources("studies", ".yaml"); }

} // namespace

FLEETWRIGHT_FUZZ_TARGET(study, takeStudy, studySeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
