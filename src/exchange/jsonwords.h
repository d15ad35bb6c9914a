// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fleetwright::exchange {

/// A JSON value for people: "layers: 8, hidden dim: 512". The text as it is where it is no JSON or nested deeply.
[[nodiscard]] std::string jsonInWords(std::string_view json);

} // namespace fleetwright::exchange
