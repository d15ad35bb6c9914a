// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fleetwright {

struct TraceEntry;

/// What people call TraceEntry::constraint: "Deadline" for "deadline_days"; the key itself when it is not known.
[[nodiscard]] std::string_view constraintTitle(std::string_view key);

/// A line that does not hold in short: "Deadline: 33.6 days, 3.60 days over", "Lowest MFU: 31.0 %, 9.00 % under".
[[nodiscard]] std::string missInWords(const TraceEntry &entry);

} // namespace fleetwright
