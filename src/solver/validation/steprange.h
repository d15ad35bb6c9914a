// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/quantity.h"

#include <string>
#include <vector>

namespace fleetwright::validation {

/// How far a predicted step time can be trusted.
struct PredictionRange {
    Seconds low{}, high{}; ///< of the step time
    double typicalError = 0; ///< median absolute error of the comparable runs
    int runs = 0, sources = 0; ///< behind it
    std::string comparable; ///< which runs: "412 runs on Hopper with TP + PP + DP, 10-30 B, of 7 sources"
    std::vector<std::string> outside; ///< each a sentence: what lies outside what was validated; empty: validated
    [[nodiscard]] bool isValidated() const { return outside.empty() && runs > 0; }
    bool operator==(const PredictionRange &) const = default;
};

} // namespace fleetwright::validation
