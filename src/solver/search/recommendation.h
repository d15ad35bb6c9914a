// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"
#include "solver/search/layoutsearch.h"

#include <array>
#include <limits>
#include <stop_token>

/// Which layout to take: the simplest among those that a prediction cannot tell from the best.
namespace fleetwright::layoutsearch {

/// Layouts whose figures differ by less, as a share of the best, cannot be told apart: errors of neighbouring layouts
/// of one plan are common to all of them for the most part, and what is left is this small at the least (handbook,
/// search.md).
inline constexpr double indistinguishable = 0.02;

/// The share of an accelerator's memory that a layout nobody chose may fill where the plan states no limit: the rest is
/// what `detailed` is typically off by on measured runs (handbook, validation.md: 8 %).
inline constexpr double defaultMemoryShare = 0.92;
/// The plan's own limit, or the default.
[[nodiscard]] inline double memoryShareOf(const Constraints &constraints)
{
    return constraints.maxMemoryShare.value_or(defaultMemoryShare);
}

/// How much there is to set up and to go wrong, in points; equal points are one class. Virtual stages: 1 for two to
/// four, 2 for more. Context parallelism 1, ZeRO 3 1, TP across scale-up domains 2. Recomputation costs time and is no
/// complexity. `scaleUpDomain`: accelerators in one.
inline constexpr std::size_t complexityClasses = 7;
[[nodiscard]] constexpr std::size_t complexityOf(const Layout &layout, int scaleUpDomain)
{
    constexpr int usualVirtualStages = 4;
    std::size_t points = layout.virtualStages <= 1 ? 0 : layout.virtualStages <= usualVirtualStages ? 1 : 2;
    points += layout.cp > 1 ? 1 : 0;
    points += layout.zeroStage >= 3 ? 1 : 0;
    points += layout.tp > scaleUpDomain ? 2 : 0;
    return points;
}

/// A row and how good it is: lower is better.
struct Ranked {
    double score = 0;
    Row row;
};
/// Total among scores that are numbers: score, then step time, then the case and the layout's own order (smaller groups
/// first). NaN step times are equal.
[[nodiscard]] bool operator<(const Ranked &left, const Ranked &right);

/// Streams layouts of one fleet and keeps the best of each class of complexity: bounded, without allocation, in any
/// order, and two of them join to what one would have kept.
class BestByComplexity {
public:
    BestByComplexity() { m_best.fill({.score = std::numeric_limits<double>::infinity(), .row = {}}); }
    /// A score that is no number changes nothing.
    void add(const Ranked &row, std::size_t complexity)
    {
        if (row < m_best[complexity])
            m_best[complexity] = row;
    }
    BestByComplexity &operator+=(const BestByComplexity &other)
    {
        for (std::size_t i = 0; i < complexityClasses; ++i)
            add(other.m_best[i], i);
        return *this;
    }
    /// Whether a layout of this class with this score, or a better one, could still be the best or the recommended one.
    [[nodiscard]] bool needs(double score, std::size_t complexity) const
    {
        return score <= m_best[complexity].score && score <= nearly(leastScore());
    }
    /// The best of all; nullptr before the first.
    [[nodiscard]] const Ranked *best() const
    {
        const auto *least = &m_best.front();
        for (const auto &ranked : m_best)
            if (ranked < *least)
                least = &ranked;
        return least->score < std::numeric_limits<double>::infinity() ? least : nullptr;
    }
    /// The best of the simplest class whose best cannot be told from the best of all; nullptr before the first.
    [[nodiscard]] const Ranked *recommended() const
    {
        const double most = nearly(leastScore());
        for (const auto &ranked : m_best)
            if (ranked.score <= most && ranked.score < std::numeric_limits<double>::infinity())
                return &ranked;
        return nullptr;
    }

    /// The best of every class that cannot be told from the best of all, simplest first.
    [[nodiscard]] std::vector<const Ranked *> nearBest() const;

private:
    [[nodiscard]] double leastScore() const
    {
        double least = std::numeric_limits<double>::infinity();
        for (const auto &ranked : m_best)
            least = ranked.score < least ? ranked.score : least;
        return least;
    }
    [[nodiscard]] static double nearly(double score)
    {
        return score + indistinguishable * (score < 0 ? -score : score);
    }
    std::array<Ranked, complexityClasses> m_best;
};

/// How much worse than `best` a row is by the objective, as a share of it: 0.03 is three percent, below 0 is better.
[[nodiscard]] double lossOf(const Result &result, const Row &row, const Row &best);

/// What measured runs of the site make of a recommendation.
struct ByRuns {
    double seconds = 0; ///< of a step of the recommended layout
    int runs = 0; ///< as many
    bool isTimed = false; ///< one of them is of the recommended layout, which stays for that: nearLayouts()
    std::optional<Row> byFormula; ///< what the cost model alone would take, where that is another layout
    double formulaLoss = 0; ///< how much longer its step is by the runs, as a share; below 0: shorter
    bool countsDiffer = false; ///< what is feasible was counted by the cost model alone, and a limit follows from time
};

/// What `layout: best` means for one plan.
struct Recommendation {
    Row row; ///< the layout to take
    /// What it breaks, with numbers: empty where it is feasible. Where no layout keeps every limit it is the one that
    /// comes closest: the fastest that fits its memory, and where none does, the one that needs the least.
    std::vector<TraceEntry> missed;
    Row best; ///< of all feasible layouts by the objective; `row` where nothing is feasible
    double gain = 0; ///< what it would add over `row`, as a share: 0.012 is 1.2 % less time
    std::optional<Row> rival; ///< the best with another split
    double rivalLoss = 0; ///< how much worse than `row` it is, as a share; below 0: better
    CaseFacts facts; ///< turn rows into the other figures
    Counts counts; ///< of the space within the plan's limits
    LayoutSearchObjective objective = LayoutSearchObjective::StepTime;
    double memoryShare = 0; ///< of the accelerator's memory that a layout was allowed to fill
    /// Where measured runs of the site move step times: `row` and `best` are chosen by those (nearLayouts()), and gain,
    /// loss and what is missed are by those.
    std::optional<ByRuns> byRuns{};
    [[nodiscard]] bool isFeasible() const { return missed.empty(); }
};

/// Searches the space for the plan (its own degrees count only for what the cost model does not price) within its
/// limits and, where it states none, within defaultMemoryShare; by step time, or by memory left where the cost model
/// knows no time. Refuses as run(); InfeasibleParallelism with "layout", the rules and what to change where no layout
/// of the space can run at all. `rangeOf`: of the plan's site; empty: nothing was measured there. `threads`: 0: all.
[[nodiscard]] Expected<Recommendation> recommend(const Plan &plan, const LayoutSearchSpace &space,
    const validation::RangeOf &rangeOf = {}, const std::stop_token &stop = {}, int threads = 0);

/// What would make a plan feasible whose recommendation misses limits: each alone, the others kept.
struct Remedies {
    std::optional<int> nodes; ///< smallest number of the same nodes, above the plan's, at which some layout does
    std::optional<Seconds> deadline; ///< what the fastest layout takes, where the deadline alone is missed
    std::optional<double> memoryShare; ///< where a larger share of the accelerator's memory would do
    std::optional<Watts> power; ///< of the facility, where that limit alone is missed
    [[nodiscard]] bool any() const { return nodes || deadline || memoryShare || power; }
};
/// Node counts are tried one after the other up to `mostNodesTried`, each with a search; memory and days only where
/// they bind. Refuses Cancelled.
inline constexpr int mostNodesTried = 512;
[[nodiscard]] Expected<Remedies> remediesOf(const Plan &plan, const LayoutSearchSpace &space,
    const Recommendation &recommended, const validation::RangeOf &rangeOf = {}, const std::stop_token &stop = {},
    int threads = 0);

/// The recommended layout beside the one that a plan fixes.
struct LayoutOffer {
    std::optional<Layout> layout; ///< where it is feasible and the plan's own is not, or is slower
    std::string
        sentence; ///< "Best layout: TP 4, PP 2, DP 32; microbatch 1, ...: 8 % less time.", or that none is better
};
/// `solution`: of the plan with its own layout.
[[nodiscard]] LayoutOffer offerOver(const Solution &solution, const Recommendation &recommended);

/// "The nearest that would do: 9 nodes, or a deadline of 33.6 d."
[[nodiscard]] std::string inWords(const Remedies &remedies);
/// The same in one sentence beside the degrees themselves: what the best would add, and the next other split.
[[nodiscard]] std::string gistOf(const Recommendation &recommended);
/// For people: the layout, what the best would add, the next other split, what was excluded; or what binds, by how much
/// and what would do. `remedies` may be absent.
[[nodiscard]] std::vector<std::string> inWords(const Recommendation &recommended, const Remedies *remedies = nullptr);

} // namespace fleetwright::layoutsearch
