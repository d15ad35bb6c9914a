// SPDX-License-Identifier: GPL-3.0-or-later
#include "units/parse.h"
#include "units/words.h"

#include <charconv>
#include <cmath>
#include <string>

namespace fleetwright::units {

namespace {

constexpr std::size_t longestText = 200;

std::string withoutGaps(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto rest = text.substr(i);
        if (rest.starts_with("\u00a0") || rest.starts_with("\u202f") || rest.starts_with("\u2009")) {
            i += rest.starts_with("\u00a0") ? 2 : 3;
            out += ' ';
        } else {
            out += text[i++];
        }
    }
    return out;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string acceptedUnits(Dimension dimension)
{
    std::string list;
    for (const auto &unit : unitSymbols()) {
        if (unit.dimension != dimension || unit.symbol.empty() || shownSymbol(unit.symbol) != unit.symbol)
            continue;
        if (!list.empty())
            list += ", ";
        list += unit.symbol;
    }
    return list;
}

/// The comma at `at` groups thousands: one to three digits, the first of them not 0, stand before it or before an
/// earlier one like it, exactly three behind it. "0,500" and "3,5" are meant as something else.
bool groupsThousands(std::string_view text, std::size_t at)
{
    const auto digits = [&](std::size_t from) {
        std::size_t count = 0;
        while (from + count < text.size() && isDigit(text[from + count]))
            ++count;
        return count;
    };
    if (digits(at + 1) != 3)
        return false;
    const std::size_t begin = !text.empty() && (text[0] == '-' || text[0] == '+');
    const auto first = digits(begin);
    if (first == 0 || first > 3 || text[begin] == '0')
        return false;
    for (std::size_t mark = begin + first; mark < at; mark += 4)
        if (text[mark] != ',' || digits(mark + 1) != 3)
            return false;
    return (at - begin - first) % 4 == 0;
}

} // namespace

Expected<double> parseIn(
    std::string_view text, Dimension dimension, std::string_view defaultSymbol, std::string_view field)
{
    const std::string name(field);
    if (text.size() > longestText)
        return refuse(ErrorCode::ParseError, name, "The text is too long for a number; type a number and a unit.");
    const std::string clean(trimmed(withoutGaps(text)));
    if (clean.empty())
        return refuse(ErrorCode::ParseError, name, "A number is needed here.");

    std::string digits;
    std::size_t at = 0;
    for (; at < clean.size(); ++at) {
        const char c = clean[at];
        const bool groups = (c == ' ' || c == '\'') && at + 1 < clean.size() && isDigit(clean[at + 1]) && at > 0
            && isDigit(clean[at - 1]),
                   thousands = c == ',' && groupsThousands(clean, at);
        const bool exponent = (c == 'e' || c == 'E') && at + 1 < clean.size()
            && (isDigit(clean[at + 1])
                || ((clean[at + 1] == '-' || clean[at + 1] == '+') && at + 2 < clean.size() && isDigit(clean[at + 2])))
            && !digits.empty();
        if (groups || thousands)
            continue;
        if (exponent) {
            digits += 'e';
            if (!isDigit(clean[at + 1])) {
                ++at;
                if (clean[at] == '-')
                    digits += '-';
            }
            continue;
        }
        if (isDigit(c) || c == '.' || (at == 0 && (c == '-' || c == '+'))) {
            if (c != '+')
                digits += c;
            continue;
        }
        break;
    }
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec == std::errc::result_out_of_range)
        return refuse(ErrorCode::OutOfRange, name,
            "\u201c" + clean + "\u201d is too large or too small for a number; use a larger or smaller unit.");
    if (result.ec != std::errc() || result.ptr != digits.data() + digits.size())
        return refuse(ErrorCode::ParseError, name,
            "\u201c" + clean + "\u201d is not a number; type for example 12.5 or 7e9 (the decimal mark is a point).");

    if (at < clean.size() && clean[at] == ',')
        return refuse(ErrorCode::ParseError, name,
            "\u201c" + clean
                + "\u201d has a comma where it groups no thousands; the decimal mark is a point, as in 3.5.");
    const std::string symbol(trimmed(std::string_view(clean).substr(at)));
    const auto unit = symbol.empty()
        ? findUnit(defaultSymbol.empty() ? baseSymbol(dimension) : defaultSymbol, dimension)
        : findUnit(symbol, dimension);
    if (!unit) {
        const std::string accepted = acceptedUnits(dimension);
        return refuse(ErrorCode::ParseError, name,
            "\u201c" + symbol + "\u201d is not a unit for this value"
                + (accepted.empty() ? "; type a number only." : "; use one of " + accepted + "."));
    }
    const double inBaseUnits = value * unit->factor;
    if (!std::isfinite(inBaseUnits))
        return refuse(ErrorCode::OutOfRange, name, "The value is not a finite number.");
    return inBaseUnits;
}

} // namespace fleetwright::units
