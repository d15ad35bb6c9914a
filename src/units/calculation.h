// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fleetwright::units {

/// What is typed into a field with its calculation done: "160000*0.8" becomes "128000", "12*1.1 MW" "13.2 MW",
/// "(3+4)/2 days" "3.5 days". Numbers are those of parseIn(); the unit, if any, stands behind the whole. What is no
/// calculation, is not complete or has no finite result stays as it is: parseIn() says what is wrong with it.
[[nodiscard]] std::string calculated(std::string_view text);

} // namespace fleetwright::units
