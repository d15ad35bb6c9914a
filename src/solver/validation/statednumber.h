// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace fleetwright::validation {

/// A number that somebody may have left unsaid: std::optional in half the memory. What is not a number, and the least
/// whole number, stand for nothing and so cannot be stated; no reader lets them pass.
template <class T> class Stated {
public:
    using value_type = T;

    constexpr Stated() = default;
    constexpr Stated(std::nullopt_t) { }
    template <class U>
    requires(std::convertible_to<U, T> && !std::is_same_v<std::remove_cvref_t<U>, Stated>) constexpr Stated(
        const U &value)
        : m_value(static_cast<T>(value))
    {
    }
    constexpr Stated(const std::optional<T> &value) : m_value(value.value_or(nothing())) { }
    constexpr operator std::optional<T>() const { return has_value() ? std::optional<T>(m_value) : std::nullopt; }

    [[nodiscard]] constexpr bool has_value() const
    {
        if constexpr (std::is_integral_v<T>)
            return m_value != nothing();
        else
            return m_value == m_value;
    }
    constexpr explicit operator bool() const { return has_value(); }
    constexpr const T &operator*() const { return m_value; }
    constexpr const T *operator->() const { return &m_value; }
    [[nodiscard]] constexpr T value_or(const T &otherwise) const { return has_value() ? m_value : otherwise; }
    constexpr void reset() { m_value = nothing(); }

    friend constexpr bool operator==(const Stated &a, const Stated &b)
    {
        return a.has_value() ? a.m_value == b.m_value : !b.has_value();
    }

private:
    static constexpr T nothing()
    {
        if constexpr (std::is_integral_v<T>)
            return std::numeric_limits<T>::min();
        else if constexpr (std::is_floating_point_v<T>)
            return std::numeric_limits<T>::quiet_NaN();
        else
            return T::from_value(std::numeric_limits<double>::quiet_NaN());
    }
    T m_value = nothing();
};

} // namespace fleetwright::validation
