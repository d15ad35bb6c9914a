// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/fleetjudge.h"

#include <mutex>

namespace fleetwright::size {

/// Of two feasible answers the one that is listed first: less of the objective, then fewer days, then less power.
[[nodiscard]] bool isBetter(DecisionObjective objective, const Answer &left, const Answer &right);

/// The fleets that one limit alone keeps out and that have less than `below` of the objective, gathered by all threads
/// of a sizing. What is gathered does not depend on the order.
class LimitLift {
public:
    /// Without a limit: fleets of jobs that may do more than those that were asked about; of these only the best.
    LimitLift(const FleetJudge &judge, std::optional<SizeLimit> limit, double below);

    /// Not of one without a limit, as what is asked about distances.
    [[nodiscard]] SizeLimit limit() const { return *m_limit; }
    [[nodiscard]] bool hasLimit() const { return m_limit.has_value(); }
    [[nodiscard]] double below() const { return m_below; }
    [[nodiscard]] const FleetJudge &stated() const { return m_stated; }
    /// Without the limit.
    [[nodiscard]] const FleetJudge &judge() const { return m_judge; }
    /// No fleet beyond the limit can have less of the objective than one within: it limits the objective itself.
    [[nodiscard]] bool isNeedless() const;
    /// How far the limit has to be moved for this figure, less being nearer; unknown figures come first.
    [[nodiscard]] double distanceOf(double needed) const;
    /// Whether a fleet with no less of the objective, or no nearer, could still be what is asked for.
    [[nodiscard]] bool couldBeBest(double objective) const;
    [[nodiscard]] bool couldBeNearest(double distance) const;
    /// What has no less than `below` of the objective is passed over.
    void addBest(const LetIn &fleet);
    void addNearest(const LetIn &fleet);
    [[nodiscard]] KeptOut result() const;
    [[nodiscard]] const std::optional<LetIn> &best() const { return m_best; }

private:
    [[nodiscard]] bool isOfInterest(const LetIn &fleet) const;

    const FleetJudge &m_stated;
    std::optional<SizeLimit> m_limit;
    double m_below;
    FleetJudge m_judge;
    mutable std::mutex m_mutex;
    std::optional<LetIn> m_nearest, m_best;
};

} // namespace fleetwright::size
