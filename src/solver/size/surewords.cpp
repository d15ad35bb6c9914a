// SPDX-License-Identifier: GPL-3.0-or-later
// What people ask first about how sure an answer is.
#include "solver/size/surewords.h"

#include "solver/search/recommendation.h"
#include "solver/size/decisionrisk.h"
#include "solver/size/sizewords.h"

#include "units/format.h"
#include "units/grouping.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace fleetwright::size {

namespace {

using uncertainty::RiskFigure;

/// "cost of the run from 9.50 MUSD to 17.3 MUSD: rent of an accelerator-hour"; empty where nothing moves it.
std::string mostMoving(
    const uncertainty::RiskAnswer &risk, const uncertainty::FleetRisk &fleet, RiskFigure figure, SizeLimit limit)
{
    const auto &swings = fleet.tornado(figure);
    if (swings.empty() || !std::isfinite(swings.front().atLow) || !std::isfinite(swings.front().atHigh))
        return {};
    const auto &swing = swings.front();
    const auto [low, high] = std::minmax(swing.atLow, swing.atHigh);
    if (!(low < high))
        return {};
    std::string what(uncertainty::titleOf(figure));
    what.front() = char(std::tolower(static_cast<unsigned char>(what.front())));
    return what + " from " + valueInWords(limit, low) + " to " + valueInWords(limit, high) + ": "
        + risk.inputs[swing.input].label;
}

/// "for all", "for it alone", "for NVIDIA DGX B200, owned alone": whose price it is, where `wins` is the winner with it
/// and `chosen` the one without.
std::string whoseInWords(const PriceChange &change, std::string_view wins, std::string_view chosen)
{
    if (!change.of)
        return "for all";
    if (wins.ends_with(*change.of))
        return "for it alone";
    return chosen.ends_with(*change.of) ? std::string("for the present choice alone") : "for " + *change.of + " alone";
}

/// Several changes that let the same fleet win, in one sentence: "X wins with “Price of a node” 20.0 % higher for all
/// or for the present choice alone, or with ...".
std::string winsWith(const std::vector<const PriceChange *> &changes, std::string_view chosen)
{
    struct Price {
        const PriceChange *change;
        std::string whose;
    };
    const auto &wins = changes.front()->winnerInWords;
    std::vector<Price> prices;
    for (const auto *change : changes) {
        auto whose = whoseInWords(*change, wins, chosen);
        const auto same = std::ranges::find_if(prices, [change](const Price &price) {
            return price.change->entry == change->entry && price.change->factor == change->factor;
        });
        if (same == prices.end())
            prices.push_back({change, std::move(whose)});
        else
            same->whose = same->whose + " or " + whose;
    }
    std::string with;
    for (const auto &[change, whose] : prices) {
        const auto by = units::formatPercent(std::abs(change->factor - 1));
        const auto price = change->factor > 1 ? "\u201c" + change->label + "\u201d " + by + " higher " + whose
                                              : "\u201c" + change->label + "\u201d " + by + " lower " + whose;
        with = with.empty() ? price : with + ", or with " + price;
    }
    return wins + " wins with " + with + ".";
}

std::string changesInWords(const HowSure &sure)
{
    std::vector<std::pair<std::string, std::vector<const PriceChange *>>> byWinner;
    for (const auto &change : sure.priceChanges) {
        if (!change.changes)
            continue;
        const auto same = std::ranges::find_if(byWinner, [&](const auto &of) {
            return !change.winnerInWords.empty() && of.first == change.winnerInWords
                && change.sentence.ends_with(" wins.");
        });
        if (same == byWinner.end())
            byWinner.push_back({change.winnerInWords, {&change}});
        else
            same->second.push_back(&change);
    }
    const auto *winner = sure.of(0);
    std::string text;
    for (const auto &[wins, changes] : byWinner)
        text += (text.empty() ? "" : " ")
            + (changes.size() == 1 ? changes.front()->sentence : winsWith(changes, winner ? winner->label : ""));
    if (!text.empty() || sure.priceChanges.empty())
        return text;
    return "Node prices, rents and tariffs " + units::formatPercent(sure.priceShare)
        + " higher or lower, for all or for one fleet alone: the winner stays.";
}

} // namespace

std::vector<SureHeadline> sureHeadlines(const HowSure &sure)
{
    std::vector<SureHeadline> rows;
    const auto *winner = sure.of(0);
    if (!winner)
        return rows;
    const auto &risk = sure.risk;
    if (auto changes = changesInWords(sure); !changes.empty())
        rows.push_back({"Would other prices change the choice?", std::move(changes)});
    if (sure.spares)
        rows.push_back({"Would spare nodes change the choice?", sure.spares->sentence});
    std::string moving;
    for (const auto &part : {mostMoving(risk, *winner, RiskFigure::Days, SizeLimit::Deadline),
             mostMoving(risk, *winner, RiskFigure::RunCost, SizeLimit::RunCost)})
        if (!part.empty())
            moving += (moving.empty() ? "The " : "; the ") + part;
    if (!moving.empty())
        rows.push_back({"What moves the winner most?", moving + "."});
    if (risk.rank)
        rows.push_back({"What to measure or have quoted first?", risk.rank->firstToLearn()});
    return rows;
}

const uncertainty::FleetRisk *rivalOf(const uncertainty::RiskAnswer &draws, const uncertainty::FleetRisk &fleet)
{
    if (!draws.rank)
        return nullptr;
    const auto &rank = *draws.rank;
    return &draws.fleets[&draws.fleets[rank.winner] == &fleet ? rank.runnerUp : rank.winner];
}

std::string othersInWords(const uncertainty::RiskAnswer &draws, const uncertainty::FleetRisk &fleet)
{
    constexpr double noise = 1e-9; // of shares that add up to 1
    const double none = draws.none ? draws.none->share : 0, others = 1 - fleet.best.share - none;
    const auto *other = rivalOf(draws, fleet);
    if (!other || others <= noise)
        return {};
    const auto share = units::formatPercent(others), ofOther = units::formatPercent(other->best.share);
    if (none > noise)
        return "Another fleet is the better choice in " + share + " of the draws, most often " + other->label + " ("
            + ofOther + "); in " + units::formatPercent(none) + " none keeps the limits.";
    return "Another fleet is the better choice in " + share + " of the draws, most often " + other->label + " ("
        + ofOther + ").";
}

std::vector<std::string> risksInWords(
    const DecisionDocument &document, const Result &result, const PredictedRanges &ranges)
{
    std::vector<std::string> risks;
    const auto *best = result.best();
    if (!best)
        return risks;
    if (document.limits.plan.deadline) {
        const double chance = ranges.deadlineChance.value_or(best->figures.deadlineChance);
        if (std::isnan(chance))
            risks.emplace_back("The chance of the deadline is not known.");
        else if (const auto &demanded = document.limits.deadlineChance)
            risks.push_back("The deadline is kept with a chance of " + units::formatPercent(chance) + ", "
                + units::formatPercent(*demanded) + " is demanded.");
        else
            risks.push_back("The deadline is kept with a chance of " + units::formatPercent(chance) + ".");
    }
    risks.push_back(ranges.bestShare ? "Of the fleets that were drawn it is the best in "
                + units::formatPercent(*ranges.bestShare) + " of the draws."
                                     : "How sure it is is not known: nothing was drawn.");
    if (best->figures.capitalUsd > 0 && ranges.capitalUsd)
        risks.push_back("The capital is "
            + rangeInWords(
                SizeLimit::Capital, best->figures.capitalUsd, ranges.capitalUsd->low, ranges.capitalUsd->high)
            + ", eight times in ten.");
    if (auto lead = leadTimeInWords(result, *best); !lead.empty())
        risks.push_back(std::move(lead));
    return risks;
}

std::optional<double> chanceToDemand(
    const DecisionDocument &document, const Result &result, const uncertainty::FleetRisk *winner)
{
    const auto &limits = document.limits;
    if (!result.best() || !limits.plan.deadline || limits.deadlineChance)
        return std::nullopt;
    const double chance = winner && winner->deadline ? winner->deadline->share : result.best()->figures.deadlineChance;
    return chance < usualDeadlineChance ? std::optional(usualDeadlineChance) : std::nullopt;
}

std::string lateInWords(const uncertainty::FleetRisk *risk)
{
    const auto *spread = risk && risk->spread(RiskFigure::Days) ? &*risk->spread(RiskFigure::Days) : nullptr;
    if (!spread || !(spread->quantiles.p10 < spread->quantiles.p90))
        return {};
    return std::isfinite(spread->quantiles.p90)
        ? "One run in ten takes longer than " + valueInWords(SizeLimit::Deadline, spread->quantiles.p90) + "."
        : "One run in ten never ends.";
}

std::vector<std::string> howSureInWords(const HowSure &sure)
{
    std::vector<std::string> sentences;
    const auto &risk = sure.risk;
    const auto asDrawn = " (" + units::grouped(std::to_string(risk.draws)) + " draws, seed " + std::to_string(risk.seed)
        + ").";
    if (sure.measured && sure.measured->ownRuns > 0)
        sentences.push_back(
            "The first figure is the one that the project\u2019s own measured runs make likely; at most "
            "one draw in ten lies below the range and one in ten above"
            + asDrawn);
    else
        sentences.push_back(
            "The first figure is the likely one; at most one draw in ten lies below the range and one in ten above"
            + asDrawn);
    if (sure.money)
        sentences.push_back(costs::moneyRangeInWords(*sure.money, sure.winnerPays));
    std::string objective(titleOf(risk.objective));
    objective.front() = char(std::tolower(objective.front()));
    sentences.push_back("The best in a draw is the fleet with the least " + objective + ".");
    const auto titles = [](const std::vector<SizeLimit> &limits) {
        std::vector<std::string> names;
        for (const auto limit : limits)
            names.emplace_back(titleOf(limit));
        return listed(names);
    };
    if (!sure.judgedInDraws.empty())
        sentences.push_back("A fleet counts in a draw where it keeps there: " + titles(sure.judgedInDraws) + ".");
    if (!sure.judgedAtLikely.empty())
        sentences.push_back("Judged at likely values only: " + titles(sure.judgedAtLikely) + ".");
    if (risk.rank)
        sentences.insert(sentences.end(), risk.rank->sentences.begin(), risk.rank->sentences.end());
    bool changes = false;
    for (const auto &change : sure.priceChanges)
        if (change.changes) {
            changes = true;
            sentences.push_back(change.sentence);
        }
    if (!sure.priceChanges.empty() && !changes)
        sentences.push_back("Node prices, rents and tariffs " + units::formatPercent(sure.priceShare)
            + " higher or lower, for all or for one fleet alone: the winner stays.");
    if (sure.buyOrRent)
        sentences.insert(sentences.end(), sure.buyOrRent->sentences.begin(), sure.buyOrRent->sentences.end());
    for (const auto &points : sure.turningPoints)
        for (const auto &point : points)
            if (point.needed)
                sentences.push_back(point.sentence);
    return sentences;
}

namespace {

std::string daysAndCost(const FleetFigures &figures)
{
    return valueInWords(SizeLimit::Deadline, figures.days)
        + (std::isfinite(figures.runCostUsd) ? " and " + valueInWords(SizeLimit::RunCost, figures.runCostUsd) : "");
}

/// What the formula chooses is one fleet.
bool isChosen(const Answer &formula, const Answer &first)
{
    return formula.lot == first.lot && formula.nodes == first.nodes && !first.second;
}

/// What the runs say of the formula's fleet: of two layouts of one fleet the one that the answer takes.
const Answer &byRunsOf(const Result &result, const Answer &formula)
{
    const auto same = std::ranges::find_if(
        result.answers, [&](const LotAnswer &lot) { return isChosen(formula, lot.answer) && !formula.second; });
    return same == result.answers.end() ? formula : same->answer;
}

} // namespace

std::string simplestInWords(const Answer &answer)
{
    double gain = 0;
    for (const auto &job : answer.jobs)
        if (!job.stepSecondsByRuns) // which judge both
            gain = std::max(gain, 1 - job.bestStepSeconds / job.stepSeconds);
    if (!(gain >= worthTelling))
        return {};
    return "Its layout is the simplest of those within " + units::formatPercent(layoutsearch::indistinguishable)
        + " of the fastest, which a prediction cannot tell apart; the fastest would take " + units::formatPercent(gain)
        + " less time.";
}

std::string chanceInWords(double share)
{
    constexpr double least = 0.01;
    return share > 0 && share < least ? "< 1\u00a0%" : units::formatPercent(share);
}

std::string movedInWords(const Result &approved, const Result &now)
{
    const auto *then = approved.best(), *best = now.best();
    const auto named = [](const Result &of, const Answer *fleet) {
        return fleet ? fleetInWords(of, *fleet) : "none that keeps all limits";
    };
    if (const auto was = named(approved, then), is = named(now, best); was != is)
        return "The best fleet is another one now: " + was + " then, " + is + " now.";
    if (!then)
        return {};
    const auto moved = [](double from, double to) {
        return std::isfinite(from) && std::isfinite(to) && std::abs(to / from - 1) >= worthTelling;
    };
    if (!moved(then->figures.days, best->figures.days) && !moved(then->figures.runCostUsd, best->figures.runCostUsd))
        return {};
    return "The same fleet now takes " + daysAndCost(best->figures) + "; approved were " + daysAndCost(then->figures)
        + ".";
}

/// A chance follows from the range, which is that of the runs: whether the fleet keeps it without them is not known.
static bool missesChance(const Answer &byRuns)
{
    return std::ranges::find(byRuns.misses, SizeLimit::Chance, &Miss::limit) != byRuns.misses.end();
}

std::string measuredInWords(const Result &result)
{
    if (!result.byFormula || result.answers.empty())
        return {};
    const auto &[formula, runs] = *result.byFormula;
    const auto &first = result.answers.front().answer;
    const bool isOne = runs == 1;
    const std::string judged = isOne ? "Judged by the project\u2019s own measured run."
                                     : "Judged by the project\u2019s own measured runs.";
    const bool isSame = result.best() && formula && isChosen(*formula, first);
    if (formula && !isSame && formula->byFormula) {
        const auto &measured = byRunsOf(result, *formula);
        const auto alone = missesChance(measured) ? "By the formula alone " + shortFleetInWords(result, *formula)
                + " would take " + daysAndCost(*formula->byFormula) + "."
                                                  : "By the formula alone " + shortFleetInWords(result, *formula)
                + " would do (" + daysAndCost(*formula->byFormula) + ").";
        const auto likely = daysAndCost(measured.figures);
        std::vector<std::string> missed;
        for (const auto &miss : measured.misses)
            missed.emplace_back(titleOf(miss.limit));
        return judged + " " + alone
            + (isOne ? " By the run it takes " + likely + "." : " By the runs it takes " + likely + ".")
            + (missed.empty() ? "" : " It misses: " + listed(missed) + ".");
    }
    if (!first.byFormula || !std::isfinite(first.figures.days))
        return {};
    const auto likely = daysAndCost(first.figures), alone = daysAndCost(*first.byFormula);
    if (likely == alone) // nobody sees what the runs change
        return {};
    return judged
        + (isOne ? " By it this fleet takes " + likely + "; by the formula alone " + alone + "."
                 : " By them this fleet takes " + likely + "; by the formula alone " + alone + ".");
}

namespace {

/// By so little nobody decides; what is not known is alike.
bool isClose(double one, double other)
{
    return !std::isfinite(one) || !std::isfinite(other) || std::abs(one - other) < worthTelling * std::abs(other);
}

} // namespace

std::string measuredInShort(const Result &result)
{
    if (measuredInWords(result).empty())
        return {};
    const auto &[formula, runs] = *result.byFormula;
    const auto &first = result.answers.front().answer;
    const bool isOne = runs == 1;
    const bool isSame = result.best() && formula && isChosen(*formula, first);
    if (!formula || isSame || !formula->byFormula) {
        const auto &byRuns = first.figures, &byFormula = *first.byFormula;
        if (isClose(byRuns.days, byFormula.days) && isClose(byRuns.runCostUsd, byFormula.runCostUsd))
            return {};
        const auto alone = daysAndCost(byFormula);
        return isOne ? "A run that the project measured is counted: without it this fleet would take " + alone + "."
                     : "Runs that the project measured are counted: without them this fleet would take " + alone + ".";
    }
    const auto &byRuns = byRunsOf(result, *formula);
    const auto other = shortFleetInWords(result, *formula), alone = daysAndCost(*formula->byFormula),
               measured = daysAndCost(byRuns.figures);
    if (missesChance(byRuns))
        return isOne ? "A run that the project measured is counted: without it " + other + " would take " + alone
                + "; by the run it takes " + measured + "."
                     : "Runs that the project measured are counted: without them " + other + " would take " + alone
                + "; by the runs it takes " + measured + ".";
    return isOne ? "A run that the project measured decides: without it " + other + " would be the best, with " + alone
            + "; by the run it takes " + measured + "."
                 : "Runs that the project measured decide: without them " + other + " would be the best, with " + alone
            + "; by the runs it takes " + measured + ".";
}

std::string withoutCapitalInWords(const DecisionDocument &document, const Result &result)
{
    const auto *best = result.best();
    const auto *least = result.cheapestUncommitted();
    // By another objective each candidate has the nodes that are best by that, and fewer may cost less.
    if (document.objective != DecisionObjective::RunCost || !best || !least || &least->answer == best)
        return {};
    if (best->figures.capitalUsd == 0 && !reservationUsd(result, *best))
        return {};
    const auto &figures = least->answer.figures;
    return "Without capital or a reservation the least cost of the run, "
        + valueInWords(SizeLimit::RunCost, figures.runCostUsd) + ", has " + shortFleetInWords(result, least->answer)
        + ": " + valueInWords(SizeLimit::Deadline, figures.days) + ".";
}

} // namespace fleetwright::size
