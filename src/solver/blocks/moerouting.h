// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/precision.h"
#include "domain/workload.h"
#include "solver/blocks/collectives.h"
#include "solver/blocks/firstorderconstants.h"

namespace fleetwright {

/// Expert routing of a mixture-of-experts layer under load imbalance (Fedus 2022).
struct MoeRouting {
    double activeExperts = 0; ///< k' = min(E, k i): experts that a token's slowest path waits for
    double activeParameters = 0; ///< times k'/k
    double multiplier = 1; ///< k'/k
    Bytes payload{}; ///< b s h w k': what one rank holds for the all-to-all
    Bytes remote{}; ///< the share (e-1)/e of it that leaves the rank
    std::optional<Seconds> allToAllTime; ///< over `fabric`, whose bandwidth is already divided by the oversubscription;
                                         ///< absent for one rank
};

/// Refusals in this order: OutOfRange "moe_routing_imbalance_factor" (< 1), "ep_size" (< 1), "batch" (< 1), "seq_len"
/// (< 1); MissingField "experts" for workloads without experts; the workload's own (checkShape); those of allToAll.
[[nodiscard]] Expected<MoeRouting> moeRouting(const WorkloadFacts &workload, std::int64_t batch,
    std::int64_t sequenceLength, Precision precision, std::int64_t expertRanks, double imbalance, const Link &fabric,
    const FirstOrderConstants &constants = {});

} // namespace fleetwright
