// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/planreading.h"

#include "solver/models/assumptionwords.h"
#include "units/format.h"

#include <algorithm>

namespace fleetwright {

namespace {

std::string enumerated(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

} // namespace

std::optional<double> PlanReading::tuningWorth() const
{
    return tuned && framework ? std::optional<double>(framework->stepTime / tuned->stepTime - 1.0) : std::nullopt;
}

std::optional<double> PlanReading::familySpread() const
{
    if (familySteps.size() < 2)
        return std::nullopt;
    const auto [fastest, slowest] = std::ranges::minmax_element(familySteps, {}, &Step::stepTime);
    return double(slowest->stepTime / fastest->stepTime) - 1;
}

std::vector<std::string> inWords(const PlanReading &reading)
{
    std::vector<std::string> sentences;
    if (!reading.softwareClass.empty()) {
        auto sentence = "Priced with " + reading.softwareClass
            + " software (stack: " + stackInWords(reading.softwareStack) + ")";
        if (const auto worth = reading.tuningWorth())
            sentence += *worth >= 0
                ? "; tuning is worth " + units::formatPercent(*worth) + " here"
                : "; the tuned stack is slower by " + units::formatPercent(1 / (1 + *worth) - 1) + " here";
        sentences.push_back(sentence + ".");
    }
    if (reading.nearestFamilies) {
        auto sentence = "No run was measured on this accelerator: it is priced by its data sheet and the constants of "
            + enumerated(reading.families);
        if (const auto spread = reading.familySpread())
            sentence += " (their geometric mean; one alone differs from another by up to "
                + units::formatPercent(*spread) + ")";
        sentences.push_back(sentence + ".");
    }
    return sentences;
}

} // namespace fleetwright
