// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/fleetpricing.h"

#include <algorithm>

/// The limits and the objective of a decision, asked about fleets.
namespace fleetwright::size {

/// Sums of the same parts in another order, and lines through two points, may differ by this.
inline constexpr double roundingShare = 1e-9;

/// The days of a run whose step time has a range: log-normal, as the range of the prediction is.
struct DaysSpread {
    double likely = 0; ///< the median; infinity: never
    double deviation = 0; ///< of ln(days); 0: certain
    /// That the run takes no more days.
    [[nodiscard]] double chanceOf(double days) const;
    /// The days within which it ends with a chance above 0 and below 1.
    [[nodiscard]] double daysFor(double chance) const;
};

class FleetJudge {
public:
    explicit FleetJudge(const DecisionDocument &document);
    /// With one limit elsewhere.
    [[nodiscard]] FleetJudge moved(SizeLimit limit, double allowed) const;
    /// With one limit as far away as it can be. What is unknown keeps it no more than before.
    [[nodiscard]] FleetJudge without(SizeLimit limit) const;

    [[nodiscard]] DecisionObjective objective() const { return m_objective; }
    [[nodiscard]] double objectiveOf(const FleetFigures &figures) const { return valueOf(m_objective, figures); }
    [[nodiscard]] double x(const FleetFigures &figures) const { return valueOf(m_front[0], figures); }
    [[nodiscard]] double y(const FleetFigures &figures) const { return valueOf(m_front[1], figures); }
    [[nodiscard]] const std::array<DecisionObjective, 2> &axes() const { return m_front; }
    /// Training seconds up to which the limits that grow with them hold; negative where one never does.
    [[nodiscard]] double mostSeconds(const FleetPrices &prices) const;
    /// The same of all limits but one.
    [[nodiscard]] double mostSeconds(const FleetPrices &prices, SizeLimit without) const;
    /// Limits that no layout changes and that the fleet breaks.
    [[nodiscard]] bool breaksFixed(const FleetPrices &prices) const;
    /// So far beyond a limit on what grows with the nodes (capital, cost of a year, power) that no larger fleet of its
    /// kind keeps it, though parts of it, as the network, may grow in steps.
    [[nodiscard]] bool outgrows(const FleetPrices &prices) const;
    /// Every limit that the figures break, in the order of SizeLimit; not Layout and Mfu, which the layouts' search
    /// knows.
    [[nodiscard]] std::vector<Miss> misses(const FleetFigures &figures) const;
    /// How far beyond its limits a fleet is: the largest needed over allowed (allowed over needed of least ones).
    [[nodiscard]] static double excess(const std::vector<Miss> &misses);
    /// The first figure that is limited or ranked by and unknown; nothing where all are known.
    [[nodiscard]] std::optional<std::string_view> unknown(const FleetPrices &prices, Paying paying) const;
    [[nodiscard]] bool limitsAnything() const
    {
        return std::ranges::any_of(m_allowed, [](const auto &bound) { return bound.has_value(); });
    }
    [[nodiscard]] bool asksForChance() const { return allowed(SizeLimit::Chance).has_value(); }
    [[nodiscard]] std::optional<double> deadlineDays() const { return allowed(SizeLimit::Deadline); }
    [[nodiscard]] std::optional<double> allowed(SizeLimit limit) const { return m_allowed[std::size_t(limit)]; }
    /// Whether no layout changes what a fleet has of it.
    [[nodiscard]] static bool isOfTheFleet(SizeLimit limit);
    /// In the unit of Miss; NaN: unknown.
    [[nodiscard]] static double figureOf(SizeLimit limit, const FleetFigures &figures);

private:
    std::array<std::optional<double>, sizeLimitCount> m_allowed{};
    DecisionObjective m_objective;
    std::array<DecisionObjective, 2> m_front;
};

} // namespace fleetwright::size
