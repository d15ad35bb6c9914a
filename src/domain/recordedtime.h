// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fleetwright {

/// Whether the text is a time as records hold it, ISO 8601 in UTC to the second: "2027-03-01T09:30:00Z".
[[nodiscard]] bool isRecordedTime(const std::string &text);

} // namespace fleetwright
