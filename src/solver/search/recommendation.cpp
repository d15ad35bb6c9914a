// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/recommendation.h"

#include "solver/search/cellsearch.h"
#include "solver/search/layoutsearchwords.h"
#include "solver/search/nearlayouts.h"
#include "units/grouping.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace fleetwright::layoutsearch {

bool operator<(const Ranked &left, const Ranked &right)
{
    if (left.score != right.score)
        return left.score < right.score;
    const double leftStep = left.row.stepSeconds, rightStep = right.row.stepSeconds;
    if (leftStep < rightStep || rightStep < leftStep)
        return leftStep < rightStep;
    return std::tie(left.row.caseIndex, left.row.layout) < std::tie(right.row.caseIndex, right.row.layout);
}

std::vector<const Ranked *> BestByComplexity::nearBest() const
{
    std::vector<const Ranked *> found;
    const double most = nearly(leastScore());
    for (const auto &ranked : m_best)
        if (ranked.score <= most && ranked.score < std::numeric_limits<double>::infinity())
            found.push_back(&ranked);
    return found;
}

double lossOf(const Result &result, const Row &row, const Row &best)
{
    const double value = valueOf(result.objective, row, result.factsOf(row)),
                 least = valueOf(result.objective, best, result.factsOf(best));
    return lessIsBetter(result.objective) ? value / least - 1 : 1 - value / least;
}

namespace {

/// A plan whose layout is looked for, and how.
struct OpenPlan {
    const Plan &plan;
    const LayoutSearchSpace &space;
    const validation::RangeOf &rangeOf;
    LayoutSearchObjective objective;
    const Control &control;

    /// What the search recommends from, by measured runs of the site; empty where none moves a step time.
    [[nodiscard]] std::vector<NearLayout> near(const Result &result) const
    {
        if (!rangeOf || objective != LayoutSearchObjective::StepTime)
            return {};
        std::vector<Ranked> ranked;
        for (const auto &row : result.simplest)
            ranked.push_back({row.stepSeconds, row});
        std::vector<const Ranked *> best;
        for (const auto &one : ranked)
            best.push_back(&one);
        auto near = nearLayouts(plan, best, rangeOf);
        if (std::ranges::none_of(near, &NearLayout::isMoved))
            near.clear();
        return near;
    }
    /// By the runs, where they move it.
    [[nodiscard]] double secondsOf(const Row &row) const
    {
        const auto range = rangeWith(rangeOf, plan, row.layout, row.stepSeconds);
        return range && range->ownRuns > 0 ? range->middle().value() : row.stepSeconds;
    }

    /// Within other limits than the plan's own.
    [[nodiscard]] Expected<Plan> within(const Constraints &constraints) const
    {
        auto facts = *plan;
        facts.constraints = constraints;
        return Plan::create(std::move(facts));
    }

    [[nodiscard]] Expected<Result> search(const Plan &limited, LayoutSearchObjective by) const
    {
        Request request{.cases = {{.label = {}, .plan = limited}},
            .space = space,
            .costModelId = limited->costModelId,
            .objective = by,
            .rows = 1};
        request.pareto = {ParetoAxis::StepTime, ParetoAxis::StepTime}; // no front: pruning need not keep to one
        return run(request, control);
    }
    [[nodiscard]] Expected<Result> search(const Constraints &constraints) const
    {
        const auto limited = within(constraints);
        return limited ? search(*limited, objective) : std::unexpected(limited.error());
    }
};

/// Of a row whose step takes so many seconds, by the runs or not: the cost model's step time stays what it is.
LayoutFigures figuresOf(const Result &result, const Row &row, double seconds)
{
    return {.stepSeconds = row.stepSeconds,
        .memoryBytes = row.memoryBytes,
        .mfu = row.mfu,
        .tokensPerSecond = result.factsOf(row).tokensPerStep / seconds};
}

Constraints withDefaultShare(Constraints constraints)
{
    constraints.maxMemoryShare = memoryShareOf(constraints);
    return constraints;
}

/// Of the split that comes closest to fitting, the settings that need the least memory.
Expected<Row> leastMemory(const OpenPlan &open, const Result &result)
{
    const auto model = findCostModel(open.plan->costModelId);
    const auto &plan = *open.plan;
    const auto pricing = (*model)->prepareLayouts(plan.workload, plan.fleet, plan.training, plan.assumptions);
    if (!pricing)
        return std::unexpected(pricing.error());
    const Group *closest = nullptr;
    for (const auto &group : result.groups)
        if (!std::isnan(group.leastMemoryBytes) && (!closest || group.leastMemoryBytes < closest->leastMemoryBytes))
            closest = &group;
    if (!closest)
        return refuse(ErrorCode::InfeasibleParallelism, "layout", "No layout can run: " + inWords(result.total()));
    const auto values = [&](LayoutSearchOption option, std::vector<int> every, int own) {
        const auto &named = open.space[option];
        return !named.empty() ? named : result.traits.options.has(option) ? std::move(every) : std::vector{own};
    };
    const auto &split = closest->split;
    Row least{.memoryBytes = std::numeric_limits<double>::infinity()};
    Layout layout{.tp = split.tp, .cp = split.cp, .pp = split.pp, .ep = split.ep, .dp = split.dp};
    for (const int size : values(LayoutSearchOption::MicrobatchSize, {1}, 1)) {
        if (plan.training.globalBatch % (std::int64_t(size) * split.dp) != 0)
            continue;
        layout.microbatchSize = size;
        layout.virtualStages = values(LayoutSearchOption::VirtualStages, {1}, 1).front();
        for (const int zero : values(LayoutSearchOption::ZeroStage, {0, 1, 2, 3}, plan.parallelism.zeroStage))
            for (const int recompute : values(LayoutSearchOption::Recompute, {0, 1, 2}, 0))
                for (const int parallel : values(LayoutSearchOption::SequenceParallel, {0, 1}, 0)) {
                    layout.zeroStage = std::int8_t(zero);
                    layout.recompute = static_cast<Recompute>(recompute);
                    layout.sequenceParallel = parallel != 0;
                    const auto memory = (*pricing)->memory(layout);
                    if (memory.refused || !(memory.bytes < least.memoryBytes))
                        continue;
                    const auto priced = (*pricing)->price(layout);
                    least = {.layout = layout,
                        .stepSeconds = priced.stepSeconds,
                        .memoryBytes = memory.bytes,
                        .mfu = priced.mfu};
                }
        break; // larger microbatches need more
    }
    if (std::isinf(least.memoryBytes))
        return refuse(ErrorCode::OutOfMemory, "layout", "No layout fits: " + inWords(result.total()));
    return least;
}

/// What has no layout that keeps every limit, and the one that comes closest.
struct Closest {
    Row row;
    std::optional<ByRuns> byRuns{};
};

Expected<Closest> closest(const OpenPlan &open, const Constraints &constraints)
{
    Constraints relaxed;
    std::optional<Result> last;
    for (const auto share : {constraints.maxMemoryShare, std::optional<double>()}) {
        relaxed.maxMemoryShare = share;
        auto result = open.search(relaxed);
        if (!result)
            return std::unexpected(result.error());
        if (const auto near = open.near(*result); !near.empty()) {
            const auto &fastest = fastestOf(near);
            return Closest{fastest.ranked.row, ByRuns{.seconds = fastest.seconds}};
        }
        if (const auto *found = result->recommended())
            return Closest{*found};
        if (const auto *found = result->best())
            return Closest{*found};
        last = std::move(*result);
    }
    auto least = leastMemory(open, *last);
    if (!least)
        return std::unexpected(std::move(least.error()));
    return Closest{std::move(*least)};
}

/// What follows from time is judged by the runs.
Constraints withoutTime(Constraints constraints)
{
    constraints.deadline.reset();
    constraints.runCost.reset();
    return constraints;
}

Expected<std::vector<TraceEntry>> missedBy(const OpenPlan &open, const Constraints &constraints, const Layout &layout)
{
    const auto limited = open.within(constraints);
    if (!limited)
        return std::unexpected(limited.error());
    const auto plan = withLayout(*limited, layout);
    if (!plan)
        return std::unexpected(plan.error());
    auto solution = solve(*plan);
    if (!solution)
        return std::unexpected(solution.error());
    if (open.rangeOf && solution->estimate.stepTime)
        if (auto range = open.rangeOf(*plan, *solution->estimate.stepTime); range && range->ownRuns > 0)
            solution = withStepRange(std::move(*solution), *plan, std::move(range));
    std::erase_if(solution->trace, [](const TraceEntry &entry) { return !entry.decided || entry.holds; });
    return std::move(solution->trace);
}

Error nothingRuns(const Plan &plan, const Counts &counts)
{
    std::string sentence = "No layout of this plan can run: ";
    if (counts.candidates() == 0)
        sentence += "no TP \u00d7 CP \u00d7 PP of the values asked for divides the "
            + std::to_string(plan->fleet->accelerators())
            + " accelerators. Leave more degrees free or change the number of nodes.";
    else { // what to do first: there is room for a few lines, and the page Search has all reasons
        auto most = Exclusion{};
        for (std::size_t i = 0; i < exclusionCount; ++i)
            if (const auto reason = static_cast<Exclusion>(i);
                (isIllegal(reason) || isInfeasible(reason)) && counts[reason] > counts[most])
                most = reason;
        sentence += "change the number of nodes or the global batch, or leave more degrees free. None of "
            + units::grouped(std::to_string(counts.candidates()))
            + " layouts is feasible, most often: " + std::string(titleOf(most)) + ".";
    }
    return {ErrorCode::InfeasibleParallelism, "layout", std::move(sentence)};
}

void addRival(const Result &result, Recommendation &recommended)
{
    for (const auto &group : result.groups) {
        if (!group.best)
            break;
        if (group.split == splitOf(recommended.row.layout))
            continue;
        recommended.rival = group.best;
        recommended.rivalLoss = lossOf(result, *group.best, recommended.row);
        break;
    }
}

bool misses(const Recommendation &recommended, Limit limit)
{
    return std::ranges::find(recommended.missed, keyOf(limit), &TraceEntry::constraint) != recommended.missed.end();
}

/// Whether a row whose step takes so many seconds keeps the limits.
bool keeps(const Limits &limits, const Result &result, const Row &row, double seconds)
{
    return !limits.broken(figuresOf(result, row, seconds));
}

/// Those near the fastest that keep the limits by the runs, simplest first; `untimed`: a search without limits of time.
std::vector<NearLayout> keptByRuns(const OpenPlan &open, const Limits &limits, const Result &untimed)
{
    auto near = open.near(untimed);
    std::erase_if(
        near, [&](const NearLayout &layout) { return !keeps(limits, untimed, layout.ranked.row, layout.seconds); });
    return near;
}

/// Takes what the runs of the site choose. False where none of the layouts near the fastest keeps the limits by them;
/// `within` is the search by the cost model.
Expected<bool> chooseByRuns(
    const OpenPlan &open, const Constraints &limits, const Result &within, Recommendation &recommended)
{
    const auto untimed = withoutTime(limits);
    std::optional<Result> freed;
    if (untimed != limits) {
        auto result = open.search(untimed);
        if (!result)
            return std::unexpected(std::move(result.error()));
        freed = std::move(*result);
    }
    const auto &all = freed ? *freed : within;
    const auto limited = open.within(limits);
    if (!limited)
        return std::unexpected(limited.error());
    const Limits judge(*limited);
    const auto near = keptByRuns(open, judge, all);
    if (near.empty())
        return false;
    const auto &taken = near.front(), &fastest = fastestOf(near);
    recommended.row = taken.ranked.row;
    recommended.best = fastest.ranked.row;
    recommended.gain = 1 - fastest.seconds / taken.seconds;
    auto &byRuns = recommended.byRuns.emplace(ByRuns{.seconds = taken.seconds,
        .runs = std::ranges::max(near, {}, &NearLayout::ownRuns).ownRuns,
        .isTimed = taken.isTimed,
        .countsDiffer = freed.has_value()});
    const auto *formula = within.taken();
    if (formula && formula->layout != taken.ranked.row.layout) {
        byRuns.byFormula = *formula;
        byRuns.formulaLoss = open.secondsOf(*formula) / taken.seconds - 1;
    }
    for (const auto &group : all.groups) {
        if (!group.best)
            break;
        if (group.split == splitOf(taken.ranked.row.layout))
            continue;
        const double seconds = open.secondsOf(*group.best);
        if (!keeps(judge, all, *group.best, seconds))
            continue;
        recommended.rival = group.best;
        recommended.rivalLoss = seconds / taken.seconds - 1;
        break;
    }
    return true;
}

} // namespace

Expected<Recommendation> recommend(const Plan &plan, const LayoutSearchSpace &space, const validation::RangeOf &rangeOf,
    const std::stop_token &stop, int threads)
{
    const auto model = findCostModel(plan->costModelId);
    if (!model)
        return std::unexpected(model.error());
    const auto traits = (*model)->layoutSearchTraitsFor(*plan->workload, plan->assumptions);
    Recommendation recommended{
        .objective = traits.time ? LayoutSearchObjective::StepTime : LayoutSearchObjective::MemoryHeadroom,
        .memoryShare = memoryShareOf(plan->constraints)};
    const Control control{.stop = stop, .threads = threads};
    const OpenPlan open{plan, space, rangeOf, recommended.objective, control};
    const auto limits = withDefaultShare(plan->constraints);
    const auto result = open.search(limits);
    if (!result)
        return std::unexpected(result.error());
    recommended.facts = result->cases.front();
    recommended.counts = result->total();
    const auto *best = result->best();
    if (best && open.near(*result).empty()) {
        const auto *simplest = result->recommended();
        recommended.best = *best;
        recommended.row = simplest ? *simplest : *best;
        recommended.gain = -lossOf(*result, *best, recommended.row);
        addRival(*result, recommended);
        return recommended;
    }
    if (recommended.counts.legal() == 0)
        return std::unexpected(nothingRuns(plan, recommended.counts));
    auto chosen = best ? chooseByRuns(open, limits, *result, recommended) : false;
    if (!chosen)
        return std::unexpected(chosen.error());
    if (*chosen)
        return recommended;
    auto nearest = closest(open, limits);
    if (!nearest)
        return std::unexpected(nearest.error());
    if (!best && nearest->byRuns) { // the runs may be faster than the cost model
        chosen = chooseByRuns(open, limits, *result, recommended);
        if (!chosen)
            return std::unexpected(chosen.error());
        if (*chosen)
            return recommended;
    }
    recommended.row = recommended.best = nearest->row;
    recommended.byRuns = nearest->byRuns;
    if (recommended.byRuns)
        recommended.byRuns->countsDiffer = limits != withoutTime(limits);
    auto missed = missedBy(open, limits, nearest->row.layout);
    if (!missed)
        return std::unexpected(missed.error());
    recommended.missed = std::move(*missed);
    if (misses(recommended, Limit::MemoryCapacity)) // says enough about the memory
        std::erase_if(recommended.missed,
            [](const TraceEntry &entry) { return entry.constraint == keyOf(Limit::MaxMemoryFraction); });
    return recommended;
}

namespace {

/// What grows with the number of nodes whatever the layout.
constexpr std::array limitsOfFleets{Limit::MaxFacilityMw, Limit::CapitalUsd, Limit::YearlyCostUsd};

Expected<Plan> withNodes(const Plan &plan, int nodes)
{
    auto fleet = *plan->fleet;
    fleet.nodeCount = nodes;
    auto made = Fleet::create(std::move(fleet));
    if (!made)
        return std::unexpected(made.error());
    auto facts = *plan;
    facts.fleet = std::move(*made);
    return Plan::create(std::move(facts));
}

/// Whether a layout of a fleet keeps its limits, by the runs where they move its fastest.
Expected<bool> isFeasible(const OpenPlan &open, const Plan &limited)
{
    const auto untimed = withoutTime(limited->constraints);
    if (open.rangeOf && open.objective == LayoutSearchObjective::StepTime) {
        const auto result = open.search(untimed);
        if (!result)
            return std::unexpected(result.error());
        if (!open.near(*result).empty())
            return !keptByRuns(open, Limits(limited), *result).empty();
        if (!result->best() || untimed == limited->constraints)
            return result->best() != nullptr;
    }
    const auto result = open.search(limited, open.objective);
    return result ? Expected<bool>(result->best() != nullptr) : std::unexpected(result.error());
}

/// More nodes add memory and speed; what they cannot mend is not tried.
Expected<std::optional<int>> nodesThatDo(const OpenPlan &open, const Recommendation &recommended)
{
    for (const auto limit :
        {Limit::MaxFacilityMw, Limit::CapitalUsd, Limit::YearlyCostUsd, Limit::RunCostUsd, Limit::MinMfu})
        if (misses(recommended, limit))
            return std::nullopt;
    const auto limits = withDefaultShare(open.plan->constraints);
    for (int nodes = open.plan->fleet->nodeCount + 1, tried = 0; tried < mostNodesTried && nodes <= mostNodes;
         ++nodes, ++tried) {
        const auto larger = withNodes(open.plan, nodes);
        if (!larger)
            return std::nullopt; // the fabric does not reach so far
        const OpenPlan there{*larger, open.space, open.rangeOf, open.objective, open.control};
        const auto limited = there.within(limits);
        if (!limited)
            return std::nullopt;
        const Limits ofFleet(*limited);
        const auto broken = ofFleet.broken({});
        if (broken && std::ranges::find(limitsOfFleets, *broken) != limitsOfFleets.end())
            return std::nullopt; // and all larger ones break it, too
        const auto feasible = isFeasible(there, *limited);
        if (!feasible && feasible.error().code == ErrorCode::Cancelled)
            return std::unexpected(feasible.error());
        if (feasible && *feasible)
            return nodes;
    }
    return std::nullopt;
}

} // namespace

Expected<Remedies> remediesOf(const Plan &plan, const LayoutSearchSpace &space, const Recommendation &recommended,
    const validation::RangeOf &rangeOf, const std::stop_token &stop, int threads)
{
    Remedies remedies;
    if (recommended.isFeasible())
        return remedies;
    const Control control{.stop = stop, .threads = threads};
    const OpenPlan open{plan, space, rangeOf, recommended.objective, control};
    if (recommended.missed.size() == 1 && misses(recommended, Limit::DeadlineDays)
        && !std::isinf(recommended.missed.front().needed))
        remedies.deadline = Seconds::from_value(recommended.missed.front().needed);
    if (recommended.missed.size() == 1 && misses(recommended, Limit::MaxFacilityMw))
        remedies.power = Watts::from_value(recommended.missed.front().needed);
    if (misses(recommended, Limit::MaxMemoryFraction) && !misses(recommended, Limit::MemoryCapacity)) {
        auto constraints = plan->constraints;
        constraints.maxMemoryShare = 1;
        const auto limited = open.within(constraints);
        const auto model = findCostModel(plan->costModelId);
        if (limited && model) {
            const auto result = open.search(*limited, LayoutSearchObjective::MemoryHeadroom);
            if (!result && result.error().code == ErrorCode::Cancelled)
                return std::unexpected(result.error());
            constexpr double hundredths = 100;
            const auto *found = result ? result->best() : nullptr;
            std::vector<NearLayout> near; // by the runs the one that takes least memory may be too slow
            if (found && recommended.byRuns && !keeps(Limits(*limited), *result, *found, open.secondsOf(*found))) {
                found = nullptr;
                const auto fastest = open.search(withoutTime(constraints));
                if (!fastest && fastest.error().code == ErrorCode::Cancelled)
                    return std::unexpected(fastest.error());
                if (fastest)
                    near = keptByRuns(open, Limits(*limited), *fastest);
                const auto least = std::ranges::min_element(
                    near, {}, [](const NearLayout &layout) { return layout.ranked.row.memoryBytes; });
                if (least != near.end())
                    found = &least->ranked.row;
            }
            if (found)
                remedies.memoryShare = std::min(
                    1.0, std::ceil(found->memoryBytes / result->cases.front().capacityBytes * hundredths) / hundredths);
        }
    }
    const auto nodes = nodesThatDo(open, recommended);
    if (!nodes)
        return std::unexpected(nodes.error());
    remedies.nodes = *nodes;
    return remedies;
}

} // namespace fleetwright::layoutsearch
