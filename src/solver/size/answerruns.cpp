// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/answerruns.h"

#include "solver/answer/plancost.h"

#include <array>
#include <utility>

namespace fleetwright::size {

Expected<AnswerRuns> runsOf(const DecisionDocument &document, const Catalog &catalog, const Result &result,
    const Answer &answer, const RangeOf &rangeOf)
{
    std::array<std::optional<FleetRuns>, 2> both;
    for (std::size_t job = 0; job < answer.jobs.size(); ++job) {
        const auto plan = resolve(planOf(document, result, answer, job), catalog);
        if (!plan)
            return std::unexpected(plan.error());
        const auto settings = operationsSettings((*plan)->assumptions);
        if (!settings)
            return std::unexpected(settings.error());
        const auto &of = answer.jobs[job];
        StepTimes step{.likely = (rangeOf ? of.stepSeconds : of.likelyStepSeconds()) * second};
        const auto range = rangeOf ? rangeOf(*plan, step.likely) : std::nullopt;
        if (range) {
            step.low = range->low;
            step.high = range->high;
            if (range->ownRuns > 0)
                step.middle = range->middle();
        }
        auto run = planRun(*plan, step, of.tokens, *settings);
        if (!run)
            return std::unexpected(run.error());
        auto &fleet = both[answer.isOfSecond(job) ? 1 : 0];
        if (!fleet)
            fleet = FleetRuns{.fleet = std::move(run->fleet), .runs = {}};
        fleet->runs.push_back(run->run);
        if (range && range->ownRuns > 0 && (!fleet->measured || range->ownRunsSame < fleet->measured->ownRunsSame))
            fleet->measured = range;
    }
    AnswerRuns all;
    for (auto &fleet : both)
        if (fleet)
            all.push_back(std::move(*fleet));
    if (all.empty())
        return refuse(ErrorCode::OutOfMemory, "jobs", "No layout of the jobs fits this fleet.");
    return all;
}

RunEntries asLikely(RunEntries run)
{
    if (run.stepMiddle) {
        run.stepTime = *std::exchange(run.stepMiddle, std::nullopt);
        run.stepByRuns = true;
    }
    return run;
}

} // namespace fleetwright::size
