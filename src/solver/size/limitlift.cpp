// SPDX-License-Identifier: GPL-3.0-or-later
// What one limit keeps out: which fleets of a node and fabric it lets in where it is moved.
#include "solver/size/limitlift.h"

#include "solver/size/hardwaresizing.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

namespace {

/// The limit on the figure that is the objective.
std::optional<SizeLimit> limitOf(DecisionObjective objective)
{
    switch (objective) {
    case DecisionObjective::RunCost: return SizeLimit::RunCost;
    case DecisionObjective::Days: return SizeLimit::Deadline;
    case DecisionObjective::Capital: return SizeLimit::Capital;
    case DecisionObjective::OwnershipCost: return SizeLimit::YearlyCost;
    case DecisionObjective::Carbon: return SizeLimit::Carbon;
    case DecisionObjective::Energy: break;
    }
    return std::nullopt;
}

} // namespace

bool isBetter(DecisionObjective objective, const Answer &left, const Answer &right)
{
    const auto key = [objective](const Answer &answer) {
        const auto last = [](double figure) {
            return std::isnan(figure) ? std::numeric_limits<double>::infinity() : figure;
        };
        const auto second = answer.second.value_or(SecondFleet());
        return std::tuple(valueOf(objective, answer.figures), last(answer.figures.days), answer.second.has_value(),
            last(answer.figures.facilityWatts), answer.lot, answer.nodes, second.lot, second.nodes);
    };
    return key(left) < key(right);
}

LimitLift::LimitLift(const FleetJudge &judge, std::optional<SizeLimit> limit, double below)
    : m_stated(judge), m_limit(limit), m_below(below), m_judge(limit ? judge.without(*limit) : judge)
{
}

bool LimitLift::isNeedless() const
{
    return m_limit && limitOf(m_judge.objective()) == *m_limit
        && !(m_limit == SizeLimit::Deadline && m_judge.asksForChance()); // what is late for its chance may be faster
}

double LimitLift::distanceOf(double needed) const
{
    return std::isnan(needed) ? -std::numeric_limits<double>::infinity() : isLeast(*m_limit) ? -needed : needed;
}

bool LimitLift::couldBeBest(double objective) const
{
    const std::scoped_lock lock(m_mutex);
    return !m_best || objective <= m_judge.objectiveOf(m_best->answer.figures) * (1 + roundingShare);
}

bool LimitLift::couldBeNearest(double distance) const
{
    const std::scoped_lock lock(m_mutex);
    return !m_nearest || distance <= distanceOf(m_nearest->needed) * (1 + (isLeast(*m_limit) ? -1 : 1) * roundingShare);
}

bool LimitLift::isOfInterest(const LetIn &fleet) const { return m_judge.objectiveOf(fleet.answer.figures) < m_below; }

void LimitLift::addBest(const LetIn &fleet)
{
    const std::scoped_lock lock(m_mutex);
    if (isOfInterest(fleet) && (!m_best || isBetter(m_judge.objective(), fleet.answer, m_best->answer)))
        m_best = fleet;
}

void LimitLift::addNearest(const LetIn &fleet)
{
    // A tighter limit, too, can take a faster layout than the simplest: that is no fleet that the limit keeps out.
    const double allowed = *m_stated.allowed(*m_limit);
    const bool isBeyond = isLeast(*m_limit) ? fleet.needed < allowed : fleet.needed > allowed;
    if (!std::isfinite(fleet.needed) || !isBeyond || !isOfInterest(fleet))
        return;
    const std::scoped_lock lock(m_mutex);
    if (m_nearest) {
        const double distance = distanceOf(fleet.needed), known = distanceOf(m_nearest->needed);
        if (distance > known || (distance == known && !isBetter(m_judge.objective(), fleet.answer, m_nearest->answer)))
            return;
    }
    m_nearest = fleet;
}

KeptOut LimitLift::result() const
{
    return {.limit = *m_limit, .allowed = *m_stated.allowed(*m_limit), .nearest = m_nearest, .best = m_best};
}

double HardwareSizing::secondsBelow(const LimitLift &lift, const FleetPrices &prices, const Count &count) const
{
    const auto &judge = lift.judge();
    if (!m_sizing.control.pruning)
        return never;
    const double value = judge.objectiveOf(prices.at(count.leastSeconds));
    const double slope = (judge.objectiveOf(prices.at(2 * count.leastSeconds)) - value) / count.leastSeconds;
    // What is simpler than the fastest may take a little longer.
    const double below = slope > 0
        ? (count.leastSeconds + (lift.below() - value) / slope) * (1 + layoutsearch::indistinguishable + roundingShare)
        : never;
    return std::min(below, judge.mostSeconds(prices) * (1 + roundingShare));
}

double HardwareSizing::neededOf(const LimitLift &lift, const Open &open, const Answer &answer) const
{
    if (lift.limit() == SizeLimit::Mfu)
        return answer.jobs.empty() ? unknownFigure : std::ranges::min(answer.jobs, {}, &JobAnswer::mfu).mfu;
    const double figure = FleetJudge::figureOf(lift.limit(), answer.figures);
    const bool isChance = lift.limit() == SizeLimit::Chance;
    if (!isChance && !(lift.limit() == SizeLimit::Deadline && lift.judge().asksForChance()))
        return figure;
    const auto drawn = m_sizing.drawnDays ? m_sizing.drawnDays(answer) : std::nullopt;
    if (isChance)
        return drawn && !std::isnan(figure) ? drawn->chanceOf(*lift.judge().deadlineDays()) : figure;
    const double chance = *lift.judge().allowed(SizeLimit::Chance); // late enough for it as well
    if (drawn)
        return std::max(figure, drawn->daysFor(chance));
    const auto spread = spreadOf(lift.judge(), open, answer, answer.figures.days);
    return spread ? std::max(figure, spread->daysFor(chance)) : figure;
}

void HardwareSizing::giveChance(const LimitLift &lift, const Open &open, Answer &answer) const
{
    if (!lift.hasLimit() || lift.limit() != SizeLimit::Deadline)
        return;
    const auto spread = spreadOf(lift.stated(), open, answer, answer.figures.days);
    answer.figures.deadlineChance = spread ? spread->chanceOf(*lift.stated().deadlineDays()) : unknownFigure;
}

std::optional<LetIn> HardwareSizing::nearestOf(
    const LimitLift &lift, const Open &open, const Count &count, const Found &found) const
{
    const auto limit = lift.limit();
    if (FleetJudge::isOfTheFleet(limit)) {
        auto answer = feasibleOf(lift.judge(), open, count, found);
        return answer ? std::optional(LetIn{FleetJudge::figureOf(limit, answer->figures), std::move(*answer)})
                      : std::nullopt;
    }
    // As fast as it can: what is simpler needs more.
    auto fastest = answerOf(lift.judge(), open, count, found, 0);
    if (!fastest.isFeasible())
        return std::nullopt;
    const double needed = neededOf(lift, open, fastest);
    if (!std::isfinite(needed))
        return std::nullopt;
    if (limit == SizeLimit::Mfu)
        return LetIn{needed, std::move(fastest)};
    const auto at = lift.stated().moved(limit, needed * (1 + (isLeast(limit) ? -1 : 1) * roundingShare));
    auto answer = feasibleOf(at, open, count, found);
    return answer ? std::optional(LetIn{needed, std::move(*answer)}) : std::nullopt;
}

bool HardwareSizing::lift(LimitLift &lift)
{
    struct Look {
        const Open *open = nullptr;
        std::size_t count = 0;
        double objective = 0, distance = 0; ///< at the least
    };
    const auto &judge = lift.judge();
    std::vector<Look> looks;
    for (const auto &open : m_open) {
        if (m_sizing.control.stop.stop_requested())
            return false;
        if (open.refused)
            continue;
        for (std::size_t i = 0; i < m_counts.size(); ++i) {
            const auto &prices = pricesOf(open, m_counts[i]);
            const double seconds = m_counts[i].leastSeconds;
            if (judge.breaksFixed(prices) || prices.neverEnds() || std::isinf(seconds)
                || seconds > judge.mostSeconds(prices) * (1 + roundingShare))
                continue;
            if (lift.hasLimit() && FleetJudge::isOfTheFleet(lift.limit()) && !lift.stated().breaksFixed(prices))
                continue; // nothing changes
            const auto least = prices.at(seconds);
            if (const double objective = judge.objectiveOf(least); objective < lift.below())
                looks.push_back({&open, i, objective,
                    lift.hasLimit() ? lift.distanceOf(FleetJudge::figureOf(lift.limit(), least)) : 0});
        }
    }
    const auto foundOf = [&](const Look &look) -> const Found & {
        const auto &count = m_counts[look.count];
        return searchTo(look.count, secondsBelow(lift, pricesOf(*look.open, count), count));
    };
    std::ranges::stable_sort(looks, {}, &Look::objective);
    for (const auto &look : looks) {
        if (m_sizing.control.pruning && !lift.couldBeBest(look.objective))
            break;
        const auto &found = foundOf(look);
        if (m_sizing.control.stop.stop_requested())
            return false;
        if (auto answer = feasibleOf(judge, *look.open, m_counts[look.count], found)) {
            const double needed = lift.hasLimit() ? neededOf(lift, *look.open, *answer) : 0;
            giveChance(lift, *look.open, *answer);
            lift.addBest({needed, std::move(*answer)});
        }
    }
    if (!lift.hasLimit())
        return true;
    std::ranges::stable_sort(looks, {}, &Look::distance);
    for (const auto &look : looks) {
        if (m_sizing.control.pruning && !lift.couldBeNearest(look.distance))
            break;
        const auto &found = foundOf(look);
        if (m_sizing.control.stop.stop_requested())
            return false;
        if (auto nearest = nearestOf(lift, *look.open, m_counts[look.count], found)) {
            giveChance(lift, *look.open, nearest->answer);
            lift.addNearest(*nearest);
        }
    }
    return true;
}

} // namespace fleetwright::size
