// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/ledgerentry.h"

#include "domain/parallelism.h"
#include "domain/recordedtime.h"
#include "domain/rules.h"

namespace fleetwright {

namespace {

constexpr double mostAccelerators = 1e9;

} // namespace

std::string_view toString(LedgerContext context)
{
    switch (context) {
    case LedgerContext::DataParallel: return "data-parallel";
    case LedgerContext::ThreeDimensional: return "3d";
    case LedgerContext::FromPlan: return "plan";
    case LedgerContext::FromSearch: return "search";
    case LedgerContext::FromDecision: return "decision";
    }
    return {};
}

std::string_view title(LedgerContext context)
{
    switch (context) {
    case LedgerContext::DataParallel: return "Data parallel";
    case LedgerContext::ThreeDimensional: return "3D";
    case LedgerContext::FromPlan: return "Plan";
    case LedgerContext::FromSearch: return "Search";
    case LedgerContext::FromDecision: return "Decision";
    }
    return {};
}

Expected<void> check(const LedgerEntry &entry)
{
    rules::Checker rule("");
    const auto within = [&](std::string_view field, std::string_view label, const auto &value, double low,
                            double high) {
        if (value)
            rule.within(field, label, *value, low, high);
    };
    const auto atMost = [&](std::string_view field, std::string_view label, const std::string &text,
                            std::size_t longest) {
        if (text.size() > longest)
            rule.fail(ErrorCode::OutOfRange, field,
                std::string(label) + " is longer than " + std::to_string(longest) + " characters; shorten it.");
    };
    if (!isRecordedTime(entry.when))
        rule.fail(ErrorCode::UnsupportedValue, "when", "The time must be written in UTC like 2025-03-01T09:30:00Z.");
    if (entry.title.find_first_not_of(" \t\r\n") == std::string::npos)
        rule.fail(ErrorCode::MissingField, "title", "The title is empty; say what was decided about.");
    atMost("title", "The title", entry.title, rules::longestTitle);
    within("tp", "Tensor parallelism (TP)", entry.tp, 1, mostRanks);
    within("pp", "Pipeline parallelism (PP)", entry.pp, 1, mostRanks);
    within("dp", "Data parallelism (DP)", entry.dp, 1, mostRanks);
    within("accelerators", "The number of accelerators", entry.accelerators, 1, mostAccelerators);
    within("mfu", "The MFU", entry.mfu, 0, 1);
    if (entry.tp && entry.pp && entry.dp && entry.accelerators
        && double(*entry.tp) * *entry.pp * *entry.dp > *entry.accelerators)
        rule.fail(ErrorCode::UnsupportedValue, "accelerators",
            "TP x PP x DP is more than the number of accelerators; correct one of them.");
    atMost("constraint_hit", "The constraint", entry.constraintHit, rules::longestText);
    atMost("prediction", "The prediction", entry.prediction, rules::longestText);
    atMost("note", "The note", entry.note, rules::longestText);
    if (entry.predictionHeld && entry.prediction.empty())
        rule.fail(ErrorCode::MissingField, "prediction",
            "Whether the prediction held is stated, but not the prediction; write it or leave both out.");
    return rule.result();
}

} // namespace fleetwright
