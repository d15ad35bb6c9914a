// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/sweep/sweep.h"

/// Which value of an input brings a figure to a target: "what number of nodes gives 30 days?"
namespace fleetwright {

struct SeekQuestion {
    PlanDocument plan;
    std::string key; ///< of sweepKeys(), or "assumptions.<key>"; a number
    std::string figure = "run_time_s"; ///< as chooseFigure() takes it
    double target = 0; ///< in the figure's base unit
    std::optional<double> from, to; ///< of the key, in its unit; absent: usualSpan either way, within the key's range
    bool operator==(const SeekQuestion &) const = default;
};
inline constexpr double usualSpan = 4096; ///< times the plan's own value

/// The plan with one value of the key.
struct SeekPoint {
    double value = 0; ///< in the key's unit
    std::optional<double> figure; ///< base unit; nothing where the point is refused
    std::optional<Error> refused;
    std::optional<bool> feasible; ///< nothing: not known, or refused
    bool onlyLikely = false; ///< as SweepCell::onlyLikely
    std::vector<std::string> missed; ///< what is infeasible, in short: "Deadline: 33.6 days, 3.60 days over"
    std::string warning; ///< a sentence: why no framework runs it, though it has its figures; empty: nothing is known
    std::optional<Layout> layout; ///< that was found, where the plan leaves it open
    bool operator==(const SeekPoint &) const = default;
};

enum class SeekOutcome : std::uint8_t {
    Reached, ///< at `found`; `neighbour` does not reach it
    ReachedAlways, ///< by every value that was tried; `found` comes closest to the target
    NotReached, ///< by none; `found` comes closest
    NoEffect ///< the figure is the same whatever the value; `found` is the plan as it is, where that is known
};
[[nodiscard]] std::string_view toString(
    SeekOutcome outcome); ///< "reached", "reached_always", "not_reached", "no_effect"

struct SeekAnswer {
    SweepKey key;
    ChosenFigure figure;
    double target = 0;
    SeekOutcome outcome = SeekOutcome::NotReached;
    double from = 0, to = 0; ///< where it was looked for
    std::optional<SeekPoint> now; ///< the plan as it is; nothing where it states no value
    SeekPoint found;
    /// Of a whole number the next one that is not refused, of another the end of the last bracket; present when
    /// Reached.
    std::optional<SeekPoint> neighbour;
    /// The nearest whole number beyond `found` that reaches the target, keeps every limit and has no warning, where
    /// `found` does not or has one; where only the warning remains, and `found` keeps no limit, one with it. Where
    /// every value reaches it the next greater one, else the next smaller.
    std::optional<SeekPoint> feasible;
    /// The nearest that was tried that keeps every limit without a warning, where none of these that reach the target
    /// has no warning.
    std::optional<SeekPoint> unwarned;
    /// No two values that were tried contradict that the figure only rises or only falls. Else `found` is the nearest
    /// to the plan's own value that was found, and there may be others.
    bool isMonotone = true;
    /// Reached, whole numbers: between `found` and `neighbour` there are some that were not tried, since the search
    /// ends after so many.
    bool hasGap = false;
    std::vector<SeekPoint> tried; ///< in order of their values, refused ones too
};

struct SeekOptions {
    std::function<void(std::size_t tried)> progress{}; ///< on the calling thread
    std::stop_token stop{};
    int threads = 0; ///< 0: all cores
    std::function<Expected<Solution>(const Plan &)> solver{}; ///< as SweepOptions
    validation::RangeOf rangeOf{}; ///< of the plan's site, as SweepOptions
};

/// A figure of which less is better reaches the target where it is not above it, one of which more is better where it
/// is not below it, another where it is not above it. Looked for outwards from the plan's own value in steps that
/// double (in sixteen equal ones where the range is narrow or passes zero), then between the last two values: whole
/// numbers one after another from the plan's side, the step halved first while it holds more than 256; others to six
/// significant digits, on the side that reaches the target. Values that are refused are stepped over. Plans with an
/// open layout are priced with the best layout of each value, as `solve` does. The same answer on any number of
/// threads.
///
/// Refuses an unknown key (UnknownReference) and one that is no number (UnsupportedValue), both with "key"; an unknown
/// figure or one that the plan's cost model does not give here, with "figure"; a target that is not finite, with
/// "target"; bounds outside the key's range or in the wrong order, with "from" or "to"; Cancelled after a stop request;
/// where every value is refused, as the plan's own value is, else the nearest.
[[nodiscard]] Expected<SeekAnswer> seek(
    const SeekQuestion &question, const Catalog &catalog, const SeekOptions &options = {});

/// The number of a plan that such a question can change; refuses as seek() does.
[[nodiscard]] Expected<SweepKey> seekableKey(const PlanDocument &plan, std::string_view key);
/// The plan's own value there, in the key's unit; nothing where it states none and none follows from its items.
[[nodiscard]] std::optional<double> ownValue(const PlanDocument &plan, const SweepKey &key, const Catalog &catalog);

/// The figure on which a limit of plans is set; empty where it is none by itself. "run_time_s" of the deadline.
[[nodiscard]] std::string_view figureLimitedBy(Limit limit);
/// A plan's own limit on that figure, in base units.
struct SeekGoal {
    std::string_view figure;
    double target = 0;
};
/// `key`: of the limit ("constraints.deadline_days"); of anything else the deadline counts. Nothing where the plan does
/// not limit it.
[[nodiscard]] std::optional<SeekGoal> goalOf(const PlanDocument &plan, std::string_view key);

/// The goal as people type it: "30 d".
[[nodiscard]] std::string targetText(const SeekGoal &goal);

/// Whether the point's figure is on the right side of the target.
[[nodiscard]] bool reachesTarget(const SeekAnswer &answer, const SeekPoint &point);
/// "32", "30 d", "41.2 %": a value of the key for people.
[[nodiscard]] std::string valueInWords(const SeekAnswer &answer, double value);
/// "Days of the run reach 30 days at Nodes 27: 29.4 days. At 26 it is 30.5 days." and what is to be known about it.
[[nodiscard]] std::vector<std::string> inWords(const SeekAnswer &answer);

} // namespace fleetwright
