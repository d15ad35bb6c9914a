// SPDX-License-Identifier: GPL-3.0-or-later
// What is read off an answer: the rows that are compared, and its fleets and plans as documents.
#include "solver/size/size.h"
#include "solver/size/sizewords.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fleetwright::size {

std::vector<const LotAnswer *> Result::byNode() const
{
    std::vector<const LotAnswer *> best;
    std::set<std::string> seen;
    for (const auto &lot : answers)
        if (const auto &of = lots[lot.answer.lot];
            !of.label.empty() || seen.insert(of.nodeId).second) // an offer stands for itself
            best.push_back(&lot);
    return best;
}

std::vector<const LotAnswer *> Result::byNodeAndPaying() const
{
    std::vector<const LotAnswer *> best;
    std::set<std::pair<std::string, Paying>> seen;
    for (const auto &lot : answers)
        if (const auto &of = lots[lot.answer.lot];
            !of.label.empty() || seen.emplace(of.nodeId, of.paying.paying).second) // an offer stands for itself
            best.push_back(&lot);
    return best;
}

const LotAnswer *Result::paidOtherwise() const
{
    if (answers.empty())
        return nullptr;
    const auto first = lots[answers.front().answer.lot].paying.paying;
    const auto other = std::ranges::find_if(answers,
        [&](const LotAnswer &lot) { return lots[lot.answer.lot].paying.paying != first && !lot.answer.jobs.empty(); });
    return other == answers.end() ? nullptr : &*other;
}

const LotAnswer *Result::cheapestUncommitted() const
{
    const auto isReserved = [this](std::size_t lot) {
        const auto &[paying, term] = lots[lot].paying;
        return paying == Paying::Rent && (yearsOf(term) > 0 || term == RentTerm::CapacityBlock);
    };
    const LotAnswer *least = nullptr;
    for (const auto &lot : answers) {
        const auto &answer = lot.answer;
        const double cost = answer.figures.runCostUsd;
        if (answer.isFeasible() && answer.figures.capitalUsd == 0 && !isReserved(answer.lot)
            && !(answer.second && isReserved(answer.second->lot)) && std::isfinite(cost)
            && (!least || cost < least->answer.figures.runCostUsd))
            least = &lot;
    }
    return least;
}

std::vector<const LotAnswer *> Result::compared() const
{
    auto fleets = byNode();
    if (const auto *other = paidOtherwise(); other && std::ranges::find(fleets, other) == fleets.end())
        fleets.push_back(other);
    return fleets;
}

bool Answer::isOfSecond(std::size_t job) const { return second && std::ranges::binary_search(second->jobs, job); }

std::optional<FleetDocument> secondFleetOf(const Result &result, const Answer &answer)
{
    if (!answer.second)
        return std::nullopt;
    auto fleet = result.lots[answer.second->lot].fleet;
    fleet.nodes = answer.second->nodes;
    return fleet;
}

bool isWorthTelling(const DecisionDocument &document, const Result &result, const Answer &fleet)
{
    const auto *best = result.best();
    return !best
        || !(
            1 - valueOf(document.objective, fleet.figures) / valueOf(document.objective, best->figures) < worthTelling);
}

FleetDocument fleetOf(const Result &result, const Answer &answer)
{
    const auto &lot = result.lots[answer.lot];
    auto fleet = lot.fleet;
    fleet.nodes = answer.nodes;
    return fleet;
}

PlanDocument planOf(const DecisionDocument &document, const Result &result, const Answer &answer, std::size_t job)
{
    const auto &asked = document.jobs[job];
    auto fleet = answer.isOfSecond(job) ? *secondFleetOf(result, answer) : fleetOf(result, answer);
    const auto &lot = result.lots[answer.isOfSecond(job) ? answer.second->lot : answer.lot];
    auto name = fleetTitle(fleet.nodes, lot.node, fleet.costs);
    if (document.jobs.size() > 1) // on one fleet
        name += ": " + (asked.name.empty() ? "job " + std::to_string(job + 1) : asked.name);
    PlanDocument plan{.name = std::move(name),
        .workload = asked.workload,
        .fleet = std::move(fleet),
        .training = asked.training,
        .assumptions = asked.assumptions,
        .constraints = document.limits.plan,
        .costModelId = result.costModelId};
    if (job < answer.jobs.size()) {
        plan.training.globalBatch = answer.jobs[job].globalBatch;
        plan.training.tokenBudget = answer.jobs[job].tokens;
        adopt(answer.jobs[job].layout, plan);
    }
    return plan;
}

PlanDocument planToKeep(const DecisionDocument &document, const Result &result, const Answer &answer, std::size_t job)
{
    auto plan = planOf(document, result, answer, job);
    const auto &lot = result.lots[answer.isOfSecond(job) ? answer.second->lot : answer.lot];
    const auto rented = std::ranges::find_if(result.answers, [&](const LotAnswer &other) {
        const auto &of = result.lots[other.answer.lot];
        return other.answer.isFeasible() && of.nodeId == lot.nodeId && of.paying.paying == Paying::Rent;
    });
    if (plan.fleet.costs.paying == Paying::Own && rented != result.answers.end()) // the best comes first
        plan.fleet.costs.rentTerm = result.lots[rented->answer.lot].paying.rentTerm;
    return plan;
}

} // namespace fleetwright::size
