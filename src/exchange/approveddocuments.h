// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/approveddecision.h"
#include "exchange/plandocuments.h"

namespace fleetwright::exchange {

/// {"approved": name, "when", "decision": {...}, "answer": {...}, "input_hash", "values": [{"subject", "key", "value",
/// "low", "high", "source", "date"}], "note", "actuals": {"days", "run_cost_usd", "capital_usd", "facility_w",
/// "note"}}; refused as decisionFromJson() with "decision" in front of the field.
[[nodiscard]] Expected<ApprovedDecision> approvedFromJson(const Json &json);
[[nodiscard]] Json approvedToJson(const ApprovedDecision &approved);

} // namespace fleetwright::exchange
