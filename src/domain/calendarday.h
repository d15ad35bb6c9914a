// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Days as documents and catalogs write them.
namespace fleetwright {

/// "2027-03-31".
[[nodiscard]] std::string dateText(std::chrono::sys_days date);
/// Nothing for anything but a day of the calendar, written so.
[[nodiscard]] std::optional<std::chrono::sys_days> dateFromText(std::string_view text);

} // namespace fleetwright
