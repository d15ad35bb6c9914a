// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layout.h"
#include "domain/plan.h"
#include "solver/models/layoutpricing.h"
#include "solver/search/exclusion.h"

#include <algorithm>

namespace fleetwright {

/// What every layout of a plan's workload on its fleet must keep to run at all, whatever prices it. A search counts
/// what breaks a rule as illegal, solve() calls it infeasible: both ask here. Cost models may refuse more. With one
/// that does not split (LayoutSearchTraits::splits) every accelerator is a replica and ranks and stages, which it
/// ignores, break no rule.
///
/// Placement, DP and chunks of different length that a space leaves out are a search's own choice and are not here.
class LayoutRules {
public:
    /// `traits`: how the cost model counts ranks.
    LayoutRules(const Plan &plan, const LayoutSearchTraits &traits);

    /// The first rule that the ranks break; fills in the DP that the cost model derives, where TP x CP x PP divides the
    /// accelerators.
    [[nodiscard]] std::optional<layoutsearch::Exclusion> broken(Split &split) const;
    /// Whether TP x CP x PP divides the accelerators: what else is no candidate at all.
    [[nodiscard]] bool divides(const Split &split) const
    {
        const auto sharded = std::int64_t(split.tp) * split.cp;
        return !m_traits.splits || (m_accelerators % sharded == 0 && m_accelerators / sharded % split.pp == 0);
    }
    /// Whether TP groups are larger than a scale-up domain.
    [[nodiscard]] bool acrossDomains(const Split &split) const
    {
        return m_traits.splits && split.tp > m_plan->fleet->node->scaleUpDomainSize;
    }
    /// Whether virtual stages have a pipeline and each chunk a layer.
    [[nodiscard]] bool roomFor(int pp, int virtualStages) const
    {
        return !m_traits.splits || virtualStages == 1
            || (pp > 1 && (m_layers == 0 || std::int64_t(pp) * virtualStages <= mostChunks()));
    }
    /// Chunks that a pipeline can have: a layer each, embedding and output counted as two.
    [[nodiscard]] std::int64_t mostChunks() const { return m_layers + endLayers; }
    /// Whether chunks can be of equal length, with or without embedding and output.
    [[nodiscard]] bool evenChunks(std::int64_t chunks) const
    {
        return !m_traits.splits || m_layers % chunks == 0 || (m_layers + 1) % chunks == 0 || mostChunks() % chunks == 0;
    }
    /// Whether every replica gets as many whole microbatches.
    [[nodiscard]] static bool dividesBatch(std::int64_t globalBatch, std::int64_t sequences)
    {
        return globalBatch % sequences == 0;
    }
    /// Whether an interleaved pipeline of `pp` stages can be filled.
    [[nodiscard]] static bool interleaves(const LayoutSearchTraits &traits, std::int64_t microbatches, int pp)
    {
        return !traits.splits || microbatches % pp == 0;
    }

    [[nodiscard]] std::int64_t accelerators() const { return m_accelerators; }
    /// Accelerators in one.
    [[nodiscard]] int scaleUpDomain() const { return int(m_domain); }

private:
    /// Some frameworks count the embedding and the output layer as layers when they cut a model into stages.
    static constexpr std::int64_t endLayers = 2;
    [[nodiscard]] bool denseLayers() const;

    const Plan &m_plan;
    const LayoutSearchTraits &m_traits;
    std::int64_t m_accelerators, m_domain, m_layers;
};

/// A rule that a layout breaks.
struct BrokenRule {
    layoutsearch::Exclusion rule = layoutsearch::Exclusion::Ranks;
    double needed = 0; ///< of the layout: ranks, chunks, the batch that would do
    double allowed = 0; ///< by the plan: what the ranks must divide or stay below, the batch it has
    std::string sentence; ///< with the plan's numbers and, where it is a number, what would do
};
/// Every rule that the plan's own layout breaks, in the order of the rules. Where a plan states a number of
/// microbatches, DP alone must divide the batch: the published planners take that number as it is.
[[nodiscard]] std::vector<BrokenRule> brokenRules(const Plan &plan, const LayoutSearchTraits &traits);

/// The rule with the plan's numbers, of a layout that breaks it.
[[nodiscard]] BrokenRule describe(layoutsearch::Exclusion rule, const Layout &layout, const Plan &plan);

} // namespace fleetwright
