// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/models/estimate.h"
#include "solver/models/layoutpricing.h"
#include "units/format.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace fleetwright {

/// One line of the constraint trace: what was asked, what the plan needs and whether it holds.
struct TraceEntry {
    std::string constraint; ///< keyOf(Limit), or the key of a rule that the layout breaks ("batch", "heads"...)
    ErrorCode code = ErrorCode::ConstraintViolated; ///< of a failure: OutOfMemory, ConstraintViolated or, of a rule,
                                                    ///< InfeasibleParallelism
    bool holds = true;
    bool decided = true; ///< false when a figure that the check needs is unknown; such a line does not make a plan
                         ///< infeasible, and says so
    units::Dimension dimension = units::Dimension::Number;
    double needed = 0; ///< in base units of `dimension`
    double allowed = 0;
    std::string sentence; ///< for people, with the numbers
    bool operator==(const TraceEntry &) const = default;
};

/// What the run as a whole takes.
struct RunFigures {
    std::optional<double> tokens; ///< token budget of the plan or of the workload
    std::optional<Seconds> duration; ///< tokens over tokens per second, without failures
    std::optional<double> acceleratorHours;
    std::optional<Watts> itPower; ///< nodes at their maximum power, else accelerators at TDP
    std::optional<Watts> facilityPower; ///< times pueOf() the plan
    std::optional<Dollars> cost; ///< accelerator-hours at the catalog's lowest cloud price
};

/// The figures of an estimate that limits are set on.
[[nodiscard]] LayoutFigures figuresOf(const Estimate &estimate);

/// The limits of a plan: its constraints with what its fleet, workload and training say about them. solve() and the
/// layout search ask the same object, so what one calls feasible the other does. A limit on a figure that is unknown
/// (NaN) is not decided and does not make a layout infeasible. The power is the facility's, with the PUE that prices
/// energy; where neither facility nor grid states one and the plan's assumption counts, the sentence says so.
class Limits {
public:
    explicit Limits(const Plan &plan);

    /// Whether the memory fits the accelerator, by the cost model's rule, and the share of it that the plan allows.
    [[nodiscard]] bool memoryHolds(const LayoutMemory &memory) const
    {
        return memory.fits && !(memory.bytes > m_memoryBytes);
    }
    /// The capacity, or the share of it that the plan allows: to the last bit the most that its trace lets pass.
    [[nodiscard]] double mostMemoryBytes() const { return m_memoryBytes; }

    /// The first limit other than memory's that the figures break, in the order power, MFU, step time, deadline, cost.
    [[nodiscard]] std::optional<Limit> broken(const LayoutFigures &figures) const
    {
        for (std::size_t i = 0; i < m_count; ++i)
            if (const auto limit = m_set[i]; !holds(limit, needed(limit, figures)))
                return limit;
        return std::nullopt;
    }
    /// Whether broken() depends on the figures.
    [[nodiscard]] bool limitsFigures() const { return m_count > (allowed(Limit::MaxFacilityMw) ? 1 : 0); }

    /// A limit that the plan sets, checked on these figures.
    [[nodiscard]] TraceEntry entryOf(Limit limit, const LayoutFigures &figures) const;

    /// Whether the power is limited and rests on an assumed PUE.
    [[nodiscard]] bool assumesPue() const { return allowed(Limit::MaxFacilityMw) && !m_assumedPue.empty(); }

    /// Of the plan with this estimate.
    [[nodiscard]] RunFigures run(const Estimate &estimate) const;
    /// Memory capacity, then every limit that the plan sets, in the order of Limit.
    [[nodiscard]] std::vector<TraceEntry> trace(const Estimate &estimate) const;

private:
    [[nodiscard]] static double valueOf(const std::optional<double> &value)
    {
        return value.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    [[nodiscard]] std::optional<double> allowed(Limit limit) const
    {
        return m_allowed[static_cast<std::size_t>(limit)];
    }
    /// NaN where it is unknown.
    [[nodiscard]] double needed(Limit limit, const LayoutFigures &figures) const
    {
        switch (limit) {
        case Limit::MemoryCapacity: return figures.memoryBytes;
        case Limit::MaxMemoryFraction: return figures.memoryBytes / m_capacity;
        case Limit::DeadlineDays: return durationOf(figures).value();
        case Limit::RunCostUsd: return costOf(durationOf(figures)).value();
        case Limit::MaxFacilityMw: return m_power;
        case Limit::MinMfu: return figures.mfu;
        case Limit::MaxStepTimeS: return figures.stepSeconds;
        }
        return std::numeric_limits<double>::quiet_NaN();
    }
    [[nodiscard]] bool holds(Limit limit, double value) const
    {
        const double bound = *allowed(limit);
        return std::isnan(value) || (limit == Limit::MinMfu ? value >= bound : value <= bound);
    }
    [[nodiscard]] Seconds durationOf(const LayoutFigures &figures) const
    {
        return Seconds::from_value(figures.tokensPerSecond > 0 ? m_tokens / figures.tokensPerSecond
                                                               : std::numeric_limits<double>::quiet_NaN());
    }
    [[nodiscard]] Dollars costOf(Seconds duration) const
    {
        return Dollars::from_value(m_accelerators * duration.value() * m_price);
    }
    [[nodiscard]] TraceEntry memoryCapacity(const Estimate &estimate) const;
    [[nodiscard]] std::string_view unknown(Limit limit, const LayoutFigures &figures) const;

    std::array<std::optional<double>, limitCount> m_allowed{}; ///< in base units
    std::array<Limit, limitCount> m_set{}; ///< those that broken() looks at, in its order
    std::size_t m_count = 0;
    double m_accelerators = 0, m_capacity = 0, m_memoryBytes = 0;
    double m_tokens, m_price, m_power; ///< NaN where unknown
    bool m_countsTokens = true;
    std::string m_assumedPue; ///< ends the sentence about the power; empty where the site states its PUE
    std::optional<Watts> m_itPower, m_facilityPower;
};

} // namespace fleetwright
