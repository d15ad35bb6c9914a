// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/secondfleet.h"

#include "solver/size/byruns.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace fleetwright::size {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
using JobSet = unsigned; ///< a bit each

/// Jobs one after the other on one fleet: what they take adds up, what the fleet is stays.
FleetFigures oneAfterTheOther(FleetFigures first, const FleetFigures &next)
{
    first.days += next.days;
    first.runCostUsd += next.runCostUsd;
    first.electricityUsd += next.electricityUsd;
    first.carbonKg += next.carbonKg;
    first.energyKwh += next.energyKwh;
    first.goodput = std::min(first.goodput, next.goodput);
    return first;
}

/// Two fleets at the same time. Their chances are taken as independent, which they are at the worst.
FleetFigures atTheSameTime(FleetFigures first, const FleetFigures &second)
{
    first.days = std::max(first.days, second.days);
    first.runCostUsd += second.runCostUsd;
    first.electricityUsd += second.electricityUsd; // unknown where one of them is rented
    first.capitalUsd += second.capitalUsd;
    first.yearlyUsd += second.yearlyUsd;
    first.facilityWatts += second.facilityWatts;
    first.carbonKg += second.carbonKg;
    first.energyKwh += second.energyKwh;
    first.goodput = std::min(first.goodput, second.goodput);
    first.readyDays = std::fmax(first.readyDays, second.readyDays);
    first.usdPerAcceleratorHour = unknownFigure; // of two kinds
    first.deadlineChance *= second.deadlineChance;
    return first;
}

/// A set of jobs on so many nodes of a lot.
struct Share {
    FleetFigures figures, byFormula; ///< the latter where measured runs of the site move step times
    std::vector<JobAnswer> jobs; ///< in the order of the set
};

/// The jobs on the fleets of one lot, each by itself; what was looked at is remembered. Any thread may ask.
class Side {
public:
    Side(const Sizing &sizing, std::size_t lot, const Fleet &fleet, std::vector<std::vector<int>> counts)
        : m_sizing(sizing), m_lot(lot), m_fleet(fleet), m_counts(std::move(counts))
    {
        for (const auto &job : sizing.space.jobs) {
            m_choosers.emplace_back(sizing.model, job.space, sizing.control.pruning);
            const auto plan = job.on(fleet, job.training.globalBatch);
            m_pricings.push_back(plan ? std::optional(FleetPricing(*plan, {fleet}, job.operations)) : std::nullopt);
        }
    }

    [[nodiscard]] std::size_t lot() const { return m_lot; }
    [[nodiscard]] int acceleratorsPerNode() const { return m_fleet->node->acceleratorsPerNode; }

    struct Bound {
        double objective = 0;
        int nodes = 0;
        FleetFigures least;
    };
    /// No layouts of the jobs take less; only numbers of nodes that could keep the limits alone, least first. What is
    /// limited or decides and is not known keeps nothing.
    [[nodiscard]] std::vector<Bound> bounds(JobSet jobs)
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<Bound> bounds;
        for (const int nodes : countsFor(jobs)) {
            if (m_sizing.control.stop.stop_requested())
                return {};
            Bound bound{.nodes = nodes};
            bool isFirst = true, usable = true;
            for (std::size_t job = 0; job < m_counts.size() && usable; ++job) {
                if ((jobs >> job & 1U) == 0)
                    continue;
                const auto &one = oneOf(nodes, job);
                usable = one.prices && !one.prices->neverEnds() && std::isfinite(one.leastSeconds)
                    && !m_sizing.judge.unknown(*one.prices, m_sizing.space.lots[m_lot].paying.paying);
                if (!usable)
                    break;
                const auto figures = one.prices->at(one.leastSeconds);
                bound.least = isFirst ? figures : oneAfterTheOther(bound.least, figures);
                isFirst = false;
            }
            if (!usable || !m_sizing.judge.misses(bound.least).empty())
                continue;
            bound.objective = m_sizing.judge.objectiveOf(bound.least);
            if (!std::isnan(bound.objective))
                bounds.push_back(std::move(bound));
        }
        std::ranges::stable_sort(bounds, {}, &Bound::objective);
        return bounds;
    }

    /// Nothing where a job has no layout there. Of layouts that cannot be told apart the simplest, and where that is
    /// later than the deadline, the fastest.
    [[nodiscard]] const std::optional<Share> &share(int nodes, JobSet jobs, double deadlineDays)
    {
        const std::scoped_lock lock(m_mutex);
        const auto &simplest = shareOf(nodes, jobs, false);
        return simplest && simplest->figures.days > deadlineDays ? shareOf(nodes, jobs, true) : simplest;
    }

private:
    struct One {
        std::optional<FleetPrices> prices;
        double leastSeconds = endless;
        bool searched = false;
        std::optional<NearLayout> simplest, fastest;
        int batch = 0;
        double steps = 0;
    };

    [[nodiscard]] std::vector<int> countsFor(JobSet jobs) const
    {
        std::vector<int> all;
        bool isFirst = true;
        for (std::size_t job = 0; job < m_counts.size(); ++job)
            if ((jobs >> job & 1U) != 0) {
                std::vector<int> both;
                if (isFirst)
                    both = m_counts[job];
                else
                    std::ranges::set_intersection(all, m_counts[job], std::back_inserter(both));
                all = std::move(both);
                isFirst = false;
            }
        return all;
    }

    [[nodiscard]] Expected<Fleet> fleetOf(int nodes) const
    {
        FleetFacts facts = *m_fleet;
        facts.nodeCount = nodes;
        return Fleet::create(std::move(facts));
    }

    One &oneOf(int nodes, std::size_t job)
    {
        const auto [place, isNew] = m_ones.try_emplace({nodes, job});
        auto &one = place->second;
        if (!isNew || !m_pricings[job])
            return one;
        if (auto prices = m_pricings[job]->of(nodes))
            one.prices = std::move(prices->front());
        if (m_sizing.ownRuns > 0) { // how far is known of each layout alone
            search(nodes, job, one);
            if (one.fastest)
                one.leastSeconds = one.fastest->seconds * one.steps;
            return one;
        }
        eachBatch(nodes, job, [&](LayoutChooser::Fleet &layouts, const Plan &, int, double steps) {
            one.leastSeconds = std::min(one.leastSeconds, layouts.leastSeconds() * steps);
        });
        return one;
    }

    template <class Look> void eachBatch(int nodes, std::size_t job, Look look)
    {
        const auto fleet = fleetOf(nodes);
        if (!fleet)
            return;
        const auto &asked = m_sizing.space.jobs[job];
        for (const int batch : asked.batchesFor((*fleet)->accelerators())) {
            const auto plan = asked.on(*fleet, batch);
            auto layouts = plan ? m_choosers[job].on(*plan) : std::unexpected(plan.error());
            if (layouts)
                look(**layouts, *plan, batch, asked.steps(batch));
        }
    }

    void search(int nodes, std::size_t job, One &one)
    {
        one.searched = true;
        eachBatch(nodes, job, [&](LayoutChooser::Fleet &layouts, const Plan &plan, int batch, double steps) {
            const auto near = nearLayouts(m_sizing, plan, layouts.best(endless, m_sizing.control.stop));
            if (near.empty() || (one.fastest && fastestOf(near).seconds * steps >= one.fastest->seconds * one.steps))
                return;
            one.batch = batch;
            one.steps = steps;
            one.fastest = fastestOf(near);
            one.simplest = near.front();
        });
    }

    /// With the mutex held.
    [[nodiscard]] const std::optional<Share> &shareOf(int nodes, JobSet jobs, bool fastest)
    {
        const auto [place, isNew] = m_shares.try_emplace({nodes, jobs, fastest});
        if (isNew)
            place->second = made(nodes, jobs, fastest);
        return place->second;
    }

    [[nodiscard]] std::optional<Share> made(int nodes, JobSet jobs, bool fastest)
    {
        const auto fleet = fleetOf(nodes);
        if (!fleet)
            return std::nullopt;
        Share share;
        std::size_t longest = 0;
        for (std::size_t job = 0; job < m_counts.size(); ++job) {
            if ((jobs >> job & 1U) == 0)
                continue;
            auto &one = oneOf(nodes, job);
            if (!one.searched)
                search(nodes, job, one);
            if (!one.fastest || !one.prices)
                return std::nullopt;
            const auto &taken = fastest ? *one.fastest : *one.simplest;
            const auto figures = one.prices->at(taken.seconds * one.steps);
            const auto byFormula = one.prices->at(taken.ranked.score * one.steps);
            share.figures = share.jobs.empty() ? figures : oneAfterTheOther(share.figures, figures);
            share.byFormula = share.jobs.empty() ? byFormula : oneAfterTheOther(share.byFormula, byFormula);
            const auto &row = taken.ranked.row;
            share.jobs.push_back({.layout = row.layout,
                .globalBatch = one.batch,
                .stepSeconds = row.stepSeconds,
                .mfu = row.mfu,
                .memoryBytes = row.memoryBytes,
                .memoryShare = row.memoryBytes / m_fleet->node->accelerator->memoryCapacity.value(),
                .tokens = m_sizing.space.jobs[job].tokens,
                .days = figures.days,
                .bestStepSeconds = one.fastest->ranked.score,
                .stepSecondsByRuns = m_sizing.ownRuns > 0 ? std::optional(taken.likely) : std::nullopt});
            if (share.jobs.size() == 1 || figures.days > share.jobs[longest].days) {
                longest = share.jobs.size() - 1;
                m_longest = job;
            }
        }
        // A lifted deadline is one that nobody has to keep; what is said is the chance of the stated one.
        const auto &stated = m_sizing.lift ? m_sizing.lift->stated() : m_sizing.judge;
        if (stated.deadlineDays())
            if (const auto spread = spreadOf(
                    m_sizing.rangeOf, m_sizing.space.jobs[m_longest], *fleet, share.jobs[longest], share.figures.days))
                share.figures.deadlineChance = spread->chanceOf(*stated.deadlineDays());
        return share;
    }

    const Sizing &m_sizing;
    std::size_t m_lot;
    const Fleet &m_fleet;
    std::vector<std::vector<int>> m_counts; ///< by job
    std::vector<LayoutChooser> m_choosers;
    std::vector<std::optional<FleetPricing>> m_pricings;
    std::mutex m_mutex;
    std::map<std::pair<int, std::size_t>, One> m_ones;
    std::map<std::tuple<int, JobSet, bool>, std::optional<Share>> m_shares; ///< and whether the fastest
    std::size_t m_longest = 0;
};

/// The best of one owned fleet with the lots of one other node.
class Pairing {
public:
    Pairing(const Sizing &sizing, Side &first) : m_sizing(sizing), m_first(first) { }

    void look(Side &second)
    {
        auto *lift = m_sizing.lift;
        const JobSet all = allJobs();
        for (JobSet ofSecond = 1; ofSecond < all; ++ofSecond) {
            const auto left = m_first.bounds(all & ~ofSecond), right = second.bounds(ofSecond);
            for (const auto &a : left)
                for (const auto &b : right) {
                    if (m_sizing.control.stop.stop_requested())
                        return;
                    const auto least = atTheSameTime(a.least, b.least);
                    const double objective = m_sizing.judge.objectiveOf(least);
                    if (m_sizing.control.pruning && (lift ? objective >= lift->below() : m_best && objective > m_value))
                        break; // the next ones take more
                    if (!m_sizing.judge.misses(least).empty())
                        continue;
                    const Pair pair{.nodes = a.nodes, .besideNodes = b.nodes, .ofSecond = ofSecond};
                    if (!lift || !m_sizing.control.pruning || (!m_best || objective <= m_value))
                        take(second, pair);
                    if (lift
                        && (!m_sizing.control.pruning
                            || lift->couldBeNearest(lift->distanceOf(FleetJudge::figureOf(lift->limit(), least)))))
                        approach(*lift, second, pair);
                }
        }
    }
    [[nodiscard]] std::optional<Answer> takeBest() { return std::move(m_best); }
    /// Of Sizing::lift.
    void giveTo(LimitLift &lift) const
    {
        if (m_best)
            lift.addBest({neededOf(lift, *m_best), *m_best});
        if (m_nearest)
            lift.addNearest(*m_nearest);
    }

private:
    struct Pair {
        int nodes = 0, besideNodes = 0;
        JobSet ofSecond = 0;
    };
    [[nodiscard]] JobSet allJobs() const { return (1U << m_sizing.space.jobs.size()) - 1; }

    /// Nothing where it is not known whether it keeps the limits, or it does not.
    [[nodiscard]] std::optional<Answer> answerOf(
        const FleetJudge &judge, Side &second, const Pair &pair, double deadlineDays)
    {
        const auto &mine = m_first.share(pair.nodes, allJobs() & ~pair.ofSecond, deadlineDays);
        const auto &others = second.share(pair.besideNodes, pair.ofSecond, deadlineDays);
        if (!mine || !others)
            return std::nullopt;
        Answer answer{
            .lot = m_first.lot(), .nodes = pair.nodes, .accelerators = pair.nodes * m_first.acceleratorsPerNode()};
        answer.figures = atTheSameTime(mine->figures, others->figures);
        if (m_sizing.ownRuns > 0) {
            answer.byFormula = atTheSameTime(mine->byFormula, others->byFormula);
            answer.ownRuns = m_sizing.ownRuns;
        }
        answer.second = SecondFleet{.lot = second.lot(),
            .nodes = pair.besideNodes,
            .accelerators = pair.besideNodes * second.acceleratorsPerNode(),
            .jobs = {}};
        if (std::isnan(judge.objectiveOf(answer.figures))
            || (judge.asksForChance() && std::isnan(answer.figures.deadlineChance)))
            return std::nullopt;
        std::size_t ownPlace = 0, secondPlace = 0;
        for (std::size_t job = 0; job < m_sizing.space.jobs.size(); ++job) {
            const bool isOfSecond = (pair.ofSecond >> job & 1U) != 0;
            answer.jobs.push_back(isOfSecond ? others->jobs[secondPlace++] : mine->jobs[ownPlace++]);
            if (isOfSecond)
                answer.second->jobs.push_back(job);
        }
        if (isInDoubt(judge, answer.figures.deadlineChance) && m_sizing.drawnDays)
            if (const auto drawn = m_sizing.drawnDays(answer))
                answer.figures.deadlineChance = drawn->chanceOf(*judge.deadlineDays());
        if (!judge.misses(answer.figures).empty())
            return std::nullopt;
        return answer;
    }

    void take(Side &second, const Pair &pair)
    {
        const auto &judge = m_sizing.judge;
        auto answer = answerOf(judge, second, pair, judge.deadlineDays().value_or(endless));
        if (!answer)
            return;
        const double value = judge.objectiveOf(answer->figures);
        if (m_best && !isBefore(value, *answer, m_value, *m_best))
            return;
        m_best = std::move(answer);
        m_value = value;
    }

    [[nodiscard]] static bool isBefore(double value, const Answer &left, double than, const Answer &right)
    {
        const auto key = [](double objective, const Answer &of) {
            return std::tuple(objective, of.figures.days, of.second->lot, of.nodes, of.second->nodes);
        };
        return key(value, left) < key(than, right);
    }

    [[nodiscard]] static double neededOf(const LimitLift &lift, const Answer &answer)
    {
        return lift.limit() == SizeLimit::Mfu ? std::ranges::min(answer.jobs, {}, &JobAnswer::mfu).mfu
                                              : FleetJudge::figureOf(lift.limit(), answer.figures);
    }

    /// Takes a pair that the limit lets in where it is moved as little as can be.
    void approach(const LimitLift &lift, Side &second, const Pair &pair)
    {
        const auto &judge = lift.judge();
        double needed = unknownFigure;
        auto answer = answerOf(judge, second, pair,
            lift.limit() == SizeLimit::Deadline ? 0 : judge.deadlineDays().value_or(endless)); // 0: as fast as they can
        if (answer)
            needed = neededOf(lift, *answer);
        if (answer && lift.limit() == SizeLimit::Deadline)
            answer = answerOf(judge, second, pair, needed);
        if (!answer || !(judge.objectiveOf(answer->figures) < lift.below()))
            return;
        if (m_nearest) {
            const double distance = lift.distanceOf(needed), known = lift.distanceOf(m_nearest->needed);
            if (distance > known
                || (distance == known
                    && !isBefore(judge.objectiveOf(answer->figures), *answer,
                        judge.objectiveOf(m_nearest->answer.figures), m_nearest->answer)))
                return;
        }
        m_nearest = LetIn{needed, std::move(*answer)};
    }

    const Sizing &m_sizing;
    Side &m_first;
    std::optional<Answer> m_best;
    double m_value = 0;
    std::optional<LetIn> m_nearest;
};

} // namespace

std::vector<Answer> withSecondFleets(const Sizing &sizing, const std::vector<std::vector<std::vector<int>>> &counts)
{
    const auto &space = sizing.space;
    std::vector<Answer> answers;
    if (space.jobs.size() < 2 || space.jobs.size() > mostSplitJobs)
        return answers;
    struct Place {
        std::size_t hardware = 0, lot = 0;
        const Fleet *fleet = nullptr;
    };
    std::vector<Place> places;
    for (std::size_t i = 0; i < space.hardware.size(); ++i)
        if (i != space.baseHardware)
            for (const auto &site : space.hardware[i].sites)
                for (std::size_t k = 0; k < site.lots.size(); ++k)
                    places.push_back({i, site.lots[k], &site.fleets[k]});
    const auto countsOf = [&](const Place &place) {
        std::vector<std::vector<int>> of;
        for (const auto &job : counts)
            of.push_back(job[place.hardware]);
        return of;
    };
    for (const auto &owned : places) {
        const auto &first = space.lots[owned.lot];
        if (first.ownedNodes == 0)
            continue;
        Side own(sizing, owned.lot, *owned.fleet, countsOf(owned));
        std::map<std::string, std::vector<Place>> nodes; // an offer stands for itself
        for (const auto &place : places) {
            const auto &lot = space.lots[place.lot];
            if (lot.nodeId != first.nodeId && (lot.ownedNodes == 0 || place.lot > owned.lot))
                nodes[lot.label.empty() ? lot.nodeId : lot.label].push_back(place);
        }
        const std::vector<std::pair<std::string, std::vector<Place>>> groups(nodes.begin(), nodes.end());
        std::vector<std::optional<Answer>> best(groups.size());
        tbb::parallel_for(std::size_t(0), groups.size(), [&](std::size_t i) {
            Pairing pairing(sizing, own);
            for (const auto &place : groups[i].second) {
                Side second(sizing, place.lot, *place.fleet, countsOf(place));
                pairing.look(second);
            }
            if (sizing.lift)
                pairing.giveTo(*sizing.lift);
            else
                best[i] = pairing.takeBest();
        });
        for (auto &answer : best)
            if (answer)
                answers.push_back(std::move(*answer));
    }
    return answers;
}

} // namespace fleetwright::size
