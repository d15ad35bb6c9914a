// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/recommendation.h"

/// Which layouts cannot be told from the fastest: by the cost model and, where measured runs of the site say how long
/// steps take, by those. Plans and the fleets of a decision take their layouts from here.
namespace fleetwright::layoutsearch {

/// A layout of those that cannot be told from the fastest.
struct NearLayout {
    Ranked ranked; ///< by the cost model
    double likely = 0; ///< seconds of a step, by the runs of the site where they move it
    double seconds = 0; ///< what it is judged by: either of the two
    int ownRuns = 0; ///< as many do
    bool isTimed = false; ///< one of them is of this very step
    bool isTimedOtherwise = false; ///< one of them is of another layout of the same fleet
    [[nodiscard]] bool isMoved() const { return ownRuns > 0; }
};

enum class JudgedBy : std::uint8_t { Runs, Formula };

/// Of the best layouts of each class of complexity by step time that the cost model cannot tell from the best
/// (BestByComplexity::nearBest()), those that what they are judged by cannot tell from the fastest either, simplest
/// first. By runs, where a run is of one of them, another is taken only if even the high end of its range is faster:
/// nobody changes a layout that was timed for one that was not because of a difference that the formula does not see.
/// `rangeOf` empty: no run moves a step time, and all of them are near.
[[nodiscard]] std::vector<NearLayout> nearLayouts(const Plan &plan, const std::vector<const Ranked *> &best,
    const validation::RangeOf &rangeOf, JudgedBy judgedBy = JudgedBy::Runs);
/// The one that takes least.
[[nodiscard]] const NearLayout &fastestOf(const std::vector<NearLayout> &near);

/// The range of the plan's step time with another layout, of which the cost model says `stepSeconds`.
[[nodiscard]] std::optional<validation::PredictionRange> rangeWith(
    const validation::RangeOf &rangeOf, const Plan &plan, const Layout &layout, double stepSeconds);

} // namespace fleetwright::layoutsearch
