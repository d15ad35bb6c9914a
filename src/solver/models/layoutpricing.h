// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layout.h"
#include "domain/layoutsearchspace.h"

#include <limits>

namespace fleetwright {

/// What a search compares. NaN: the cost model does not know it.
struct LayoutFigures {
    double stepSeconds = std::numeric_limits<double>::quiet_NaN();
    double memoryBytes = std::numeric_limits<double>::quiet_NaN(); ///< of the fullest accelerator
    double mfu = std::numeric_limits<double>::quiet_NaN();
    double tokensPerSecond = std::numeric_limits<double>::quiet_NaN();
};

/// What a search asks first.
struct LayoutMemory {
    double bytes = std::numeric_limits<double>::quiet_NaN(); ///< NaN: unknown
    bool fits = true; ///< by the model's own rule; true where it knows no memory
    bool refused = false; ///< the model cannot price this layout
};

/// Prices the layouts of one workload, fleet and training setting one after the other. For one thread: it may remember
/// what neighbouring layouts share. Measured hot loop: raw numbers with their unit in the name, no allocation.
class LayoutPricing {
public:
    virtual ~LayoutPricing() = default;
    /// Whether the model prices this split at all; asked once for each split with one of its settings, after the
    /// search's own rules hold.
    [[nodiscard]] virtual bool accepts(const Layout &layout) = 0;
    [[nodiscard]] virtual LayoutMemory memory(const Layout &layout) = 0;
    /// True only if this layout, and every one that differs from it by a larger microbatch alone, needs more than
    /// `limitBytes`.
    [[nodiscard]] virtual bool outgrows(const Layout &layout, double limitBytes) = 0;
    /// Figures that price() cannot beat (a step time no longer, an MFU no lower) and NaN where price() gives none; a
    /// step time of 0 where the model has no bound. Tokens per second are not asked for.
    [[nodiscard]] virtual LayoutFigures bound(const Layout &layout) = 0;
    /// Accelerator-seconds of a step that no layout of this TP, CP, EP, microbatch, sequence parallelism and
    /// recomputation falls below, on any number of the same accelerators, whatever its PP, virtual stages and ZeRO, nor
    /// one of a smaller microbatch; 0 where the model has no such bound.
    [[nodiscard]] virtual double leastWork(const Layout &) { return 0; }
    /// The step time is NaN where the model refuses the layout or knows no time.
    [[nodiscard]] virtual LayoutFigures price(const Layout &layout) = 0;
};

/// What a search varies for a cost model, and how the model counts ranks.
struct LayoutSearchTraits {
    LayoutSearchOptions options; ///< that the model prices; a search takes the others from the plan
    bool expertsInsideData = true; ///< EP lives inside TP x CP x DP; else it multiplies the ranks of a replica
    bool splits = true; ///< it prices the split; else every accelerator is a replica, whatever TP, CP, PP and EP
    // The figures that it fills.
    bool time = true; ///< step time
    bool memory = true;
    bool mfu = true;
    bool tokens = true; ///< tokens per second
};

} // namespace fleetwright
