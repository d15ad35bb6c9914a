// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/ledgerentry.h"

#include "domain/parallelism.h"
#include "domain/rules.h"

#include <chrono>

namespace fleetwright {

namespace {

constexpr double mostAccelerators = 1e9;

/// The digits of `text` from `at`, or nothing where one of them is not a digit.
std::optional<int> digits(const std::string &text, std::size_t at, std::size_t count)
{
    int number = 0;
    for (const char c : std::string_view(text).substr(at, count)) {
        if (c < '0' || c > '9')
            return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

bool isTime(const std::string &text)
{
    constexpr std::string_view form = "0000-00-00T00:00:00Z";
    if (text.size() != form.size())
        return false;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] != '0' && text[i] != form[i])
            return false;
    const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
    const auto hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
    if (!year || !month || !day || !hour || !minute || !second)
        return false;
    const auto date = std::chrono::year(*year) / *month / *day;
    return date.ok() && *hour < 24 && *minute < 60 && *second < 60;
}

} // namespace

std::string_view toString(LedgerContext context)
{
    switch (context) {
    case LedgerContext::DataParallel: return "data-parallel";
    case LedgerContext::ThreeDimensional: return "3d";
    case LedgerContext::FromPlan: return "plan";
    case LedgerContext::FromSearch: return "search";
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
    if (!isTime(entry.when))
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
