// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/layoutrules.h"
#include "solver/answer/limits.h"
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
    explicit CaseSpace(const Plan &plan) : limits(plan), globalBatch(plan->training.globalBatch) { }
    Limits limits; ///< the plan's
    std::int64_t globalBatch;
    std::vector<int> microbatchSizes, zeroStages;
    /// ZeRO has no ranks to shard over.
    [[nodiscard]] bool sharesNothing(const Split &split) const { return std::int64_t(split.dp) * split.cp == 1; }
};

/// What a case adds to a search: facts, its space, groups of all legal splits and the pieces of work over them. Illegal
/// splits are counted already.
struct CaseCandidates {
    CaseSpace space;
    std::vector<Split> groups;
    std::vector<Piece> pieces;
    Counts counts;
};

/// The values that a search tries of each option in one case; virtual stages empty: every number that fits the
/// pipeline.
struct OptionValues {
    std::vector<int> tps, cps, pps, eps, microbatchSizes, zeroStages, recomputes, sequenceParallels, virtualStages;
};
/// Refused as candidatesOf().
[[nodiscard]] Expected<OptionValues> optionValues(
    const Plan &plan, const LayoutSearchSpace &space, const LayoutSearchTraits &traits, std::int64_t accelerators);

/// The legal pipelines of one TP, CP and EP, each with its DP and virtual stages. `exclude` hears of the others, in
/// numbers of virtual stages.
[[nodiscard]] std::vector<Candidate> pipelinesOf(const Split &ranks, const OptionValues &asked,
    const LayoutRules &rules, const LayoutSearchSpace &space, std::int64_t globalBatch, LayoutPricing &pricing,
    const std::function<void(Exclusion, std::uint64_t)> &exclude);

/// `traits`: of the plan, see CostModel::layoutSearchTraitsFor().
[[nodiscard]] CaseFacts factsOf(const Case &searched, const LayoutSearchTraits &traits);

/// `firstGroup`: the index of this case's first group. OutOfRange "space...." when the space names several values of an
/// option that the cost model does not price. Counts fit 64 bits: with 1e8 accelerators there are some 1e6 splits, and
/// of microbatch sizes, EP and virtual stages no more than 1344, 1344 and 302 each.
[[nodiscard]] Expected<CaseCandidates> candidatesOf(const Case &searched, int caseIndex, std::size_t firstGroup,
    const LayoutSearchSpace &space, const LayoutSearchTraits &traits, LayoutPricing &pricing);

} // namespace fleetwright::layoutsearch
