// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/treebuilder.h"

namespace fleetwright::exchange {

/// Feeds one YAML document to the builder. False when it was refused; the builder then holds the error. Throws nothing.
[[nodiscard]] bool buildFromYaml(std::string_view text, TreeBuilder &tree);

/// What a plain (unquoted) scalar means in YAML 1.2's core schema: null, boolean, integer, float (infinite when it
/// overflows), else text.
[[nodiscard]] nlohmann::ordered_json plainScalar(const std::string &text);

} // namespace fleetwright::exchange
