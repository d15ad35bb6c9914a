// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

/// Reads the fields of one JSON object and remembers the first refusal, so that a caller reads everything and asks
/// once. A null is as good as absent. Error::field is the bare name of the field, as the models' own refusals have it.
/// MissingField: a required field is absent; UnsupportedValue: another JSON type; OutOfRange: not finite, or not a
/// whole number in ±9e15.
class NativeReader {
public:
    NativeReader(const Json &object, std::optional<Error> &firstError) : m_object(object), m_firstError(firstError) { }

    [[nodiscard]] double number(std::string_view field);
    [[nodiscard]] std::optional<double> optionalNumber(std::string_view field);
    [[nodiscard]] std::int64_t count(std::string_view field);
    [[nodiscard]] std::optional<std::int64_t> optionalCount(std::string_view field);
    /// Counts that the domain keeps as int; OutOfRange outside `least` to `most`.
    [[nodiscard]] std::optional<int> smallCount(std::string_view field, int least, int most);
    [[nodiscard]] int requiredSmallCount(std::string_view field, int least, int most);
    [[nodiscard]] bool flag(std::string_view field);
    [[nodiscard]] std::optional<bool> optionalFlag(std::string_view field);
    [[nodiscard]] std::string text(std::string_view field);
    [[nodiscard]] std::optional<std::string> optionalText(std::string_view field);
    /// Neither absent nor null.
    [[nodiscard]] bool has(std::string_view field) const { return find(field) != nullptr; }
    /// A list of `count` numbers, any of which may be null; MissingField when the list is absent.
    [[nodiscard]] std::vector<std::optional<double>> numbers(std::string_view field, std::size_t count);
    /// A list of finite numbers; empty when it is missing, which is remembered.
    [[nodiscard]] std::vector<double> numbers(std::string_view field);
    /// An empty object when it is missing, which is remembered.
    [[nodiscard]] NativeReader object(std::string_view field);
    /// The same, but absence is no refusal.
    [[nodiscard]] NativeReader optionalObject(std::string_view field);

    /// A quantity in base units.
    template <class Q> [[nodiscard]] Q quantity(std::string_view field) { return Q::from_value(number(field)); }
    template <class Q> [[nodiscard]] std::optional<Q> optionalQuantity(std::string_view field)
    {
        const auto value = optionalNumber(field);
        return value ? std::optional(Q::from_value(*value)) : std::nullopt;
    }

    void fail(ErrorCode code, std::string_view field, std::string message);
    [[nodiscard]] const std::optional<Error> &error() const { return m_firstError; }

private:
    [[nodiscard]] const Json *find(std::string_view field) const;
    template <class T> T required(std::string_view field, std::optional<T> value);
    void wrongType(std::string_view field, std::string_view expected);

    const Json &m_object;
    std::optional<Error> &m_firstError;
};

} // namespace fleetwright::exchange
