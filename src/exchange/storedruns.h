// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"

#include <optional>
#include <string>
#include <string_view>

/// Measured runs as a project keeps them, without a tree of JSON in between: a project may hold two hundred thousand.
namespace fleetwright::exchange {

/// The text of measuredRunToJson(), character by character. Throws nlohmann::json::exception for a text that is no
/// UTF-8.
[[nodiscard]] std::string storedRunText(const validation::MeasuredRun &run);

/// What measuredRunFromJson() makes of such a text; nothing where the text holds anything else than storedRunText()
/// writes, which that must judge.
[[nodiscard]] std::optional<validation::MeasuredRun> runFromStoredText(
    std::string_view text, validation::SharedTexts &texts);

} // namespace fleetwright::exchange
