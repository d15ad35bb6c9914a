// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/splitsearch.h"

#include "solver/models/firstorder/firstordermodel.h"

#include <algorithm>

namespace fleetwright {

namespace {

constexpr std::int64_t mostStages = 512;
constexpr double screenShare = 0.9; ///< of the capacity, for the unsharded variant's state
const Bytes screenState = 16.0 * byte; ///< per parameter: 2 weights, 2 gradients, 12 Adam

} // namespace

Expected<SplitRanking> splitSearch(const firstorder::Inputs &inputs, const std::stop_token &stop)
{
    const firstorder::Pricer pricer(inputs);
    if (auto ok = pricer.check(); !ok)
        return std::unexpected(ok.error());
    const bool unsharded = inputs.variant == firstorder::Variant::Unsharded;

    SplitRanking ranking;
    for (std::int64_t tp = 1; tp <= inputs.domainSize && tp <= inputs.accelerators; tp *= 2) {
        for (std::int64_t pp = 1; pp <= std::min(inputs.accelerators, mostStages); pp *= 2) {
            if (stop.stop_requested())
                return refuse(ErrorCode::Cancelled, "", "The search was cancelled.");
            if (inputs.accelerators % (tp * pp) != 0)
                continue;
            ++ranking.candidates;
            if (unsharded
                && inputs.workload.parameters * screenState / double(tp * pp)
                    > screenShare * inputs.accelerator.memoryCapacity)
                continue;
            const std::int64_t dp = inputs.accelerators / (tp * pp);
            const std::int64_t microbatches = unsharded || pp == 1 ? 1
                                                                   : std::max<std::int64_t>(1, inputs.globalBatch / dp);
            const auto figures = pricer.price({.tp = tp, .pp = pp, .microbatches = microbatches});
            if (!figures)
                return std::unexpected(figures.error());
            if (!unsharded && !figures->fits)
                continue;
            ++ranking.kept;
            ranking.top.push_back({.tp = tp,
                .pp = pp,
                .dp = dp,
                .microbatches = microbatches,
                .mfu = figures->scalingEfficiency * inputs.efficiency,
                .stepTime = figures->stepTime});
        }
    }
    std::ranges::stable_sort(ranking.top, std::ranges::greater(), &RankedSplit::mfu);
    ranking.top.resize(std::min(ranking.top.size(), splitsRanked));
    return ranking;
}

Expected<SplitRanking> splitSearch(const Workload &workload, const Fleet &fleet, const Training &training,
    const Assumptions &assumptions, const std::stop_token &stop)
{
    auto inputs = firstorder::inputsFrom(workload, fleet, training, assumptions);
    if (!inputs)
        return std::unexpected(inputs.error());
    inputs->overlap = true;
    auto ranking = splitSearch(*inputs, stop);
    if (!ranking)
        return std::unexpected(firstorder::inPlanTerms(std::move(ranking.error())));
    return ranking;
}

} // namespace fleetwright
