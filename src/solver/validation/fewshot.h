// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/sourceeffect.h"

#include <map>
#include <string>

/// What the first few runs of a source do for the rest of them.
namespace fleetwright::validation {

struct FewShotRun {
    std::string source; ///< empty: the runs that name none are one source
    EffectRun run; ///< its error is one of constants that had not seen the source
    double halfWidth = 0; ///< of its range for a new site, as a logarithm
};

/// Means over sources of the median and of the mean absolute error (relative to the measured time) of the runs that
/// were not learnt from.
struct FewShotFigures {
    double median = 0, mean = 0;
    double covered = 0; ///< mean over sources: share of those runs in their ranges
    double halfWidth = 0; ///< mean over sources: median half-width of the ranges, as a logarithm
    int sources = 0; ///< that have enough runs
};

inline constexpr int fewShotDraws = 20;
/// How many runs a source must have to stand behind the figures for `known` runs: all may for 0.
[[nodiscard]] constexpr std::size_t fewestFor(int known)
{
    return known == 0 ? 1 : std::max<std::size_t>(10, std::size_t(known) + 2);
}

/// The runs of the sources that have enough for `known` runs, so that figures for up to so many are of the same
/// sources.
[[nodiscard]] std::vector<FewShotRun> ofLargeSources(std::vector<FewShotRun> runs, int known);

/// For each number of known runs: as many runs of a source are drawn, the effect of the source is learnt from them
/// alone, and the others are predicted with it; over twenty draws, which are the same every time and on any machine,
/// and which contain each other for growing numbers. Cancelled when stopped.
[[nodiscard]] Expected<std::map<int, FewShotFigures>> fewShot(std::span<const FewShotRun> runs,
    std::span<const int> known, const EffectScales &scales = {}, std::stop_token stop = {});

} // namespace fleetwright::validation
