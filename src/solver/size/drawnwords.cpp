// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/drawnwords.h"

#include "solver/size/sizewords.h"

#include <algorithm>

namespace fleetwright::size {

const uncertainty::FleetRisk *riskOfDays(const HowSure &sure, const Result &result, const Answer &answer)
{
    if (const auto *own = sure.of(result, answer))
        return own;
    const auto alike = std::ranges::find_if(
        sure.alike, [&](std::size_t index) { return &result.answers[index].answer == &answer; });
    return alike == sure.alike.end() ? nullptr : &sure.risk.alike[std::size_t(alike - sure.alike.begin())];
}

std::string remediesInWords(const LotAnswer &lot, const Answer &drawn)
{
    const auto miss = std::ranges::find(drawn.misses, SizeLimit::Chance, &Miss::limit);
    if (!lot.answer.isFeasible() || miss == drawn.misses.end())
        return remediesInWords(lot);
    return "kept by the range of the step time, missed in the draws: with "
        + neededInWords(SizeLimit::Chance, miss->needed) + " demanded it is let in";
}

} // namespace fleetwright::size
