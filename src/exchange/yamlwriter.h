// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace fleetwright::exchange {

/// Writes an object as YAML that readText reads back as the same values: one line per key, short objects and lists in
/// brackets on that line, long ones key by key below it, objects of a list each after a dash, text of several lines as
/// a literal block. Text that YAML would take for something else is quoted.
[[nodiscard]] std::string toYaml(const nlohmann::ordered_json &object);

/// Rows of a table, each a list of titles and texts, as a list under `rows`.
[[nodiscard]] std::string rowsToYaml(const std::vector<std::vector<std::pair<std::string, std::string>>> &rows);

} // namespace fleetwright::exchange
