// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>

namespace fleetwright::exchange {

/// Reads one object of a document key by key and remembers the first thing that is wrong with it: unknown keys (with
/// the nearest known one), missing keys, wrong types, numbers that are not finite, whole or in range. Nothing throws;
/// ask error() once at the end. The values returned after a refusal are meaningless.
class ObjectReader {
public:
    /// `path` is the dotted path of this object, empty at the top; `what` names it in sentences ("plan", "fleet").
    ObjectReader(const nlohmann::ordered_json &json, std::string path, std::string what,
        std::initializer_list<std::string_view> known);

    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    /// The member, whatever it is; nullptr when absent.
    [[nodiscard]] const nlohmann::ordered_json *find(std::string_view key) const;
    /// The member; MissingField when absent.
    [[nodiscard]] const nlohmann::ordered_json *require(std::string_view key, std::string_view expected);

    [[nodiscard]] std::optional<std::string> text(std::string_view key);
    [[nodiscard]] std::optional<double> number(std::string_view key);
    [[nodiscard]] std::optional<bool> flag(std::string_view key);
    /// A whole number in [low, high].
    [[nodiscard]] std::optional<int> count(std::string_view key, int low, int high);

    [[nodiscard]] std::string requiredText(std::string_view key);
    [[nodiscard]] int requiredCount(std::string_view key, int low, int high);

    [[nodiscard]] std::string pathOf(std::string_view key) const;
    void refuse(ErrorCode code, std::string_view key, std::string sentence);
    void refuse(Error error);
    /// Takes the value, or keeps the error.
    template <class T> [[nodiscard]] T take(Expected<T> value, T otherwise = {})
    {
        if (value)
            return std::move(*value);
        refuse(std::move(value.error()));
        return otherwise;
    }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    /// The member when it is there and of this type; a refusal that names the type is kept.
    const nlohmann::ordered_json *typed(
        std::string_view key, bool (nlohmann::ordered_json::*is)() const noexcept, std::string_view expected);
    void wrongType(std::string_view key, const nlohmann::ordered_json &value, std::string_view expected);

    const nlohmann::ordered_json &m_json;
    std::string m_path;
    std::optional<Error> m_error;
};

/// The word that is at most two edits away, or nothing.
[[nodiscard]] std::string_view nearestWord(std::string_view word, std::initializer_list<std::string_view> known);

/// `path.key`, or the key alone at the top.
[[nodiscard]] std::string joined(std::string_view path, std::string_view key);

/// A number as documents hold it: without a point where it is whole.
[[nodiscard]] nlohmann::ordered_json plainNumber(double value);

} // namespace fleetwright::exchange
