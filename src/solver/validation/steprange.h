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

/// "2.51 to 2.94 s"; the range must have runs behind it.
[[nodiscard]] std::string inWords(const PredictionRange &range);
/// "2.31 s, 2.1 to 2.6 s".
[[nodiscard]] std::string withRange(Seconds stepTime, const PredictionRange &range);
/// "validated ±7 %", the typical error of comparable runs; "outside what was validated"; "no comparable runs".
[[nodiscard]] std::string badgeOf(const PredictionRange &range);
/// One sentence about the runs behind the range, then one for everything that lies outside them.
[[nodiscard]] std::vector<std::string> trustInWords(const PredictionRange &range);

} // namespace fleetwright::validation
