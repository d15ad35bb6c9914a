// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

namespace fleetwright {

inline constexpr int mostRanks = 1'000'000; ///< of one kind of parallelism

/// How a training job is split. Data parallelism (DP) is what remains: accelerators / (tp pp cp).  EP divides DP in
/// modern frameworks but multiplies the model-parallel size in the first-order model, so each cost model derives its
/// own DP and says so.
struct Parallelism {
    int tp = 1; ///< tensor parallel ranks
    int pp = 1; ///< pipeline stages
    int cp = 1; ///< context parallel ranks
    int ep = 1; ///< expert parallel ranks
    int virtualStages = 1; ///< model chunks per pipeline stage (interleaving)
    int zeroStage = 0; ///< 0 none, 1 optimizer states, 2 and gradients, 3 and weights sharded over DP
    bool sequenceParallel = false;
    bool operator==(const Parallelism &) const = default;
};

/// Every rank count and virtual_stages 1 to 1 000 000, ZeRO 0 to 3. Fields are "parallelism.tp" and so on.
[[nodiscard]] Expected<void> check(const Parallelism &parallelism);

} // namespace fleetwright
