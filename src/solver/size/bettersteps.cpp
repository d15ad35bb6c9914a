// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/bettersteps.h"

#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace fleetwright::size {

namespace {

std::string limitMoved(const StatedLimit &stated, double needed)
{
    return std::string(titleOf(stated.limit)) + ": " + neededValueInWords(stated.limit, needed) + " instead of "
        + statedValueInWords(stated);
}

/// The figure that the limit is of as it has to be allowed, so that one row does not say it twice with other digits.
Answer asAllowed(SizeLimit limit, const LetIn &fleet)
{
    auto answer = fleet.answer;
    constexpr double same = 1e-6; // days that keep a demanded chance are others than the likely ones
    for (const auto &[of, figure] : {std::pair(SizeLimit::Deadline, &answer.figures.days),
             std::pair(SizeLimit::Capital, &answer.figures.capitalUsd)})
        if (limit == of && std::abs(fleet.needed - *figure) <= same * *figure)
            *figure = neededToDigits(limit, fleet.needed);
    return answer;
}

std::string batchesMoved(const DecisionDocument &document, const std::vector<BatchRange> &ranges)
{
    std::vector<std::string> moved;
    for (const auto &range : ranges) {
        const int own = document.jobs[range.job].training.globalBatch;
        const auto batch = std::to_string(own == range.least ? range.most : range.least) + " instead of "
            + std::to_string(own);
        moved.push_back(document.jobs.size() > 1 ? "Batch of job " + std::to_string(range.job + 1) + ": " + batch
                                                 : "Batch: " + batch);
    }
    return listed(moved);
}

std::vector<BetterStep> stepsIntoTheLimits(const DecisionDocument &document, const Result &result)
{
    std::vector<BetterStep> steps;
    const auto stated = statedLimits(document);
    for (const auto &remedy : result.remedies) {
        const auto of = std::ranges::find(stated, remedy.limit, &StatedLimit::limit);
        steps.push_back({.takes = of != stated.end()
                ? limitMoved(*of, remedy.needed)
                : std::string(titleOf(remedy.limit)) + ": " + neededValueInWords(remedy.limit, remedy.needed),
            .fleet = fleetInWords(result.lots[remedy.lot], remedy.nodes),
            .figures = remedy.figures,
            .objective = remedy.objective});
    }
    return steps;
}

/// How far a figure is moved, as a share of what it was.
double shareMoved(double from, double to)
{
    return from > 0 ? std::abs(to / from - 1) : std::numeric_limits<double>::infinity();
}

double shareMoved(const DecisionDocument &document, const std::vector<BatchRange> &ranges)
{
    double most = 0;
    for (const auto &range : ranges) {
        const int own = document.jobs[range.job].training.globalBatch;
        most = std::max(most, shareMoved(own, own == range.least ? range.most : range.least));
    }
    return most;
}

/// Something that is allowed, and the fleet that it lets in.
struct Moved {
    std::string takes;
    Answer fleet;
    double share = 0;
};

/// Of each fleet something that people read.
using Reading = std::function<std::string(const Answer &)>;

/// Behind the names that read alike, where what is read is not the same of all of them.
std::vector<std::string> withWhatDiffers(
    std::vector<std::string> names, std::span<const Answer *const> answers, const Reading &read)
{
    const auto before = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!answers[i])
            continue;
        const auto own = read(*answers[i]);
        bool isUnlike = false;
        for (std::size_t k = 0; k < names.size(); ++k)
            isUnlike = isUnlike || (answers[k] && before[k] == before[i] && read(*answers[k]) != own);
        if (isUnlike && !own.empty())
            names[i] += ", " + own;
    }
    return names;
}

} // namespace

std::vector<std::string> distinctFleetsInWords(
    const DecisionDocument &document, const Result &result, std::span<const Answer *const> answers)
{
    std::vector<std::string> names;
    for (const auto *answer : answers)
        names.push_back(answer ? shortFleetInWords(result, *answer) : std::string());
    for (const Reading &read : {Reading([&](const Answer &answer) { return result.lots[answer.lot].fabric; }),
             Reading([&](const Answer &answer) { return result.lots[answer.lot].site; }),
             Reading([&](const Answer &answer) { return splitsInWords(document, answer); })})
        names = withWhatDiffers(std::move(names), answers, read);
    return names;
}

std::vector<BetterStep> betterSteps(const DecisionDocument &document, const Result &result)
{
    const auto *best = result.best();
    std::vector<Moved> moves;
    if (const auto batches = otherBatches(document, result); !batches.empty())
        moves.push_back({batchesMoved(document, batches), *result.otherBatch->best, shareMoved(document, batches)});
    if (best)
        for (const auto &kept : result.keptOut)
            for (const auto &fleet : {kept.nearest, kept.best})
                if (fleet && isWorthTelling(document, result, fleet->answer))
                    moves.push_back({limitMoved({kept.limit, kept.allowed}, fleet->needed),
                        asAllowed(kept.limit, *fleet), shareMoved(kept.allowed, fleet->needed)});
    // Nobody moves a limit by far before having looked at what less of it brings.
    std::ranges::stable_sort(moves, std::less(), &Moved::share);
    std::vector<const Answer *> fleets;
    for (const auto &moved : moves)
        fleets.push_back(&moved.fleet);
    const auto names = distinctFleetsInWords(document, result, fleets);
    auto steps = best ? std::vector<BetterStep>() : stepsIntoTheLimits(document, result);
    const double least = best ? valueOf(document.objective, best->figures) : unknownFigure;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto &[takes, fleet, share] = moves[i];
        const bool isThere = std::ranges::any_of(
            steps, [&](const BetterStep &step) { return step.takes == takes && step.fleet == names[i]; });
        const double value = valueOf(document.objective, fleet.figures);
        if (!isThere)
            steps.push_back({.takes = takes,
                .fleet = names[i],
                .figures = fleet.figures,
                .objective = value,
                .saved = 1 - value / least});
    }
    for (const auto &kept : result.keptOut)
        if (!kept.any())
            steps.push_back(
                {.takes = std::string(titleOf(kept.limit)) + ": " + statedValueInWords({kept.limit, kept.allowed}),
                    .fleet = {}});
    return steps;
}

std::string batchesInWords(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> batches;
    for (const auto &range : otherBatches(document, result)) {
        const int own = document.jobs[range.job].training.globalBatch;
        batches.push_back("a batch of " + std::to_string(own == range.least ? range.most : range.least) + " instead of "
            + std::to_string(own));
    }
    return listed(batches);
}

std::vector<std::string> movesInWords(const DecisionDocument &document, const Result &result)
{
    std::vector<std::string> asked;
    std::string moves;
    const auto stated = statedLimits(document);
    for (const auto &remedy : result.remedies)
        if (const auto of = std::ranges::find(stated, remedy.limit, &StatedLimit::limit); of != stated.end())
            moves += (moves.empty() ? "" : ", or ") + neededInWords(remedy.limit, remedy.needed) + " instead of "
                + statedInWords(*of);
    if (!moves.empty())
        asked.push_back("Nothing is to be approved yet. A limit has to be moved: " + moves + ".");
    const auto batches = batchesInWords(document, result);
    if (batches.empty())
        return asked;
    const auto &fleet = *result.otherBatch->best;
    const auto name = shortFleetInWords(result, fleet), figures = figuresInWords(fleet.figures, document.objective);
    if (moves.empty())
        asked.emplace_back("Nothing is to be approved yet.");
    asked.push_back(moves.empty()
            ? "The team that trains has to agree to " + batches + ": then it is " + name + ", with " + figures + "."
            : "Or the team that trains agrees to " + batches + ": then it is " + name + ", with " + figures + ".");
    return asked;
}

std::string otherBatchInShort(const DecisionDocument &document, const Result &result)
{
    const auto *best = result.best();
    const auto batches = batchesInWords(document, result);
    if (!best || batches.empty() || !isBatchWorthALine(document, result))
        return {};
    const auto &fleet = *result.otherBatch->best;
    const auto by = units::formatPercent(
        1 - valueOf(document.objective, fleet.figures) / valueOf(document.objective, best->figures));
    const auto what = shortFleetInWords(result, fleet), of = std::string(words(document.objective));
    const auto others = figuresInWords(fleet.figures, document.objective);
    return document.objective == DecisionObjective::Days
        ? "With " + batches + ": " + what + ", " + by + " fewer " + of + ", with " + others + "."
        : "With " + batches + ": " + what + ", " + by + " less " + of + ", with " + others + ".";
}

} // namespace fleetwright::size
