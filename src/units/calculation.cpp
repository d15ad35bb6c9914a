// SPDX-License-Identifier: GPL-3.0-or-later
#include "units/calculation.h"

#include "units/parse.h"
#include "units/words.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace fleetwright::units {

namespace {

constexpr std::size_t longestCalculation = 200;
constexpr int deepest = 20; // brackets within each other

bool isNumberDigit(char c) { return c >= '0' && c <= '9'; }

/// Sums of products of numbers and brackets, from left to right.
class Calculation {
public:
    explicit Calculation(std::string_view text) : m_text(text) { }

    [[nodiscard]] std::optional<double> value() { return sum(0); }
    [[nodiscard]] bool calculates() const { return m_calculates; }
    [[nodiscard]] std::string_view rest() const { return m_text.substr(m_at); }

private:
    void skipGaps()
    {
        while (m_at < m_text.size())
            if (m_text[m_at] == ' ')
                ++m_at;
            else if (const auto gap = gapAt(m_at); gap > 0)
                m_at += gap;
            else
                return;
    }

    /// Bytes of a no-break or thin space.
    [[nodiscard]] std::size_t gapAt(std::size_t at) const
    {
        for (const std::string_view gap : {"\u00a0", "\u202f", "\u2009"})
            if (m_text.substr(at).starts_with(gap))
                return gap.size();
        return 0;
    }

    [[nodiscard]] bool takes(std::string_view sign)
    {
        skipGaps();
        if (!m_text.substr(m_at).starts_with(sign))
            return false;
        m_at += sign.size();
        return true;
    }

    [[nodiscard]] bool takesOperator(std::initializer_list<std::string_view> signs)
    {
        for (const auto sign : signs)
            if (takes(sign))
                return m_calculates = true;
        return false;
    }

    std::optional<double> sum(int depth)
    {
        auto value = product(depth);
        while (value) {
            const bool adds = takesOperator({"+"});
            if (!adds && !takesOperator({"-", "\u2212"}))
                break;
            const auto other = product(depth);
            value = other ? std::optional(adds ? *value + *other : *value - *other) : std::nullopt;
        }
        return value;
    }

    std::optional<double> product(int depth)
    {
        auto value = factor(depth);
        while (value) {
            const bool multiplies = takesOperator({"*", "\u00d7"});
            if (!multiplies && !takesOperator({"/", "\u00f7"}))
                break;
            const auto other = factor(depth);
            value = other ? std::optional(multiplies ? *value * *other : *value / *other) : std::nullopt;
        }
        return value;
    }

    std::optional<double> factor(int depth)
    {
        if (depth < deepest && takes("(")) {
            m_calculates = true;
            const auto inner = sum(depth + 1);
            return takes(")") ? inner : std::nullopt;
        }
        skipGaps();
        const auto from = m_at;
        if (m_at < m_text.size() && (m_text[m_at] == '-' || m_text[m_at] == '+'))
            ++m_at;
        takeDigits();
        const auto number = parseIn(m_text.substr(from, m_at - from), Dimension::Number);
        return number ? std::optional(*number) : std::nullopt;
    }

    void takeDigits()
    {
        const auto digitAt = [this](std::size_t at) { return at < m_text.size() && isNumberDigit(m_text[at]); };
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const std::size_t gap = c == ' ' || c == '\'' || c == ',' ? 1 : gapAt(m_at);
            const bool isSigned = m_at + 1 < m_text.size() && (m_text[m_at + 1] == '-' || m_text[m_at + 1] == '+');
            if (isNumberDigit(c) || c == '.')
                ++m_at;
            else if (gap > 0 && digitAt(m_at + gap))
                m_at += gap;
            else if ((c == 'e' || c == 'E') && digitAt(m_at + 1 + std::size_t(isSigned)))
                m_at += 1 + std::size_t(isSigned);
            else
                return;
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_calculates = false;
};

} // namespace

std::string calculated(std::string_view text)
{
    if (text.size() > longestCalculation)
        return std::string(text);
    Calculation calculation(text);
    const auto value = calculation.value();
    if (!value || !calculation.calculates() || !std::isfinite(*value))
        return std::string(text);
    constexpr int digits = 15; // 12 * 1.1 is 13.2
    std::array<char, 64> written{};
    const auto end = std::to_chars(
        written.data(), written.data() + written.size(), *value, std::chars_format::general, digits);
    std::string result(written.data(), end.ptr);
    if (const auto unit = trimmed(calculation.rest()); !unit.empty())
        result.append(" ").append(unit);
    return result;
}

} // namespace fleetwright::units
