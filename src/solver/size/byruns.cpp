// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/byruns.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <mutex>

namespace fleetwright::size {

std::optional<validation::PredictionRange> rangeOfJob(const RangeOf &rangeOf, const Job &job, const Fleet &fleet,
    int globalBatch, const Layout &layout, double stepSeconds)
{
    const auto plan = job.on(fleet, globalBatch);
    return plan ? layoutsearch::rangeWith(rangeOf, *plan, layout, stepSeconds) : std::nullopt;
}

std::vector<layoutsearch::NearLayout> nearLayouts(
    const Sizing &sizing, const Plan &plan, const layoutsearch::BestByComplexity &best)
{
    return layoutsearch::nearLayouts(plan, best.nearBest(), sizing.ownRuns > 0 ? sizing.rangeOf : RangeOf(),
        sizing.byFormula ? layoutsearch::JudgedBy::Formula : layoutsearch::JudgedBy::Runs);
}

int runsOfTheSite(const Sizing &sizing)
{
    if (!sizing.rangeOf)
        return 0;
    for (const auto &job : sizing.space.jobs) {
        LayoutChooser chooser(sizing.model, job.space, sizing.control.pruning);
        for (const auto &hardware : sizing.space.hardware) { // runs move the steps of some and not of others
            bool isAsked = false; // one layout of each is enough
            for (auto count = hardware.counts.rbegin(); count != hardware.counts.rend() && !isAsked; ++count) {
                if (sizing.control.stop.stop_requested())
                    return 0;
                FleetFacts facts = *hardware.sites.front().fleets.front();
                facts.nodeCount = *count;
                const auto fleet = Fleet::create(std::move(facts));
                if (!fleet)
                    continue;
                for (const int batch : job.batchesFor((*fleet)->accelerators())) {
                    const auto plan = job.on(*fleet, batch);
                    auto layouts = plan ? chooser.on(*plan) : std::unexpected(plan.error());
                    if (!layouts)
                        continue;
                    if (const auto *found =
                            (*layouts)->best(std::numeric_limits<double>::infinity(), sizing.control.stop).best()) {
                        const auto range = rangeOfJob(
                            sizing.rangeOf, job, *fleet, batch, found->row.layout, found->row.stepSeconds);
                        if (range && range->ownRuns > 0)
                            return range->ownRuns;
                        isAsked = true;
                        break;
                    }
                }
            }
        }
    }
    return 0;
}

std::optional<Answer> bestByFormula(const Sizing &sizing)
{
    SharedFront front;
    auto alone = Sizing{
        sizing.space, sizing.judge, sizing.model, sizing.rangeOf, sizing.control, front, sizing.drawnDays};
    alone.ownRuns = sizing.ownRuns;
    alone.byFormula = true;
    std::optional<Answer> best;
    std::mutex mutex;
    tbb::parallel_for(std::size_t(0), sizing.space.hardware.size(), [&](std::size_t i) {
        if (i == sizing.space.baseHardware || int(i % std::size_t(sizing.control.parts)) != sizing.control.part)
            return;
        HardwareSizing one(alone, sizing.space.hardware[i], false);
        if (!one.runFeasible())
            return;
        const std::scoped_lock lock(mutex);
        for (auto &[lot, answer] : one.takeAnswers())
            if (!best || isBetter(sizing.judge.objective(), answer.answer, *best))
                best = std::move(answer.answer);
    });
    if (best && best->byFormula) {
        std::swap(best->figures, *best->byFormula); // it was judged by the formula
        for (auto &job : best->jobs)
            job.days *= job.likelyStepSeconds() / job.stepSeconds;
        best->misses = sizing.judge.misses(best->figures);
    }
    return best;
}

} // namespace fleetwright::size
