// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/size.h"

#include "solver/size/byruns.h"
#include "solver/size/hardwaresizing.h"
#include "solver/size/progressphase.h"
#include "solver/size/resultorder.h"
#include "solver/size/secondfleet.h"
#include "solver/uncertainty/sampling.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <span>

namespace fleetwright::size {

namespace {

using Clock = std::chrono::steady_clock;

class Run {
public:
    Run(const DecisionDocument &document, const Catalog &catalog, const RangeOf &rangeOf, const Control &control)
        : m_document(document), m_catalog(catalog), m_rangeOf(rangeOf), m_control(control)
    {
    }

    Expected<Result> all(Effort *effort)
    {
        return onThreads([&] { return onAllThreads(effort); });
    }

    Expected<std::optional<OtherBatch>> otherBatchOf(const Result &result)
    {
        return onThreads([&] { return otherBatchAlone(result); });
    }

    /// Of an answer that several runs made.
    Expected<std::vector<KeptOut>> keptOutOf(const Result &result)
    {
        return onThreads([&] { return keptOutAlone(result); });
    }

private:
    template <class Work> auto onThreads(Work work) -> decltype(work())
    {
        // More threads than cores only where they are asked for.
        std::optional<tbb::global_control> allowed;
        if (m_control.threads > tbb::this_task_arena::max_concurrency())
            allowed.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(m_control.threads));
        tbb::task_arena arena(m_control.threads > 0 ? m_control.threads : tbb::task_arena::automatic);
        return arena.execute(work);
    }

    /// With the document read and the base case answered.
    template <class Work> auto withSizing(Work work) -> decltype(work(std::declval<const Sizing &>()))
    {
        if (auto ok = prepare(); !ok)
            return std::unexpected(ok.error());
        const FleetJudge judge(m_document);
        m_drawnDays = drawnDaysOf(m_document, m_catalog, m_result, m_rangeOf, m_control.stop);
        Sizing sizing{*m_space, judge, *m_model, m_rangeOf, m_control, m_front, m_drawnDays};
        sizing.ownRuns = runsOfTheSite(sizing);
        if (auto ok = answerBase(sizing); !ok)
            return std::unexpected(ok.error());
        return work(sizing);
    }

    Expected<std::vector<KeptOut>> keptOutAlone(const Result &result)
    {
        return withSizing([&](const Sizing &sizing) -> Expected<std::vector<KeptOut>> {
            if (!result.best() || !sizing.judge.limitsAnything())
                return {};
            m_sized = pricedOf(sizing);
            return liftAll(sizing, *result.best(), nullptr);
        });
    }

    Expected<std::optional<OtherBatch>> otherBatchAlone(const Result &result)
    {
        return withSizing([&](const Sizing &sizing) { return bestOfOtherBatches(sizing, result.best(), nullptr); });
    }

    Expected<Result> onAllThreads(Effort *effort)
    {
        return withSizing([&](const Sizing &sizing) { return allFleets(sizing, effort); });
    }

    Expected<Result> allFleets(const Sizing &sizing, Effort *effort)
    {
        m_lastReport = Clock::now() - std::chrono::milliseconds(m_control.millisecondsBetween); // first rows at once
        // Limits are lifted afterwards, and other batches are searched.
        constexpr double sizingShare = 0.75;
        const bool searches = m_control.parts == 1 && withBatchesNear(m_document);
        const double lifted = !keepsSizings() ? sizingShare : searches ? 0.85 : 1;
        m_phase = {.to = keepsSizings() || searches ? sizingShare : 1};
        sizeAll(sizing);
        if (m_control.stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The sizing was cancelled.");
        if (m_control.part == 0)
            if (auto ok = addSecondFleets(sizing); !ok)
                return std::unexpected(ok.error());
        if (sizing.ownRuns > 0)
            m_result.byFormula = FormulaChoice{bestByFormula(sizing), sizing.ownRuns};
        m_result.front = m_front.answers();
        giveDrawnChances(m_document, m_drawnDays, m_result);
        finish(m_result);
        if (const auto *best = m_result.best(); best && keepsSizings()) {
            m_phase = {.from = m_phase.to, .to = lifted};
            auto kept = liftAll(sizing, *best, m_control.progress ? std::make_shared<Result>(m_result) : nullptr);
            if (!kept)
                return std::unexpected(kept.error());
            m_result.keptOut = std::move(*kept);
        }
        if (m_control.parts == 1) {
            m_phase = {.from = searches ? lifted : 1, .to = 1};
            const auto known = m_control.progress ? std::make_shared<Result>(m_result) : nullptr;
            if (known)
                tell(known); // the answer, before it is looked what other batches would do
            auto other = bestOfOtherBatches(sizing, m_result.best(), known);
            if (!other)
                return std::unexpected(other.error());
            m_result.otherBatch = std::move(*other);
            m_phase = {.from = 1, .to = 1};
            if (known)
                tell(known);
        }
        if (effort)
            *effort = m_effort;
        return std::move(m_result);
    }

    Expected<void> prepare()
    {
        if (auto ok = check(m_document); !ok)
            return ok;
        if (m_document.draws < uncertainty::leastDraws || m_document.draws > uncertainty::mostDraws
            || m_document.draws % uncertainty::hypercubes != 0)
            return refuse(ErrorCode::OutOfRange, "uncertainty.draws",
                "The draws must be " + std::to_string(uncertainty::leastDraws) + " to "
                    + std::to_string(uncertainty::mostDraws) + " and a multiple of "
                    + std::to_string(uncertainty::hypercubes) + "; 10,000 are usual.");
        const auto model = findCostModel(m_document.costModelId);
        if (!model)
            return std::unexpected(model.error());
        m_model = *model;
        auto space = spaceOf(m_document, m_catalog, m_control.stop);
        if (!space)
            return std::unexpected(space.error());
        m_space = std::move(*space);
        m_result.costModelId = m_model->id();
        m_result.costModelVersion = m_model->version();
        m_result.objective = m_document.objective;
        m_result.frontAxes = m_document.front;
        m_result.lots = m_space->lots;
        if (m_control.part == 0)
            m_result.refused = m_space->refused;
        return {};
    }

    /// Its year is what shares of jobs are of.
    Expected<void> answerBase(const Sizing &sizing)
    {
        if (!m_space->baseHardware)
            return {};
        const auto &hardware = m_space->hardware[*m_space->baseHardware];
        if (m_space->jobs.front().share)
            for (std::size_t i = 0; i < m_space->jobs.size(); ++i)
                if (auto ok = tokensOfShare(sizing, hardware, i); !ok)
                    return ok;
        HardwareSizing base(sizing, hardware, true);
        if (!base.run())
            return refuse(ErrorCode::Cancelled, {}, "The sizing was cancelled.");
        auto answers = base.takeAnswers();
        if (answers.empty()) {
            const auto refused = base.takeRefused();
            return refuse(ErrorCode::InfeasibleParallelism, "base_case",
                "The base case cannot run the jobs"
                    + (refused.empty() ? std::string(".") : ": " + refused.front().error.message));
        }
        m_result.baseLot = answers.front().first;
        m_result.baseCase = std::move(answers.front().second.answer);
        return {};
    }

    Expected<void> tokensOfShare(const Sizing &sizing, const Hardware &hardware, std::size_t index)
    {
        constexpr double daysOfYear = 365, probe = 1e12;
        auto &job = m_space->jobs[index];
        Space alone{.jobs = {job}, .lots = m_space->lots, .hardware = {hardware}, .refused = {}, .baseHardware = 0};
        alone.jobs.front().tokens = probe;
        auto unlimited = m_document;
        unlimited.limits = {};
        const FleetJudge judge(unlimited);
        const Sizing unlimitedSizing{alone, judge, sizing.model, sizing.rangeOf, sizing.control, sizing.front,
            sizing.drawnDays, nullptr, sizing.ownRuns};
        HardwareSizing one(unlimitedSizing, hardware, true);
        if (!one.run())
            return refuse(ErrorCode::Cancelled, {}, "The sizing was cancelled.");
        const auto answers = one.takeAnswers();
        const double days = answers.empty() || answers.front().second.answer.jobs.empty()
            ? unknownFigure
            : answers.front().second.answer.figures.days;
        if (!(std::isfinite(days) && days > 0))
            return refuse(ErrorCode::InfeasibleParallelism, "base_case",
                "The base case cannot run the job \u201c" + job.name
                    + "\u201d, so a share of its year says nothing; state tokens instead.");
        job.tokens = probe * (*job.share * daysOfYear / days);
        return {};
    }

    /// Owned fleets with a second one beside them, for a mix of jobs.
    Expected<void> addSecondFleets(const Sizing &sizing)
    {
        const auto &jobs = m_document.jobs;
        if (m_document.candidates.owned.empty() || jobs.size() < 2)
            return {};
        if (jobs.size() > mostSplitJobs) {
            m_result.refused.push_back({"a second fleet beside an owned one",
                Error{ErrorCode::OutOfRange, "jobs",
                    "Up to " + std::to_string(mostSplitJobs)
                        + " jobs are shared between two fleets; these are looked at on one fleet only."}});
            return {};
        }
        const auto counts = countsOfEachJob();
        if (!counts)
            return std::unexpected(counts.error());
        for (auto &answer : withSecondFleets(sizing, *counts)) {
            m_front.add(m_document.front, answer);
            m_result.answers.push_back({.answer = std::move(answer), .remedies = {}});
        }
        if (m_control.stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The sizing was cancelled.");
        return {};
    }

    /// A fleet that takes one job alone can have other numbers of nodes.
    Expected<std::vector<std::vector<std::vector<int>>>> countsOfEachJob() const
    {
        std::vector<std::vector<std::vector<int>>> counts;
        for (const auto &job : m_document.jobs) {
            auto alone = m_document;
            alone.jobs = {job};
            const auto space = spaceOf(alone, m_catalog, m_control.stop);
            if (!space)
                return std::unexpected(space.error());
            auto &of = counts.emplace_back();
            for (const auto &hardware : space->hardware)
                of.push_back(hardware.counts);
        }
        return counts;
    }

    /// A part alone does not know the best.
    [[nodiscard]] bool keepsSizings() const { return m_control.parts == 1 && FleetJudge(m_document).limitsAnything(); }

    using Sizings = std::vector<std::unique_ptr<HardwareSizing>>;
    [[nodiscard]] Sizings pricedOf(const Sizing &sizing, HardwareSizing::Counts counts = HardwareSizing::Counts::All,
        const std::function<void()> &priced = {}) const
    {
        Sizings sized(sizing.space.hardware.size());
        tbb::parallel_for(std::size_t(0), sized.size(), [&](std::size_t i) {
            auto one = std::make_unique<HardwareSizing>(sizing, sizing.space.hardware[i], false);
            if (i != sizing.space.baseHardware && one->price(counts))
                sized[i] = std::move(one);
            if (priced && !m_control.stop.stop_requested())
                priced();
        });
        std::erase(sized, nullptr);
        return sized;
    }

    void liftEach(const Sizings &sized, std::span<LimitLift *const> lifts, const std::function<void()> &lifted = {})
    {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, sized.size(), 1),
            [&](const tbb::blocked_range<std::size_t> &range) {
                for (auto i = range.begin(); i != range.end(); ++i)
                    for (auto *lift : lifts) {
                        if (!sized[i]->lift(*lift))
                            return;
                        if (lifted)
                            lifted();
                    }
            },
            tbb::simple_partitioner());
    }

    /// `known`: the answer, which is told with the progress.
    Expected<std::vector<KeptOut>> liftAll(
        const Sizing &sizing, const Answer &best, const std::shared_ptr<const Result> &known)
    {
        const double below = sizing.judge.objectiveOf(best.figures) * (1 - roundingShare);
        std::vector<std::unique_ptr<LimitLift>> lifts;
        std::vector<LimitLift *> onPriced, onOthers;
        for (std::size_t i = 0; i < sizeLimitCount; ++i) {
            const auto limit = static_cast<SizeLimit>(i);
            if (!sizing.judge.allowed(limit))
                continue;
            auto &lift = *lifts.emplace_back(std::make_unique<LimitLift>(sizing.judge, limit, below));
            if (!lift.isNeedless())
                (limit == SizeLimit::Mfu ? onOthers : onPriced).push_back(&lift);
        }
        const auto lifted = [&] { step(known); };
        m_phase.all = m_sized.size() * (onPriced.size() + onOthers.size());
        liftEach(m_sized, onPriced, lifted);
        m_sized.clear();
        auto freed = *m_space; // layouts of any MFU
        for (auto &job : freed.jobs)
            job.constraints.minMfu.reset();
        if (!onOthers.empty()) {
            const auto other = sizing.of(freed);
            liftEach(pricedOf(other), onOthers, lifted);
        }
        if (!m_document.candidates.owned.empty() && m_document.jobs.size() > 1
            && m_document.jobs.size() <= mostSplitJobs) {
            const auto counts = countsOfEachJob();
            if (!counts)
                return std::unexpected(counts.error());
            for (const auto &lift : lifts)
                if (!lift->isNeedless() && !m_control.stop.stop_requested()
                    && !(lift->limit() == SizeLimit::Deadline && sizing.judge.asksForChance()))
                    (void)withSecondFleets(
                        {lift->limit() == SizeLimit::Mfu ? freed : *m_space, lift->judge(), sizing.model,
                            sizing.rangeOf, sizing.control, sizing.front, sizing.drawnDays, lift.get(), sizing.ownRuns},
                        *counts);
        }
        if (m_control.stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The sizing was cancelled.");
        std::vector<KeptOut> kept;
        for (const auto &lift : lifts)
            kept.push_back(lift->result());
        giveDrawnChances(m_document, m_drawnDays, kept);
        return kept;
    }

    /// Shares of a year stay the tokens that they are.
    Expected<std::optional<OtherBatch>> bestOfOtherBatches(
        const Sizing &sizing, const Answer *best, const std::shared_ptr<const Result> &known)
    {
        const auto near = withBatchesNear(m_document);
        if (!near)
            return std::optional<OtherBatch>();
        bool tells = true; // of the first question, which takes longest
        return otherBatchWithin(*near, m_document, [&](const DecisionDocument &asked) {
            return bestOfBatches(asked, sizing, best, known, std::exchange(tells, false));
        });
    }

    /// Of a question that asks the same with other ranges of batches: what has less than the best; the best of them.
    Expected<std::optional<Answer>> bestOfBatches(const DecisionDocument &asked, const Sizing &sizing,
        const Answer *best, const std::shared_ptr<const Result> &known, bool tells)
    {
        auto space = spaceOf(asked, m_catalog, m_control.stop);
        if (!space)
            return std::unexpected(space.error());
        for (std::size_t i = 0; i < space->jobs.size(); ++i)
            space->jobs[i].tokens = m_space->jobs[i].tokens;
        LimitLift lift(sizing.judge, std::nullopt,
            best ? sizing.judge.objectiveOf(best->figures) * (1 - roundingShare)
                 : std::numeric_limits<double>::infinity());
        const auto other = sizing.of(*space);
        LimitLift *const lifts[]{&lift};
        if (tells)
            m_phase.all = 2 * other.space.hardware.size(); // each is priced, then asked
        const auto done = [&] {
            if (tells)
                step(known);
        };
        liftEach(pricedOf(other, HardwareSizing::Counts::Kept, done), lifts, done);
        if (m_control.stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The sizing was cancelled.");
        auto found = lift.best() ? std::optional(lift.best()->answer) : std::nullopt;
        if (found)
            giveDrawnChance(m_document, sizing.drawnDays, *found);
        return found;
    }

    void sizeAll(const Sizing &sizing)
    {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < m_space->hardware.size(); ++i)
            if (i != m_space->baseHardware && int(i % std::size_t(m_control.parts)) == m_control.part)
                order.push_back(i);
        for (const auto index : order)
            m_phase.all += m_space->hardware[index].sites.size();
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, order.size(), 1),
            [&](const tbb::blocked_range<std::size_t> &range) {
                for (auto i = range.begin(); i != range.end() && !m_control.stop.stop_requested(); ++i)
                    sizeOne(sizing, m_space->hardware[order[i]]);
            },
            tbb::simple_partitioner());
    }

    void sizeOne(const Sizing &sizing, const Hardware &hardware)
    {
        auto sized = std::make_unique<HardwareSizing>(sizing, hardware, false);
        auto &one = *sized;
        if (!one.run())
            return;
        const std::scoped_lock lock(m_mutex);
        if (keepsSizings())
            m_sized.push_back(std::move(sized));
        for (auto &[lot, answer] : one.takeAnswers())
            m_result.answers.push_back(std::move(answer));
        for (auto &refused : one.takeRefused())
            m_result.refused.push_back(std::move(refused));
        m_result.counts.fleets += one.fleets();
        m_result.counts.useless += one.useless();
        for (const auto &site : hardware.sites)
            m_result.counts.lots += site.lots.size();
        m_effort.searched += one.effort().searched;
        m_effort.priced += one.effort().priced;
        m_phase.done += hardware.sites.size();
        if (!isTimeToTell())
            return;
        auto partial = std::make_shared<Result>(m_result);
        partial->front = m_front.answers();
        finish(*partial);
        tell(std::move(partial));
    }

    [[nodiscard]] bool isTimeToTell() const
    {
        return m_control.progress
            && Clock::now() - m_lastReport >= std::chrono::milliseconds(m_control.millisecondsBetween);
    }

    /// A piece of the phase is done.
    void step(const std::shared_ptr<const Result> &known)
    {
        const std::scoped_lock lock(m_mutex);
        ++m_phase.done;
        if (isTimeToTell())
            tell(known);
    }

    /// With the mutex held, or before others work.
    void tell(std::shared_ptr<const Result> partial)
    {
        m_control.progress({.share = m_phase.share(), .partial = std::move(partial)});
        m_lastReport = Clock::now();
    }

    const DecisionDocument &m_document;
    const Catalog &m_catalog;
    const RangeOf &m_rangeOf;
    const Control &m_control;
    const CostModel *m_model = nullptr;
    std::optional<Space> m_space;
    DrawnDaysOf m_drawnDays;
    SharedFront m_front;
    std::vector<std::unique_ptr<HardwareSizing>> m_sized; ///< of all hardware, until limits are lifted
    std::mutex m_mutex;
    Result m_result;
    Effort m_effort;
    ProgressPhase m_phase;
    Clock::time_point m_lastReport;
};

} // namespace

Expected<Result> run(const DecisionDocument &document, const Catalog &catalog, const RangeOf &rangeOf,
    const Control &control, Effort *effort)
{
    return Run(document, catalog, rangeOf, control).all(effort);
}

Expected<std::vector<KeptOut>> keptOut(const DecisionDocument &document, const Catalog &catalog, const RangeOf &rangeOf,
    const Control &control, const Result &result)
{
    return Run(document, catalog, rangeOf, control).keptOutOf(result);
}

Expected<std::optional<OtherBatch>> otherBatch(const DecisionDocument &document, const Catalog &catalog,
    const RangeOf &rangeOf, const Control &control, const Result &result)
{
    return Run(document, catalog, rangeOf, control).otherBatchOf(result);
}

} // namespace fleetwright::size
