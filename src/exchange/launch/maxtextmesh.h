// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/launch.h"

#include <array>
#include <string_view>

namespace fleetwright::exchange {

/// How the degrees of a plan lie on MaxText's mesh: each axis a factor within a slice (ici, the scale-up domain) and
/// one between slices (dcn). The axes that talk most fill a slice first; where
/// slices divide the accelerators, the factors within one always make it up.
struct MaxTextMesh {
    struct Axis {
        std::string_view name; ///< "tensor": of ici_tensor_parallelism and dcn_tensor_parallelism
        std::int64_t degree = 1, ici = 1;
        [[nodiscard]] std::int64_t dcn() const { return degree / ici; }
    };
    std::array<Axis, 6> axes;
};

/// EP is an axis of its own that holds samples, so that data and fsdp are what remains of DP.
[[nodiscard]] MaxTextMesh maxTextMesh(const Launch &launch);

/// Layers of the pipeline: dense ones that come before those with experts are outside of it. Nothing where unknown.
[[nodiscard]] std::optional<int> maxTextPipelineLayers(const Launch &launch);

} // namespace fleetwright::exchange
