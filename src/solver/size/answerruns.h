// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/size.h"
#include "solver/worksheet/fleetcost.h"

namespace fleetwright::size {

/// The worksheets' view of an answer: its fleet, and the run of each job with the range of its step time.
struct AnswerRuns {
    Fleet fleet;
    std::vector<RunEntries> runs;
};
/// Refused as resolve() and planRun().
[[nodiscard]] Expected<AnswerRuns> runsOf(const DecisionDocument &document, const Catalog &catalog,
    const Result &result, const Answer &answer, const RangeOf &rangeOf);

} // namespace fleetwright::size
