// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace fleetwright::exchange {

inline constexpr std::size_t longestDocument = 4UZ * 1024 * 1024; ///< bytes of a plan, sweep, study or search
inline constexpr std::size_t longestRunFile = 256UZ * 1024 * 1024; ///< bytes of a file of measured runs

inline constexpr std::size_t longestKey = 200; ///< bytes of the name of a member
inline constexpr std::size_t mostRuns = 2'000'000; ///< rows of such a file

/// The refusal (ParseError) of a text of more than `longest` bytes.
[[nodiscard]] std::unexpected<Error> refuseTooLong(std::size_t longest, std::string field = {});

/// What a text may hold before it is refused, so that a hostile or mistaken file costs neither memory nor time.
struct TextLimits {
    std::size_t bytes = longestDocument;
    std::size_t depth = 64; ///< objects and lists inside each other
    std::size_t keys = 1000; ///< of one object
    std::size_t values = 20'000; ///< in the whole text
    bool nonFinite = false; ///< readJson only: take the bare words NaN, Infinity and -Infinity, which many programs
                            ///< write, as numbers, so that whoever knows the field can refuse it by name
    bool visible = false; ///< refuse names and texts with characters that nobody sees (units/visibletext.h), but for
                          ///< notes, which are kept as they came; readText does. What is stored is read without.
};

/// Both count from 1; columns are bytes.
struct TextPosition {
    std::size_t line = 1;
    std::size_t column = 1;
};

/// Reads JSON strictly: duplicate keys, trailing text, invalid UTF-8 and numbers beyond a double are refused
/// (ParseError, OutOfRange). Error::field is the path of the key where the fault was met (empty at the top); the
/// sentence names line and column. Cancelled soon after it was asked to stop.
[[nodiscard]] Expected<nlohmann::ordered_json> readJson(
    std::string_view text, const TextLimits &limits = {}, const std::stop_token &stop = {});

/// Who takes the elements of a list one by one.
struct RowTaking {
    std::string_view member; ///< of the object at the top, whose list they are in; or the list stands at the top itself
    /// Each in turn, as soon as it is read, and the bytes read so far.
    std::function<void(const nlohmann::ordered_json &row, std::size_t position)> take;
};

/// As readJson(), but of the elements of that list only nulls are left: a million of them would take gigabytes.
[[nodiscard]] Expected<nlohmann::ordered_json> readJsonRows(
    std::string_view text, const RowTaking &rows, const TextLimits &limits = {}, const std::stop_token &stop = {});

/// Reads one document of YAML 1.2 (core schema) or, when the first character is a brace followed by a quote, JSON. The
/// same errors; anchors, aliases, tags, several documents and indentation by tabs are refused.
[[nodiscard]] Expected<nlohmann::ordered_json> readText(std::string_view text, const TextLimits &limits = {});

/// The rule of TextLimits::visible for a document that was typed instead of read: the first text in it that breaks it,
/// by its path, with the sentence of the reader but for the line.
[[nodiscard]] Expected<void> checkVisibleTexts(const nlohmann::ordered_json &document);

/// Where the value at the dotted path starts in a text that readText accepts; the nearest enclosing key where the path
/// itself is absent.
[[nodiscard]] std::optional<TextPosition> positionOf(std::string_view text, std::string_view path);

/// " (line 3, column 7)".
[[nodiscard]] std::string inWords(const TextPosition &position);

} // namespace fleetwright::exchange
