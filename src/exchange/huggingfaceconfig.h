// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <vector>

namespace fleetwright::exchange {

/// "8 192": a count in a sentence.
[[nodiscard]] std::string inDigits(std::int64_t count);

/// One object of a config.json, read by whoever knows what it means. A null is an absent key, as it is for the library
/// that writes such files. Remembers the first thing that is wrong and which keys were asked for; what is returned
/// after a refusal is meaningless.
class HuggingFaceConfig {
public:
    using Json = nlohmann::ordered_json;
    using Keys =
        std::initializer_list<std::string_view>; ///< names of one thing, of which the first that is there counts

    /// `path` stands before the keys in refusals: "text_config." or nothing.
    HuggingFaceConfig(const Json &object, std::string path) : m_object(object), m_path(std::move(path)) { }

    [[nodiscard]] const Json *find(std::string_view key);
    [[nodiscard]] bool has(std::string_view key) const;

    /// A whole number in [low, high]; names that state different numbers are refused. `what` is the field of the
    /// workloads catalog whose limit is the highest, too.
    [[nodiscard]] std::optional<int> count(Keys keys, std::string_view what, int low = 1);
    /// The same; MissingField, with `meaning`, where there is none.
    [[nodiscard]] int required(Keys keys, std::string_view what, std::string_view meaning);
    [[nodiscard]] std::optional<bool> flag(std::string_view key);
    [[nodiscard]] std::optional<std::string> text(std::string_view key);
    /// A list of whole numbers from 0.
    [[nodiscard]] std::optional<std::vector<int>> counts(std::string_view key);
    [[nodiscard]] std::optional<std::vector<std::string>> texts(std::string_view key);

    void refuse(ErrorCode code, std::string_view key, std::string sentence);
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    [[nodiscard]] const Json &object() const { return m_object; }
    [[nodiscard]] const std::string &path() const { return m_path; }
    [[nodiscard]] bool wasAsked(const std::string &key) const { return m_asked.contains(key); }

private:
    [[nodiscard]] std::optional<int> number(std::string_view key, const Json &value, int low, int high);

    const Json &m_object;
    std::string m_path;
    std::optional<Error> m_error;
    std::set<std::string, std::less<>> m_asked;
};

} // namespace fleetwright::exchange
