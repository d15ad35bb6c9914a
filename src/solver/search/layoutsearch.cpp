// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/layoutsearch.h"

#include "solver/answer/layoutrules.h"
#include "solver/answer/plancost.h"
#include "solver/blocks/economics.h"
#include "solver/search/candidates.h"
#include "solver/search/collector.h"
#include "solver/search/vectorstate.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>

namespace fleetwright::layoutsearch {

Expected<void> checkObjective(const CostModel &model, const PlanFacts &plan, LayoutSearchObjective objective)
{
    const auto traits = model.layoutSearchTraitsFor(*plan.workload, plan.assumptions);
    const auto unknown = [&](std::string_view what, std::string_view instead) {
        return refuse(ErrorCode::UnsupportedValue, "objective",
            "The cost model " + std::string(model.id()) + " gives no " + std::string(what) + " for this plan, so "
                + std::string(toString(objective)) + " cannot rank its layouts; choose " + std::string(instead)
                + " or another cost model.");
    };
    switch (objective) {
    case LayoutSearchObjective::MemoryHeadroom:
        if (!traits.memory)
            return unknown("memory", "step_time");
        return {};
    case LayoutSearchObjective::StepTime: break;
    case LayoutSearchObjective::Mfu:
        if (traits.time && !traits.mfu)
            return unknown("MFU", "step_time");
        break;
    case LayoutSearchObjective::TokensPerSecond:
    case LayoutSearchObjective::CostPerToken:
        if (traits.time && !countsTokens(*plan.workload))
            return refuse(ErrorCode::UnsupportedValue, "objective",
                "The workload \u201c" + plan.workload->name + "\u201d does not count tokens, so the cost model "
                    + std::string(model.id()) + " has no " + std::string(toString(objective))
                    + " to rank its layouts by; choose step_time.");
        if (traits.time && !traits.tokens)
            return unknown("tokens per second", "step_time");
        if (const auto costs = fleetCost(plan.fleet);
            traits.time && objective == LayoutSearchObjective::CostPerToken && (!costs || !fleetRate(*costs)))
            return refuse(ErrorCode::MissingField, "objective",
                "The fleet has no price as it is paid for, so " + std::string(toString(objective))
                    + " cannot rank its layouts; add one to the Prices catalog, enter one under the fleet\u2019s "
                      "costs or choose step_time.");
        break;
    }
    if (!traits.time)
        return unknown("step time", "memory_headroom");
    return {};
}

namespace {

using Clock = std::chrono::steady_clock;

/// What one thread works with.
struct Worker {
    std::mutex mutex; ///< of the collector: a snapshot reads it
    Collector collector;
    std::vector<std::unique_ptr<LayoutPricing>> pricings; ///< of each case, made when first needed
    std::vector<bool>
        outgrown; ///< of a piece: split, virtual stages and ZeRO stage whose memory no larger microbatch keeps to
    std::vector<bool> seen;
    Effort effort;
    Worker(std::size_t rows, std::size_t groups, std::size_t cases)
        : collector(rows, groups, cases), pricings(cases) { }
};

class Search {
public:
    Search(const CostModel &model, const Request &request, const Control &control)
        : m_request(request), m_control(control), m_model(model), m_traits(model.layoutSearchTraits())
    {
    }

    Expected<Result> run(Effort *effort);

private:
    Expected<void> prepare();
    Expected<void> checkFigures() const;
    void look(Worker &worker, const Piece &piece);
    /// One microbatch size of a piece.
    void look(Worker &worker, LayoutPricing &pricing, const Piece &piece, int microbatchSize);
    void price(Worker &worker, LayoutPricing &pricing, const CaseSpace &space, const CaseFacts &facts, Gathered &group,
        const Layout &layout, Row row, Counts &counts);
    /// Whether a layout that is at best like `bound` changes nothing that is kept.
    [[nodiscard]] bool isNeedless(const Collector &collector, const CaseSpace &space, const CaseFacts &facts,
        const Gathered &group, const Row &bound) const;
    void report(std::uint64_t examined);
    /// With m_reporting held, or no worker left.
    void tell(std::uint64_t examined);
    [[nodiscard]] Collector gathered(std::size_t rows);
    [[nodiscard]] Result resultOf(Collector collector, bool groupsAsRows) const;

    const Request &m_request;
    const Control &m_control;
    const CostModel &m_model;
    LayoutSearchTraits m_traits;
    std::vector<CaseFacts> m_facts;
    std::vector<CaseSpace> m_spaces;
    std::vector<GroupKey> m_groups;
    std::vector<Piece> m_pieces;
    std::vector<Counts> m_excluded; ///< illegal ones, of each case
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::uint64_t m_total = 0;
    std::atomic<std::uint64_t> m_examined = 0;
    std::mutex m_reporting;
    Clock::time_point m_lastReport;
    std::uint64_t m_told = 0; ///< candidates behind the last snapshot
};

Expected<void> Search::checkFigures() const
{
    for (std::size_t i = 0; i < m_facts.size(); ++i) {
        if (m_facts[i].refused)
            continue;
        const auto &plan = *m_request.cases[i].plan;
        if (auto ok = checkObjective(m_model, plan, m_request.objective); !ok)
            return ok;
    }
    return {};
}

Expected<void> Search::prepare()
{
    if (auto ok = fleetwright::check(m_request.space); !ok)
        return ok;
    if (m_request.cases.empty() || m_request.rows < 1)
        return refuse(ErrorCode::OutOfRange, m_request.cases.empty() ? "cases" : "rows",
            "A search needs at least one case and one row.");
    std::optional<Error> first;
    bool any = false;
    for (std::size_t i = 0; i < m_request.cases.size(); ++i) {
        const auto &plan = *m_request.cases[i].plan;
        m_facts.push_back(
            layoutsearch::factsOf(m_request.cases[i], m_model.layoutSearchTraitsFor(*plan.workload, plan.assumptions)));
        m_spaces.emplace_back(m_request.cases[i].plan);
        m_excluded.emplace_back();
        const auto settings = operationsSettings(plan.assumptions); // what solve() refuses, a search does
        auto pricing = m_model.prepareLayouts(plan.workload, plan.fleet, plan.training, plan.assumptions);
        if (!settings || !pricing) {
            m_facts.back().refused = settings ? pricing.error() : settings.error();
            first = first ? first : m_facts.back().refused;
            continue;
        }
        any = true;
        auto candidates = candidatesOf(
            m_request.cases[i], int(i), m_groups.size(), m_request.space, m_traits, **pricing);
        if (!candidates)
            return std::unexpected(candidates.error());
        m_spaces.back() = std::move(candidates->space);
        for (const auto &split : candidates->groups)
            m_groups.push_back({int(i), split});
        m_excluded.back() = candidates->counts;
        m_pieces.insert(m_pieces.end(), candidates->pieces.begin(), candidates->pieces.end());
    }
    if (!any)
        return std::unexpected(*first);
    if (auto ok = checkFigures(); !ok)
        return ok;
    // The largest first: the last pieces to run are then short ones.
    std::ranges::stable_sort(m_pieces, std::greater(), &Piece::layouts);
    if (m_control.parts > 1) {
        std::vector<Piece> mine;
        for (std::size_t i = 0; i < m_pieces.size(); ++i)
            if (int(i % std::size_t(m_control.parts)) == m_control.part)
                mine.push_back(m_pieces[i]);
        m_pieces = std::move(mine);
    }
    for (const auto &piece : m_pieces)
        m_total += piece.layouts;
    return {};
}

bool Search::isNeedless(const Collector &collector, const CaseSpace &space, const CaseFacts &facts,
    const Gathered &group, const Row &bound) const
{
    if (!group.found || space.limits.limitsFigures()
        || (m_request.referenceSeconds && bound.stepSeconds < *m_request.referenceSeconds))
        return false;
    const double score = scoreOf(m_request.objective, bound, facts);
    const bool roomy = !(bound.memoryBytes > facts.roomyBytes);
    return score > group.best.score && score > collector.best.worst()
        && !(roomy
            && collector.simplest[std::size_t(bound.caseIndex)].needs(
                score, complexityOf(bound.layout, facts.scaleUpDomain)))
        && collector.front.beats(
            valueOf(m_request.pareto[0], bound, facts), valueOf(m_request.pareto[1], bound, facts));
}

void Search::price(Worker &worker, LayoutPricing &pricing, const CaseSpace &space, const CaseFacts &facts,
    Gathered &group, const Layout &layout, Row row, Counts &counts)
{
    auto &collector = worker.collector;
    if (m_request.pruning && m_traits.time) {
        const auto bound = pricing.bound(layout);
        row.stepSeconds = bound.stepSeconds;
        row.mfu = bound.mfu;
        if (bound.stepSeconds > 0 && isNeedless(collector, space, facts, group, row)) {
            ++counts.feasible;
            ++group.feasible;
            ++worker.effort.pruned;
            return;
        }
    }
    const auto figures = pricing.price(layout);
    ++worker.effort.priced;
    if (m_traits.time && std::isnan(figures.stepSeconds)) {
        ++counts.excluded[static_cast<std::size_t>(Exclusion::ModelRefuses)];
        return;
    }
    row.stepSeconds = figures.stepSeconds;
    row.mfu = figures.mfu;
    if (const auto broken = space.limits.broken(figures)) {
        ++counts.excluded[static_cast<std::size_t>(exclusionOf(*broken))];
        ++group.infeasible;
        return;
    }
    const Ranked ranked{scoreOf(m_request.objective, row, facts), row};
    if (std::isnan(ranked.score)) {
        ++counts.excluded[static_cast<std::size_t>(Exclusion::Unranked)];
        return;
    }
    ++counts.feasible;
    ++group.feasible;
    if (m_request.referenceSeconds && row.stepSeconds < *m_request.referenceSeconds)
        ++counts.faster;
    collector.best.add(ranked);
    if (!(row.memoryBytes > facts.roomyBytes))
        collector.simplest[std::size_t(row.caseIndex)].add(ranked, complexityOf(layout, facts.scaleUpDomain));
    if (!group.found || ranked < group.best) {
        group.best = ranked;
        group.found = true;
    }
    collector.front.add({valueOf(m_request.pareto[0], row, facts), valueOf(m_request.pareto[1], row, facts), row});
}

void Search::look(Worker &worker, LayoutPricing &pricing, const Piece &piece, int microbatchSize)
{
    const auto caseIndex = std::size_t(piece.caseIndex);
    const auto &space = m_spaces[caseIndex];
    const auto &facts = m_facts[caseIndex];
    auto &counts = worker.collector.counts[caseIndex];
    const auto exclude = [&counts](Exclusion reason, std::size_t layouts) {
        counts.excluded[static_cast<std::size_t>(reason)] += layouts;
    };
    const auto &zeroStages = space.zeroStages;
    std::size_t place = 0;
    for (const auto &candidate : *piece.candidates) {
        const auto &split = candidate.split;
        auto &group = worker.collector.groups[candidate.group];
        const auto replicaBatch = std::int64_t(microbatchSize) * split.dp;
        if (!LayoutRules::dividesBatch(space.globalBatch, replicaBatch)) {
            exclude(Exclusion::Batch, candidate.virtualStages.size() * zeroStages.size());
            place += candidate.virtualStages.size() * zeroStages.size();
            continue;
        }
        const bool interleaves = LayoutRules::interleaves(m_traits, space.globalBatch / replicaBatch, split.pp);
        Layout layout{.tp = split.tp,
            .cp = split.cp,
            .pp = split.pp,
            .ep = split.ep,
            .dp = split.dp,
            .microbatchSize = microbatchSize,
            .recompute = piece.recompute,
            .sequenceParallel = piece.sequenceParallel};
        for (const int virtualStages : candidate.virtualStages) {
            if (virtualStages > 1 && !interleaves) {
                exclude(Exclusion::Interleaving, zeroStages.size());
                place += zeroStages.size();
                continue;
            }
            layout.virtualStages = virtualStages;
            for (std::size_t i = 0; i < zeroStages.size(); ++i, ++place) {
                if (i > 0 && space.sharesNothing(split)) {
                    exclude(Exclusion::NoEffect, 1);
                    continue;
                }
                if (worker.outgrown[place]) {
                    exclude(Exclusion::Memory, 1);
                    ++group.infeasible;
                    continue;
                }
                layout.zeroStage = std::int8_t(zeroStages[i]);
                const auto memory = pricing.memory(layout);
                if (memory.refused) {
                    exclude(Exclusion::ModelRefuses, 1);
                    continue;
                }
                if (!worker.seen[place]) {
                    worker.seen[place] = true;
                    group.leastMemoryBytes = std::fmin(group.leastMemoryBytes, memory.bytes);
                }
                if (!space.limits.memoryHolds(memory)) {
                    exclude(Exclusion::Memory, 1);
                    ++group.infeasible;
                    if (m_request.pruning)
                        worker.outgrown[place] = pricing.outgrows(layout, facts.limitBytes);
                    continue;
                }
                price(worker, pricing, space, facts, group, layout,
                    {.layout = layout, .caseIndex = piece.caseIndex, .memoryBytes = memory.bytes}, counts);
            }
        }
    }
}

void Search::look(Worker &worker, const Piece &piece)
{
    const auto caseIndex = std::size_t(piece.caseIndex);
    const auto &space = m_spaces[caseIndex];
    auto &pricing = worker.pricings[caseIndex];
    if (!pricing) {
        const auto &plan = *m_request.cases[caseIndex].plan;
        pricing = std::move(m_model.prepareLayouts(plan.workload, plan.fleet, plan.training, plan.assumptions))
                      .value(); // it was made before
    }
    const auto places = std::size_t(piece.layouts / space.microbatchSizes.size());
    worker.outgrown.assign(places, false);
    worker.seen.assign(places, false);
    for (const int microbatchSize : space.microbatchSizes) {
        if (m_control.stop.stop_requested())
            return;
        clearVectorState();
        {
            const std::scoped_lock lock(worker.mutex);
            look(worker, *pricing, piece, microbatchSize);
        }
        report(places);
    }
}

Collector Search::gathered(std::size_t rows)
{
    Collector all(rows, m_groups.size(), m_request.cases.size());
    for (const auto &worker : m_workers) {
        const std::scoped_lock lock(worker->mutex);
        all.add(worker->collector);
    }
    return all;
}

void Search::report(std::uint64_t examined)
{
    const auto done = m_examined += examined;
    if (!m_control.progress)
        return;
    const std::unique_lock reporting(m_reporting, std::try_to_lock);
    // What another worker is telling, or has told since, stands; run() tells the last news.
    if (reporting && done > m_told
        && Clock::now() - m_lastReport >= std::chrono::milliseconds(m_control.millisecondsBetween))
        tell(done);
}

void Search::tell(std::uint64_t examined)
{
    m_told = examined;
    m_control.progress({.share = m_total > 0 ? double(examined) / double(m_total) : 1,
        .examined = examined,
        .partial = std::make_shared<const Result>(resultOf(gathered(1), true))});
    m_lastReport = Clock::now();
}

Result Search::resultOf(Collector collector, bool groupsAsRows) const
{
    Result result{.costModelId = std::string(m_model.id()),
        .costModelVersion = std::string(m_model.version()),
        .traits = m_traits,
        .objective = m_request.objective,
        .pareto = m_request.pareto,
        .cases = m_facts};
    assemble(std::move(collector), m_groups, groupsAsRows, result);
    if (m_control.part == 0)
        for (std::size_t i = 0; i < m_excluded.size(); ++i)
            result.counts[i] += m_excluded[i];
    return result;
}

Expected<Result> Search::run(Effort *effort)
{
    if (auto ok = prepare(); !ok)
        return std::unexpected(ok.error());
    m_lastReport = Clock::now() - std::chrono::milliseconds(m_control.millisecondsBetween);
    // More threads than cores only where they are asked for.
    std::optional<tbb::global_control> allowed;
    if (m_control.threads > tbb::this_task_arena::max_concurrency())
        allowed.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(m_control.threads));
    tbb::task_arena arena(m_control.threads > 0 ? m_control.threads : tbb::task_arena::automatic);
    arena.initialize();
    for (int i = 0; i < arena.max_concurrency(); ++i)
        m_workers.push_back(std::make_unique<Worker>(m_request.rows, m_groups.size(), m_request.cases.size()));
    arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, m_pieces.size(), 1),
            [&](const tbb::blocked_range<std::size_t> &range) {
                for (auto i = range.begin(); i != range.end() && !m_control.stop.stop_requested(); ++i)
                    look(*m_workers[std::size_t(tbb::this_task_arena::current_thread_index())], m_pieces[i]);
            },
            tbb::simple_partitioner());
    });
    if (m_control.stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "The search was cancelled.");
    if (m_control.progress && m_told < m_examined)
        tell(m_examined);
    if (effort)
        for (const auto &worker : m_workers) {
            effort->priced += worker->effort.priced;
            effort->pruned += worker->effort.pruned;
        }
    return resultOf(gathered(m_request.rows), false);
}

} // namespace

Expected<Result> run(const CostModel &model, const Request &request, const Control &control, Effort *effort)
{
    return Search(model, request, control).run(effort);
}

Expected<Result> run(const Request &request, const Control &control, Effort *effort)
{
    const auto model = findCostModel(request.costModelId);
    if (!model)
        return std::unexpected(model.error());
    return run(**model, request, control, effort);
}

Request within(Request request, const Split &split, int caseIndex)
{
    request.cases = {request.cases[std::size_t(caseIndex)]};
    request.space[LayoutSearchOption::Tp] = {split.tp};
    request.space[LayoutSearchOption::Cp] = {split.cp};
    request.space[LayoutSearchOption::Pp] = {split.pp};
    request.space[LayoutSearchOption::Ep] = {split.ep};
    request.space[LayoutSearchOption::Dp] = {};
    request.rows = std::size_t(mostLayoutSearchRows);
    request.referenceSeconds = std::nullopt;
    return request;
}

} // namespace fleetwright::layoutsearch
