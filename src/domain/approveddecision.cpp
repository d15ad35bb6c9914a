// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/approveddecision.h"

#include "domain/recordedtime.h"
#include "domain/rules.h"

namespace fleetwright {

Expected<void> check(const ApprovedDecision &approved)
{
    if (approved.name.empty() || approved.name.size() > rules::longestTitle)
        return refuse(ErrorCode::OutOfRange, "name", "An approved decision has a name of 1 to 300 characters.");
    if (!isRecordedTime(approved.when))
        return refuse(
            ErrorCode::UnsupportedValue, "when", "The time must be written in UTC like 2025-03-01T09:30:00Z.");
    if (auto ok = check(approved.decision); !ok)
        return refuse(ok.error().code, "decision." + ok.error().field, ok.error().message);
    if (approved.note.size() > rules::longestText || approved.actuals.note.size() > rules::longestText)
        return refuse(ErrorCode::OutOfRange, approved.note.size() > rules::longestText ? "note" : "actuals.note",
            "The note is longer than 2000 characters; shorten it.");
    const auto &actuals = approved.actuals;
    for (const auto &[key, value] : {std::pair("days", actuals.days), std::pair("run_cost_usd", actuals.runCostUsd),
             std::pair("capital_usd", actuals.capitalUsd), std::pair("facility_w", actuals.facilityWatts)})
        if (value && !(std::isfinite(*value) && *value > 0))
            return refuse(ErrorCode::OutOfRange, std::string("actuals.") + key,
                "What became of the decision must be a number greater than zero; leave open what is not known.");
    return {};
}

} // namespace fleetwright
