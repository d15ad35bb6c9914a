// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/assumptionwords.h"

#include "solver/models/detailed/configuration.h"
#include "solver/models/detailed/softwarechoice.h"

#include <algorithm>
#include <array>

namespace fleetwright {

std::string stackInWords(const std::string &stack)
{
    const auto known = detailed::parseSoftware(stack);
    return known ? std::string(detailed::inWords(*known)) : stack;
}

std::string choiceInWords(std::string_view key, const std::string &choice)
{
    static constexpr auto names = std::to_array<std::pair<std::string_view, std::string_view>>({{"1f1b", "1F1B"},
        {"zero_bubble_1p", "zero-bubble, same memory"}, {"zero_bubble_2p", "zero-bubble, twice the memory"},
        {"rail_optimised", "rail-optimised"}, {"torus_3d", "3-D torus"}});
    if (key.ends_with(detailed::softwareStackKey))
        return stackInWords(choice);
    if (const auto known = std::ranges::find(names, choice, &std::pair<std::string_view, std::string_view>::first);
        known != names.end())
        return std::string(known->second);
    auto words = choice;
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string inWords(const AssumptionDescriptor &descriptor, const AssumptionValue &value)
{
    const auto *choice = std::get_if<std::string>(&value);
    return choice ? choiceInWords(descriptor.key, *choice) : display(descriptor, value);
}

std::string sourceInWords(const AssumptionDescriptor &descriptor)
{
    constexpr std::string_view planning = "Planning default ";
    return descriptor.source.starts_with(planning)
        ? std::string(planning) + "\u201c" + std::string(descriptor.label) + "\u201d"
        : std::string(descriptor.source);
}

Expected<AssumptionValue> parseInWords(const AssumptionDescriptor &descriptor, std::string_view text)
{
    const auto called = std::ranges::find_if(
        descriptor.choices, [&](const std::string &choice) { return choiceInWords(descriptor.key, choice) == text; });
    return parseAssumption(descriptor, called == descriptor.choices.end() ? text : std::string_view(*called));
}

} // namespace fleetwright
