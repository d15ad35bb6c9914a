// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>

namespace fleetwright::size {

/// A part of the progress of a sizing: sizing, lifting limits, searching other batches.
struct ProgressPhase {
    double from = 0, to = 1; ///< of the whole
    std::size_t done = 0, all = 0;
    [[nodiscard]] double share() const
    {
        return from + (to - from) * std::min(1.0, double(done) / double(std::max<std::size_t>(1, all)));
    }
};

} // namespace fleetwright::size
