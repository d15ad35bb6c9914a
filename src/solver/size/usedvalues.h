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

/// A used value that is another one now, or gone, or new.
struct ValueChange {
    std::string subject, key;
    std::optional<double> then, now;
    std::string source; ///< of now, else of then
    bool operator==(const ValueChange &) const = default;
};
/// In the order of `then`, new ones last.
[[nodiscard]] std::vector<ValueChange> changesBetween(
    const std::vector<UsedValue> &then, const std::vector<UsedValue> &now);

} // namespace fleetwright::size
