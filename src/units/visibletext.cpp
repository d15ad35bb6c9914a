// SPDX-License-Identifier: GPL-3.0-or-later
#include "units/visibletext.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fleetwright {

namespace {

constexpr char32_t notUnicode = 0xFFFFFFFF;

struct Character {
    char32_t code = notUnicode;
    std::size_t bytes = 0; ///< 0: the text ends within it
};

Character characterAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const auto first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4)
        return {notUnicode, 1};
    char32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if (at + i >= text.size())
            return {notUnicode, 0};
        if ((byte(i) & 0xC0U) != 0x80)
            return {notUnicode, 1};
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < least[length] || code > 0x10FFFF || surrogate ? Character{notUnicode, 1} : Character{code, length};
}

bool isJoiner(char32_t code) { return code == 0x200C || code == 0x200D; }

bool isHiddenCode(char32_t code, TextShape shape)
{
    if (code < 0x20)
        return shape == TextShape::OneLine || (code != '\t' && code != '\n' && code != '\r');
    if (code < 0x7F)
        return false;
    using Range = std::pair<char32_t, char32_t>;
    static constexpr std::array ranges{Range(0x7F, 0x9F), Range(0xAD, 0xAD), Range(0x61C, 0x61C), Range(0x115F, 0x1160),
        Range(0x17B4, 0x17B5), Range(0x180E, 0x180E), Range(0x200B, 0x200B), Range(0x200E, 0x200F),
        Range(0x202A, 0x202E), Range(0x2060, 0x206F), Range(0x3164, 0x3164), Range(0xFEFF, 0xFEFF),
        Range(0xFFA0, 0xFFA0), Range(0xFFF9, 0xFFFB), Range(0x1BCA0, 0x1BCA3), Range(0x1D173, 0x1D17A),
        Range(0xE0000, 0xE007F), Range(notUnicode, notUnicode)};
    const auto range = std::ranges::lower_bound(ranges, code, {}, &Range::second);
    return range != ranges.end() && code >= range->first;
}

bool isAscii(std::string_view text, std::size_t at)
{
    return at >= text.size() || static_cast<unsigned char>(text[at]) < 0x80;
}

bool isHiddenAt(std::string_view text, std::size_t at, const Character &character, TextShape shape)
{
    if (character.code == '\r') // only the end of a line of some systems
        return shape == TextShape::OneLine || at + 1 >= text.size() || text[at + 1] != '\n';
    return isHiddenCode(character.code, shape);
}

/// Where the joiners that begin here end.
std::size_t endOfJoiners(std::string_view text, std::size_t at)
{
    for (; at < text.size(); at += characterAt(text, at).bytes)
        if (!isJoiner(characterAt(text, at).code))
            break;
    return at;
}

/// At least four digits.
std::string hexadecimal(char32_t value)
{
    std::string digits;
    for (; value > 0 || digits.size() < 4; value >>= 4U)
        digits.insert(digits.begin(), "0123456789ABCDEF"[value & 0xFU]);
    return digits;
}

std::string escaped(char32_t code)
{
    const auto unit = [](char32_t value) { return "\\u" + hexadecimal(value); };
    if (code == notUnicode)
        return "\uFFFD";
    if (code < 0x10000)
        return unit(code);
    return unit(0xD800 + ((code - 0x10000) >> 10U)) + unit(0xDC00 + ((code - 0x10000) & 0x3FFU));
}

} // namespace

std::size_t findHidden(std::string_view text, TextShape shape)
{
    for (std::size_t at = 0; at < text.size();) {
        if (const char c = text[at]; c >= ' ' && c < 0x7F) { // nearly every character of nearly every text
            ++at;
            continue;
        }
        const auto character = characterAt(text, at);
        if (isJoiner(character.code)) {
            // They are written between characters that are seen and no ASCII; what is hidden after them becomes ASCII
            // where it is shown. What stands before comes first: a run is looked through once.
            if (at == 0 || isAscii(text, at - 1))
                return at;
            const auto end = endOfJoiners(text, at);
            if (isAscii(text, end) || isHiddenAt(text, end, characterAt(text, end), shape))
                return at;
            at = end;
            continue;
        }
        if (isHiddenAt(text, at, character, shape))
            return at;
        at += std::max<std::size_t>(1, character.bytes);
    }
    return std::string_view::npos;
}

std::string visibleText(std::string_view text, TextShape shape)
{
    std::string shown;
    while (true) {
        const auto at = findHidden(text, shape);
        shown += text.substr(0, at);
        if (at == std::string_view::npos)
            return shown;
        const auto character = characterAt(text, at);
        shown += escaped(character.code);
        // A joiner that follows is looked at without what stood before it, which is ASCII now.
        text.remove_prefix(at + (character.bytes == 0 ? text.size() - at : character.bytes));
    }
}

std::string hiddenInWords(std::string_view text, std::size_t at)
{
    const auto code = characterAt(text, at).code;
    if (code == notUnicode)
        return "is not valid UTF-8";
    return "holds a character that nobody sees (U+" + hexadecimal(code) + ")";
}

Expected<void> checkVisible(std::string_view text, const std::string &field, TextShape shape)
{
    const auto at = findHidden(text, shape);
    if (at == std::string_view::npos)
        return {};
    return refuse(ErrorCode::UnsupportedValue, field,
        "\u201c" + visibleText(field, TextShape::OneLine) + "\u201d " + hiddenInWords(text, at) + "; remove it.");
}

std::size_t firstCharacter(std::string_view text) { return text.empty() ? 0 : characterAt(text, 0).bytes; }

} // namespace fleetwright
