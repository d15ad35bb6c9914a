// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/models/estimate.h"
#include "solver/models/layoutpricing.h"
#include "solver/worksheet/fleetcost.h"
#include "units/format.h"

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace fleetwright {

/// One line of the constraint trace: what was asked, what the plan needs and whether it holds.
struct TraceEntry {
    std::string constraint; ///< keyOf(Limit), or the key of a rule that the layout breaks ("batch", "heads"...)
    ErrorCode code = ErrorCode::ConstraintViolated; ///< of a failure: OutOfMemory, ConstraintViolated or, of a rule,
                                                    ///< InfeasibleParallelism
    bool holds = true;
    bool onlyLikely = false; ///< holds at the likely value, and not at the high end of its range
    bool decided = true; ///< false when a figure that the check needs is unknown; such a line does not make a plan
                         ///< infeasible, and says so
    units::Dimension dimension = units::Dimension::Number;
    double needed = 0; ///< in base units of `dimension`
    double allowed = 0;
    std::string sentence; ///< for people, with the numbers
    std::optional<double> byFormula{}; ///< what the cost model alone says, where measured runs of the site decide
    bool operator==(const TraceEntry &) const = default;
};

/// What the run as a whole takes by the cost model alone; the worksheet (Solution::costs) adds failures, power and
/// money.
struct RunFigures {
    std::optional<double> tokens; ///< token budget of the plan or of the workload
    std::optional<Seconds> duration; ///< tokens over tokens per second, without failures
    std::optional<double> acceleratorHours; ///< of that duration
};

/// The figures of an estimate that limits are set on.
[[nodiscard]] LayoutFigures figuresOf(const Estimate &estimate);

/// The limits of a plan: its constraints with what its fleet, workload and training say about them. solve() and the
/// layout search ask the same object, so what one calls feasible the other does. A limit on a figure that is unknown
/// (NaN) is not decided and does not make a layout infeasible. Days, money and power are those of the worksheet: days
/// with failures, money all in as the fleet is paid for, power the facility's peak. Days and the cost of the run grow
/// in proportion to the step time, so that they are known for every layout from one evaluation.
class Limits {
public:
    explicit Limits(const Plan &plan);
    /// With the sheet of planCost(plan, 1 s), where it is at hand.
    Limits(const Plan &plan, const Expected<CostSheet> &ofOneSecond);

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
    [[nodiscard]] bool limitsFigures() const
    {
        std::size_t ofFleet = 0;
        for (const auto limit : {Limit::MaxFacilityMw, Limit::CapitalUsd, Limit::YearlyCostUsd})
            ofFleet += allowed(limit) ? 1 : 0;
        return m_count > ofFleet;
    }

    /// A limit that the plan sets, checked on these figures. `range`: of what it limits; one that holds at the likely
    /// value and not at the high end says so. `byRuns`: by how much measured runs of the site make the step longer than
    /// the figures have it; days and cost of the run are judged by that.
    [[nodiscard]] TraceEntry entryOf(Limit limit, const LayoutFigures &figures,
        std::optional<SheetRange> range = std::nullopt, std::optional<double> byRuns = std::nullopt) const;

    /// Whether the power is limited and rests on an assumed PUE.
    [[nodiscard]] bool assumesPue() const { return allowed(Limit::MaxFacilityMw) && !m_assumedPue.empty(); }

    /// What the fleet costs while it works, as it is paid for; nothing where a price is missing.
    [[nodiscard]] std::optional<DollarRate> fleetRate() const { return m_fleetRate; }
    /// Of the plan with this estimate.
    [[nodiscard]] RunFigures run(const Estimate &estimate) const;
    /// Memory capacity, then every limit that the plan sets, in the order of Limit.
    /// `costs`: the plan's sheet, whose ranges say what holds at the likely value only; `byRuns` as entryOf().
    [[nodiscard]] std::vector<TraceEntry> trace(
        const Estimate &estimate, const CostSheet *costs = nullptr, std::optional<double> byRuns = std::nullopt) const;

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
        case Limit::DeadlineDays: return m_timePerStep * stepOf(figures);
        case Limit::RunCostUsd: return m_runExtras + m_costPerStep * stepOf(figures);
        case Limit::CapitalUsd: return m_capital;
        case Limit::YearlyCostUsd: return m_yearlyCost;
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
    /// In seconds, from the rate on which the duration rests.
    [[nodiscard]] double stepOf(const LayoutFigures &figures) const
    {
        return figures.tokensPerSecond > 0 ? m_tokensPerStep / figures.tokensPerSecond
                                           : std::numeric_limits<double>::quiet_NaN();
    }
    /// In base units, of the sheet's range; nothing for what the sheet has not.
    [[nodiscard]] std::optional<SheetRange> rangeOf(Limit limit, const CostSheet &costs) const;
    [[nodiscard]] static bool followsFromTime(Limit limit)
    {
        return limit == Limit::DeadlineDays || limit == Limit::RunCostUsd;
    }
    [[nodiscard]] TraceEntry memoryCapacity(const Estimate &estimate) const;
    [[nodiscard]] std::string unknown(Limit limit, const LayoutFigures &figures) const;

    std::array<std::optional<double>, limitCount> m_allowed{}; ///< in base units
    std::array<Limit, limitCount> m_set{}; ///< those that broken() looks at, in its order
    std::size_t m_count = 0;
    double m_accelerators = 0, m_capacity = 0, m_memoryBytes = 0;
    double m_tokens, m_tokensPerStep;
    double m_timePerStep, m_costPerStep; ///< s and USD of the run for a second of the step; NaN where unknown,
                                         ///< infinity where the run never ends
    double m_runExtras = 0; ///< USD of the run whatever the step
    double m_capital, m_yearlyCost, m_power; ///< of the fleet; NaN where unknown
    std::optional<DollarRate> m_fleetRate;
    Paying m_paying;
    bool m_countsTokens = true;
    std::string m_assumedPue; ///< ends the sentence about the power; empty where the site states its PUE
    std::map<Limit, std::string> m_reasons; ///< why a figure is unknown, or has no end
};

} // namespace fleetwright
