// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/sheetunit.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr double secondsOfDay = 86400, secondsOfYear = 365 * secondsOfDay;
constexpr std::array<std::string_view, 7> countedThings{
    "node", "accelerator", "chip", "switch", "transceiver", "FTE", "quantity"};

Expected<SheetUnit> unreadable(std::string_view text)
{
    return refuse(ErrorCode::ParseError, "unit",
        "The unit “" + std::string(text) + "” is not factors with at most one slash, such as USD/(node day).");
}

} // namespace

SheetUnit SheetUnit::operator*(const SheetUnit &other) const
{
    SheetUnit product = *this;
    for (std::size_t i = 0; i < bases; ++i)
        product.m_exponents[i] = static_cast<std::int8_t>(product.m_exponents[i] + other.m_exponents[i]);
    product.m_scale *= other.m_scale;
    return product;
}

SheetUnit SheetUnit::operator/(const SheetUnit &other) const { return *this * other.power(-1); }

SheetUnit SheetUnit::power(int exponent) const
{
    SheetUnit result;
    for (std::size_t i = 0; i < bases; ++i)
        result.m_exponents[i] = static_cast<std::int8_t>(m_exponents[i] * exponent);
    result.m_scale = std::pow(m_scale, exponent);
    return result;
}

bool SheetUnit::same(const SheetUnit &other) const
{
    return sameDimension(other) && std::abs(m_scale - other.m_scale) <= 1e-9 * std::abs(m_scale);
}

SheetUnit SheetUnit::of(units::Dimension dimension)
{
    using units::Dimension;
    const auto base = [](Base one, int exponent = 1) {
        SheetUnit unit;
        unit.m_exponents[one] = static_cast<std::int8_t>(exponent);
        return unit;
    };
    switch (dimension) {
    case Dimension::Number:
    case Dimension::Fraction: return {};
    case Dimension::Information: return base(Information);
    case Dimension::Computation: return base(Computation);
    case Dimension::Time: return base(Time);
    case Dimension::Energy: return base(Energy);
    case Dimension::Money: return base(Money);
    case Dimension::Carbon: return base(Carbon);
    case Dimension::Water: return base(Water);
    case Dimension::Bandwidth: return base(Information) * base(Time, -1);
    case Dimension::ComputeRate: return base(Computation) * base(Time, -1);
    case Dimension::Power: return base(Energy) * base(Time, -1);
    case Dimension::Intensity: return base(Computation) * base(Information, -1);
    case Dimension::MoneyRate: return base(Money) * base(Time, -1);
    case Dimension::EnergyPrice: return base(Money) * base(Energy, -1);
    case Dimension::CarbonIntensity: return base(Carbon) * base(Energy, -1);
    case Dimension::WaterIntensity: return base(Water) * base(Energy, -1);
    }
    return {};
}

bool SheetUnit::measures(units::Dimension dimension) const
{
    const auto measured = of(dimension);
    return std::equal(m_exponents.begin(), m_exponents.begin() + FirstCounted, measured.m_exponents.begin());
}

std::optional<SheetUnit> SheetUnit::factor(std::string_view word)
{
    SheetUnit unit;
    if (word == "1")
        return unit;
    if (const auto thing = std::ranges::find(countedThings, word); thing != countedThings.end()) {
        unit.m_exponents[FirstCounted + std::size_t(thing - countedThings.begin())] = 1;
        return unit;
    }
    if (word == "day" || word == "week" || word == "month" || word == "year") {
        unit.m_exponents[Time] = 1;
        unit.m_scale = word == "day" ? secondsOfDay
            : word == "week"         ? 7 * secondsOfDay
            : word == "year"         ? secondsOfYear
                                     : secondsOfYear / 12;
        return unit;
    }
    const auto symbol = units::findUnit(word);
    if (!symbol || word.empty() || symbol->dimension == units::Dimension::Number)
        return std::nullopt;
    unit = of(symbol->dimension);
    unit.m_scale = symbol->factor;
    return unit;
}

Expected<SheetUnit> SheetUnit::parse(std::string_view text)
{
    static_assert(countedThings.size() == counted);
    SheetUnit result;
    bool below = false, open = false;
    int factorsBelow = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ') {
            ++at;
        } else if (text[at] == '/') {
            if (below)
                return unreadable(text);
            below = true;
            ++at;
        } else if (text[at] == '(') {
            if (!below || open || factorsBelow > 0)
                return unreadable(text);
            open = true;
            ++at;
        } else if (text[at] == ')') {
            if (!open || at + 1 != text.size())
                return unreadable(text);
            open = false;
            ++at;
        } else {
            const auto end = std::min(text.find_first_of(" /()", at), text.size());
            const auto word = text.substr(at, end - at);
            const auto one = factor(word);
            if (!one)
                return refuse(ErrorCode::UnknownReference, "unit",
                    "“" + std::string(word) + "” is not a unit that a worksheet knows.");
            if (below && ++factorsBelow > 1 && !open)
                return unreadable(text);
            result = below ? result / *one : result * *one;
            at = end;
        }
    }
    if (open || (below && factorsBelow == 0))
        return unreadable(text);
    return result;
}

} // namespace fleetwright
