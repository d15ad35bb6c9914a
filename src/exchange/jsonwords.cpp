// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/jsonwords.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace fleetwright::exchange {

namespace {

constexpr int deepest = 16;

std::string members(const nlohmann::ordered_json &value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_structured())
        return value.dump();
    std::string words;
    for (const auto &[key, member] : value.items()) {
        if (!words.empty())
            words += ", ";
        if (value.is_object()) {
            std::string name = key;
            std::ranges::replace(name, '_', ' ');
            words += name + ": ";
        }
        words += members(member);
    }
    return words;
}

} // namespace

std::string jsonInWords(std::string_view json)
{
    bool deep = false;
    const auto value = nlohmann::ordered_json::parse(
        json,
        [&deep](int depth, nlohmann::ordered_json::parse_event_t, nlohmann::ordered_json &) {
            deep = deep || depth > deepest;
            return !deep;
        },
        false);
    return deep || value.is_discarded() ? std::string(json) : members(value);
}

} // namespace fleetwright::exchange
