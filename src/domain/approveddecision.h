// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/decisiondocument.h"

/// A decision as it was approved: frozen with everything that it rested on, to be held against what became of it.
namespace fleetwright {

/// A price, a tariff or a constant that the answer used.
struct UsedValue {
    std::string subject; ///< the fleet's node with its site, or the cost model: "DGX B200, Sweden", "detailed"
    std::string key; ///< entry of the worksheet, or constant: "node_usd", "usd_per_kwh"
    double value = 0;
    std::optional<double> low, high; ///< both or neither
    std::string source, date;
    bool operator==(const UsedValue &) const = default;
};

/// What was predicted of a figure: of ten draws eight lie between low and high.
struct PredictedRange {
    double low = 0, high = 0;
    bool operator==(const PredictedRange &) const = default;
};

/// Of the fleet that was approved, as drawn on that day; absent: not drawn.
struct PredictedRanges {
    std::optional<PredictedRange> days, runCostUsd, capitalUsd;
    std::optional<double> deadlineChance, bestShare; ///< shares of the draws
    bool operator==(const PredictedRanges &) const = default;
};

/// What became of it; what is not known yet is absent.
struct DecisionActuals {
    std::optional<double> days; ///< of the jobs
    std::optional<double> runCostUsd, capitalUsd;
    std::optional<double> facilityWatts; ///< peak
    std::string note;
    bool operator==(const DecisionActuals &) const = default;
};

/// Who approved a decision, as said on that day. All empty: it was not asked yet when it was approved.
struct Signature {
    std::string by, role, condition; ///< the condition may be a reason as well
    bool operator==(const Signature &) const = default;
};
/// "Ann Roe, CFO: if the quote holds"; empty without a name.
[[nodiscard]] std::string inWords(const Signature &signature);

/// That an approval no longer holds. It stays where it is, with the reason.
struct Withdrawal {
    std::string when; ///< as ApprovedDecision::when
    std::string reason;
    bool operator==(const Withdrawal &) const = default;
};

struct ApprovedDecision {
    std::string name; ///< the decision's, when it was approved
    std::string when; ///< ISO 8601 in UTC to the second
    DecisionDocument decision;
    std::string answer; ///< as projects keep answers (exchange::storedSizeResult)
    std::string inputHash; ///< exchange::decisionInputHash at that time
    std::vector<UsedValue> values;
    PredictedRanges ranges;
    Signature signature{};
    std::string note; ///< of later; what was approved before signatures were kept may have its signature here
    DecisionActuals actuals;
    std::optional<Withdrawal> withdrawn{};
    bool operator==(const ApprovedDecision &) const = default;
};

/// A name, a time, a valid decision, notes of at most 2000 characters, a signature that has a name where it has
/// anything, ranges in order, actuals above 0, and a withdrawal with a time and a reason. Fields: "name", "when",
/// "decision...", "signed.by", "note", "ranges.days", "actuals.days", "withdrawn"...
[[nodiscard]] Expected<void> check(const ApprovedDecision &approved);
/// Whether all is alike that is frozen with the approval: everything but note, actuals and withdrawal.
[[nodiscard]] bool isSameApproval(const ApprovedDecision &one, const ApprovedDecision &other);

} // namespace fleetwright
