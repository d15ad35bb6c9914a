// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/steprange.h"

#include "units/format.h"

#include <string_view>

namespace fleetwright::validation {

std::string inWords(const PredictionRange &range)
{
    std::string low = units::format(range.low);
    const std::string high = units::format(range.high);
    constexpr std::string_view gap = "\u00a0"; // before the unit
    const auto lowUnit = low.rfind(gap), highUnit = high.rfind(gap);
    if (lowUnit != std::string::npos && highUnit != std::string::npos && low.substr(lowUnit) == high.substr(highUnit))
        low.resize(lowUnit);
    return low + " to " + high;
}

std::string withRange(Seconds stepTime, const PredictionRange &range)
{
    return range.runs == 0 ? units::format(stepTime) : units::format(stepTime) + ", " + inWords(range);
}

std::string badgeOf(const PredictionRange &range)
{
    if (!range.outside.empty())
        return "outside what was validated";
    return range.runs > 0 ? "validated \u00b1" + units::formatPercent(range.typicalError) : "no comparable runs";
}

std::vector<std::string> trustInWords(const PredictionRange &range)
{
    std::vector<std::string> sentences;
    if (range.runs > 0)
        sentences.push_back("Compared with " + range.comparable + ": typically "
            + units::formatPercent(range.typicalError) + " off; measured times lie between " + units::format(range.low)
            + " and " + units::format(range.high) + " in four of five cases.");
    sentences.insert(sentences.end(), range.outside.begin(), range.outside.end());
    return sentences;
}

} // namespace fleetwright::validation
