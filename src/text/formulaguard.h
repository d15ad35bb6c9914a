// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace fleetwright {

/// Whether a spreadsheet that takes `text` (UTF-8) as a cell would run it: what begins with = @ (also in their full
/// width, which some take for the same) or a control character, and what follows a sign unless it is a quantity ("-3",
/// "+1.2e3", "-5 %", "-0.4 days"), which calls nothing. Source: OWASP, CSV Injection.
[[nodiscard]] inline bool readsAsFormula(std::string_view text)
{
    constexpr std::string_view digits = "0123456789.,";
    if (text.empty())
        return false;
    if (std::string_view("=@\t\r\n").find(text.front()) != std::string_view::npos)
        return true;
    for (const std::string_view wide : {"\uFF1D", "\uFF20", "\uFF0B", "\uFF0D"})
        if (text.starts_with(wide))
            return true;
    if (text.front() != '+' && text.front() != '-')
        return false;
    auto rest = text.substr(1);
    const auto number = std::min(rest.find_first_not_of(digits), rest.size());
    if (number == 0)
        return !rest.empty(); // a sign alone stands for nothing
    rest.remove_prefix(number);
    if (rest.size() > 2 && (rest[0] == 'e' || rest[0] == 'E') && (rest[1] == '+' || rest[1] == '-'))
        rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 2), rest.size()));
    return !std::ranges::all_of(rest,
        [](unsigned char c) { return c >= 0x80 || std::isalnum(c) || c == ' ' || c == '%' || c == '/' || c == '$'; });
}

/// Whether a formula stands there behind any number of apostrophes: such texts get one more, so that each comes back.
[[nodiscard]] inline bool needsGuard(std::string_view text)
{
    return readsAsFormula(text.substr(std::min(text.find_first_not_of('\''), text.size())));
}

/// The text as a cell that is read as text: with an apostrophe before what reads as a formula.
[[nodiscard]] inline std::string guardedCell(std::string text)
{
    if (needsGuard(text))
        text.insert(text.begin(), '\'');
    return text;
}

/// The text that guardedCell() made this cell of.
[[nodiscard]] inline std::string unguardedCell(std::string text)
{
    if (text.starts_with('\'') && needsGuard(text))
        text.erase(text.begin());
    return text;
}

} // namespace fleetwright
