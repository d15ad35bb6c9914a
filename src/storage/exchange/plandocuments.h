// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/solve.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;

/// Reads a plan document (YAML 1.2 or JSON; JSON is a subset). `fleetwright: 1` is required. Unknown keys, wrong types and values out of
/// range are refused with the dotted path in Error::field and line and column in the sentence where the text has them. Nothing is
/// defaulted silently: keys with a default are listed in docs of planToJson. Texts over 4 MiB are refused.
[[nodiscard]] Expected<PlanDocument> planFromText(std::string_view text);
[[nodiscard]] Expected<PlanDocument> planFromJson(const Json &json);
[[nodiscard]] Json planToJson(const PlanDocument &document);
[[nodiscard]] std::string planToYaml(const PlanDocument &document);

[[nodiscard]] Json fleetToJson(const FleetDocument &document);
[[nodiscard]] Expected<FleetDocument> fleetFromJson(const Json &json, const std::string &path = "fleet");

/// SHA-256 over the canonical JSON of everything that the answer depends on: the resolved plan, all assumptions with their effective
/// values, the cost model's id and version. Lower-case hexadecimal. The same inputs give the same hash on every machine.
[[nodiscard]] std::string inputHash(const Plan &plan);

/// The `estimate` object of DESIGN's command-line contract; keys that the model does not produce are absent.
[[nodiscard]] Json solutionToJson(const Solution &solution, const Plan &plan);
[[nodiscard]] Json errorToJson(const Error &error);

} // namespace fleetwright::exchange
