// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace fleetwright {

/// Without the blanks, tabs and line ends around it; a view into `text`.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// What people wrote, as sentences about it show it: in quotation marks, at most `longest` bytes, never half a
/// character of UTF-8.
[[nodiscard]] inline std::string inQuotes(std::string_view text, std::size_t longest = 60)
{
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    std::size_t length = std::min(text.size(), longest);
    while (length > 0 && length < text.size() && continues(text[length]))
        --length;
    return "\u201c" + std::string(text.substr(0, length)) + "\u201d";
}

} // namespace fleetwright
