// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/plandocuments.h"

#include <nlohmann/json.hpp>

/// Parts of plan documents that other documents hold, too. Readers refuse with the path that the part has in a plan.
namespace fleetwright::exchange {

class ObjectReader;

/// Refuses a document without `fleetwright: 1`.
void checkVersion(ObjectReader &reader);

/// A catalog id, or an item inline; empty after a refusal.
[[nodiscard]] ItemReference itemFromJson(ObjectReader &reader, std::string_view key, CatalogKind kind);
[[nodiscard]] Json itemToJson(const ItemReference &reference);

[[nodiscard]] Expected<Training> trainingFromJson(const Json &json);
[[nodiscard]] Expected<Assumptions> assumptionsFromJson(const Json &json);
[[nodiscard]] Json assumptionsToJson(const Assumptions &assumptions);

/// Those limits among the keys of `reader` that plans have, former keys included; ranges are not checked.
void readLimits(ObjectReader &reader, Constraints &constraints);
[[nodiscard]] Expected<Constraints> constraintsFromJson(const Json &json);
[[nodiscard]] Json limitsToJson(const Constraints &constraints);

/// The number in a larger unit that reads back as exactly the same base value, where there is one.
[[nodiscard]] double inUnit(double base, double factor);

} // namespace fleetwright::exchange
