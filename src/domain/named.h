// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

/// Values that documents and requests know by name.
namespace fleetwright {

template <class T> using NamedValue = std::pair<std::string_view, T>;

/// UnsupportedValue: "The topology \u201cstar\u201d is not known; use auto, ring or tree."
[[nodiscard]] std::unexpected<Error> refuseName(
    std::string_view text, std::string_view field, std::string_view what, std::span<const std::string_view> names);

/// The names that toString() gives.
template <class T, std::size_t N> [[nodiscard]] std::array<std::string_view, N> namesOf(const std::array<T, N> &values)
{
    std::array<std::string_view, N> names;
    std::ranges::transform(values, names.begin(), [](const T &value) { return toString(value); });
    return names;
}

/// The value of this name, or refuseName().
template <class T, std::size_t N>
[[nodiscard]] Expected<T> parseNamed(
    std::string_view text, std::string_view field, std::string_view what, const std::array<T, N> &values)
{
    const auto names = namesOf(values);
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
        return refuseName(text, field, what, names);
    return values[std::size_t(found - names.begin())];
}
template <class T, std::size_t N>
[[nodiscard]] Expected<T> parseNamed(
    std::string_view text, std::string_view field, std::string_view what, const std::array<NamedValue<T>, N> &named)
{
    std::array<std::string_view, N> names;
    std::ranges::transform(named, names.begin(), &NamedValue<T>::first);
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
        return refuseName(text, field, what, names);
    return named[std::size_t(found - names.begin())].second;
}

} // namespace fleetwright
