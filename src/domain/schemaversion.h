// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fleetwright {

inline constexpr unsigned projectApplicationId = 0x464C5754; ///< "FLWT", application_id of every project file
inline constexpr int projectSchemaVersion = 11; ///< user_version of the projects that this program writes

} // namespace fleetwright
