// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fleetwright {

inline constexpr int projectSchemaVersion = 3; ///< user_version of the projects that this program writes

} // namespace fleetwright
