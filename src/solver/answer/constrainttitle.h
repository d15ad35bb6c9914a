// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fleetwright {

/// What people call TraceEntry::constraint: "Deadline" for "deadline_days"; the key itself when it is not known.
[[nodiscard]] std::string_view constraintTitle(std::string_view key);

} // namespace fleetwright
