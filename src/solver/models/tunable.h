// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"
#include "domain/rules.h"

#include <initializer_list>
#include <span>
#include <vector>

namespace fleetwright::planners {

/// An assumption of a cost model and where its value goes. `factor`: base units per stored unit.
template <class Target> struct Tunable {
    AssumptionDescriptor descriptor;
    void (*apply)(Target &target, const AssumptionValue &value, double factor);
};

[[nodiscard]] inline double number(const AssumptionValue &value) { return std::get<double>(value); }
[[nodiscard]] inline const std::string &text(const AssumptionValue &value) { return std::get<std::string>(value); }

using rules::inUnit;
/// The quantity as a number of the unit, for defaults that stand in a cost model's constants.
template <class Unit>
[[nodiscard]] double inUnit(const boost::units::quantity<Unit, double> &quantity, std::string_view symbol)
{
    const auto unit = units::findUnit(symbol, units::DimensionOf<boost::units::quantity<Unit, double>>::value);
    return inUnit(quantity.value(), unit ? unit->factor : 1.0);
}

/// The assumptions of a cost model in the order in which people see them.
template <class Target> class Tunables {
public:
    Tunables(std::initializer_list<Tunable<Target>> tunables)
    {
        for (const auto &tunable : tunables) {
            m_descriptors.push_back(tunable.descriptor);
            m_apply.push_back(tunable.apply);
        }
    }

    [[nodiscard]] std::span<const AssumptionDescriptor> descriptors() const { return m_descriptors; }

    /// Puts every value, edited or default, into `target`. The assumptions must have passed check() against the
    /// descriptors.
    void apply(const Assumptions &assumptions, Target &target) const
    {
        for (std::size_t i = 0; i < m_descriptors.size(); ++i) {
            const auto &descriptor = m_descriptors[i];
            const auto unit = units::findUnit(descriptor.unit, descriptor.dimension);
            m_apply[i](target, valueOf(assumptions, descriptor), unit ? unit->factor : 1.0);
        }
    }

    /// The same for assumptions that nobody checked yet: refuses as check().
    [[nodiscard]] Expected<Target> read(const Assumptions &assumptions) const
    {
        if (auto ok = check(assumptions, descriptors()); !ok)
            return std::unexpected(ok.error());
        Target target;
        apply(assumptions, target);
        return target;
    }

private:
    std::vector<AssumptionDescriptor> m_descriptors;
    std::vector<void (*)(Target &, const AssumptionValue &, double)> m_apply;
};

} // namespace fleetwright::planners
