// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

/// One run as an entry of the list in a file of measured runs, and back as it is stored in a project. Refusals as
/// measuredRunsFromJson(), with fields from the run on ("model.layers").
[[nodiscard]] nlohmann::ordered_json measuredRunToJson(const validation::MeasuredRun &run);
[[nodiscard]] Expected<validation::MeasuredRun> measuredRunFromJson(const nlohmann::ordered_json &json);

} // namespace fleetwright::exchange
