// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearch.h"

/// Which layouts a search looks at in one case, in pieces of work that share what is expensive.
namespace fleetwright::layoutsearch {

/// A legal split and the numbers of virtual stages that its pipeline allows.
struct Candidate {
    Split split;
    std::vector<int> virtualStages;
    std::size_t group = 0; ///< index among all groups of the search
};

/// Splits that differ in PP and DP only, with one choice of sequence parallelism and recomputation: their layers cost
/// the same.
struct Piece {
    int caseIndex = 0;
    bool sequenceParallel = false;
    Recompute recompute = Recompute::None;
    std::shared_ptr<const std::vector<Candidate>> candidates;
    std::uint64_t layouts = 0; ///< candidates behind it
};

/// One case with everything that its search asks again and again.
struct CaseSpace {
    std::int64_t globalBatch = 1;
    std::vector<int> microbatchSizes, zeroStages;
    bool sharesNothing(const Split &split) const
    {
        return std::int64_t(split.dp) * split.cp == 1;
    } ///< ZeRO has no ranks to shard over
    /// The plan's limits on time, in step seconds; absent where there is none or it cannot be decided.
    std::optional<double> stepLimit, deadlineLimit, budgetLimit;
    std::optional<double> leastMfu;
    bool power = false; ///< the fleet exceeds the power limit

    [[nodiscard]] bool limitsTime() const { return stepLimit || deadlineLimit || budgetLimit || leastMfu; }
    /// The first of the plan's limits that the figures break.
    [[nodiscard]] std::optional<Exclusion> broken(const LayoutFigures &figures) const;
};

/// What a case adds to a search: facts, its space, groups of all legal splits and the pieces of work over them. Illegal
/// splits are counted already.
struct CaseCandidates {
    CaseSpace space;
    std::vector<Split> groups;
    std::vector<Piece> pieces;
    Counts counts;
};

[[nodiscard]] CaseFacts factsOf(const Case &searched);

/// `firstGroup`: the index of this case's first group. OutOfRange "space...." when the space names several values of an
/// option that the cost model does not price, or more candidates than can be counted.
[[nodiscard]] Expected<CaseCandidates> candidatesOf(const Case &searched, int caseIndex, std::size_t firstGroup,
    const LayoutSearchSpace &space, const LayoutSearchTraits &traits, LayoutPricing &pricing);

} // namespace fleetwright::layoutsearch
