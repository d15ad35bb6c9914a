// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/recordedtime.h"

#include <chrono>
#include <optional>
#include <string_view>

namespace fleetwright {

namespace {

/// The digits of `text` from `at`, or nothing where one of them is not a digit.
std::optional<int> digits(const std::string &text, std::size_t at, std::size_t count)
{
    int number = 0;
    for (const char c : std::string_view(text).substr(at, count)) {
        if (c < '0' || c > '9')
            return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

} // namespace

bool isRecordedTime(const std::string &text)
{
    constexpr std::string_view form = "0000-00-00T00:00:00Z";
    if (text.size() != form.size())
        return false;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] != '0' && text[i] != form[i])
            return false;
    const auto years = digits(text, 0, 4), months = digits(text, 5, 2), days = digits(text, 8, 2);
    const auto hours = digits(text, 11, 2), minutes = digits(text, 14, 2), seconds = digits(text, 17, 2);
    if (!years || !months || !days || !hours || !minutes || !seconds)
        return false;
    const auto date = std::chrono::year(*years) / *months / *days;
    return date.ok() && *hours < 24 && *minutes < 60 && *seconds < 60;
}

} // namespace fleetwright
