// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativereader.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::exchange {

void NativeReader::fail(ErrorCode code, std::string_view field, std::string message)
{
    if (!m_firstError)
        m_firstError = Error{code, std::string(field), std::move(message)};
}

void NativeReader::wrongType(std::string_view field, std::string_view expected)
{
    fail(ErrorCode::UnsupportedValue, field,
        "The field \u201c" + std::string(field) + "\u201d must be " + std::string(expected) + ".");
}

const Json *NativeReader::find(std::string_view field) const
{
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(field);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

template <class T> T NativeReader::required(std::string_view field, std::optional<T> value)
{
    if (!value)
        fail(ErrorCode::MissingField, field, "The field \u201c" + std::string(field) + "\u201d is missing.");
    return std::move(value).value_or(T{});
}

std::optional<double> NativeReader::optionalNumber(std::string_view field)
{
    const auto *value = find(field);
    if (!value)
        return std::nullopt;
    if (!value->is_number()) {
        wrongType(field, "a number");
        return 0.0;
    }
    const auto number = value->get<double>();
    if (!std::isfinite(number))
        fail(ErrorCode::OutOfRange, field, "The field \u201c" + std::string(field) + "\u201d must be a finite number.");
    return number;
}

std::optional<std::int64_t> NativeReader::optionalCount(std::string_view field)
{
    constexpr double most = 9e15; // whole numbers up to here are exact as doubles
    const auto value = optionalNumber(field);
    if (!value)
        return std::nullopt;
    if (!(std::abs(*value) <= most) || *value != std::round(*value)) {
        fail(ErrorCode::OutOfRange, field,
            "The field \u201c" + std::string(field) + "\u201d must be a whole number of at most 9e15.");
        return 0;
    }
    return static_cast<std::int64_t>(*value);
}

std::optional<int> NativeReader::smallCount(std::string_view field, int least, int most)
{
    const auto value = optionalCount(field);
    if (!value)
        return std::nullopt;
    if (*value < least || *value > most) {
        fail(ErrorCode::OutOfRange, field,
            "The field \u201c" + std::string(field) + "\u201d must be between " + std::to_string(least) + " and "
                + std::to_string(most) + ".");
        return least;
    }
    return static_cast<int>(*value);
}

std::optional<bool> NativeReader::optionalFlag(std::string_view field)
{
    const auto *value = find(field);
    if (!value)
        return std::nullopt;
    if (!value->is_boolean()) {
        wrongType(field, "true or false");
        return false;
    }
    return value->get<bool>();
}

std::optional<std::string> NativeReader::optionalText(std::string_view field)
{
    const auto *value = find(field);
    if (!value)
        return std::nullopt;
    if (!value->is_string()) {
        wrongType(field, "a text");
        return std::string();
    }
    return value->get<std::string>();
}

double NativeReader::number(std::string_view field) { return required(field, optionalNumber(field)); }
std::int64_t NativeReader::count(std::string_view field) { return required(field, optionalCount(field)); }
int NativeReader::requiredSmallCount(std::string_view field, int least, int most)
{
    return required(field, smallCount(field, least, most));
}
bool NativeReader::flag(std::string_view field) { return required(field, optionalFlag(field)); }
std::string NativeReader::text(std::string_view field) { return required(field, optionalText(field)); }

std::vector<std::optional<double>> NativeReader::numbers(std::string_view field, std::size_t count)
{
    std::vector<std::optional<double>> values(count);
    const auto *list = find(field);
    if (!list) {
        fail(ErrorCode::MissingField, field, "The field \u201c" + std::string(field) + "\u201d is missing.");
        return values;
    }
    if (!list->is_array() || list->size() != count
        || !std::ranges::all_of(*list, [](const Json &one) { return one.is_number() || one.is_null(); })) {
        wrongType(field, "a list of " + std::to_string(count) + " numbers");
        return values;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if ((*list)[i].is_null())
            continue;
        values[i] = (*list)[i].get<double>();
        if (!std::isfinite(*values[i]))
            fail(ErrorCode::OutOfRange, field, "The numbers of \u201c" + std::string(field) + "\u201d must be finite.");
    }
    return values;
}

std::vector<double> NativeReader::numbers(std::string_view field)
{
    std::vector<double> list;
    const auto *value = find(field);
    if (!value) {
        fail(ErrorCode::MissingField, field, "The field \u201c" + std::string(field) + "\u201d is missing.");
        return list;
    }
    if (!value->is_array() || !std::ranges::all_of(*value, [](const Json &entry) { return entry.is_number(); })) {
        wrongType(field, "a list of numbers");
        return list;
    }
    list.reserve(value->size());
    for (const auto &entry : *value)
        list.push_back(entry.get<double>());
    if (!std::ranges::all_of(list, [](double number) { return std::isfinite(number); }))
        fail(
            ErrorCode::OutOfRange, field, "The field \u201c" + std::string(field) + "\u201d must hold finite numbers.");
    return list;
}

NativeReader NativeReader::object(std::string_view field)
{
    if (!find(field))
        fail(ErrorCode::MissingField, field, "The field \u201c" + std::string(field) + "\u201d is missing.");
    return optionalObject(field);
}

NativeReader NativeReader::optionalObject(std::string_view field)
{
    static const Json empty = Json::object();
    const auto *value = find(field);
    if (value && !value->is_object())
        wrongType(field, "an object");
    return {value && value->is_object() ? *value : empty, m_firstError};
}

} // namespace fleetwright::exchange
