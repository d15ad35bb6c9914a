// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/approveddecision.h"
#include "solver/size/size.h"

namespace fleetwright::size {

struct HowSure;

/// The winner's ranges and chances; none of what was not drawn, or has no end.
[[nodiscard]] PredictedRanges predictedRanges(const HowSure &sure);

/// The prices, tariffs and other costs of the winner, the runner-up among other nodes and the base case, and the
/// constants that the project sets for the cost model: what an approval freezes beside question and answer. Figures
/// that are no number (words, flags) are left out, fleets that cannot be resolved too.
[[nodiscard]] std::vector<UsedValue> usedValues(
    const DecisionDocument &document, const Result &result, const Catalog &catalog);

/// How many runs of the site move the ranges, and their mean step time where any states one: what an approval freezes
/// beside usedValues(). Without runs that there are none.
[[nodiscard]] std::vector<UsedValue> usedRuns(const std::vector<std::optional<Seconds>> &stepTimes);

/// A used value that is another one now, or gone, or new.
struct ValueChange {
    std::string subject, key;
    std::optional<double> then, now;
    std::string source; ///< of now, else of then
    bool operator==(const ValueChange &) const = default;
};
/// In the order of `then`, new ones last. A constant of a cost model that was not entered has its default. Of approvals
/// that froze nothing of the runs those count as unchanged; more or fewer runs are one change, whatever their mean.
[[nodiscard]] std::vector<ValueChange> changesBetween(
    const std::vector<UsedValue> &then, const std::vector<UsedValue> &now);

/// Whether it is of usedRuns().
[[nodiscard]] bool isOfRuns(const ValueChange &change);

/// What people call the value: "Price of a node", "16-bit products, Hopper", and whose it is: a cost model by its
/// title.
[[nodiscard]] std::string valueInWords(const ValueChange &change);
[[nodiscard]] std::string subjectInWords(const ValueChange &change);

} // namespace fleetwright::size
