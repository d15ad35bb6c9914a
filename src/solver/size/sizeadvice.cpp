// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/calendarday.h"
#include "solver/size/decisionrisk.h"
#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace fleetwright::size {

std::string listed(const std::vector<std::string> &parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::string figuresInWords(const FleetFigures &figures, DecisionObjective objective, std::optional<SizeLimit> said)
{
    std::vector<std::string> parts;
    const auto add = [&](DecisionObjective own, SizeLimit limit, double value) {
        if (own != objective && limit != said && !std::isnan(value))
            parts.push_back(limitInWords(limit, value));
    };
    add(DecisionObjective::Days, SizeLimit::Deadline, figures.days);
    add(DecisionObjective::RunCost, SizeLimit::RunCost, figures.runCostUsd);
    if (figures.capitalUsd > 0)
        add(DecisionObjective::Capital, SizeLimit::Capital, figures.capitalUsd);
    if (!std::isnan(figures.facilityWatts) && said != SizeLimit::Power)
        parts.push_back(valueInWords(SizeLimit::Power, figures.facilityWatts));
    return listed(parts);
}

namespace {

using units::counted;

std::string sentenceCase(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = char(text.front() - 'a' + 'A');
    return text;
}

/// The best fleet of another node; what it saves of the capital stands beside what it lacks.
std::string nextInWords(const Result &result, const Answer &best, const Answer &next)
{
    constexpr double notable = 0.9;
    const auto objective = result.objective;
    const auto fleet = fleetInWords(result, next);
    const auto against = againstWinner(objective, valueOf(objective, best.figures), valueOf(objective, next.figures));
    const double capital = next.figures.capitalUsd;
    if (objective != DecisionObjective::Capital && capital > 0 && capital < notable * best.figures.capitalUsd)
        return "Next among other nodes is " + fleet + ": " + against + ", with "
            + valueInWords(SizeLimit::Capital, capital) + " of capital instead of "
            + valueInWords(SizeLimit::Capital, best.figures.capitalUsd) + ".";
    return "Next among other nodes is " + fleet + ": " + against + ".";
}

template <class List, class Member> bool names(const List &list, SizeLimit limit, Member member)
{
    return std::ranges::find(list, limit, member) != list.end();
}

/// The limits that stand in each other's way: those that a remedy moves, and those that the closest fleet breaks.
std::vector<StatedLimit> conflictOf(const DecisionDocument &document, const Result &result)
{
    auto limits = statedLimits(document);
    const auto isPart = [&](const StatedLimit &stated) {
        return names(result.remedies, stated.limit, &Remedy::limit)
            || (!result.answers.empty() && names(result.answers.front().answer.misses, stated.limit, &Miss::limit));
    };
    if (std::ranges::any_of(limits, isPart))
        std::erase_if(limits, [&](const StatedLimit &stated) { return !isPart(stated); });
    return limits;
}

std::string conflictInWords(const std::vector<StatedLimit> &limits, const Remedy *moved = nullptr)
{
    std::vector<std::string> parts;
    for (const auto &stated : limits)
        parts.push_back(
            moved && moved->limit == stated.limit ? neededInWords(stated.limit, moved->needed) : statedInWords(stated));
    return listed(parts);
}

/// That another fleet is the best in more draws than the winner by likely values, or in nearly as many.
std::string rivalInDraws(const HowSure *sure)
{
    if (!sure || !sure->risk.rank)
        return {};
    const auto *likely = sure->of(0);
    const auto &rank = *sure->risk.rank;
    const auto &most = sure->risk.fleets[rank.winner];
    if (!likely)
        return {};
    if (&most == likely) {
        constexpr double clear = 0.1; // of the draws
        const auto &next = sure->risk.fleets[rank.runnerUp];
        if (most.best.share - next.best.share >= clear)
            return {};
        return "It is a close call: in the draws it is the best in " + units::formatPercent(most.best.share) + ", "
            + next.label + " in " + units::formatPercent(next.best.share) + ".";
    }
    return "That is by likely values; in the draws it is the best in " + units::formatPercent(likely->best.share)
        + " only, " + most.label + " in " + units::formatPercent(most.best.share) + ".";
}

/// That the deadline, which the likely values keep, is missed in many draws although nobody said how sure it has to be.
std::string lateInDraws(const DecisionDocument &document, const HowSure *sure)
{
    constexpr double sureEnough = 0.8; // as the ranges, which hold eight draws in ten
    const auto *likely = sure ? sure->of(0) : nullptr;
    if (!likely || !likely->deadline || document.limits.deadlineChance || likely->deadline->share >= sureEnough)
        return {};
    return "The deadline is missed in " + units::formatPercent(1 - likely->deadline->share)
        + " of the draws: state the chance that it has to be kept with.";
}

/// What a reservation costs beyond the run of the jobs.
std::string commitment(const Result &result, const Answer &best)
{
    const auto whole = reservationUsd(result, best);
    if (!whole || !(best.figures.runCostUsd < *whole))
        return {};
    return "The reservation is paid for " + counted(yearsOf(result.lots[best.lot].paying.rentTerm), "year", "years")
        + ", " + units::format(Dollars::from_value(*whole)) + " in all, whether the fleet works or not: these jobs use "
        + units::formatPercent(best.figures.runCostUsd / *whole) + " of it.";
}

bool isOffer(const DecisionDocument &document, const std::string &candidate)
{
    return std::ranges::any_of(document.candidates.offers, [&](const OfferReference &reference) {
        const auto *offer = std::get_if<OfferDocument>(&reference);
        return offer && labelOf(*offer) == candidate;
    });
}

/// Until when the winner's offer stands, where nobody said on which day is ordered.
std::string lastDay(const DecisionDocument &document, const Result &result, const Answer &best)
{
    if (document.order)
        return {};
    for (const auto &reference : document.candidates.offers)
        if (const auto *offer = std::get_if<OfferDocument>(&reference);
            offer && offer->validUntil && labelOf(*offer) == result.lots[best.lot].label)
            return "This offer stands until " + dateText(*offer->validUntil)
                + "; the decision states no day of the order, so it was taken as standing.";
    return {};
}

std::vector<std::string> nothingInWords(const DecisionDocument &document, const Result &result)
{
    const auto other = otherBatchInWords(document, result);
    if (result.answers.empty()) {
        std::vector<std::string> sentences{result.refused.empty()
                ? std::string("There is no fleet to choose from: widen the nodes, their numbers or the vendors.")
                : "No fleet could be looked at; of " + result.refused.front().candidate + ": "
                    + result.refused.front().error.message};
        if (!other.empty())
            sentences.push_back(other);
        return sentences;
    }
    const auto conflict = conflictOf(document, result);
    std::string first = conflict.empty() ? "No fleet can hold the jobs" : "Nothing meets " + conflictInWords(conflict);
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < result.remedies.size(); ++i) {
        const auto &remedy = result.remedies[i];
        const bool isStated = names(conflict, remedy.limit, &StatedLimit::limit);
        first += i == 0 ? ": the nearest is " : ", or ";
        first += isStated ? conflictInWords(conflict, &remedy) : neededInWords(remedy.limit, remedy.needed);
        sentences.push_back("With " + neededInWords(remedy.limit, remedy.needed) + " it would be "
            + fleetInWords(result.lots[remedy.lot], remedy.nodes) + ".");
    }
    if (result.remedies.empty())
        first += ", and no limit moved alone lets a fleet in";
    const auto &closest = result.answers.front().answer;
    if (!other.empty())
        sentences.insert(sentences.begin(), other);
    if (auto measured = measuredInWords(result); !measured.empty())
        sentences.insert(sentences.begin(), std::move(measured));
    sentences.insert(sentences.begin(), first + ".");
    sentences.push_back(
        "Closest to all limits comes " + fleetInWords(result, closest) + ": " + missesInWords(closest) + ".");
    return sentences;
}

std::string tightestOfWinner(const DecisionDocument &document, const Result &result)
{
    const auto fleet = shortFleetInWords(result, *result.best());
    if (statedLimits(document).empty())
        return "No limit is stated, so nothing but the memory of the accelerators binds; the best has the least "
            + std::string(words(document.objective)) + ".";
    const auto tightest = tightestLimit(document, *result.best());
    if (!tightest)
        return fleet + " keeps every limit.";
    return fleet + " keeps every limit; nearest is the " + nearestInWords(*tightest) + ".";
}

/// "less cost of the run", "fewer days".
std::string lessInWords(DecisionObjective objective)
{
    return (objective == DecisionObjective::Days ? "fewer " : "less ") + std::string(words(objective));
}

/// Days that keep a demanded chance are more than the likely ones, which everything else is said of.
bool isOfChance(const DecisionDocument &document, SizeLimit limit, const LetIn &fleet)
{
    constexpr double some = 1e-6;
    return limit == SizeLimit::Deadline && document.limits.deadlineChance
        && fleet.needed > fleet.answer.figures.days * (1 + some);
}

/// Where a limit has to be for a fleet: "567 days (which keep it with 90 %; 468 days are likely)".
std::string neededOf(const DecisionDocument &document, SizeLimit limit, const LetIn &fleet)
{
    auto text = neededInWords(limit, fleet.needed);
    if (isOfChance(document, limit, fleet))
        text += " (which keep it with " + units::formatPercent(*document.limits.deadlineChance) + "; "
            + valueInWords(SizeLimit::Deadline, fleet.answer.figures.days) + " are likely)";
    return text;
}

/// That days of work are not days from the order, where it is known when the fleet is there: "; from the order 377
/// days".
std::string fromTheOrder(const DecisionDocument &document, const FleetFigures &figures)
{
    if (!std::isfinite(figures.readyDays) || !std::isfinite(figures.days))
        return {};
    const auto days = valueInWords(SizeLimit::Deadline, figures.readyDays + figures.days);
    return document.limits.deadlineChance ? "; from the order to the likely end of the work " + days
                                          : "; from the order to the end of the work " + days;
}

/// "7.39 MUSD, 984 kUSD or 11.8 % less, with 18.7 days and 330 MUSD of capital".
std::string gainInWords(
    const DecisionDocument &document, const Result &result, std::optional<SizeLimit> limit, const Answer &fleet)
{
    const auto objective = document.objective;
    const double winner = valueOf(objective, result.best()->figures), value = valueOf(objective, fleet.figures);
    const auto others = figuresInWords(fleet.figures, objective, limit);
    return objectiveInWords(objective, value) + ", " + objectiveInWords(objective, winner - value) + " or "
        + units::formatPercent(1 - value / winner) + (objective == DecisionObjective::Days ? " fewer" : " less")
        + (others.empty() ? "" : ", with " + others) + fromTheOrder(document, fleet.figures);
}

bool isSameFleet(const Answer &left, const Answer &right)
{
    return left.lot == right.lot && left.nodes == right.nodes && left.second == right.second;
}

/// The best without each limit, where that is another than the first one that it lets in.
std::vector<std::string> withoutLimitsInWords(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> sentences;
    for (const auto &[limit, allowed, nearest, best] : result.keptOut)
        if (nearest && best && !isSameFleet(nearest->answer, best->answer)
            && isWorthTelling(document, result, best->answer))
            sentences.push_back("Without the limit of " + statedInWords({limit, allowed}) + " the best is "
                + fleetInWords(result, best->answer) + ", at " + neededOf(document, limit, *best) + ": "
                + gainInWords(document, result, limit, best->answer) + ".");
    return sentences;
}

/// Limits of which none alone keeps out a better fleet.
std::string idleInWords(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> idle;
    for (const auto &kept : result.keptOut)
        if (!kept.any())
            idle.push_back(statedInWords({kept.limit, kept.allowed}));
    if (idle.empty())
        return {};
    const auto less = lessInWords(document.objective);
    auto text = "Nothing with " + less + " is kept out by " + listed(idle)
        + (idle.size() > 1 ? ", each alone." : " alone.");
    if (document.limits.plan.maxMemoryShare)
        text += " Fleets that only the memory share keeps out were not looked for.";
    return text;
}

std::string winnerInWords(const DecisionDocument &document, const Result &result)
{
    const auto &best = *result.best();
    const auto objective = document.objective;
    return "The least " + std::string(words(objective)) + ", "
        + objectiveInWords(objective, valueOf(objective, best.figures)) + ", has " + fleetInWords(result, best) + ": "
        + figuresInWords(best.figures, objective) + ".";
}

/// Of each limit that keeps out a better fleet which one.
std::vector<std::string> keptOutInShort(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> lines;
    const double value = valueOf(document.objective, result.best()->figures);
    for (const auto &kept : result.keptOut)
        if (const auto &fleet = kept.nearest ? kept.nearest : kept.best;
            fleet && isWorthTelling(document, result, fleet->answer))
            lines.push_back("With " + neededInWords(kept.limit, fleet->needed) + " instead of "
                + statedInWords({kept.limit, kept.allowed}) + ": " + shortFleetInWords(result, fleet->answer) + ", "
                + units::formatPercent(1 - valueOf(document.objective, fleet->answer.figures) / value) + " "
                + lessInWords(document.objective) + ".");
    return lines;
}

/// What speaks against the winner.
std::vector<std::string> warningsOf(const DecisionDocument &document, const Result &result, const HowSure *sure)
{
    const auto &best = *result.best();
    std::vector<std::string> warnings{measuredInWords(result),
        isBatchWorthALine(document, result) ? otherBatchInWords(document, result) : std::string(),
        capitalInWords(document, best), lateInDraws(document, sure), rivalInDraws(sure), commitment(result, best),
        lastDay(document, result, best), leadTimeInWords(result, best)};
    std::erase_if(warnings, [](const std::string &warning) { return warning.empty(); });
    return warnings;
}

} // namespace

std::vector<std::string> recommendation(const DecisionDocument &document, const Result &result, const HowSure *sure)
{
    const auto *best = result.best();
    if (!best)
        return nothingInWords(document, result);
    std::vector<std::string> sentences{winnerInWords(document, result)};
    std::ranges::move(warningsOf(document, result, sure), std::back_inserter(sentences));
    for (auto &kept : keptOutInWords(document, result))
        sentences.push_back(std::move(kept));
    if (auto simplest = simplestInWords(*best); !simplest.empty())
        sentences.push_back(std::move(simplest));
    if (std::ranges::any_of(document.candidates.offers, [](const OfferReference &reference) {
            const auto *offer = std::get_if<OfferDocument>(&reference);
            return offer && hasLicences(*offer);
        }))
        sentences.emplace_back("An offer has licences, so whatever is bought has them here, at catalog prices.");
    for (const auto &refused : result.refused)
        if (isOffer(document, refused.candidate))
            sentences.push_back("Left out: " + refused.candidate + ". " + refused.error.message);
    std::ranges::move(rivalsInWords(document, result), std::back_inserter(sentences));
    return sentences;
}

std::vector<std::string> briefly(const DecisionDocument &document, const Result &result, const HowSure *sure)
{
    const auto joined = [](const std::vector<std::string> &sentences) {
        std::string line;
        for (const auto &sentence : sentences)
            line += (line.empty() ? "" : " ") + sentence;
        return line;
    };
    if (!result.best())
        return {joined(nothingInWords(document, result))};
    std::vector<std::string> first{winnerInWords(document, result)};
    const auto without = withoutCapitalInWords(document, result);
    if (const auto rivals = rivalsInWords(document, result);
        !rivals.empty() && rivals.front() != without && result.byNode().size() > 1)
        first.push_back(rivals.front()); // the card of the base case says the other
    if (!without.empty())
        first.push_back(without);
    std::vector<std::string> lines{joined(first)};
    if (const auto warnings = warningsOf(document, result, sure); !warnings.empty())
        lines.push_back(joined(warnings));
    std::ranges::move(keptOutInShort(document, result), std::back_inserter(lines));
    return lines;
}

std::vector<std::string> inOrderOfWeight(const DecisionDocument &document, const Result &result, const HowSure *sure)
{
    if (!result.best())
        return nothingInWords(document, result);
    std::vector<std::string> sentences{winnerInWords(document, result)};
    const auto measured = measuredInWords(result), rival = rivalInDraws(sure);
    for (const auto &sentence : {measured, rival})
        if (!sentence.empty())
            sentences.push_back(sentence);
    const auto without = withoutCapitalInWords(document, result);
    if (!without.empty())
        sentences.push_back(without);
    if (const auto rivals = rivalsInWords(document, result);
        !rivals.empty() && rivals.front() != without && result.byNode().size() > 1)
        sentences.push_back(rivals.front());
    for (auto &warning : warningsOf(document, result, sure))
        if (warning != measured && warning != rival)
            sentences.push_back(std::move(warning));
    std::ranges::move(keptOutInShort(document, result), std::back_inserter(sentences));
    return sentences;
}

std::vector<std::string> rivalsInWords(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> sentences;
    const auto *best = result.best();
    if (!best)
        return sentences;
    const auto objective = document.objective;
    const double value = valueOf(objective, best->figures);
    const auto rows = result.byNode();
    const auto isOfAnotherNode = [&](const LotAnswer *row) {
        return result.lots[row->answer.lot].node != result.lots[best->lot].node;
    };
    if (const auto second = std::ranges::find_if(
            rows, [&](const LotAnswer *row) { return row->answer.isFeasible() && isOfAnotherNode(row); });
        second != rows.end())
        sentences.push_back(nextInWords(result, *result.best(), (*second)->answer));
    else if (std::ranges::any_of(rows, isOfAnotherNode))
        sentences.emplace_back(
            statedLimits(document).empty() ? "No other node can hold the jobs." : "No other node keeps all limits.");
    if (const auto &base = result.baseCase) {
        auto text = "The base case, " + fleetInWords(result.lots[result.baseLot], base->nodes) + ": "
            + againstWinner(objective, value, valueOf(objective, base->figures));
        if (const auto misses = missesInWords(*base); !misses.empty())
            text += "; it misses " + std::string(base->misses.size() == 1 ? "a limit" : "limits") + ": " + misses;
        sentences.push_back(sentenceCase(std::move(text)) + ".");
    }
    if (auto without = withoutCapitalInWords(document, result); !without.empty())
        sentences.push_back(std::move(without));
    return sentences;
}

std::vector<std::string> keptOutInWords(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> sentences;
    for (const auto &kept : result.keptOut)
        if (const auto &fleet = kept.nearest ? kept.nearest : kept.best;
            fleet && isWorthTelling(document, result, fleet->answer))
            sentences.push_back("With " + neededOf(document, kept.limit, *fleet) + " instead of "
                + statedInWords({kept.limit, kept.allowed}) + " it would be " + shortFleetInWords(result, fleet->answer)
                + ": " + gainInWords(document, result, kept.limit, fleet->answer) + ".");
    return sentences;
}

std::string otherBatchInWords(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> batches;
    for (const auto &range : otherBatches(document, result)) {
        const int own = document.jobs[range.job].training.globalBatch;
        batches.push_back("a batch of " + std::to_string(own == range.least ? range.most : range.least) + " instead of "
            + std::to_string(own)
            + (document.jobs.size() > 1 ? " for job " + std::to_string(range.job + 1) : std::string()));
    }
    if (batches.empty())
        return {};
    const auto &fleet = *result.otherBatch->best;
    const auto begin = "With " + listed(batches);
    if (!result.best())
        return begin + " all limits are kept by " + shortFleetInWords(result, fleet) + ": "
            + objectiveInWords(document.objective, valueOf(document.objective, fleet.figures)) + ", with "
            + figuresInWords(fleet.figures, document.objective) + fromTheOrder(document, fleet.figures) + ".";
    return begin + " it would be " + shortFleetInWords(result, fleet) + ": "
        + gainInWords(document, result, std::nullopt, fleet) + ".";
}

std::vector<std::string> bindingInWords(const DecisionDocument &document, const Result &result)
{
    if (!result.best()) {
        std::vector<std::string> sentences{recommendation(document, result).front()};
        if (auto left = leftOutInWords(document, result); !left.empty() && !result.answers.empty())
            sentences.push_back(std::move(left));
        return sentences;
    }
    std::vector<std::string> sentences{tightestOfWinner(document, result)};
    for (auto &batch : {otherBatchInWords(document, result), leftOutInWords(document, result)})
        if (!batch.empty())
            sentences.push_back(batch);
    for (auto &kept : keptOutInWords(document, result))
        sentences.push_back(std::move(kept));
    for (auto &without : withoutLimitsInWords(document, result))
        sentences.push_back(std::move(without));
    if (auto idle = idleInWords(document, result); !idle.empty())
        sentences.push_back(std::move(idle));
    return sentences;
}

std::string countsInWords(const Result &result)
{
    const auto &counts = result.counts;
    auto text = counted(double(counts.fleets), "fleet", "fleets") + " of "
        + counted(double(counts.lots), "kind", "kinds");
    if (counts.useless > 0)
        text += "; " + counted(double(counts.useless), "number of nodes", "numbers of nodes")
            + " left out, which no layout of the jobs divides or no network reaches";
    return text;
}

} // namespace fleetwright::size
