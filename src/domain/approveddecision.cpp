// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/approveddecision.h"

#include "domain/recordedtime.h"
#include "domain/rules.h"

#include <tuple>

namespace fleetwright {

std::string inWords(const Signature &signature)
{
    if (signature.by.empty())
        return {};
    return signature.by + (signature.role.empty() ? "" : ", " + signature.role)
        + (signature.condition.empty() ? "" : ": " + signature.condition);
}

bool isSameApproval(const ApprovedDecision &one, const ApprovedDecision &other)
{
    auto frozen = one;
    frozen.note = other.note;
    frozen.actuals = other.actuals;
    frozen.withdrawn = other.withdrawn;
    return frozen == other;
}

Expected<void> check(const ApprovedDecision &approved)
{
    if (approved.name.empty() || approved.name.size() > rules::longestTitle)
        return refuse(ErrorCode::OutOfRange, "name", "An approved decision has a name of 1 to 300 characters.");
    if (!isRecordedTime(approved.when))
        return refuse(
            ErrorCode::UnsupportedValue, "when", "The time must be written in UTC like 2025-03-01T09:30:00Z.");
    if (auto ok = check(approved.decision); !ok)
        return refuse(ok.error().code, "decision." + ok.error().field, ok.error().message);
    const auto &[by, role, condition] = approved.signature;
    if (by.empty() && !(role.empty() && condition.empty()))
        return refuse(ErrorCode::MissingField, "signed.by", "A signature has the name of whoever signed.");
    for (const auto &[key, text, longest] : {std::tuple("by", &by, rules::longestTitle),
             std::tuple("role", &role, rules::longestTitle), std::tuple("condition", &condition, rules::longestText)})
        if (text->size() > longest)
            return refuse(ErrorCode::OutOfRange, std::string("signed.") + key,
                "A signature has a name and a role of at most 300 characters and a condition of at most 2000.");
    if (approved.note.size() > rules::longestText || approved.actuals.note.size() > rules::longestText)
        return refuse(ErrorCode::OutOfRange, approved.note.size() > rules::longestText ? "note" : "actuals.note",
            "The note is longer than 2000 characters; shorten it.");
    const auto &ranges = approved.ranges;
    for (const auto &[key, range] : {std::pair("days", ranges.days), std::pair("run_cost_usd", ranges.runCostUsd),
             std::pair("capital_usd", ranges.capitalUsd)})
        if (range && !(std::isfinite(range->low) && std::isfinite(range->high) && range->low <= range->high))
            return refuse(ErrorCode::OutOfRange, std::string("ranges.") + key,
                "A range has a low end and a high one that is not below it.");
    for (const auto &[key, chance] :
        {std::pair("deadline_chance", ranges.deadlineChance), std::pair("best_share", ranges.bestShare)})
        if (chance && !(*chance >= 0 && *chance <= 1))
            return refuse(
                ErrorCode::OutOfRange, std::string("ranges.") + key, "A share of the draws lies between 0 and 1.");
    const auto &actuals = approved.actuals;
    for (const auto &[key, value] : {std::pair("days", actuals.days), std::pair("run_cost_usd", actuals.runCostUsd),
             std::pair("capital_usd", actuals.capitalUsd), std::pair("facility_w", actuals.facilityWatts)})
        if (value && !(std::isfinite(*value) && *value > 0))
            return refuse(ErrorCode::OutOfRange, std::string("actuals.") + key,
                "What became of the decision must be a number greater than zero; leave open what is not known.");
    if (approved.withdrawn
        && (!isRecordedTime(approved.withdrawn->when) || approved.withdrawn->reason.empty()
            || approved.withdrawn->reason.size() > rules::longestText))
        return refuse(ErrorCode::OutOfRange, "withdrawn",
            "A withdrawal has its time in UTC, like 2025-03-01T09:30:00Z, and a reason of 1 to 2000 characters.");
    return {};
}

} // namespace fleetwright
