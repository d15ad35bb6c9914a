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

struct ApprovedDecision {
    std::string name; ///< the decision's, when it was approved
    std::string when; ///< ISO 8601 in UTC to the second
    DecisionDocument decision;
    std::string answer; ///< as projects keep answers (exchange::storedSizeResult)
    std::string inputHash; ///< exchange::decisionInputHash at that time
    std::vector<UsedValue> values;
    PredictedRanges ranges;
    std::string note;
    DecisionActuals actuals;
    bool operator==(const ApprovedDecision &) const = default;
};

/// A name, a time, a valid decision, notes of at most 2000 characters, ranges in order and actuals above 0. Fields:
/// "name", "when", "decision...", "note", "ranges.days", "actuals.days"...
[[nodiscard]] Expected<void> check(const ApprovedDecision &approved);

} // namespace fleetwright
