// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/huggingfaceconfig.h"

#include "domain/transformershape.h"
#include "units/grouping.h"
#include "units/words.h"

#include <cmath>

namespace fleetwright::exchange {

std::string inDigits(std::int64_t count) { return units::grouped(std::to_string(count)); }

const HuggingFaceConfig::Json *HuggingFaceConfig::find(std::string_view key)
{
    const auto found = m_object.find(key);
    if (found == m_object.end())
        return nullptr;
    m_asked.emplace(key);
    return found->is_null() ? nullptr : &*found;
}

bool HuggingFaceConfig::has(std::string_view key) const
{
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

std::optional<int> HuggingFaceConfig::number(std::string_view key, const Json &value, int low, int high)
{
    const auto whole = value.is_number() ? value.get<double>() : std::nan("");
    if (whole >= low && whole <= high && whole == std::floor(whole))
        return static_cast<int>(whole);
    refuse(ErrorCode::OutOfRange, key,
        inQuotes(key) + " must be a whole number from " + inDigits(low) + " to " + inDigits(high) + ".");
    return std::nullopt;
}

std::optional<int> HuggingFaceConfig::count(Keys keys, std::string_view what, int low)
{
    std::optional<int> result;
    std::string_view from;
    for (const auto key : keys) {
        const auto *value = find(key);
        const auto stated = value ? number(key, *value, low, largestOf(what)) : std::nullopt;
        if (value && !stated)
            return std::nullopt;
        if (stated && result && *stated != *result)
            refuse(ErrorCode::OutOfRange, key,
                inQuotes(key) + " is " + inDigits(*stated) + ", but " + inQuotes(from) + " is " + inDigits(*result)
                    + "; they are names of the same thing.");
        if (stated && !result) {
            result = stated;
            from = key;
        }
    }
    return result;
}

int HuggingFaceConfig::required(Keys keys, std::string_view what, std::string_view meaning)
{
    const auto value = count(keys, what);
    if (!value)
        refuse(ErrorCode::MissingField, *keys.begin(),
            inQuotes(*keys.begin()) + " is missing: " + std::string(meaning) + ".");
    return value.value_or(1);
}

std::optional<bool> HuggingFaceConfig::flag(std::string_view key)
{
    const auto *value = find(key);
    if (!value)
        return std::nullopt;
    if (value->is_boolean())
        return value->get<bool>();
    refuse(ErrorCode::UnsupportedValue, key, inQuotes(key) + " must be true or false.");
    return std::nullopt;
}

std::optional<std::string> HuggingFaceConfig::text(std::string_view key)
{
    const auto *value = find(key);
    if (!value)
        return std::nullopt;
    if (value->is_string())
        return value->get<std::string>();
    refuse(ErrorCode::UnsupportedValue, key, inQuotes(key) + " must be a text.");
    return std::nullopt;
}

std::optional<std::vector<int>> HuggingFaceConfig::counts(std::string_view key)
{
    const auto *value = find(key);
    if (!value)
        return std::nullopt;
    std::vector<int> list;
    if (!value->is_array())
        refuse(ErrorCode::UnsupportedValue, key, inQuotes(key) + " must be a list of layers.");
    else
        for (const auto &entry : *value)
            list.push_back(number(key, entry, 0, largestOf("layers")).value_or(0));
    return list;
}

std::optional<std::vector<std::string>> HuggingFaceConfig::texts(std::string_view key)
{
    const auto *value = find(key);
    if (!value)
        return std::nullopt;
    std::vector<std::string> list;
    bool all = value->is_array();
    if (all)
        for (const auto &entry : *value) {
            all = all && entry.is_string();
            list.push_back(entry.is_string() ? entry.get<std::string>() : std::string());
        }
    if (!all)
        refuse(ErrorCode::UnsupportedValue, key, inQuotes(key) + " must be a list of texts.");
    return list;
}

void HuggingFaceConfig::refuse(ErrorCode code, std::string_view key, std::string sentence)
{
    if (!m_error)
        m_error = Error{code, m_path + std::string(key), std::move(sentence)};
}

} // namespace fleetwright::exchange
