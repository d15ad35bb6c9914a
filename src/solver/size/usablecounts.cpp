// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/usablecounts.h"

#include <algorithm>
#include <set>

namespace fleetwright::size {

namespace {

/// The products of TP, CP and PP that a job may have on this node; empty: any.
std::vector<std::int64_t> replicaSizes(const Job &job, const NodeFacts &node, std::int64_t most, bool countsPlainRanks)
{
    const auto &workload = *job.workload;
    if (!workload.layers || !countsPlainRanks)
        return {};
    constexpr int endLayers = 2; // embedding and output, as LayoutRules counts them
    std::set<std::int64_t> sizes;
    const auto named = [&](LayoutSearchOption option, int value) {
        const auto &values = job.space[option];
        return values.empty() || std::ranges::binary_search(values, value);
    };
    const std::int64_t widest = job.space.tpAcrossDomains ? most : std::min<std::int64_t>(node.scaleUpDomainSize, most);
    for (int tp = 1; tp <= widest; ++tp) {
        if (!named(LayoutSearchOption::Tp, tp) || (workload.attentionHeads && *workload.attentionHeads % tp != 0))
            continue;
        for (int cp = 1; std::int64_t(tp) * cp <= most && 2 * cp <= std::max(2, job.training.sequenceLength); ++cp) {
            if ((cp > 1 && job.training.sequenceLength % (2 * cp) != 0) || !named(LayoutSearchOption::Cp, cp))
                continue;
            for (int pp = 1; pp <= *workload.layers + endLayers && std::int64_t(tp) * cp * pp <= most; ++pp)
                if (named(LayoutSearchOption::Pp, pp))
                    sizes.insert(std::int64_t(tp) * cp * pp);
        }
    }
    return {sizes.begin(), sizes.end()};
}

/// Numbers of nodes up to `most` on which some data parallelism shares the job's own batch evenly: every multiple of a
/// replica by a divisor of the batch.
std::vector<bool> usableWithOwnBatch(
    const Job &job, const std::vector<std::int64_t> &sizes, std::int64_t perNode, int most)
{
    std::vector<bool> usable(std::size_t(most) + 1, sizes.empty());
    const auto mark = [&](std::int64_t replicas) {
        for (const auto size : sizes)
            if (const auto accelerators = size * replicas; accelerators > perNode * most)
                break;
            else if (accelerators % perNode == 0)
                usable[std::size_t(accelerators / perNode)] = true;
    };
    const std::int64_t batch = job.training.globalBatch;
    for (std::int64_t divisor = 1; divisor * divisor <= batch; ++divisor)
        if (batch % divisor == 0) {
            mark(divisor);
            mark(batch / divisor);
        }
    return usable;
}

/// The same with the other batches that are tried there.
bool isUsableWithOthers(const Job &job, const std::vector<std::int64_t> &sizes, std::int64_t accelerators)
{
    for (const int batch : job.batchesFor(accelerators))
        for (const auto size : sizes) {
            if (size > accelerators)
                break;
            if (accelerators % size == 0 && batch % (accelerators / size) == 0)
                return true;
        }
    return false;
}

/// Whether DP is what TP, CP and PP leave over: not where EP multiplies the ranks of a replica, or nothing splits.
bool countsPlainRanks(const CostModel &model, const Job &job)
{
    const auto traits = model.layoutSearchTraitsFor(*job.workload, job.assumptions);
    return traits.splits && (traits.expertsInsideData || job.workload->experts.value_or(0) <= 1);
}

} // namespace

const std::vector<int> &UsableCounts::of(const CostModel &model, const std::vector<Job> &jobs, const FleetFacts &fleet,
    int least, int most, std::uint64_t &useless)
{
    const auto &node = *fleet.node;
    const std::int64_t perNode = node.acceleratorsPerNode;
    auto [place, isNew] = m_known.try_emplace({perNode, node.scaleUpDomainSize, least, most});
    auto &usable = place->second;
    if (isNew) {
        std::vector<bool> all(std::size_t(most) + 1, true);
        for (const auto &job : jobs) {
            const auto sizes = replicaSizes(job, node, most * perNode, countsPlainRanks(model, job));
            const auto own = usableWithOwnBatch(job, sizes, perNode, most);
            for (int nodes = least; nodes <= most; ++nodes)
                all[std::size_t(nodes)] = all[std::size_t(nodes)]
                    && (own[std::size_t(nodes)] || (job.leastBatch && isUsableWithOthers(job, sizes, nodes * perNode)));
        }
        for (int nodes = least; nodes <= most; ++nodes)
            if (all[std::size_t(nodes)])
                usable.push_back(nodes);
    }
    useless += std::uint64_t(most - least + 1) - usable.size();
    return usable;
}

} // namespace fleetwright::size
