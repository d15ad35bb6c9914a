// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/prepared.h"

#include <array>

namespace fleetwright::detailed {

/// What the price of one layer and microbatch depends on.
struct LayerKey {
    std::int64_t tp = 0, ep = 0, expertTp = 0, cp = 0, microbatch = 0;
    bool sequenceParallel = false;
    bool pipelinedHost = false; ///< the host floor is that of TP groups in a pipeline
    Recompute recompute = Recompute::None;
    double recomputeShare = policyShare; ///< of the forward work; policyShare: what `recompute` means
    static constexpr double policyShare = -1;
    bool operator==(const LayerKey &) const = default;
};
[[nodiscard]] inline LayerKey keyOf(const Prepared &in, const Layout &layout)
{
    return {.tp = layout.tp,
        .ep = layout.ep,
        .expertTp = layout.expertTp,
        .cp = layout.cp,
        .microbatch = layout.microbatch,
        .sequenceParallel = layout.sequenceParallel,
        .pipelinedHost = in.pipelinedHost && layout.tp > 1 && layout.pp > 1,
        .recompute = layout.recompute,
        .recomputeShare = layout.recompute == Recompute::None ? LayerKey::policyShare
                                                              : layout.recomputeShare.value_or(LayerKey::policyShare)};
}

/// One kind of layer, one microbatch on one rank; seconds and bytes.
struct LayerPrice {
    LayerPrice() { } // member by member: GCC clears arrays of aggregates with "rep stos", which takes longer
    double forwardSeconds = 0, backwardSeconds = 0, recomputeSeconds = 0; ///< work alone [f b ρ_t]
    double tpSeconds = 0, tpExposedSeconds = 0, cpSeconds = 0, cpExposedSeconds = 0, epSeconds = 0,
           epExposedSeconds = 0; ///< both passes together
    double forwardTotalSeconds = 0,
           backwardTotalSeconds = 0; ///< with exposed communication [φ ψ]; recomputation is part of ψ
    double keptBytesPerToken = 0,
           workingBytesPerToken = 0; ///< activations kept for the backward pass; of a layer that is recomputed
};

struct LayerPrices {
    std::array<LayerPrice, 2> kinds; ///< dense, expert
    double logitsSeconds = 0, embeddingSeconds = 0;
};

} // namespace fleetwright::detailed
