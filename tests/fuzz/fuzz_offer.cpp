// SPDX-License-Identifier: GPL-3.0-or-later
#include "../exchange/sampleoffer.h"
#include "exchange/offerdocuments.h"
#include "fuzzsupport.h"
#include "solver/offers/normaloffer.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

bool takeOffer(std::string_view text)
{
    const auto document = exchange::offerFromText(text);
    if (!document)
        return false;
    requireRoundTrip(*document, exchange::offerFromText, exchange::offerToYaml, exchange::offerToJson);
    if (const auto normal = normalise(*document, catalog()))
        require(normal->unitsPerUsd > 0 && normal->unitsPerUsd < 1e300, "a rate of exchange is a number");
    return true;
}

std::vector<std::string> offerSeeds() { return {sampleoffer::bundle, sampleoffer::nodesOnly, sampleoffer::rented}; }

} // namespace

FLEETWRIGHT_FUZZ_TARGET(offer, takeOffer, offerSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
