// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace fleetwright {

/// How a cost model read what a plan leaves open about software and hardware, and what the same plan takes when it is
/// read otherwise. A model that knows neither leaves everything empty.
struct PlanReading {
    /// What another choice makes of the step; `name` is its id ("framework", "Hopper").
    struct Step {
        std::string name;
        Seconds stepTime{};
        bool operator==(const Step &) const = default;
    };

    std::string softwareClass, softwareStack; ///< ids, as in the plan's assumptions
    std::optional<Step> tuned, framework; ///< named after their stacks; absent where both run the same one
    std::vector<std::string> families; ///< whose measured constants price the accelerator
    bool nearestFamilies = false; ///< no run was measured on this accelerator: the families are those nearest to it
    std::vector<Step> familySteps; ///< by each of several nearest families alone

    /// framework / tuned - 1: "tuning is worth 18 % here".
    [[nodiscard]] std::optional<double> tuningWorth() const;
    /// Slowest over fastest of the nearest families, less 1.
    [[nodiscard]] std::optional<double> familySpread() const;
    bool operator==(const PlanReading &) const = default;
};

/// A sentence about the software, then one about the families where they are the nearest; empty for an empty reading.
[[nodiscard]] std::vector<std::string> inWords(const PlanReading &reading);

} // namespace fleetwright
