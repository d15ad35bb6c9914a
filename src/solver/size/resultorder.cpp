// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/resultorder.h"

#include "solver/size/hardwaresizing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace fleetwright::size {

namespace {

/// Feasible ones by the objective, then by days; the others by how far they are beyond their limits, then likewise.
/// Where that is equal, too, the one that takes less power comes first.
bool isBefore(const Result &result, const LotAnswer &left, const LotAnswer &right)
{
    if (left.answer.isFeasible() != right.answer.isFeasible())
        return left.answer.isFeasible();
    if (left.answer.isFeasible())
        return isBetter(result.objective, left.answer, right.answer);
    const auto key = [&](const LotAnswer &lot) {
        const auto &answer = lot.answer;
        const auto last = [](double figure) {
            return std::isnan(figure) ? std::numeric_limits<double>::infinity() : figure;
        };
        return std::tuple(answer.jobs.empty(), FleetJudge::excess(answer.misses), last(answer.figures.days),
            last(valueOf(result.objective, answer.figures)), last(answer.figures.facilityWatts), answer.lot,
            answer.nodes);
    };
    return key(left) < key(right);
}

bool isBetterByFormula(DecisionObjective objective, Answer left, Answer right)
{
    for (auto *answer : {&left, &right})
        if (answer->byFormula)
            answer->figures = *answer->byFormula;
    return isBetter(objective, left, right);
}

bool isNearer(const Remedy &remedy, const Remedy &than)
{
    if (remedy.needed != than.needed)
        return isLeast(remedy.limit) == (remedy.needed > than.needed);
    return remedy.objective < than.objective;
}

/// Of each limit the smallest step beyond it, over all lots.
std::vector<Remedy> nearestOf(const std::vector<LotAnswer> &answers)
{
    std::vector<Remedy> nearest;
    for (std::size_t i = 0; i < sizeLimitCount; ++i) {
        const Remedy *best = nullptr;
        for (const auto &lot : answers)
            for (const auto &remedy : lot.remedies)
                if (remedy.limit == static_cast<SizeLimit>(i) && (!best || isNearer(remedy, *best)))
                    best = &remedy;
        if (best)
            nearest.push_back(*best);
    }
    return nearest;
}

} // namespace

void finish(Result &result)
{
    std::ranges::sort(
        result.answers, [&](const LotAnswer &left, const LotAnswer &right) { return isBefore(result, left, right); });
    result.remedies = result.best() ? std::vector<Remedy>() : nearestOf(result.answers);
    std::ranges::sort(result.refused, {}, [](const Refused &refused) { // hardware is done in any order
        const auto &[code, field, message] = refused.error;
        return std::tie(refused.candidate, code, field, message);
    });
}

Result merge(Result left, const Result &right)
{
    left.answers.insert(left.answers.end(), right.answers.begin(), right.answers.end());
    left.refused.insert(left.refused.end(), right.refused.begin(), right.refused.end());
    left.counts.fleets += right.counts.fleets;
    left.counts.useless += right.counts.useless;
    left.counts.lots += right.counts.lots;
    SharedFront front;
    const auto add = [&](const std::vector<Answer> &answers) {
        for (const auto &answer : answers)
            front.add(left.frontAxes, answer);
    };
    add(left.front);
    add(right.front);
    left.front = front.answers();
    if (right.byFormula) {
        auto &choice = left.byFormula ? *left.byFormula : left.byFormula.emplace(FormulaChoice{{}, 0});
        choice.runs = std::max(choice.runs, right.byFormula->runs);
        if (const auto &other = right.byFormula->best;
            other && (!choice.best || isBetterByFormula(left.objective, *other, *choice.best)))
            choice.best = other;
    }
    left.keptOut.clear(); // the best may be another
    left.otherBatch.reset();
    finish(left);
    return left;
}

} // namespace fleetwright::size
