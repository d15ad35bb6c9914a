// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/plandocuments.h"
#include "solver/size/decisionrisk.h"

/// Answers to decisions: for people and their scripts, and for the program itself.
namespace fleetwright::exchange {

/// The whole answer as one JSON object:
///     {"decision": the document, "input_hash", "cost_model": {"id", "version"}, "recommendation": [sentences],
///      "best": fleet or null, "base_case": fleet or null, "by_node": [fleets], "front": [fleets],
///      "excluded": [{"fleet", "limit", "needed", "allowed", "unit", "sentence", "remedy"}], "refused": [{"candidate",
///      "error"}], "counts": {"fleets", "useless", "lots"}}
/// with "all": [fleets], the best of every kind, where it is asked for. A fleet is {"fleet" in words, "label", "node",
/// "nodes", "accelerators", "fabric", "oversubscription", "facility", "grid", "paying", "feasible", "layout" of a
/// single job, "jobs": [{"name", "layout", "global_batch", "step_time_s", "mfu", ...}], "days", "run_cost_usd",
/// "capital_usd", "ownership_usd_per_year": each {"likely"}, "facility_mw", "carbon_t", "energy_mwh",
/// "electricity_usd" (of run_cost_usd; not of rented fleets, where it is in the rent), "goodput",
/// "ready_days", "usd_per_accelerator_hour", "chance", "misses", "document": the fleet as plans hold it}. What is
/// unknown is absent, what never happens is null.
/// With `sure` the money and days of the best of each node and of the base case have {"p10", "p50", "p90"} beside
/// {"likely"}, and "how_sure" is howSureToJson().
[[nodiscard]] Json sizeResultToJson(const DecisionDocument &document, const size::Result &result,
    const Catalog &catalog, bool all = false, const size::HowSure *sure = nullptr);

/// Fleets one a line, best first, the keys of sizeResultToJson as titles: the best of each node, or of every kind. RFC
/// 4180.
[[nodiscard]] std::string sizeResultToCsv(const DecisionDocument &document, const size::Result &result, bool all);

/// Everything, exactly: what a project keeps and processes exchange. Compact JSON.
[[nodiscard]] std::string storedSizeResult(const size::Result &result);
/// ParseError when the text is nothing that storedSizeResult() writes.
[[nodiscard]] Expected<size::Result> sizeResultFromStored(std::string_view text);

} // namespace fleetwright::exchange
