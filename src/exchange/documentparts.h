// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"
#include "exchange/plandocuments.h"

#include <nlohmann/json.hpp>

/// What documents of sweeps and searches have in common: a plan inside them, axes, and the hash of what their answers
/// depend on.
namespace fleetwright::exchange {

/// "axes[1]".
[[nodiscard]] std::string at(std::string_view list, std::size_t index);

[[nodiscard]] Json valueToJson(const SettingValue &value);
/// {key, values}, {key, range} or {points}, each with an optional label. Errors below `path`.
[[nodiscard]] Expected<SweepAxis> axisFromJson(const Json &json, const std::string &path);
[[nodiscard]] Json axisToJson(const SweepAxis &axis);

/// A plan document that may leave `fleetwright` out. Errors below "plan".
[[nodiscard]] Expected<PlanDocument> inlinePlan(const Json &json);
/// The other way round.
[[nodiscard]] Json inlinePlanToJson(const PlanDocument &document);

/// Sorted keys make one text out of equal values.
using Canonical = nlohmann::json;
[[nodiscard]] Canonical canonical(const Json &json);

/// The values of a fleet's costs that the worksheet takes; names and sources are not in it.
[[nodiscard]] Canonical canonical(const FleetCosts &costs);

/// Plan, axes, cost models with their versions and the values of every catalog item, calibrated constant and planning
/// default that they name. Names and labels are not in it.
[[nodiscard]] Canonical hashInputs(const PlanDocument &document, std::span<const SweepAxis> axes,
    std::span<const std::string> costModels, const Catalog &catalog);
/// Adds the values of an item, of a node also its accelerator's, under "nodes/id"; null where the catalog has none.
void addItem(Canonical &items, CatalogKind kind, const std::string &id, const Catalog &catalog);
/// Adds the cost models with their versions ("cost_models") and what the project sets for them ("calibrated",
/// "planning").
void addModels(Canonical &inputs, std::span<const std::string> costModels, const Catalog &catalog);
/// SHA-256 of the text, lower-case hexadecimal.
[[nodiscard]] std::string hashOf(const Canonical &inputs);

} // namespace fleetwright::exchange
