// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/bettersteps.h"

#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <functional>

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

} // namespace

std::vector<BetterStep> betterSteps(const DecisionDocument &document, const Result &result)
{
    const auto *best = result.best();
    auto steps = best ? std::vector<BetterStep>() : stepsIntoTheLimits(document, result);
    const double least = best ? valueOf(document.objective, best->figures) : unknownFigure;
    const auto add = [&](std::string takes, const Answer &fleet) {
        const double value = valueOf(document.objective, fleet.figures);
        auto words = shortFleetInWords(result, fleet);
        const bool isThere = std::ranges::any_of(
            steps, [&](const BetterStep &step) { return step.takes == takes && step.fleet == words; });
        if (!isThere)
            steps.push_back({.takes = std::move(takes),
                .fleet = std::move(words),
                .figures = fleet.figures,
                .objective = value,
                .saved = 1 - value / least});
    };
    if (const auto batches = otherBatches(document, result); !batches.empty())
        add(batchesMoved(document, batches), *result.otherBatch->best);
    // Nobody moves a limit as far as the best without it needs before having looked at the first step.
    for (const auto of : {&KeptOut::nearest, &KeptOut::best}) {
        const auto from = std::ptrdiff_t(steps.size());
        for (const auto &kept : result.keptOut)
            if (const auto &fleet = kept.*of; fleet && isWorthTelling(document, result, fleet->answer))
                add(limitMoved({kept.limit, kept.allowed}, fleet->needed), asAllowed(kept.limit, *fleet));
        std::ranges::stable_sort(steps.begin() + from, steps.end(), std::greater(), &BetterStep::saved);
    }
    for (const auto &kept : result.keptOut)
        if (!kept.any())
            steps.push_back(
                {.takes = std::string(titleOf(kept.limit)) + ": " + statedValueInWords({kept.limit, kept.allowed}),
                    .fleet = {}});
    return steps;
}

std::string otherBatchInShort(const DecisionDocument &document, const Result &result)
{
    const auto *best = result.best();
    std::vector<std::string> batches;
    for (const auto &range : otherBatches(document, result)) {
        const int own = document.jobs[range.job].training.globalBatch;
        batches.push_back("a batch of " + std::to_string(own == range.least ? range.most : range.least) + " instead of "
            + std::to_string(own));
    }
    if (!best || batches.empty())
        return {};
    const auto &fleet = *result.otherBatch->best;
    const auto by = units::formatPercent(
        1 - valueOf(document.objective, fleet.figures) / valueOf(document.objective, best->figures));
    const auto what = shortFleetInWords(result, fleet), of = std::string(words(document.objective));
    const auto others = figuresInWords(fleet.figures, document.objective);
    return document.objective == DecisionObjective::Days
        ? "With " + listed(batches) + ": " + what + ", " + by + " fewer " + of + ", with " + others + "."
        : "With " + listed(batches) + ": " + what + ", " + by + " less " + of + ", with " + others + ".";
}

} // namespace fleetwright::size
