// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/costs/costvalidation.h"
#include "solver/costs/moneyevidence.h"
#include "units/error.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

/// The published costs that come with the program: resources/validation/published_costs.json as it was compiled, and
/// cost_comparisons.json, which says for each row that counts how the worksheet is set up for the same scope, holds the
/// published figures that stand in the specification and not in the first file, and says why some rows cannot be
/// scored.
namespace fleetwright::exchange {

/// Both files. ParseError, MissingField, UnsupportedValue, OutOfRange or UnknownReference (a comparison of a row that
/// is not there) with the path of the key.
[[nodiscard]] Expected<costs::PublishedCosts> publishedCostsFromJson(
    std::string_view rows, std::string_view comparisons);

/// Read on the first call, then kept; any thread may call.
[[nodiscard]] const Expected<costs::PublishedCosts> &shippedPublishedCosts();
/// By how much they are missed at the prices of the catalog; nothing where they cannot be read. Milliseconds.
[[nodiscard]] std::optional<costs::MoneyEvidence> shippedMoneyEvidence(const Catalog &catalog);

/// As `fleetwright-cli validate --costs --format json` prints it: {"summary": [...], "scores": [...], "not_scored":
/// [...]}; figures in the base units that "unit" names (W, J, USD, or 1), errors as fractions.
[[nodiscard]] nlohmann::ordered_json costValidationToJson(const costs::CostValidation &validation);

} // namespace fleetwright::exchange
