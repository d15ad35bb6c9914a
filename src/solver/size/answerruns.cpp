// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/answerruns.h"

#include "solver/answer/plancost.h"

#include <array>

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
        StepTimes step{.likely = answer.jobs[job].stepSeconds * second};
        if (const auto range = rangeOf ? rangeOf(*plan, step.likely) : std::nullopt) {
            if (range->ownRuns > 0) // what they make likely
                step.likely = range->middle();
            step.low = range->low;
            step.high = range->high;
        }
        auto run = planRun(*plan, step, answer.jobs[job].tokens, *settings);
        if (!run)
            return std::unexpected(run.error());
        auto &of = both[answer.isOfSecond(job) ? 1 : 0];
        if (!of)
            of = FleetRuns{.fleet = std::move(run->fleet), .runs = {}};
        of->runs.push_back(run->run);
    }
    AnswerRuns all;
    for (auto &of : both)
        if (of)
            all.push_back(std::move(*of));
    if (all.empty())
        return refuse(ErrorCode::OutOfMemory, "jobs", "No layout of the jobs fits this fleet.");
    return all;
}

} // namespace fleetwright::size
