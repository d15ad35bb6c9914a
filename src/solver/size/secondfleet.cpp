// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/secondfleet.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace fleetwright::size {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
using JobSet = unsigned; ///< a bit each

/// Jobs one after the other on one fleet: what they take adds up, what the fleet is stays.
FleetFigures oneAfterTheOther(FleetFigures first, const FleetFigures &next)
{
    first.days += next.days;
    first.runCostUsd += next.runCostUsd;
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
    FleetFigures figures;
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

    /// Nothing where a job has no layout there.
    [[nodiscard]] const std::optional<Share> &share(int nodes, JobSet jobs)
    {
        const std::scoped_lock lock(m_mutex);
        const auto [place, isNew] = m_shares.try_emplace({nodes, jobs});
        if (isNew) {
            place->second = made(nodes, jobs, false);
            if (const auto deadline = m_sizing.judge.deadlineDays();
                place->second && deadline && place->second->figures.days > *deadline)
                place->second = made(nodes, jobs, true);
        }
        return place->second;
    }

private:
    struct One {
        std::optional<FleetPrices> prices;
        double leastSeconds = endless;
        bool searched = false;
        std::optional<layoutsearch::Ranked> simplest, fastest;
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
        eachBatch(nodes, job, [&](LayoutChooser::Fleet &layouts, int, double steps) {
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
                look(**layouts, batch, asked.steps(batch));
        }
    }

    void search(int nodes, std::size_t job, One &one)
    {
        one.searched = true;
        eachBatch(nodes, job, [&](LayoutChooser::Fleet &layouts, int batch, double steps) {
            const auto &best = layouts.best(endless, m_sizing.control.stop);
            if (!best.best() || (one.fastest && best.best()->score * steps >= one.fastest->score * one.steps))
                return;
            one.batch = batch;
            one.steps = steps;
            one.fastest = *best.best();
            one.simplest = best.nearBest().empty() ? *best.best() : *best.nearBest().front();
        });
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
            const auto figures = one.prices->at(taken.score * one.steps);
            share.figures = share.jobs.empty() ? figures : oneAfterTheOther(share.figures, figures);
            const auto &row = taken.row;
            share.jobs.push_back({.layout = row.layout,
                .globalBatch = one.batch,
                .stepSeconds = row.stepSeconds,
                .mfu = row.mfu,
                .memoryBytes = row.memoryBytes,
                .memoryShare = row.memoryBytes / m_fleet->node->accelerator->memoryCapacity.value(),
                .tokens = m_sizing.space.jobs[job].tokens,
                .days = figures.days,
                .bestStepSeconds = one.fastest->score});
            if (share.jobs.size() == 1 || figures.days > share.jobs[longest].days) {
                longest = share.jobs.size() - 1;
                m_longest = job;
            }
        }
        if (m_sizing.judge.deadlineDays())
            if (const auto spread = spreadOf(
                    m_sizing.rangeOf, m_sizing.space.jobs[m_longest], *fleet, share.jobs[longest], share.figures.days))
                share.figures.deadlineChance = spread->chanceOf(*m_sizing.judge.deadlineDays());
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
    std::map<std::pair<int, JobSet>, std::optional<Share>> m_shares;
    std::size_t m_longest = 0;
};

/// The best of one owned fleet with the lots of one other node.
class Pairing {
public:
    Pairing(const Sizing &sizing, Side &first) : m_sizing(sizing), m_first(first) { }

    void look(Side &second)
    {
        const auto jobs = m_sizing.space.jobs.size();
        const JobSet all = (1U << jobs) - 1;
        for (JobSet ofSecond = 1; ofSecond < all; ++ofSecond) {
            const auto left = m_first.bounds(all & ~ofSecond), right = second.bounds(ofSecond);
            for (const auto &a : left)
                for (const auto &b : right) {
                    if (m_sizing.control.stop.stop_requested())
                        return;
                    const auto least = atTheSameTime(a.least, b.least);
                    if (m_best && m_sizing.control.pruning && m_sizing.judge.objectiveOf(least) > m_value)
                        break; // the next ones take more
                    if (m_sizing.judge.misses(least).empty())
                        take(second, a.nodes, b.nodes, all, ofSecond);
                }
        }
    }
    [[nodiscard]] std::optional<Answer> takeBest() { return std::move(m_best); }

private:
    void take(Side &second, int nodes, int besideNodes, JobSet all, JobSet ofSecond)
    {
        const auto &mine = m_first.share(nodes, all & ~ofSecond);
        const auto &others = second.share(besideNodes, ofSecond);
        if (!mine || !others)
            return;
        Answer answer{.lot = m_first.lot(), .nodes = nodes, .accelerators = nodes * m_first.acceleratorsPerNode()};
        answer.figures = atTheSameTime(mine->figures, others->figures);
        const double value = m_sizing.judge.objectiveOf(answer.figures);
        const auto key = [](double objective, const Answer &of) {
            return std::tuple(objective, of.figures.days, of.second->lot, of.nodes, of.second->nodes);
        };
        answer.second = SecondFleet{.lot = second.lot(),
            .nodes = besideNodes,
            .accelerators = besideNodes * second.acceleratorsPerNode(),
            .jobs = {}};
        if (std::isnan(value) || !m_sizing.judge.misses(answer.figures).empty()
            || (m_sizing.judge.asksForChance() && std::isnan(answer.figures.deadlineChance))
            || (m_best && key(value, answer) >= key(m_value, *m_best)))
            return;
        std::size_t ownPlace = 0, secondPlace = 0;
        for (std::size_t job = 0; job < m_sizing.space.jobs.size(); ++job) {
            const bool isOfSecond = (ofSecond >> job & 1U) != 0;
            answer.jobs.push_back(isOfSecond ? others->jobs[secondPlace++] : mine->jobs[ownPlace++]);
            if (isOfSecond)
                answer.second->jobs.push_back(job);
        }
        m_best = std::move(answer);
        m_value = value;
    }

    const Sizing &m_sizing;
    Side &m_first;
    std::optional<Answer> m_best;
    double m_value = 0;
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
            best[i] = pairing.takeBest();
        });
        for (auto &answer : best)
            if (answer)
                answers.push_back(std::move(*answer));
    }
    return answers;
}

} // namespace fleetwright::size
