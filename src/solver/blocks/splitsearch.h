// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/assumptions.h"
#include "domain/fleet.h"
#include "domain/training.h"
#include "solver/models/firstorder/firstorder.h"

#include <stop_token>
#include <vector>

/// The exhaustive search over TP x PP splits of the first-order system (after Narayanan 2021, section 5).
///
/// Candidates: TP in powers of two up to the scale-up domain, PP in powers of two up to the accelerators (at most 512),
/// EP 1; TP x PP must divide the accelerators, DP is what remains. A candidate is kept when
/// - unsharded: (4 P + 12 P) / (TP PP) bytes, weights and gradients of two bytes and Adam state, are at most 0.9 of the
/// capacity;
/// - replica: the footprint is at most the capacity.
/// Kept candidates are priced with one microbatch (unsharded) or, when PP > 1, as many as the local batch has sequences
/// (replica), and ranked by scaling efficiency times efficiency, the best first; ties keep the order of TP, then PP.
namespace fleetwright {

struct RankedSplit {
    std::int64_t tp = 1, pp = 1, dp = 1;
    std::int64_t microbatches = 1;
    double mfu = 0; ///< scaling efficiency x efficiency: the figure that ranks
    Seconds stepTime{};
    bool operator==(const RankedSplit &) const = default;
};

struct SplitRanking {
    std::vector<RankedSplit> top; ///< at most splitsRanked, best first; empty when nothing fits
    std::int64_t kept = 0; ///< candidates that fit
    std::int64_t candidates = 0; ///< splits that divide the accelerators
    [[nodiscard]] const RankedSplit *best() const { return top.empty() ? nullptr : &top.front(); }
    bool operator==(const SplitRanking &) const = default;
};

inline constexpr std::size_t splitsRanked = 5;

/// On the model's own inputs. That no candidate fits is an answer, not an error. Refusals: those of
/// firstorder::Pricer::price for a setting or fact that no split avoids (native fields); Cancelled once `stop` is asked
/// for.
[[nodiscard]] Expected<SplitRanking> splitSearch(const firstorder::Inputs &inputs, const std::stop_token &stop = {});

/// For a plan's parts, with communication overlapped as the published search does; the plan's microbatches are replaced
/// by the search's own. Refusals with the plan's fields ("training.precision", "fleet.fabric"...).
[[nodiscard]] Expected<SplitRanking> splitSearch(const Workload &workload, const Fleet &fleet, const Training &training,
    const Assumptions &assumptions, const std::stop_token &stop = {});

} // namespace fleetwright
