// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string_view>

/// Figures in JSON stand at the path that their key names: "memory.total_bytes" is {"memory": {"total_bytes": ...}}.
namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

/// Counts are written as whole numbers. A figure that is absent or not finite is left out.
void putFigure(Json &json, std::string_view key, std::optional<double> value);

/// What stands at the path; nullptr: nothing.
[[nodiscard]] const Json *findAt(const Json &json, std::string_view path);

} // namespace fleetwright::exchange
