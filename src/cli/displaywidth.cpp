// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/displaywidth.h"

#include "units/visibletext.h"

#include <QChar>

#include <algorithm>
#include <array>
#include <cctype>

namespace fleetwright::cli {

namespace {

struct CharacterRange {
    char32_t first, last;
};

/// East_Asian_Width W and F of Unicode 14, with what is not assigned between them.
constexpr auto wideCharacters = std::to_array<CharacterRange>(
    {{0x1100, 0x115F}, {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0}, {0x23F3, 0x23F3},
        {0x25FD, 0x25FE}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267F, 0x267F}, {0x2693, 0x2693}, {0x26A1, 0x26A1},
        {0x26AA, 0x26AB}, {0x26BD, 0x26BE}, {0x26C4, 0x26C5}, {0x26CE, 0x26CE}, {0x26D4, 0x26D4}, {0x26EA, 0x26EA},
        {0x26F2, 0x26F3}, {0x26F5, 0x26F5}, {0x26FA, 0x26FA}, {0x26FD, 0x26FD}, {0x2705, 0x2705}, {0x270A, 0x270B},
        {0x2728, 0x2728}, {0x274C, 0x274C}, {0x274E, 0x274E}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
        {0x27B0, 0x27B0}, {0x27BF, 0x27BF}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B50}, {0x2B55, 0x2B55}, {0x2E80, 0x303E},
        {0x3041, 0x3247}, {0x3250, 0x4DBF}, {0x4E00, 0xA4C6}, {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xF900, 0xFAD9},
        {0xFE10, 0xFE19}, {0xFE30, 0xFE6B}, {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x16FE0, 0x1B2FB}, {0x1F004, 0x1F004},
        {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335},
        {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},
        {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
        {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4},
        {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF},
        {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
        {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF6}, {0x20000, 0x3134A}});

/// The first character; U+FFFD, one byte long, for what is no UTF-8.
char32_t characterAt(std::string_view text, std::size_t &length)
{
    length = std::max<std::size_t>(1, firstCharacter(text));
    const auto lead = static_cast<unsigned char>(text.front());
    if (length == 1)
        return lead < 0x80 ? lead : U'\uFFFD';
    char32_t character = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i)
        character = (character << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    return character;
}

std::size_t widthOf(char32_t character)
{
    if (character < 0x300)
        return 1;
    switch (QChar::category(character)) {
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Other_Format: return 0;
    default: break;
    }
    const auto *range = std::ranges::lower_bound(wideCharacters, character, {}, &CharacterRange::last);
    return range != wideCharacters.end() && range->first <= character ? 2 : 1;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// "3.35", "+4.1", "< 1" and "≈ 30" begin so; names do not.
bool isFigure(std::string_view word)
{
    for (const std::string_view sign : {"+", "-", "<", ">", "~", "$", "\u2212", "\u2248", "\u2264", "\u2265", "\u00b1"})
        if (word.starts_with(sign)) {
            word.remove_prefix(sign.size());
            break;
        }
    return word.empty() || isDigit(word.front());
}

/// "nodes", "%" and "µs", which no mark of a sentence begins.
bool mayBeUnit(std::string_view word)
{
    const auto first = static_cast<unsigned char>(word.front());
    return std::isalpha(first) != 0 || first >= 0x80 || first == '%';
}

/// What stands between blanks; a figure with the word behind it, which may be its unit.
std::vector<std::string_view> piecesOf(std::string_view text)
{
    std::vector<std::string_view> pieces;
    bool glue = false, afterSign = false;
    for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;) {
        const auto end = std::min(text.find(' ', at), text.size());
        const auto word = text.substr(at, end - at);
        if (glue && (mayBeUnit(word) || afterSign))
            pieces.back() = text.substr(
                std::size_t(pieces.back().data() - text.data()), end - std::size_t(pieces.back().data() - text.data()));
        else
            pieces.push_back(word);
        afterSign = isFigure(word) && std::ranges::none_of(word, isDigit);
        glue = afterSign || (isFigure(word) && isDigit(word.back()));
        at = text.find_first_not_of(' ', end);
    }
    return pieces;
}

/// As many bytes of a word as fit, up to a character that joins parts where there is one.
std::size_t partThatFits(std::string_view word, std::size_t columns)
{
    std::size_t taken = 0, joint = 0;
    for (std::size_t used = 0; taken < word.size();) {
        std::size_t length = 0;
        const auto character = characterAt(word.substr(taken), length);
        used += widthOf(character);
        if (used > columns && taken > 0)
            break;
        taken += length;
        if (taken < word.size() && std::string_view("/_-.,;:&?=").contains(char(character < 0x80 ? character : 'x')))
            joint = taken;
    }
    return taken == word.size() || joint == 0 ? taken : joint;
}

} // namespace

std::size_t displayWidth(std::string_view text)
{
    std::size_t width = 0;
    for (std::size_t length = 0; !text.empty(); text.remove_prefix(length))
        width += widthOf(characterAt(text, length));
    return width;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns)
{
    const std::string indent(std::min(text.find_first_not_of(' '), text.size()), ' ');
    std::vector<std::string> lines{indent};
    bool fresh = true; // nothing but blanks in the last line
    const auto room = [&] { return columns - std::min(columns, displayWidth(lines.back()) + (fresh ? 0 : 1)); };
    const auto breakLine = [&] {
        if (!fresh)
            lines.push_back(indent);
        fresh = true;
    };
    for (auto piece : piecesOf(text)) {
        if (displayWidth(piece) > room())
            breakLine();
        while (displayWidth(piece) > room() && !isFigure(piece)) {
            const auto taken = partThatFits(piece, std::max<std::size_t>(1, room()));
            if (taken == piece.size())
                break;
            lines.back() += piece.substr(0, taken);
            lines.push_back(indent);
            piece.remove_prefix(taken);
        }
        lines.back() += (fresh ? "" : " ") + std::string(piece);
        fresh = false;
    }
    return lines;
}

std::vector<std::string> wrappedSentence(const std::string &line, std::size_t columns)
{
    constexpr std::string_view gap = "  ";
    if (displayWidth(line) <= columns)
        return {line};
    const auto start = std::min(line.find_first_not_of(' '), line.size());
    auto text = start; // where what wraps begins
    std::size_t further = start + gap.size();
    if (const auto inner = line.find(gap, start); inner != std::string::npos) {
        text = std::min(line.find_first_not_of(' ', inner), line.size());
        further = displayWidth(std::string_view(line).substr(0, text));
        if (line.find(gap, text) != std::string::npos || further > columns / 2)
            return {line};
    }
    std::vector<std::string> lines{line.substr(0, text)};
    bool fresh = true; // nothing of the text in the last line
    for (const auto piece : piecesOf(std::string_view(line).substr(text))) {
        if (!fresh && displayWidth(lines.back()) + 1 + displayWidth(piece) > columns) {
            lines.emplace_back(further, ' ');
            fresh = true;
        }
        lines.back() += (fresh ? "" : " ") + std::string(piece);
        fresh = false;
    }
    return lines;
}

std::size_t narrowest(std::string_view text, std::size_t longestWord)
{
    const auto indent = std::min(text.find_first_not_of(' '), text.size());
    std::size_t needed = 0;
    for (const auto piece : piecesOf(text)) {
        const auto width = displayWidth(piece);
        needed = std::max(needed, isFigure(piece) ? width : std::min(width, longestWord));
    }
    return indent + needed;
}

} // namespace fleetwright::cli
