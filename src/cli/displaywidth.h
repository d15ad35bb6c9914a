// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fleetwright::cli {

/// Columns of a terminal that a text (UTF-8) takes: two for a character that Unicode Standard Annex 11 calls wide or
/// full, none for marks that stand on the one before and for what has no width.
[[nodiscard]] std::size_t displayWidth(std::string_view text);

/// The text in lines of at most `columns`, broken at blanks and, within a word that is too long, after a character that
/// joins its parts, else where the line is full. A figure keeps its unit and is never broken: its line is longer then.
/// What the text begins with in blanks, every line begins with.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// The line of a text for people in lines of at most `columns`, all but the first further in: as far as what stands
/// behind a gap in the first ("deadline  30 days"), else by two. Words are never broken, as they may be meant to be
/// copied. A line with more gaps is laid out already and stays.
[[nodiscard]] std::vector<std::string> wrappedSentence(const std::string &line, std::size_t columns);

/// The narrowest that wrapped() gives without breaking a figure or a word of at most `longestWord` columns.
[[nodiscard]] std::size_t narrowest(std::string_view text, std::size_t longestWord);

} // namespace fleetwright::cli
