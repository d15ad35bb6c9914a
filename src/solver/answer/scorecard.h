// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"

/// A plan's limits as a verdict at three levels: does it fit, is it fast enough, does it pay.
namespace fleetwright {

enum class Verdict {
    NoLimits, ///< no constraint of this level is set
    Pass, ///< every constraint holds
    Undecided, ///< none is broken, but a figure that one of them needs is unknown
    Fail
};
[[nodiscard]] std::string_view toString(Verdict verdict); ///< "no_limits", "pass", "undecided", "fail"
/// For people: "no limits set", "pass", "undecided", "fail".
[[nodiscard]] std::string_view words(Verdict verdict);

enum class ScoreLevel { Feasibility, Performance, Macro };

/// Performance: max_step_time_s, min_mfu. Macro: deadline_days, run_cost_usd, capital_usd, yearly_cost_usd,
/// max_facility_mw. Feasibility: memory and the rules that a layout must keep.
[[nodiscard]] ScoreLevel levelOf(std::string_view constraint);

struct Scorecard {
    Verdict feasibility = Verdict::NoLimits;
    Verdict performance = Verdict::NoLimits;
    Verdict macro = Verdict::NoLimits;
    Verdict overall = Verdict::NoLimits; ///< the worst of the three: Fail, then Undecided, then Pass
    [[nodiscard]] Verdict of(ScoreLevel level) const;
    bool operator==(const Scorecard &) const = default;
};
[[nodiscard]] Scorecard scorecard(const Solution &solution);

} // namespace fleetwright
