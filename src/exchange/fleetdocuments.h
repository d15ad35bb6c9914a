// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/worksheet/fleettables.h"

#include <nlohmann/json_fwd.hpp>

namespace fleetwright::exchange {

/// Reads a fleet (YAML or JSON): the object that stands under `fleet` in a plan document, or a plan document, whose
/// fleet it takes. Refusals as fleetFromJson() has them, with line and column.
[[nodiscard]] Expected<FleetDocument> fleetFromText(std::string_view text);

/// The document with one more entry of its costs, or a term ("paying", "rent_term", "rent_vendor"), as people type it:
/// a number, "low..likely..high", the id of a price, or a word. MissingField for an empty value; else refused as
/// fleetFromJson().
[[nodiscard]] Expected<FleetDocument> withCost(
    const FleetDocument &document, const std::string &key, const std::string &value);

/// Everything that the sheet says about the fleet: bill_of_materials, power, capital, running, levelised, rent,
/// goodput, cash_flow, buy_or_rent, notices. Values are in the unit beside them; what has none has a reason.
[[nodiscard]] nlohmann::ordered_json fleetCostToJson(const Fleet &fleet, const CostSheet &sheet);

/// Every row: key, label, unit, value or values by year or month, formula, source, date, low and high of entries, or
/// the reason why there is no value.
[[nodiscard]] nlohmann::ordered_json sheetRowsToJson(const CostSheet &sheet);

} // namespace fleetwright::exchange
