// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/objectreader.h"

#include "units/editdistance.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

namespace {

/// "the text “12”", "a list": what stands where something else was expected.
std::string found(const Json &value)
{
    switch (value.type()) {
    case Json::value_t::null: return "nothing";
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "a list";
    case Json::value_t::string: {
        auto text = value.get_ref<const std::string &>().substr(0, 40);
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0)
            text.pop_back(); // a cut inside a character must not reach the sentence
        return "the text \u201c" + text + "\u201d";
    }
    case Json::value_t::boolean: return value.get<bool>() ? "true" : "false";
    default: return "the number " + units::exact(value.get<double>());
    }
}

} // namespace

std::string_view nearestWord(std::string_view word, std::initializer_list<std::string_view> known)
{
    constexpr std::size_t longest = 60;
    if (word.size() > longest)
        return {};
    const auto nearest = std::ranges::min_element(
        known, {}, [&](std::string_view candidate) { return editDistance(word, candidate); });
    if (nearest == known.end())
        return {};
    const auto distance = editDistance(word, *nearest);
    const bool extension = !word.empty() && (nearest->starts_with(word) || word.starts_with(*nearest));
    return distance <= std::min<std::size_t>(2, nearest->size() / 2) || (extension && word.size() > 2)
        ? *nearest
        : std::string_view();
}

std::string joined(std::string_view path, std::string_view key)
{
    return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
}

Json plainNumber(double value)
{
    constexpr double exactIntegers = 9007199254740992.0; // 2^53
    if (std::abs(value) <= exactIntegers && value == std::trunc(value))
        return Json(static_cast<std::int64_t>(value));
    return Json(value);
}

ObjectReader::ObjectReader(
    const Json &json, std::string path, std::string what, std::initializer_list<std::string_view> known)
    : m_json(json), m_path(std::move(path))
{
    if (!json.is_object()) {
        refuse({ErrorCode::UnsupportedValue, m_path,
            "The " + what + " must be an object with keys and values, not " + found(json) + "."});
        return;
    }
    for (const auto &[key, value] : json.items()) {
        if (std::ranges::find(known, key) != known.end())
            continue;
        std::string sentence = "The " + what + " has no key \u201c" + key.substr(0, 60) + "\u201d; ";
        if (const auto nearest = nearestWord(key, known); !nearest.empty()) {
            sentence += "did you mean \u201c" + std::string(nearest) + "\u201d?";
        } else {
            std::string list;
            for (const auto word : known)
                list += (list.empty() ? "" : ", ") + std::string(word);
            sentence += "its keys are " + list + ".";
        }
        refuse({ErrorCode::UnsupportedValue, joined(m_path, key.substr(0, 200)), std::move(sentence)});
        return;
    }
}

std::string ObjectReader::pathOf(std::string_view key) const { return joined(m_path, key); }

void ObjectReader::refuse(Error error)
{
    if (!m_error)
        m_error = std::move(error);
}

void ObjectReader::refuse(ErrorCode code, std::string_view key, std::string sentence)
{
    refuse(Error{code, pathOf(key), std::move(sentence)});
}

const Json *ObjectReader::find(std::string_view key) const
{
    if (!m_json.is_object())
        return nullptr;
    const auto member = m_json.find(key);
    return member == m_json.end() ? nullptr : &*member;
}

const Json *ObjectReader::require(std::string_view key, std::string_view expected)
{
    const auto *value = find(key);
    if (!value)
        refuse(ErrorCode::MissingField, key,
            "\u201c" + pathOf(key) + "\u201d is missing; add " + std::string(expected) + ".");
    return value;
}

void ObjectReader::wrongType(std::string_view key, const Json &value, std::string_view expected)
{
    std::string sentence = "\u201c" + pathOf(key) + "\u201d must be " + std::string(expected) + ", not " + found(value);
    if (value.is_string() && expected.contains("number"))
        sentence += "; numbers stand without quotes and without a unit";
    else if (value.is_null())
        sentence += "; leave the key out if there is no value";
    refuse(ErrorCode::UnsupportedValue, key, sentence + ".");
}

const Json *ObjectReader::typed(std::string_view key, bool (Json::*is)() const noexcept, std::string_view expected)
{
    const auto *value = find(key);
    if (!value || (value->*is)())
        return value;
    wrongType(key, *value, expected);
    return nullptr;
}

std::optional<std::string> ObjectReader::text(std::string_view key)
{
    constexpr std::size_t longest = 2000;
    const auto *value = find(key);
    if (!value)
        return std::nullopt;
    if (!value->is_string()) {
        wrongType(key, *value, value->is_number() || value->is_boolean() ? "a text (put it in quotes)" : "a text");
        return std::nullopt;
    }
    const auto &text = value->get_ref<const std::string &>();
    if (text.size() > longest) {
        refuse(
            ErrorCode::OutOfRange, key, "\u201c" + pathOf(key) + "\u201d is longer than 2000 characters; shorten it.");
        return std::nullopt;
    }
    return text;
}

std::optional<double> ObjectReader::number(std::string_view key)
{
    const auto *value = typed(key, &Json::is_number, "a number");
    if (!value)
        return std::nullopt;
    const auto number = value->get<double>();
    if (!std::isfinite(number)) {
        refuse(ErrorCode::OutOfRange, key, "\u201c" + pathOf(key) + "\u201d must be a finite number.");
        return std::nullopt;
    }
    return number;
}

std::optional<bool> ObjectReader::flag(std::string_view key)
{
    const auto *value = typed(key, &Json::is_boolean, "true or false");
    if (!value)
        return std::nullopt;
    return value->get<bool>();
}

std::optional<int> ObjectReader::count(std::string_view key, int low, int high)
{
    const auto *value = typed(key, &Json::is_number, "a whole number");
    if (!value)
        return std::nullopt;
    const auto number = value->get<double>();
    if (!std::isfinite(number) || number != std::trunc(number)) {
        refuse(ErrorCode::OutOfRange, key,
            "\u201c" + pathOf(key) + "\u201d must be a whole number, not " + units::exact(number) + ".");
        return std::nullopt;
    }
    if (number < low || number > high) {
        refuse(ErrorCode::OutOfRange, key,
            "\u201c" + pathOf(key) + "\u201d must be between " + std::to_string(low) + " and " + std::to_string(high)
                + ", not " + units::exact(number) + ".");
        return std::nullopt;
    }
    return static_cast<int>(number);
}

std::string ObjectReader::requiredText(std::string_view key)
{
    if (!require(key, "it as a text"))
        return {};
    return text(key).value_or("");
}

int ObjectReader::requiredCount(std::string_view key, int low, int high)
{
    if (!require(key, "it as a whole number"))
        return low;
    return count(key, low, high).value_or(low);
}

} // namespace fleetwright::exchange
