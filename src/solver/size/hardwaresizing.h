// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/nearlayouts.h"
#include "solver/size/drawndays.h"
#include "solver/size/fleetjudge.h"
#include "solver/size/fleetspace.h"
#include "solver/size/layoutchooser.h"
#include "solver/size/limitlift.h"

#include <limits>
#include <map>
#include <mutex>

namespace fleetwright::size {

/// The feasible fleets that none beats in both axes, shared by the threads of a sizing.
class SharedFront {
public:
    /// Whether some fleet is no worse in both and better in one; of equal ones the first in the order of lots and nodes
    /// stays.
    [[nodiscard]] bool beats(double x, double y) const;
    void add(const std::array<DecisionObjective, 2> &axes, const Answer &answer);
    [[nodiscard]] std::vector<Answer> answers() const;

private:
    [[nodiscard]] bool isBeaten(double x, double y) const; ///< with the mutex held
    struct Point {
        double x = 0, y = 0;
        Answer answer;
    };
    mutable std::mutex m_mutex;
    std::vector<Point> m_points; ///< x ascending, y descending
};

/// What all threads know.
struct Sizing {
    const Space &space;
    const FleetJudge &judge;
    const CostModel &model;
    const RangeOf &rangeOf;
    const Control &control;
    SharedFront &front;
    const DrawnDaysOf &drawnDays; ///< empty: chances are by the closed form
    LimitLift *lift = nullptr; ///< of pairs of fleets: gathers those that its limit keeps out
    int ownRuns = 0; ///< measured runs of the site that move step times; 0: none does
    bool byFormula = false; ///< and fleets are judged by the cost model alone all the same
    /// The same of other jobs.
    [[nodiscard]] Sizing of(const Space &other) const
    {
        return {other, judge, model, rangeOf, control, front, drawnDays, nullptr, ownRuns};
    }
};

using layoutsearch::NearLayout;

/// Of a job with its layout on a fleet that takes so many days for everything, as likely as the step time that the
/// answer is judged by. Nothing where a range is not known.
[[nodiscard]] std::optional<DaysSpread> spreadOf(
    const RangeOf &rangeOf, const Job &job, const Fleet &fleet, const JobAnswer &answer, double days);

/// The answers of all lots of one node and fabric. For one thread.
class HardwareSizing {
public:
    HardwareSizing(const Sizing &sizing, const Hardware &hardware, bool isBase);

    /// Nothing for lots that cannot be ranked: those are refused. False where it was stopped.
    [[nodiscard]] bool run();
    /// The same without what comes closest: only lots that keep the limits have an answer.
    [[nodiscard]] bool runFeasible();
    enum class Counts { All, Kept };
    /// What run() begins with, for lift() alone; of Kept no numbers of nodes with which every fleet breaks a limit that
    /// no layout changes. False where it was stopped.
    [[nodiscard]] bool price(Counts counts = Counts::All);
    /// Adds the fleets that the limit alone keeps out; after run() or price(). False where it was stopped.
    [[nodiscard]] bool lift(LimitLift &lift);
    [[nodiscard]] std::vector<std::pair<std::size_t, LotAnswer>> takeAnswers() { return std::move(m_answers); }
    [[nodiscard]] std::vector<Refused> takeRefused() { return std::move(m_refused); }
    [[nodiscard]] const Effort &effort() const { return m_effort; }
    /// Numbers of nodes that no layout of the jobs divides, or that the fabric does not connect.
    [[nodiscard]] std::uint64_t useless() const { return m_useless; }
    [[nodiscard]] std::uint64_t fleets() const { return m_fleets; }

private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// A lot of this hardware while it is sized.
    struct Open {
        std::size_t lot = 0;
        const Fleet *fleet = nullptr;
        std::size_t site = 0, place = 0; ///< in the site
        bool refused = false;
        std::optional<Answer> best; ///< feasible
        double bestValue = 0;
    };
    /// A number of nodes.
    struct Count {
        int nodes = 0;
        std::vector<std::vector<FleetPrices>> prices; ///< by site and place
        /// Of each job: what its training seconds count, where those of the largest model count 1. Its checkpoints are
        /// shorter and less of its time is lost.
        std::vector<double> weights;
        double leastSeconds = 0; ///< of all jobs, weighted
    };
    /// What the search found of one number of nodes.
    struct Found {
        struct Batch {
            int batch = 0;
            double steps = 0; ///< of the run, weighted
            std::vector<NearLayout> near; ///< simplest first; the last resort is the fastest
            NearLayout fastest;
        };
        std::vector<std::optional<Batch>> jobs; ///< nothing: no layout fits within the seconds
        double fastestSeconds = 0; ///< of all jobs; infinity where one has none
        /// Of the first job without a layout: what its layouts need at the least (infinity: none is legal) and, where
        /// some fit, the highest MFU.
        std::size_t without = 0;
        double leastMemoryBytes = 0, mostMfu = 0;
        double within = 0; ///< seconds that it was searched with
    };
    [[nodiscard]] const FleetPrices &pricesOf(const Open &open, const Count &count) const
    {
        return count.prices[open.site][open.place];
    }
    [[nodiscard]] Expected<Fleet> fleetOf(int nodes) const;
    [[nodiscard]] double leastSecondsOf(const Count &count);
    /// How far the runs of the site shorten step times at the most, from a sample of sizes.
    void sampleRuns();
    [[nodiscard]] Found search(const Count &count, double mostSeconds);
    /// With so many seconds or more: the same for all lots.
    [[nodiscard]] const Found &searchTo(std::size_t count, double seconds);
    /// Seconds up to which a feasible fleet of this lot could matter; negative: it cannot.
    [[nodiscard]] double ofInterest(const Open &open, const Count &count) const;
    /// Seconds, of `least` to `most`, from which on the front beats a fleet of these prices: whatever is added to it
    /// later, it stays beaten. `least` is not.
    [[nodiscard]] double secondsOnFront(const FleetPrices &prices, double least, double most) const;
    /// What the jobs do on a fleet of this lot; within the seconds that its limits allow, else as fast as they can.
    [[nodiscard]] Answer answerOf(
        const FleetJudge &judge, const Open &open, const Count &count, const Found &found, double mostSeconds) const;
    /// The same within the limits; nothing where it does not keep them or its objective is not known.
    [[nodiscard]] std::optional<Answer> feasibleOf(
        const FleetJudge &judge, const Open &open, const Count &count, const Found &found) const;
    void settle(Open &open, const Count &count, const Found &found);
    bool findBest();
    /// Of a lot without a feasible fleet.
    bool findNearest(Open &open);
    /// Where a limit on the run's time has to be for this fleet by its draws, where a chance is demanded.
    void giveDrawnNeed(const FleetJudge &judge, const Answer &answer, Remedy &remedy) const;
    void refuse(Open &open, std::string_view key);
    /// Of the layouts of an answer, with so many days as the likely ones; nothing where a range is not known.
    [[nodiscard]] std::optional<DaysSpread> spreadOf(
        const FleetJudge &judge, const Open &open, const Answer &answer, double days) const;
    /// The chance of the deadline; by draws where the closed form is near the demanded one.
    [[nodiscard]] double chanceOf(const FleetJudge &judge, const Open &open, const Answer &answer) const;
    /// Seconds up to which a fleet could have less of the objective than what is asked for.
    [[nodiscard]] double secondsBelow(const LimitLift &lift, const FleetPrices &prices, const Count &count) const;
    /// Where the limit has to be for this answer.
    [[nodiscard]] double neededOf(const LimitLift &lift, const Open &open, const Answer &answer) const;
    /// Gives a fleet that a later deadline lets in its chance to keep the one that is stated.
    void giveChance(const LimitLift &lift, const Open &open, Answer &answer) const;
    /// At the smallest step of the limit that lets this fleet in.
    [[nodiscard]] std::optional<LetIn> nearestOf(
        const LimitLift &lift, const Open &open, const Count &count, const Found &found) const;

    const Sizing &m_sizing;
    const Hardware &m_hardware;
    bool m_isBase;
    std::vector<LayoutChooser> m_choosers; ///< of each job
    std::vector<double> m_leastShare; ///< of each job: no step takes a smaller share of its computed time
    std::vector<Open> m_open;
    std::vector<Count> m_counts;
    std::map<std::size_t, Found> m_found; ///< by searchTo()
    std::vector<std::pair<std::size_t, LotAnswer>> m_answers;
    std::vector<Refused> m_refused;
    Effort m_effort;
    std::uint64_t m_useless = 0, m_fleets = 0;
};

} // namespace fleetwright::size
