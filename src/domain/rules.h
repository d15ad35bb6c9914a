// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

/// The few invariants that every value type states, with one wording. The first broken rule is the one reported.
namespace fleetwright::rules {

inline constexpr std::size_t longestTitle = 300, longestText = 2000; ///< of what people write in documents, in bytes

/// `base`, in base units, as a number of a unit of `factor` base units. Factors leave 399.99999999999994 where 400 was
/// meant, so what is within rounding of a number of 15 digits is that number.
[[nodiscard]] inline double inUnit(double base, double factor)
{
    if (factor == 1)
        return base;
    const double exact = base / factor;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), exact, std::chars_format::general, 15);
    double rounded = exact;
    std::from_chars(digits.data(), end.ptr, rounded);
    return std::abs(rounded - exact) <= 2 * std::numeric_limits<double>::epsilon() * std::abs(exact) ? rounded : exact;
}

/// A count of the catalog as an int. One that no int holds becomes the largest, which every check refuses.
[[nodiscard]] inline int countOf(double value)
{
    constexpr double most = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(value, -most, most));
}
inline constexpr double mostOfAnything = 1e9; ///< the largest count that a check lets pass

class Checker {
public:
    explicit Checker(std::string subject) : m_subject(std::move(subject)) { }

    Checker &filled(std::string_view field, const std::string &text)
    {
        if (text.empty())
            fail(ErrorCode::MissingField, field, "The " + std::string(field) + " is empty.");
        return *this;
    }
    template <class Q> Checker &positive(std::string_view field, std::string_view label, const Q &quantity)
    {
        if (!(std::isfinite(quantity.value()) && quantity.value() > 0))
            fail(ErrorCode::OutOfRange, field, std::string(label).append(" must be greater than zero."));
        return *this;
    }
    template <class Q>
    Checker &positive(std::string_view field, std::string_view label, const std::optional<Q> &quantity)
    {
        return quantity ? positive(field, label, *quantity) : *this;
    }
    template <class Q> Checker &notNegative(std::string_view field, std::string_view label, const Q &quantity)
    {
        if (!(std::isfinite(quantity.value()) && quantity.value() >= 0))
            fail(ErrorCode::OutOfRange, field, std::string(label).append(" must be zero or more."));
        return *this;
    }
    template <class Q>
    Checker &notNegative(std::string_view field, std::string_view label, const std::optional<Q> &quantity)
    {
        return quantity ? notNegative(field, label, *quantity) : *this;
    }
    /// Both ends inclusive; NaN is outside.
    Checker &within(std::string_view field, std::string_view label, double value, double low, double high)
    {
        if (!(value >= low && value <= high))
            fail(ErrorCode::OutOfRange, field,
                std::string(label) + " must be between " + units::exact(low) + " and " + units::exact(high) + ".");
        return *this;
    }
    Checker &atLeast(std::string_view field, std::string_view label, double value, double low)
    {
        if (!(value >= low) || !std::isfinite(value))
            fail(ErrorCode::OutOfRange, field, std::string(label) + " must be at least " + units::exact(low) + ".");
        return *this;
    }
    void fail(ErrorCode code, std::string_view field, std::string sentence)
    {
        if (m_result)
            m_result = refuse(
                code, std::string(field), m_subject.empty() ? std::move(sentence) : sentence + " (" + m_subject + ")");
    }
    [[nodiscard]] const Expected<void> &result() const { return m_result; }

private:
    std::string m_subject;
    Expected<void> m_result;
};

} // namespace fleetwright::rules
