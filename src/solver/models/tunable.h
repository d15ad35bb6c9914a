// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"

#include <vector>

namespace fleetwright::planners {

/// An assumption of a cost model and where its value goes. `factor`: base units per stored unit.
template <class Target> struct Tunable {
    AssumptionDescriptor descriptor;
    void (*apply)(Target &target, const AssumptionValue &value, double factor);
};

[[nodiscard]] inline double number(const AssumptionValue &value) { return std::get<double>(value); }
[[nodiscard]] inline const std::string &text(const AssumptionValue &value) { return std::get<std::string>(value); }

template <class Target>
[[nodiscard]] std::vector<AssumptionDescriptor> descriptorsOf(const std::vector<Tunable<Target>> &tunables)
{
    std::vector<AssumptionDescriptor> list;
    for (const auto &tunable : tunables)
        list.push_back(tunable.descriptor);
    return list;
}

/// Puts every value, edited or default, into `target`. The assumptions must have passed check() against the
/// descriptors.
template <class Target>
void apply(const std::vector<Tunable<Target>> &tunables, const Assumptions &assumptions, Target &target)
{
    for (const auto &tunable : tunables) {
        const auto unit = units::findUnit(tunable.descriptor.unit, tunable.descriptor.dimension);
        tunable.apply(target, valueOf(assumptions, tunable.descriptor), unit ? unit->factor : 1.0);
    }
}

} // namespace fleetwright::planners
