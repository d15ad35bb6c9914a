// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/hardwaresizing.h"

#include "solver/answer/plancost.h"
#include "solver/size/byruns.h"
#include "solver/validation/predictionrange.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

std::optional<DaysSpread> spreadOf(
    const RangeOf &rangeOf, const Job &job, const Fleet &fleet, const JobAnswer &answer, double days)
{
    const auto range = rangeOfJob(rangeOf, job, fleet, answer.globalBatch, answer.layout, answer.stepSeconds);
    if (!range)
        return std::nullopt;
    return DaysSpread{.likely = days * (range->middle().value() / answer.likelyStepSeconds()),
        .deviation = std::log(range->high / range->low) / (2 * validation::normalQuantile)};
}

HardwareSizing::HardwareSizing(const Sizing &sizing, const Hardware &hardware, bool isBase)
    : m_sizing(sizing), m_hardware(hardware), m_isBase(isBase), m_leastShare(sizing.space.jobs.size(), 1),
      m_useless(hardware.useless)
{
    for (const auto &job : sizing.space.jobs)
        m_choosers.emplace_back(sizing.model, job.space, sizing.control.pruning);
    for (std::size_t site = 0; site < hardware.sites.size(); ++site)
        for (std::size_t place = 0; place < hardware.sites[site].lots.size(); ++place)
            m_open.push_back({.lot = hardware.sites[site].lots[place],
                .fleet = &hardware.sites[site].fleets[place],
                .site = site,
                .place = place});
}

Expected<Fleet> HardwareSizing::fleetOf(int nodes) const
{
    FleetFacts facts = *m_hardware.sites.front().fleets.front();
    facts.nodeCount = nodes;
    return Fleet::create(std::move(facts));
}

void HardwareSizing::refuse(Open &open, std::string_view key)
{
    const auto &lot = m_sizing.space.lots[open.lot];
    std::string why = "A figure that it is ranked or limited by is not known: " + std::string(key) + ".";
    if (const auto plan = m_sizing.space.jobs.front().on(*open.fleet, m_sizing.space.jobs.front().training.globalBatch))
        if (const auto sheet = planCost(
                *plan, StepTimes{.likely = 1.0 * second}, m_sizing.space.jobs.front().operations))
            if (auto reason = sheet->reasonFor(key); !reason.empty())
                why = std::move(reason);
    m_refused.push_back({(lot.label.empty() ? lot.node + ", " + words(lot.paying) : lot.label),
        Error{ErrorCode::MissingField, std::string(key), std::move(why)}});
    open.refused = true;
}

double HardwareSizing::leastSecondsOf(const Count &count)
{
    const auto fleet = fleetOf(count.nodes);
    if (!fleet)
        return never;
    double all = 0;
    for (std::size_t i = 0; i < m_choosers.size(); ++i) {
        const auto &job = m_sizing.space.jobs[i];
        double least = never;
        for (const int batch : job.batchesFor((*fleet)->accelerators())) {
            const auto plan = job.on(*fleet, batch);
            const auto layouts = plan ? m_choosers[i].on(*plan) : std::unexpected(plan.error());
            if (layouts)
                least = std::min(least, (*layouts)->leastSeconds() * job.steps(batch) * count.weights[i]);
        }
        all += least * m_leastShare[i];
    }
    return all;
}

void HardwareSizing::sampleRuns()
{
    constexpr int samples = 7;
    constexpr double room = 1.05, unbounded = 1e-3;
    const auto &counts = m_hardware.counts;
    for (std::size_t i = 0; i < m_choosers.size() && !counts.empty(); ++i) {
        const auto &job = m_sizing.space.jobs[i];
        double least = never, most = 0;
        std::optional<std::size_t> last;
        for (int sample = 0; sample < samples && !m_sizing.control.stop.stop_requested(); ++sample) {
            const auto place = std::min(
                counts.size() - 1, std::size_t(std::pow(double(counts.size()), double(sample) / (samples - 1)) - 0.5));
            const auto fleet = fleetOf(counts[place]);
            if (last == place || !fleet)
                continue;
            last = place;
            for (const int batch : job.batchesFor((*fleet)->accelerators())) {
                const auto plan = job.on(*fleet, batch);
                auto layouts = plan ? m_choosers[i].on(*plan) : std::unexpected(plan.error());
                if (!layouts)
                    continue;
                for (const auto &near : nearLayouts(m_sizing, *plan, (*layouts)->best(never, m_sizing.control.stop))) {
                    least = std::min(least, near.likely / near.ranked.score);
                    most = std::max(most, near.likely / near.ranked.score);
                }
            }
        }
        m_leastShare[i] = most > 0 ? least * (least / most) / room : unbounded;
    }
}

bool HardwareSizing::price(Counts counts)
{
    if (m_sizing.ownRuns > 0 && !m_sizing.byFormula)
        sampleRuns();
    const auto &jobs = m_sizing.space.jobs;
    // The largest model decides about checkpoints.
    const auto largest = std::ranges::max_element(jobs, {}, [](const Job &job) { return job.workload->parameters; });
    std::vector<FleetPricing> pricings;
    for (const auto &site : m_hardware.sites) {
        const auto plan = largest->on(site.fleets.front(), largest->training.globalBatch);
        if (!plan)
            return true;
        pricings.emplace_back(*plan, site.fleets, largest->operations);
    }
    std::vector<std::optional<FleetPricing>> others(jobs.size()); // of the jobs beside the largest
    const auto &anySite = m_hardware.sites.front();
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (const auto plan = jobs[i].on(anySite.fleets.front(), jobs[i].training.globalBatch);
            plan && &jobs[i] != &*largest)
            others[i].emplace(*plan, std::vector{anySite.fleets.front()}, jobs[i].operations);
    bool first = true;
    for (const int nodes : m_hardware.counts) {
        if (m_sizing.control.stop.stop_requested())
            return false;
        Count count{.nodes = nodes};
        std::optional<Error> refused;
        for (auto &pricing : pricings) {
            auto prices = pricing.of(nodes);
            if (!prices) {
                refused = prices.error();
                break;
            }
            count.prices.push_back(std::move(*prices));
        }
        if (refused) { // more than the fabric connects
            ++m_useless;
            if (first && nodes == m_hardware.counts.back())
                for (auto &open : m_open) {
                    m_refused.push_back({m_sizing.space.lots[open.lot].node, *refused});
                    open.refused = true;
                }
            continue;
        }
        count.weights.assign(jobs.size(), 1);
        for (std::size_t i = 0; i < jobs.size(); ++i)
            if (const auto own = others[i] ? others[i]->of(nodes) : std::unexpected(Error()))
                if (const double weight = count.prices.front().front().goodput / own->front().goodput;
                    std::isfinite(weight) && weight > 0)
                    count.weights[i] = weight;
        if (first)
            for (auto &open : m_open)
                if (const auto key = m_sizing.judge.unknown(pricesOf(open, count), (*open.fleet)->costs.paying);
                    key && !m_isBase)
                    refuse(open, *key);
        first = false;
        if (std::ranges::all_of(m_open, &Open::refused))
            return true;
        const auto all = [&](bool (FleetJudge::*isSo)(const FleetPrices &) const) {
            return std::ranges::all_of(m_open,
                [&](const Open &open) { return open.refused || (m_sizing.judge.*isSo)(pricesOf(open, count)); });
        };
        if (counts == Counts::Kept && all(&FleetJudge::outgrows))
            return true;
        if (counts == Counts::Kept && all(&FleetJudge::breaksFixed))
            continue;
        count.leastSeconds = leastSecondsOf(count);
        m_fleets += std::uint64_t(std::ranges::count(m_open, false, &Open::refused));
        m_counts.push_back(std::move(count));
    }
    return true;
}

HardwareSizing::Found HardwareSizing::search(const Count &count, double mostSeconds)
{
    Found found;
    found.within = mostSeconds;
    bool all = true;
    const auto fleet = fleetOf(count.nodes);
    ++m_effort.searched;
    for (std::size_t i = 0; i < m_choosers.size(); ++i) {
        const auto &job = m_sizing.space.jobs[i];
        std::optional<Found::Batch> chosen;
        double leastMemory = never, mostMfu = unknownFigure;
        for (const int batch : job.batchesFor((*fleet)->accelerators())) {
            const auto plan = job.on(*fleet, batch);
            auto layouts = plan ? m_choosers[i].on(*plan) : std::unexpected(plan.error());
            if (!layouts)
                continue;
            const double steps = job.steps(batch) * count.weights[i];
            const double limit = chosen
                ? std::min(mostSeconds, chosen->fastest.seconds * chosen->steps * (1 + layoutsearch::indistinguishable))
                : mostSeconds;
            const auto &best = (*layouts)->best(limit / steps / m_leastShare[i], m_sizing.control.stop);
            m_effort.priced += (*layouts)->priced();
            leastMemory = std::min(leastMemory, (*layouts)->leastMemoryBytes());
            mostMfu = std::fmax(mostMfu, (*layouts)->mostMfu());
            auto near = nearLayouts(m_sizing, *plan, best);
            // What was timed stays, also where what is looked for would be faster.
            if (std::ranges::any_of(near, &layoutsearch::NearLayout::isTimedOtherwise))
                near = nearLayouts(m_sizing, *plan, (*layouts)->best(never, m_sizing.control.stop));
            if (near.empty())
                continue;
            auto fastest = fastestOf(near);
            if (!chosen || fastest.seconds * steps < chosen->fastest.seconds * chosen->steps)
                chosen = Found::Batch{
                    .batch = batch, .steps = steps, .near = std::move(near), .fastest = std::move(fastest)};
        }
        if (!chosen && all) {
            all = false;
            found.without = i;
            found.leastMemoryBytes = leastMemory;
            found.mostMfu = mostMfu;
        }
        found.fastestSeconds += chosen ? chosen->fastest.seconds * chosen->steps : never;
        found.jobs.push_back(std::move(chosen));
    }
    return found;
}

const HardwareSizing::Found &HardwareSizing::searchTo(std::size_t count, double seconds)
{
    const auto known = m_found.find(count);
    if (known != m_found.end() && known->second.within >= seconds)
        return known->second;
    return m_found.insert_or_assign(count, search(m_counts[count], seconds)).first->second;
}

double HardwareSizing::ofInterest(const Open &open, const Count &count) const
{
    const auto &judge = m_sizing.judge;
    const auto &prices = pricesOf(open, count);
    constexpr double cannot = -1;
    if (open.refused || judge.breaksFixed(prices) || prices.neverEnds())
        return cannot;
    const double most = judge.mostSeconds(prices) * (1 + roundingShare);
    if (!m_sizing.control.pruning || m_isBase)
        return never;
    if (count.leastSeconds > most)
        return cannot;
    const auto least = prices.at(count.leastSeconds);
    const double x = judge.x(least), y = judge.y(least), value = judge.objectiveOf(least);
    if (std::isnan(value))
        return cannot;
    const bool isOfFront = !std::isnan(x) && !std::isnan(y) && !m_sizing.front.beats(x, y);
    const bool couldBeBest = !open.best || value <= open.bestValue * (1 + roundingShare);
    if (!isOfFront && !couldBeBest)
        return cannot;
    if (couldBeBest && !open.best)
        return most;
    // What is simpler than the fastest may take a little longer.
    const auto withSimpler = [most](double seconds) {
        return std::min(most, seconds * (1 + layoutsearch::indistinguishable + roundingShare));
    };
    double interest = isOfFront ? withSimpler(secondsOnFront(prices, count.leastSeconds, most)) : cannot;
    if (couldBeBest) {
        // Seconds at which the objective is the best's.
        const double slope = (judge.objectiveOf(prices.at(2 * count.leastSeconds)) - value) / count.leastSeconds;
        interest = std::max(interest,
            slope > 0 ? withSimpler(count.leastSeconds + std::max(0.0, open.bestValue - value) / slope) : most);
    }
    return interest;
}

double HardwareSizing::secondsOnFront(const FleetPrices &prices, double least, double most) const
{
    const auto &judge = m_sizing.judge;
    const auto isBeaten = [&](double seconds) {
        const auto figures = prices.at(seconds);
        return m_sizing.front.beats(judge.x(figures), judge.y(figures));
    };
    constexpr double mostFactor = 1024; // slower ones are left to `most`
    double on = least, beaten = std::min(most, least * mostFactor);
    if (!isBeaten(beaten))
        return most;
    constexpr double enough = 1e-3; // of the seconds
    while (beaten - on > enough * on) {
        const double middle = on + (beaten - on) / 2;
        (isBeaten(middle) ? beaten : on) = middle;
    }
    return beaten;
}

std::optional<DaysSpread> HardwareSizing::spreadOf(
    const FleetJudge &judge, const Open &open, const Answer &answer, double days) const
{
    if (!judge.deadlineDays() || !m_sizing.rangeOf || answer.jobs.empty() || std::isnan(days))
        return std::nullopt;
    const auto longest = std::size_t(std::ranges::max_element(answer.jobs, {}, &JobAnswer::days) - answer.jobs.begin());
    const auto &job = answer.jobs[longest];
    FleetFacts sized = **open.fleet;
    sized.nodeCount = answer.nodes;
    const auto fleet = Fleet::create(std::move(sized));
    return fleet ? size::spreadOf(m_sizing.rangeOf, m_sizing.space.jobs[longest], *fleet, job, days) : std::nullopt;
}

double HardwareSizing::chanceOf(const FleetJudge &judge, const Open &open, const Answer &answer) const
{
    const auto spread = spreadOf(judge, open, answer, answer.figures.days);
    if (!spread)
        return unknownFigure;
    const double chance = spread->chanceOf(*judge.deadlineDays());
    if (m_sizing.drawnDays && !m_sizing.byFormula && isInDoubt(judge, chance))
        if (const auto drawn = m_sizing.drawnDays(answer))
            return drawn->chanceOf(*judge.deadlineDays());
    return chance;
}

Answer HardwareSizing::answerOf(
    const FleetJudge &judge, const Open &open, const Count &count, const Found &found, double mostSeconds) const
{
    const auto &prices = pricesOf(open, count);
    const auto &facts = **open.fleet;
    Answer answer{.lot = open.lot, .nodes = count.nodes, .accelerators = count.nodes * facts.node->acceleratorsPerNode};
    double seconds = 0;
    std::vector<const NearLayout *> taken;
    for (const auto &job : found.jobs) {
        if (!job)
            return answer;
        const auto simplest = std::ranges::find_if(job->near, [&](const NearLayout &near) {
            return near.seconds * job->steps + (found.fastestSeconds - job->fastest.seconds * job->steps)
                <= mostSeconds;
        });
        taken.push_back(simplest != job->near.end() ? &*simplest : &job->fastest);
        seconds += taken.back()->seconds * job->steps;
    }
    if (seconds > mostSeconds) { // each alone would do, not all together
        seconds = found.fastestSeconds;
        for (std::size_t i = 0; i < taken.size(); ++i)
            taken[i] = &found.jobs[i]->fastest;
    }
    answer.figures = prices.at(seconds);
    if (m_sizing.ownRuns > 0) {
        double otherwise = 0; // the one of both that it is not judged by
        for (std::size_t i = 0; i < taken.size(); ++i)
            otherwise += (m_sizing.byFormula ? taken[i]->likely : taken[i]->ranked.score) * found.jobs[i]->steps;
        answer.byFormula = prices.at(otherwise);
        answer.ownRuns = m_sizing.ownRuns;
    }
    const double capacity = facts.node->accelerator->memoryCapacity.value();
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const auto &row = taken[i]->ranked.row;
        const auto &batch = *found.jobs[i];
        answer.jobs.push_back({.layout = row.layout,
            .globalBatch = batch.batch,
            .stepSeconds = row.stepSeconds,
            .mfu = row.mfu,
            .memoryBytes = row.memoryBytes,
            .memoryShare = row.memoryBytes / capacity,
            .tokens = m_sizing.space.jobs[i].tokens,
            .days = answer.figures.days * (taken[i]->seconds * batch.steps / seconds),
            .bestStepSeconds = batch.fastest.ranked.score,
            .stepSecondsByRuns = m_sizing.ownRuns > 0 ? std::optional(taken[i]->likely) : std::nullopt});
    }
    answer.figures.deadlineChance = chanceOf(judge, open, answer);
    if (m_sizing.byFormula && answer.byFormula) // which holds what the runs say
        if (const auto spread = spreadOf(judge, open, answer, answer.byFormula->days))
            answer.byFormula->deadlineChance = spread->chanceOf(*judge.deadlineDays());
    answer.misses = judge.misses(answer.figures);
    const auto chance = judge.allowed(SizeLimit::Chance); // a model without a range has none: not kept
    if (chance && std::isnan(answer.figures.deadlineChance))
        answer.misses.push_back({.limit = SizeLimit::Chance, .needed = unknownFigure, .allowed = *chance});
    if (answer.misses.empty() && prices.neverEnds())
        answer.misses.push_back({.limit = SizeLimit::Goodput, .needed = 0, .allowed = 0});
    return answer;
}

std::optional<Answer> HardwareSizing::feasibleOf(
    const FleetJudge &judge, const Open &open, const Count &count, const Found &found) const
{
    const auto &prices = pricesOf(open, count);
    if (open.refused || std::isinf(found.fastestSeconds) || judge.breaksFixed(prices) || prices.neverEnds())
        return std::nullopt;
    const double most = judge.mostSeconds(prices) * (1 + roundingShare);
    if (found.fastestSeconds > most)
        return std::nullopt;
    auto answer = answerOf(judge, open, count, found, most);
    if (!answer.isFeasible()) // a chance of the deadline may ask for the fastest instead of the simplest
        answer = answerOf(judge, open, count, found, 0);
    if (!answer.isFeasible() || std::isnan(judge.objectiveOf(answer.figures)))
        return std::nullopt;
    return answer;
}

void HardwareSizing::settle(Open &open, const Count &count, const Found &found)
{
    const auto &judge = m_sizing.judge;
    auto answer = feasibleOf(judge, open, count, found);
    if (!answer)
        return;
    if (!m_isBase)
        m_sizing.front.add(judge.axes(), *answer);
    const double value = judge.objectiveOf(answer->figures);
    const auto key = [](double objective, const Answer &of) {
        return std::tuple(objective, of.figures.days, of.nodes);
    };
    if (!open.best || key(value, *answer) < key(open.bestValue, *open.best)) {
        open.bestValue = value;
        open.best = std::move(answer);
    }
}

bool HardwareSizing::findBest()
{
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        double least = never;
        for (const auto &open : m_open)
            if (!open.refused)
                least = std::min(
                    least, m_sizing.judge.objectiveOf(pricesOf(open, m_counts[i]).at(m_counts[i].leastSeconds)));
        order.emplace_back(least, i);
    }
    std::ranges::sort(order);
    for (const auto &[least, index] : order) {
        if (m_sizing.control.stop.stop_requested())
            return false;
        const auto &count = m_counts[index];
        double most = -1;
        for (const auto &open : m_open)
            most = std::max(most, ofInterest(open, count));
        if (most < 0)
            continue;
        const auto &found = searchTo(index, most);
        if (m_sizing.control.stop.stop_requested())
            return false;
        for (auto &open : m_open)
            settle(open, count, found);
    }
    return true;
}

bool HardwareSizing::runFeasible()
{
    if (!price() || !findBest())
        return false;
    for (const auto &open : m_open)
        if (open.best)
            m_answers.push_back({open.lot, {.answer = *open.best, .remedies = {}}});
    return true;
}

bool HardwareSizing::run()
{
    if (!price() || !findBest())
        return false;
    for (auto &open : m_open) {
        if (open.refused)
            continue;
        if (open.best)
            m_answers.push_back({open.lot, {.answer = *open.best, .remedies = {}}});
        else if (!findNearest(open))
            return false;
    }
    return true;
}

} // namespace fleetwright::size
