// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/decisiondocument.h"
#include "domain/layout.h"
#include "solver/validation/steprange.h"

#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

/// Which fleet meets the limits of a decision, best by its objective first. worth-it.md, section 8.
///
/// Candidates are all products of nodes, the numbers of nodes that the jobs can use, fabrics, oversubscription, sites
/// and ways of paying, each with the layout of every job that a plan with a best layout takes, and the batch within the
/// job's range. Ranked by likely values. Bounds leave candidates out that cannot change the answer: it is the same
/// without them (how far measured runs move step times is bounded from a sample of sizes, with room). A mix of jobs
/// with an owned fleet is also shared between that fleet and a second one: the best of each other node that keeps the
/// limits is an answer beside those of the lots (withSecondFleets()).
namespace fleetwright::size {

constexpr double unknownFigure = std::numeric_limits<double>::quiet_NaN();

/// What fleets are limited by, in the order in which they are named.
enum class SizeLimit : std::uint8_t {
    Layout, ///< no layout of a job keeps to the memory
    Deadline,
    RunCost,
    Capital,
    YearlyCost,
    Power,
    Carbon,
    Goodput,
    Delivery,
    Mfu,
    Chance ///< of the deadline
};
inline constexpr std::size_t sizeLimitCount = 11;
/// The key of the decision's document: "max_memory_fraction", "deadline_days", "carbon_t"...
[[nodiscard]] std::string_view keyOf(SizeLimit limit);
/// Whether the figure must not lie below the limit, instead of above.
[[nodiscard]] constexpr bool isLeast(SizeLimit limit)
{
    return limit == SizeLimit::Goodput || limit == SizeLimit::Mfu || limit == SizeLimit::Chance;
}

/// Fleets that differ in the number of nodes alone.
struct Lot {
    std::string label; ///< of an offer or an owned fleet; empty: out of the catalog
    FleetDocument fleet; ///< nodes are those of an offer or owned fleet, else 1
    std::string node, nodeId, accelerator, fabric, site; ///< for people
    DecisionPaying paying;
    int acceleratorsPerNode = 0;
    bool fixedCount = false; ///< an offer: as it is
    int ownedNodes = 0; ///< of the fleet that is extended
    bool operator==(const Lot &) const = default;
};

/// What one job does on a fleet.
struct JobAnswer {
    Layout layout;
    int globalBatch = 0;
    double stepSeconds = 0, mfu = 0, memoryBytes = 0, memoryShare = 0;
    double tokens = 0, days = 0; ///< with failures
    double bestStepSeconds = 0; ///< of the fastest layout; the one above is the simplest that cannot be told from it
    std::optional<double> stepSecondsByRuns{}; ///< where measured runs of the site put the step
    [[nodiscard]] double likelyStepSeconds() const { return stepSecondsByRuns.value_or(stepSeconds); }
    [[nodiscard]] double likelyMfu() const { return mfu * stepSeconds / likelyStepSeconds(); } ///< of that step
    bool operator==(const JobAnswer &) const = default;
};

/// NaN: unknown; infinity: never. Of all jobs together, one after the other.
struct FleetFigures {
    double days = unknownFigure; ///< with failures
    double runCostUsd = unknownFigure; ///< all in, as it is paid for
    double electricityUsd = unknownFigure; ///< of runCostUsd; unknown of rented fleets, where it is in the rent
    double capitalUsd = unknownFigure; ///< 0 of rented fleets
    double yearlyUsd = unknownFigure; ///< of owning or renting it
    double facilityWatts = unknownFigure; ///< peak
    /// Of the jobs. Carbon is that of the energy: what making the hardware emitted is known of few nodes.
    double carbonKg = unknownFigure, energyKwh = unknownFigure;
    double goodput = unknownFigure;
    double readyDays = unknownFigure; ///< from the order to the first run
    double usdPerAcceleratorHour = unknownFigure;
    double deadlineChance = unknownFigure; ///< closed form of the step time's range; of the deadline that is stated
};
[[nodiscard]] double valueOf(DecisionObjective objective, const FleetFigures &figures);

/// A limit that a fleet breaks, in the unit of its figure: days, USD, W, kg, share, accelerator bytes of Layout.
struct Miss {
    SizeLimit limit = SizeLimit::Layout;
    double needed = 0, allowed = 0;
    bool operator==(const Miss &) const = default;
};

/// A fleet of another node beside an owned one, which takes jobs of its own at the same time.
struct SecondFleet {
    std::size_t lot = 0;
    int nodes = 0, accelerators = 0;
    std::vector<std::size_t> jobs; ///< of the decision's, ascending; the first fleet has the others
    bool operator==(const SecondFleet &) const = default;
};

struct Answer {
    std::size_t lot = 0;
    int nodes = 0, accelerators = 0;
    std::vector<JobAnswer> jobs; ///< as the decision's; empty where no layout keeps to the memory
    /// Likely ones, of both fleets; days are those of the later one. Where measured runs of the site move step times,
    /// what follows from time is by the runs, and limits are judged by that.
    FleetFigures figures;
    std::vector<Miss> misses; ///< empty: it keeps every limit
    std::optional<SecondFleet> second{};
    std::optional<FleetFigures> byFormula{}; ///< by the cost model alone; nothing: no run moves them
    int ownRuns = 0; ///< of the site, which move the figures
    [[nodiscard]] bool isOfSecond(std::size_t job) const;
    [[nodiscard]] bool isFeasible() const { return misses.empty(); }
};

/// How many measured runs of the site move what is judged by the limit: it follows from time. 0: none does.
[[nodiscard]] int runsBehind(SizeLimit limit, const Answer &answer);

/// The limit that a fleet feels first, in the unit of Miss; of Layout, where it is kept, the share of the memory.
struct Tightest {
    SizeLimit limit = SizeLimit::Deadline;
    bool holds = true;
    double value = 0, allowed = 0;
    int ownRuns = 0; ///< measured runs of the site that move what is judged
    bool operator==(const Tightest &) const = default;
};
/// As bindingOf() of a plan: the first limit that it breaks, else the nearest by LimitUse. Figures that are not known
/// are passed over; where no limit is stated that can be judged, it is memory, which always limits. Nothing for a fleet
/// whose jobs have no layout and that breaks nothing.
[[nodiscard]] std::optional<Tightest> tightestLimit(const DecisionDocument &document, const Answer &answer);

/// What would let a lot in: one limit moved, the others kept.
struct Remedy {
    SizeLimit limit = SizeLimit::Deadline;
    double needed = 0; ///< where the limit would have to be
    std::size_t lot = 0;
    int nodes = 0; ///< of the fleet that would do
    double objective = 0; ///< what that fleet has of the objective: of two at one limit the better one stands
    FleetFigures figures{}; ///< of that fleet; unknown in results of earlier versions
};

/// Fleets that exceed their limits by so little more than the one that does so least come as close: a prediction says
/// no more.
inline constexpr double alikeMissShare = 0.02;

/// The best of a lot, or what comes closest.
struct LotAnswer {
    /// Of infeasible lots the fleet that exceeds its limits least (the largest needed over allowed of them); of those
    /// within alikeMissShare of that the one with the least of the objective, of equal ones the closer.
    Answer answer;
    std::vector<Remedy> remedies; ///< of infeasible lots, in the order of the limits
};

/// A fleet that a moved limit lets in.
struct LetIn {
    double needed = 0; ///< where the limit has to be, in the unit of Miss
    Answer answer; ///< its layouts are those that it takes within this limit
};

/// What one limit keeps out while all others are kept: fleets with less of the objective than the best one. What cannot
/// be judged by the limit, because the figure is not known, stays out wherever the limit is.
struct KeptOut {
    SizeLimit limit = SizeLimit::Deadline;
    double allowed = 0;
    std::optional<LetIn> nearest; ///< by the smallest step of the limit that lets one in; of several the best of them
    std::optional<LetIn> best; ///< however far the limit is moved
    [[nodiscard]] bool any() const { return nearest.has_value() || best.has_value(); }
};

/// What the batches that the jobs state keep out while all limits are kept, as numbers of nodes that do not share them.
struct OtherBatch {
    /// The best with batches from each job's own to the one that it takes, found within withBatchesNear(); nothing: no
    /// such fleet has less of the objective than the best one.
    std::optional<Answer> best;
};

/// What the cost model alone would choose where measured runs of the site move step times; second fleets aside.
struct FormulaChoice {
    std::optional<Answer>
        best; ///< figures and misses are by the runs, as everywhere; nothing: no fleet keeps the limits
    int runs = 0; ///< of the site
};

/// Something that could not be looked at, and why.
struct Refused {
    std::string candidate; ///< node, fabric, offer
    Error error;
};

/// Where candidates ended; the same whatever was skipped.
struct Counts {
    std::uint64_t fleets = 0; ///< numbers of nodes, with everything else
    std::uint64_t useless = 0; ///< numbers of nodes that no layout of the jobs divides
    std::uint64_t lots = 0;
};

struct Result {
    std::string costModelId, costModelVersion;
    DecisionObjective objective = DecisionObjective::RunCost;
    std::array<DecisionObjective, 2> frontAxes{};
    std::vector<Lot> lots;
    std::vector<LotAnswer> answers; ///< feasible ones best first, then the others, those closest to the limits first
    std::vector<Answer> front; ///< feasible fleets that none beats in both axes; ascending in the first
    std::optional<Answer> baseCase;
    std::size_t baseLot = 0;
    std::vector<Remedy> remedies; ///< where nothing is feasible: over all lots
    /// Of each limit that is stated, in their order; empty where nothing is feasible and while it is not known yet.
    std::vector<KeptOut> keptOut;
    std::optional<OtherBatch> otherBatch; ///< nothing: not known, or every job states which batches it allows
    std::vector<Refused> refused;
    Counts counts;
    std::optional<FormulaChoice> byFormula{}; ///< nothing: no measured run of the site moves a step time
    [[nodiscard]] const Answer *best() const
    {
        return answers.empty() || !answers.front().answer.isFeasible() ? nullptr : &answers.front().answer;
    }
    /// The best lot of each node, in the order of `answers`.
    [[nodiscard]] std::vector<const LotAnswer *> byNode() const;
    /// The best bought and the best rented of each node, in the order of `answers`.
    [[nodiscard]] std::vector<const LotAnswer *> byNodeAndPaying() const;
    /// The best that is paid for in the other way than the first of byNode(): rent where that is bought. Of those that
    /// can run the jobs; nullptr: none.
    [[nodiscard]] const LotAnswer *paidOtherwise() const;
    /// Of the fleets that keep the limits and take neither capital nor a reservation (owned already, or rented on
    /// demand or spot) the one with the least cost of the run; nullptr: none.
    [[nodiscard]] const LotAnswer *cheapestUncommitted() const;
    /// byNode(), then paidOtherwise() where it is none of them.
    [[nodiscard]] std::vector<const LotAnswer *> compared() const;
};

/// Of a job's step time on a fleet: chooses layouts and fleets where runs of the own site moved it.
using RangeOf = validation::RangeOf;

struct Snapshot {
    double share = 0; ///< of the work, 0 to 1: of the lots, then of the limits that are lifted
    std::shared_ptr<const Result> partial; ///< lots that are done; without counts
};

struct Control {
    std::function<void(const Snapshot &)> progress{}; ///< from a worker, one call at a time
    int millisecondsBetween = 100;
    std::stop_token stop{};
    int threads = 0; ///< 0: as many as the machine has
    bool pruning = true;
    int part = 0, parts = 1; ///< for several processes: this one looks at every part-th node and fabric
};

/// What a run did; differs from run to run.
struct Effort {
    std::uint64_t searched = 0; ///< fleets whose layouts were searched
    std::uint64_t priced = 0; ///< layouts
};

/// Refuses as check(), what no candidate can hold ("jobs[0].workload"), an unknown name with its field, shares without
/// a base case that can run the jobs, Cancelled within 100 ms of a stop. That nothing is feasible is an answer.
[[nodiscard]] Expected<Result> run(const DecisionDocument &document, const Catalog &catalog,
    const RangeOf &rangeOf = {}, const Control &control = {}, Effort *effort = nullptr);

/// The answer over parts of the candidates: equal to that of one process, but for what limits and batches keep out,
/// which only the whole knows: keptOut() and otherBatch() say that of it.
[[nodiscard]] Result merge(Result left, const Result &right);

/// Result::keptOut of a merged answer to this question. Refuses as run().
[[nodiscard]] Expected<std::vector<KeptOut>> keptOut(const DecisionDocument &document, const Catalog &catalog,
    const RangeOf &rangeOf, const Control &control, const Result &result);

/// What has less of the objective than the best by a smaller share is not worth telling: it is noise.
inline constexpr double worthTelling = 0.01;
[[nodiscard]] bool isWorthTelling(const DecisionDocument &document, const Result &result, const Answer &fleet);

/// A batch is near the job's own within this share of it: the model learns much the same.
inline constexpr double nearBatchShare = 0.25;
/// The question with the batches near its own allowed to every job that states no range of batches; nothing where all
/// state one.
[[nodiscard]] std::optional<DecisionDocument> withBatchesNear(DecisionDocument document);
/// The best of that question, narrowed until its ranges go from the jobs' own batches to those that it takes: asking
/// with what is said of it then answers it. `best`: of a question, nothing where none has less than the best one.
[[nodiscard]] Expected<std::optional<OtherBatch>> otherBatchWithin(DecisionDocument near,
    const DecisionDocument &document,
    const std::function<Expected<std::optional<Answer>>(const DecisionDocument &)> &best);
/// Result::otherBatch of a merged answer to this question. Refuses as run().
[[nodiscard]] Expected<std::optional<OtherBatch>> otherBatch(const DecisionDocument &document, const Catalog &catalog,
    const RangeOf &rangeOf, const Control &control, const Result &result);

/// The plan of one job on a fleet of the answer, with its layout; named after both.
[[nodiscard]] PlanDocument planOf(
    const DecisionDocument &document, const Result &result, const Answer &answer, std::size_t job);
/// The same to be kept: what is owned is held against the rent that the answer holds its nodes against, where there is
/// one that keeps the limits.
[[nodiscard]] PlanDocument planToKeep(
    const DecisionDocument &document, const Result &result, const Answer &answer, std::size_t job);
/// The fleet of an answer, and the second one where it has one.
[[nodiscard]] FleetDocument fleetOf(const Result &result, const Answer &answer);
[[nodiscard]] std::optional<FleetDocument> secondFleetOf(const Result &result, const Answer &answer);

} // namespace fleetwright::size
