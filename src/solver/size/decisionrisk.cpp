// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/decisionrisk.h"

#include "solver/size/drawndays.h"
#include "solver/size/pricedanswer.h"
#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <set>

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

struct DrawnLimit {
    SizeLimit limit;
    uncertainty::RiskFigure figure;
};
/// Limits of what prices, times and powers decide, beside the deadline and the budget; in the units of both.
constexpr std::array limitsInDraws{DrawnLimit{SizeLimit::Capital, uncertainty::RiskFigure::Capital},
    DrawnLimit{SizeLimit::YearlyCost, uncertainty::RiskFigure::OwnershipCost},
    DrawnLimit{SizeLimit::Power, uncertainty::RiskFigure::Power},
    DrawnLimit{SizeLimit::Carbon, uncertainty::RiskFigure::Carbon}};

/// The same for fleets of the same nodes that take as long with the same layouts, however they are paid for, and
/// whatever connects them or wherever they stand.
std::string hardwareOf(const DecisionDocument &document, const Result &result, const Answer &answer)
{
    const auto ofLot = [&](std::size_t lot, int nodes) {
        return result.lots[lot].nodeId + " " + std::to_string(nodes) + " ";
    };
    auto name = ofLot(answer.lot, answer.nodes);
    if (answer.second)
        name += ofLot(answer.second->lot, answer.second->nodes);
    for (const auto &job : answer.jobs)
        name += std::to_string(job.globalBatch) + " " + units::exact(job.stepSeconds) + " "
            + units::exact(job.likelyStepSeconds()) + " ";
    return name + layoutsInWords(document, answer);
}

/// Hardware that reads alike is told apart by what connects it.
void tellHardwareApart(DecisionRisk &risk, const Result &result)
{
    auto &fleets = risk.question.fleets;
    std::vector<std::string> labels;
    for (const auto &fleet : fleets)
        labels.push_back(fleet.hardwareLabel);
    for (std::size_t i = 0; i < fleets.size(); ++i)
        for (std::size_t k = 0; k < fleets.size(); ++k)
            if (labels[i] == labels[k] && fleets[i].hardware != fleets[k].hardware) {
                fleets[i].hardwareLabel += ", " + result.lots[risk.answers[i]->lot].fabric;
                break;
            }
}

/// Of the same nodes with the same layouts on the same site, whoever pays for them and whatever connects them: their
/// step times are wrong together, and their days are as their step times.
bool runsLike(const Result &result, const Answer &a, const Answer &b)
{
    const auto &one = result.lots[a.lot], &other = result.lots[b.lot];
    return !a.second && !b.second && a.nodes == b.nodes && one.nodeId == other.nodeId && one.label == other.label
        && one.fleet.facility == other.fleet.facility && one.fleet.grid == other.fleet.grid
        && std::ranges::equal(a.jobs, b.jobs, [](const JobAnswer &job, const JobAnswer &like) {
               return job.layout == like.layout && job.globalBatch == like.globalBatch && job.tokens == like.tokens;
           });
}

void addAlike(DecisionRisk &risk, const Result &result)
{
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
        const auto &answer = result.answers[i].answer;
        if (answer.jobs.empty() || !std::isfinite(answer.figures.days)
            || std::ranges::find(risk.answers, &answer) != risk.answers.end())
            continue;
        const auto like = std::ranges::find_if(
            risk.answers, [&](const Answer *drawn) { return runsLike(result, answer, *drawn); });
        if (like == risk.answers.end() || !std::isfinite((*like)->figures.days))
            continue;
        risk.question.alike.push_back(
            {std::size_t(like - risk.answers.begin()), answer.figures.days / (*like)->figures.days});
        risk.alike.push_back(i);
    }
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
    const FleetJudge judge(document);
    for (const auto &[limit, figure] : limitsInDraws)
        if (const auto bound = judge.allowed(limit))
            question.limits.push_back({figure, *bound});
    for (std::size_t i = 0; i < sizeLimitCount; ++i)
        if (const auto limit = static_cast<SizeLimit>(i); judge.allowed(limit) && limit != SizeLimit::Chance) {
            const bool isDrawn = limit == SizeLimit::Deadline || limit == SizeLimit::RunCost
                || std::ranges::find(limitsInDraws, limit, &DrawnLimit::limit) != limitsInDraws.end();
            (isDrawn ? risk.judgedInDraws : risk.judgedAtLikely).push_back(limit);
        }
    question.draws = document.draws;
    question.seed = document.seed;
    const auto best = result.byNode();
    const auto add = [&](const Answer &answer, std::optional<std::size_t> place) -> Expected<void> {
        if (answer.jobs.empty()) // no layout fits: there is nothing to draw
            return {};
        const auto runs = runsOf(document, catalog, result, answer, rangeOf);
        if (!runs)
            return std::unexpected(runs.error());
        auto fleet = drawnFleet((place ? "" : "base case: ") + shortFleetInWords(result, answer), *runs);
        if (!fleet)
            return std::unexpected(fleet.error());
        fleet->hardware = hardwareOf(document, result, answer);
        fleet->hardwareLabel = hardwareInWords(document, result, answer);
        fleet->competes = place && *place < best.size() && (answer.isFeasible() || !result.best());
        question.fleets.push_back(std::move(*fleet));
        risk.answers.push_back(&answer);
        risk.places.push_back(place);
        return {};
    };
    for (std::size_t i = 0; i < best.size() && question.fleets.size() < most; ++i)
        if (auto ok = add(best[i]->answer, i); !ok)
            return std::unexpected(ok.error());
    if (const auto compared = result.compared(); compared.size() > best.size())
        if (auto ok = add(compared.back()->answer, best.size()); !ok)
            return std::unexpected(ok.error());
    if (result.baseCase)
        if (auto ok = add(*result.baseCase, std::nullopt); !ok)
            return std::unexpected(ok.error());
    tellHardwareApart(risk, result);
    addAlike(risk, result);
    if (question.fleets.empty())
        return refuse(ErrorCode::MissingField, "answers", "No fleet can run the jobs: there is nothing to draw.");
    return risk;
}

const uncertainty::FleetRisk *HowSure::of(std::optional<std::size_t> fleet) const
{
    const auto found = std::ranges::find(fleets, fleet);
    return found == fleets.end() ? nullptr : &risk.fleets[std::size_t(found - fleets.begin())];
}

const uncertainty::FleetRisk *HowSure::of(const Result &result, const Answer &answer) const
{
    const auto rows = result.compared();
    const auto found = std::ranges::find_if(rows, [&](const auto *row) { return &row->answer == &answer; });
    return found == rows.end() ? nullptr : of(std::size_t(found - rows.begin()));
}

const uncertainty::FleetRisk *riskOfDays(const HowSure &sure, const Result &result, const Answer &answer)
{
    if (const auto *own = sure.of(result, answer))
        return own;
    const auto alike = std::ranges::find_if(
        sure.alike, [&](std::size_t index) { return &result.answers[index].answer == &answer; });
    return alike == sure.alike.end() ? nullptr : &sure.risk.alike[std::size_t(alike - sure.alike.begin())];
}

Answer asDrawn(const DecisionDocument &document, Answer answer, const uncertainty::FleetRisk *risk)
{
    if (risk && risk->deadline && !document.limits.deadlineChance) // else it has that of its draws already
        answer.figures.deadlineChance = risk->deadline->share;
    return answer;
}

std::optional<validation::PredictionRange> measuredLike(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, const RangeOf &rangeOf)
{
    if (result.answers.empty() || !rangeOf)
        return std::nullopt;
    const auto &first = result.answers.front().answer;
    std::optional<validation::PredictionRange> known;
    for (std::size_t job = 0; job < first.jobs.size(); ++job)
        if (const auto plan = resolve(planOf(document, result, first, job), catalog))
            if (auto range = rangeOf(*plan, first.jobs[job].stepSeconds * second)) {
                if (!range->isValidated())
                    return range;
                if (!known)
                    known = std::move(range);
            }
    return known;
}

Expected<HowSure> howSure(const DecisionDocument &document, const Catalog &catalog, const Result &result,
    const RangeOf &rangeOf, const std::stop_token &stop, int threads)
{
    auto asked = riskOf(document, catalog, result, rangeOf);
    if (!asked)
        return std::unexpected(asked.error());
    asked->question.threads = threads;
    auto risk = uncertainty::assessRisk(asked->question, stop);
    if (!risk)
        return std::unexpected(risk.error());
    HowSure sure{.fleets = std::move(asked->places),
        .judgedInDraws = std::move(asked->judgedInDraws),
        .judgedAtLikely = std::move(asked->judgedAtLikely),
        .risk = std::move(*risk),
        .alike = std::move(asked->alike),
        .priceChanges = {},
        .turningPoints = {},
        .buyOrRent = {},
        .measured = measuredLike(document, catalog, result, rangeOf),
        .winnerPays = result.lots[result.answers.front().answer.lot].paying.paying};
    auto prices = PriceRivals::of(document, catalog, result);
    if (!prices)
        return std::unexpected(prices.error());
    sure.priceChanges = priceChanges(*prices, result, sure.priceShare);
    if (prices->anyMatters())
        sure.prices = std::make_shared<const PriceRivals>(std::move(*prices));
    auto paying = buyOrRent(document, catalog, result);
    if (!paying)
        return std::unexpected(paying.error());
    sure.buyOrRent = std::move(*paying);
    auto spares = withSpares(document, catalog, result);
    if (!spares)
        return std::unexpected(spares.error());
    sure.spares = std::move(*spares);
    const auto *winner = result.best();
    std::set<std::string> askedAbout;
    for (const auto &lot : result.answers) {
        const auto &loser = lot.answer;
        if (!winner || askedAbout.size() > usualRiskFleets || loser.jobs.empty() || !breaksMoneyAlone(loser)
            || !askedAbout.insert(pricedInWords(result, loser)).second || &loser == winner)
            continue;
        if (stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The question how sure the answer is was cancelled.");
        auto points = turningPoints(document, catalog, result, loser, *winner);
        if (!points)
            return std::unexpected(points.error());
        sure.turningPoints.push_back(std::move(*points));
    }
    return sure;
}

} // namespace fleetwright::size
