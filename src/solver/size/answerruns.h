// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"
#include "solver/worksheet/fleetcost.h"

namespace fleetwright::size {

/// The worksheets' view of a fleet of an answer: the runs of its jobs, each with the range of its step time.
struct FleetRuns {
    Fleet fleet;
    std::vector<RunEntries> runs;
};
/// Of each fleet of the answer, the second one last.
using AnswerRuns = std::vector<FleetRuns>;
/// Refused as resolve() and planRun().
[[nodiscard]] Expected<AnswerRuns> runsOf(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, const Answer &answer, const RangeOf &rangeOf);

} // namespace fleetwright::size
