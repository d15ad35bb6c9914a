// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// Names of files in output sets, which may come from anywhere with a project.
namespace fleetwright {

/// The name is absolute (on any system) or has a part "..".
[[nodiscard]] bool leavesFolder(std::string_view file);

/// Its last part that is a name, with the "/" of a folder: "x.pdf" of "../a/x.pdf", "tables/" of "/tables/"; empty
/// where no part is a name.
[[nodiscard]] std::string nameInFolder(std::string_view file);

} // namespace fleetwright
