// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"
#include "solver/worksheet/fleetcost.h"

namespace fleetwright::size {

/// The worksheets' view of a fleet of an answer: the runs of its jobs, each with the step time that the answer was
/// computed with and its range, which measured runs of the site move. Without ranges with the likely step time, which
/// is by the runs where they move it.
struct FleetRuns {
    Fleet fleet;
    std::vector<RunEntries> runs;
    /// Of the job that measured runs of the site say least of; nothing where they say nothing.
    std::optional<validation::PredictionRange> measured{};
};
/// Of each fleet of the answer, the second one last.
using AnswerRuns = std::vector<FleetRuns>;
/// Refused as resolve() and planRun().
[[nodiscard]] Expected<AnswerRuns> runsOf(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, const Answer &answer, const RangeOf &rangeOf);

/// The run with the step time by which answers are judged: where measured runs of the site moved it, what they make of
/// it.
[[nodiscard]] RunEntries asLikely(RunEntries run);

} // namespace fleetwright::size
