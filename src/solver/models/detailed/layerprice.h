// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/configuration.h"

#include <array>

namespace fleetwright::detailed {

/// What the price of one layer and microbatch depends on.
struct LayerKey {
    std::int64_t tp = 0, ep = 0, expertTp = 0, cp = 0, microbatch = 0;
    bool sequenceParallel = false;
    Recompute recompute = Recompute::None;
    bool operator==(const LayerKey &) const = default;
};
[[nodiscard]] inline LayerKey keyOf(const Layout &layout)
{
    return {
        layout.tp, layout.ep, layout.expertTp, layout.cp, layout.microbatch, layout.sequenceParallel, layout.recompute};
}

/// One kind of layer, one microbatch on one rank; seconds and bytes.
struct LayerPrice {
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
