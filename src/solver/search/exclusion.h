// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fleetwright::layoutsearch {

/// Why a layout is not among the answers. Those up to ModelRefuses cannot run at all (illegal), NoEffect repeats
/// another layout, Unranked cannot be compared, the rest run but break a limit (infeasible).
enum class Exclusion : std::uint8_t {
    Ranks, ///< TP x CP x PP does not divide the accelerators; a search has no such candidates, only a layout that
           ///< somebody asks about
    Placement, ///< a TP group would straddle scale-up domains
    Heads, ///< TP does not divide the attention heads
    KvHeads, ///< TP and the KV heads do not divide each other
    FfnSize, ///< TP does not divide the FFN size
    Layers, ///< more stages than layers
    Sequence, ///< 2 CP does not divide the sequence length
    Experts, ///< EP does not divide the experts
    ExpertRanks, ///< EP does not fit the ranks of a replica or of TP x CP x DP
    DataParallelism, ///< DP is not among the values asked for
    Batch, ///< microbatch x DP does not divide the global batch
    Stages, ///< virtual stages without a pipeline, or more chunks than layers
    Chunks, ///< virtual stages would hold chunks of different length
    Interleaving, ///< PP does not divide the number of microbatches
    ModelRefuses, ///< the cost model has a rule of its own
    NoEffect, ///< a setting that changes nothing (sequence parallelism at TP 1, ZeRO on one rank): the first value
              ///< asked for stands for all
    Unranked, ///< the cost model gives no value of the objective for this layout, though it does for others
    Memory, ///< more than the accelerator has, or than the plan allows
    StepTime, ///< longer than the plan allows
    Mfu, ///< lower than the plan allows
    Deadline, ///< the token budget takes longer than the plan allows
    Budget, ///< the token budget costs more than the plan allows
    Capital, ///< the fleet costs more to buy than the plan allows, whatever the layout
    YearlyCost, ///< the fleet costs more a year than the plan allows, whatever the layout
    Power ///< the fleet draws more than the plan allows, whatever the layout
};
inline constexpr std::size_t exclusionCount = 25;
[[nodiscard]] constexpr bool isIllegal(Exclusion exclusion) { return exclusion <= Exclusion::ModelRefuses; }
[[nodiscard]] constexpr bool isInfeasible(Exclusion exclusion) { return exclusion > Exclusion::Unranked; }
/// Memory for both limits on memory.
[[nodiscard]] Exclusion exclusionOf(Limit limit);
/// The limit that such a layout breaks; nothing for rules, and for Memory, which stands for two.
[[nodiscard]] std::optional<Limit> limitOf(Exclusion exclusion);

[[nodiscard]] std::string_view toString(
    Exclusion exclusion); ///< "placement", "kv_heads", "memory"; of limits keyOf(Limit)
[[nodiscard]] std::string_view titleOf(Exclusion exclusion); ///< "TP straddles scale-up domains", "Memory"...
/// One sentence for people: what the rule is and how to get round it.
[[nodiscard]] std::string_view sentence(Exclusion exclusion);

} // namespace fleetwright::layoutsearch
