// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <string>
#include <string_view>

/// Characters that nobody sees and that change what is seen: controls (a terminal obeys them), marks that turn the
/// direction of writing, and format characters without width. Texts that people write do not hold them; texts that are
/// shown show them. Sources: Unicode Technical Report 36, section 2.10; Unicode Technical Standard 39, section 3.1.
namespace fleetwright {

/// Which of them a text may hold after all.
enum class TextShape {
    OneLine, ///< names: not even tabs and ends of lines
    Lines ///< notes and prose: tabs and ends of lines
};

/// Where the first hidden character of the text (UTF-8) is; npos where there is none. The joiners that Persian, Indian
/// scripts and emoji are written with are hidden beside
/// ASCII, beside what is hidden and at the ends of the text. A byte that is no UTF-8 is hidden, too.
[[nodiscard]] std::size_t findHidden(std::string_view text, TextShape shape = TextShape::Lines);

/// The text with every hidden character as \u001B, in the way that is also JSON's (two of them beyond U+FFFF), and what
/// is no UTF-8 as U+FFFD.
[[nodiscard]] std::string visibleText(std::string_view text, TextShape shape = TextShape::Lines);

/// The border for what people write: UnsupportedValue where the text of this field holds a hidden character.
[[nodiscard]] Expected<void> checkVisible(
    std::string_view text, const std::string &field, TextShape shape = TextShape::OneLine);

/// The sentence of that refusal without its end: "holds a character that nobody sees (U+001B)".
[[nodiscard]] std::string hiddenInWords(std::string_view text, std::size_t at);

/// As many bytes at the start of the text as a character has; 0 where the text ends within one. What is no UTF-8 counts
/// byte by byte.
[[nodiscard]] std::size_t firstCharacter(std::string_view text);

} // namespace fleetwright
