// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/decisionrisk.h"

#include "solver/size/answerruns.h"
#include "solver/size/sizewords.h"

namespace fleetwright::size {

namespace {

uncertainty::RiskFigure drawnFor(DecisionObjective objective)
{
    switch (objective) {
    case DecisionObjective::Days: return uncertainty::RiskFigure::Days;
    case DecisionObjective::Capital: return uncertainty::RiskFigure::Capital;
    case DecisionObjective::OwnershipCost: return uncertainty::RiskFigure::OwnershipCost;
    case DecisionObjective::RunCost:
    case DecisionObjective::Carbon:
    case DecisionObjective::Energy: break;
    }
    return uncertainty::RiskFigure::RunCost;
}

} // namespace

Expected<DecisionRisk> riskOf(const DecisionDocument &document, const Catalog &catalog, const Result &result,
    const RangeOf &rangeOf, std::size_t most)
{
    DecisionRisk risk;
    auto &question = risk.question;
    question.objective = drawnFor(document.objective);
    question.deadline = document.limits.plan.deadline;
    question.budget = document.limits.plan.runCost;
    question.draws = document.draws;
    question.seed = document.seed;
    const auto add = [&](const Answer &answer) -> Expected<void> {
        if (answer.jobs.empty()) // no layout fits: there is nothing to draw
            return {};
        const auto runs = runsOf(document, catalog, result, answer, rangeOf);
        if (!runs)
            return std::unexpected(runs.error());
        auto fleet = uncertainty::riskFleet(fleetInWords(result, answer), runs->fleet, runs->runs);
        if (!fleet)
            return std::unexpected(fleet.error());
        question.fleets.push_back(std::move(*fleet));
        risk.answers.push_back(&answer);
        return {};
    };
    for (const auto *lot : result.byNode())
        if (question.fleets.size() < most)
            if (auto ok = add(lot->answer); !ok)
                return std::unexpected(ok.error());
    if (result.baseCase)
        if (auto ok = add(*result.baseCase); !ok)
            return std::unexpected(ok.error());
    return risk;
}

} // namespace fleetwright::size
