// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <array>
#include <optional>
#include <string>

namespace fleetwright {

/// Where a decision was made.
enum class LedgerContext { DataParallel, ThreeDimensional, FromPlan, FromSearch, FromDecision };
inline constexpr std::array allLedgerContexts{LedgerContext::DataParallel, LedgerContext::ThreeDimensional,
    LedgerContext::FromPlan, LedgerContext::FromSearch, LedgerContext::FromDecision};
[[nodiscard]] std::string_view toString(
    LedgerContext context); ///< "data-parallel", "3d", "plan", "search", "decision": as files write it
[[nodiscard]] std::string_view title(
    LedgerContext context); ///< "Data parallel", "3D", "Plan", "Search", "Decision": for people

/// One recorded decision. What was not known when it was made is absent.
struct LedgerEntry {
    std::string when; ///< ISO 8601 in UTC to the second: "2025-03-01T09:30:00Z"
    LedgerContext context = LedgerContext::FromPlan;
    std::string title; ///< what was decided about
    std::optional<int> tp, pp, dp;
    std::optional<int> accelerators;
    std::optional<double> mfu; ///< share of the peak
    std::optional<bool> memoryFeasible;
    std::string constraintHit; ///< the first constraint that broke, in words; empty: none
    std::string prediction; ///< what was expected; empty: nothing was predicted
    std::optional<bool> predictionHeld;
    std::string note;
    bool operator==(const LedgerEntry &) const = default;
};

/// MissingField, OutOfRange or UnsupportedValue with the field as files write it ("when", "mfu", "prediction_held").
[[nodiscard]] Expected<void> check(const LedgerEntry &entry);

} // namespace fleetwright
