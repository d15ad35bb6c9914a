// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/size/fleetspace.h"

#include <map>
#include <tuple>

namespace fleetwright::size {

/// The numbers of nodes that every job may be able to use; the layouts' own rules have the last word.
class UsableCounts {
public:
    /// Of `least` to `most` nodes; the others are added to `useless`. All calls are about the same jobs.
    [[nodiscard]] const std::vector<int> &of(const CostModel &model, const std::vector<Job> &jobs,
        const FleetFacts &fleet, int least, int most, std::uint64_t &useless);

private:
    std::map<std::tuple<std::int64_t, int, int, int>, std::vector<int>> m_known; ///< by node and range
};

} // namespace fleetwright::size
