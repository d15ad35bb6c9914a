// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/calendarday.h"

#include <array>
#include <cstdio>

namespace fleetwright {

namespace {

std::optional<unsigned> digitsOf(std::string_view text)
{
    unsigned value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        value = 10 * value + unsigned(c - '0');
    }
    return value;
}

} // namespace

std::string dateText(std::chrono::sys_days date)
{
    const std::chrono::year_month_day parts(date);
    std::array<char, 16> text{};
    std::snprintf(
        text.data(), text.size(), "%04d-%02u-%02u", int(parts.year()), unsigned(parts.month()), unsigned(parts.day()));
    return text.data();
}

std::optional<std::chrono::sys_days> dateFromText(std::string_view text)
{
    if (text.size() != 10 || text[4] != '-' || text[7] != '-')
        return std::nullopt;
    const auto y = digitsOf(text.substr(0, 4)), m = digitsOf(text.substr(5, 2)), d = digitsOf(text.substr(8));
    if (!y || !m || !d)
        return std::nullopt;
    const auto date = std::chrono::year(int(*y)) / std::chrono::month(*m) / std::chrono::day(*d);
    return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

} // namespace fleetwright
