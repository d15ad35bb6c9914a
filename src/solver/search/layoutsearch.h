// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchdocument.h"
#include "solver/models/costmodel.h"
#include "solver/search/exclusion.h"
#include "solver/search/objectivefigures.h"

#include <functional>
#include <memory>
#include <stop_token>

/// Every layout of a plan's workload on its fleet, priced by any cost model.
///
/// The candidates are all products of the options' values: TP, CP and PP from the divisors of the accelerators, EP from
/// those of the experts, microbatch sizes from those of the global batch, virtual stages up to the layers, ZeRO 0 to 3,
/// every recomputation, sequence parallelism or not; or those that the space names. TP x CP x PP always divides the
/// accelerators, DP is what remains. Each candidate is illegal, without effect, infeasible, feasible or (without a
/// value of the objective) not ranked, and is counted so, whether the search is pruned or not.
///
/// Pruning is exact: what is kept (best rows, best of each split, Pareto front, counts) is the same without it.
namespace fleetwright::layoutsearch {

/// One plan whose layouts are searched.
struct Case {
    std::string label; ///< what distinguishes it from the other cases; empty where there is one only
    Plan plan;
};

struct Request {
    std::vector<Case> cases;
    LayoutSearchSpace space;
    std::string costModelId; ///< of all cases
    LayoutSearchObjective objective = LayoutSearchObjective::StepTime;
    std::array<ParetoAxis, 2> pareto{ParetoAxis::StepTime, ParetoAxis::Memory};
    std::size_t rows = 1000; ///< best layouts kept
    bool pruning = true;
    std::optional<double> referenceSeconds; ///< counts the feasible layouts with a shorter step
};

/// Resolves the plan of each case. Refuses as check(LayoutSearchDocument), findCostModel and resolve(); CostPerToken
/// needs a cloud price of the accelerator (MissingField "objective").  Edited assumptions that belong to another cost
/// model than the search's are left out.
[[nodiscard]] Expected<Request> requestFrom(const LayoutSearchDocument &document, const Catalog &catalog);

/// A feasible layout and what it costs. NaN where the cost model does not know a figure.
struct Row {
    Layout layout;
    int caseIndex = 0;
    double stepSeconds = 0;
    double memoryBytes = 0;
    double mfu = 0;
};

/// What turns a row of a case into the other figures.
struct CaseFacts {
    std::string label;
    int accelerators = 0;
    int globalBatch = 0;
    double tokensPerStep = 0; ///< 0 where the cost model gives no tokens per second
    double capacityBytes = 0;
    double limitBytes = 0; ///< of memory, with the plan's own limit
    double roomyBytes =
        0; ///< likewise; where the plan states no limit, what memoryShareOf() leaves to a recommendation
    int scaleUpDomain = 1; ///< accelerators in one
    std::optional<double> dollarsPerSecond; ///< Limits::fleetRate()
    std::optional<Error> refused; ///< the cost model cannot price this case at all; it has no rows
    bool operator==(const CaseFacts &) const = default;
};

/// The objective's value: seconds, tokens per second, share, bytes, dollars per million tokens; NaN where it is
/// unknown.
[[nodiscard]] double valueOf(LayoutSearchObjective objective, const Row &row, const CaseFacts &facts);
[[nodiscard]] double valueOf(ParetoAxis axis, const Row &row, const CaseFacts &facts);
/// Whether less is better.
[[nodiscard]] constexpr bool lessIsBetter(LayoutSearchObjective objective)
{
    return objective == LayoutSearchObjective::StepTime || objective == LayoutSearchObjective::CostPerToken;
}

/// Whether the model gives what the objective ranks the plan's layouts by: UnsupportedValue or MissingField (a price)
/// with field "objective" and a sentence that names both.
[[nodiscard]] Expected<void> checkObjective(
    const CostModel &model, const PlanFacts &plan, LayoutSearchObjective objective);

/// How many candidates ended where.
struct Counts {
    std::array<std::uint64_t, exclusionCount> excluded{};
    std::uint64_t feasible = 0;
    std::uint64_t faster = 0; ///< feasible ones below Request::referenceSeconds

    [[nodiscard]] std::uint64_t operator[](Exclusion exclusion) const
    {
        return excluded[static_cast<std::size_t>(exclusion)];
    }
    [[nodiscard]] std::uint64_t candidates() const;
    [[nodiscard]] std::uint64_t illegal() const;
    [[nodiscard]] std::uint64_t infeasible() const;
    /// Those that could run: feasible or infeasible.
    [[nodiscard]] std::uint64_t legal() const { return feasible + infeasible(); }
    Counts &operator+=(const Counts &other);
    bool operator==(const Counts &) const = default;
};

/// One split of one case: the idea, with the best of its settings.
struct Group {
    Split split;
    int caseIndex = 0;
    std::optional<Row> best; ///< by the objective; nothing when none is feasible
    std::uint64_t feasible = 0, infeasible = 0;
    double leastMemoryBytes =
        0; ///< of its layouts with the smallest microbatch of each other setting; NaN where memory is unknown
};

struct Result {
    std::string costModelId, costModelVersion;
    LayoutSearchTraits traits;
    LayoutSearchObjective objective = LayoutSearchObjective::StepTime;
    std::array<ParetoAxis, 2> pareto{};
    std::vector<CaseFacts> cases;
    std::vector<Row> rows; ///< the best, best first; at most Request::rows
    std::vector<Group> groups; ///< of all legal splits: feasible ones best first, then the others
    std::vector<Row> front; ///< ascending in the first axis
    /// Of each case what a recommendation chooses from: of the rows within CaseFacts::roomyBytes the best of each class
    /// of complexity, as far as it cannot be told from the best of them; simplest first
    /// (solver/search/recommendation.h).
    std::vector<Row> simplest;
    std::vector<Counts> counts; ///< of each case

    [[nodiscard]] Counts total() const;
    /// Of all cases; nothing when no layout is feasible.
    [[nodiscard]] const Row *best() const { return rows.empty() ? nullptr : &rows.front(); }
    /// The layout to take in the case of the best one: the simplest that cannot be told from the best; nullptr where no
    /// layout of that case leaves the headroom.
    [[nodiscard]] const Row *recommended() const;
    /// What a recommendation says to take, and what other layouts are held against: recommended(), else best().
    [[nodiscard]] const Row *taken() const { return recommended() ? recommended() : best(); }
    [[nodiscard]] const CaseFacts &factsOf(const Row &row) const { return cases[std::size_t(row.caseIndex)]; }
};
/// Bit for bit, NaN equal to NaN.
[[nodiscard]] bool sameAnswer(const Result &left, const Result &right);

/// What is known so far. Groups, front and counts cover the candidates looked at; rows are the best of each group only.
struct Snapshot {
    double share = 0; ///< of the candidates, 0 to 1
    std::uint64_t examined = 0; ///< candidates behind it
    std::shared_ptr<const Result> partial;
};

struct Control {
    std::function<void(const Snapshot &)>
        progress{}; ///< from a worker, one call at a time, about every `millisecondsBetween`, and once all is done
    int millisecondsBetween = 50;
    std::stop_token stop{};
    int threads = 0; ///< 0: as many as the machine has
    /// For several processes: this one looks at every part-th piece of the space only.
    int part = 0, parts = 1;
};

/// What a run did, for measurements; differs from run to run.
struct Effort {
    std::uint64_t priced = 0; ///< step times computed
    std::uint64_t pruned = 0; ///< feasible layouts whose step time was not needed
};

/// With oneTBB. The answer depends neither on the threads nor on pruning. Refuses what the cost model refuses for every
/// layout of every case (fields of plans), what checkObjective() refuses, Cancelled within 100 ms of a stop. That no
/// layout is feasible is an answer; so is an empty front where the model does not know one of its axes.
[[nodiscard]] Expected<Result> run(const Request &request, const Control &control = {}, Effort *effort = nullptr);

/// The same with a cost model that need not be registered; the request's id is not looked at.
[[nodiscard]] Expected<Result> run(
    const CostModel &model, const Request &request, const Control &control = {}, Effort *effort = nullptr);

/// The answer over both halves of a space that was split by Control::part: equal to that of one process. `rows`: as in
/// the request.
[[nodiscard]] Result merge(Result left, Result right, std::size_t rows);

/// The whole of a search, for people who have a document: requestFrom() and run().
[[nodiscard]] Expected<Result> run(
    const LayoutSearchDocument &document, const Catalog &catalog, const Control &control = {});

/// The layouts of one split only, every one kept (at most mostLayoutSearchRows). The only case of the new request is
/// `caseIndex` of this one, so its rows have case index 0.
[[nodiscard]] Request within(Request request, const Split &split, int caseIndex);

} // namespace fleetwright::layoutsearch
