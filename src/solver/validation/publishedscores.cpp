// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/publishedchoices.h"

#include "solver/search/layoutsearchwords.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::validation {

namespace {

constexpr auto rankingModel = "detailed";

layoutsearch::Request requestOf(const PublishedChoice &choice, const LayoutSearchSpace &space)
{
    layoutsearch::Request request{
        .cases = {{.label = {}, .plan = choice.plan}}, .space = space, .costModelId = rankingModel};
    request.rows = 1;
    return request;
}

int firstOr(const std::vector<int> &values, int otherwise) { return values.empty() ? otherwise : values.front(); }

/// The published values, the plan's own where nothing is published.
Layout statedLayout(const PublishedChoice &choice)
{
    const auto &parallelism = choice.plan->parallelism;
    const auto &training = choice.plan->training;
    const auto &chosen = choice.chosen;
    Layout layout{.tp = parallelism.tp,
        .cp = parallelism.cp,
        .pp = parallelism.pp,
        .ep = parallelism.ep,
        .virtualStages = parallelism.virtualStages};
    layout.dp = choice.plan->fleet->accelerators() / (layout.tp * layout.cp * layout.pp);
    layout.microbatchSize = training.microbatchSize.value_or(1);
    layout.recompute = static_cast<Recompute>(firstOr(chosen[LayoutSearchOption::Recompute], int(training.recompute)));
    layout.zeroStage = std::int8_t(firstOr(chosen[LayoutSearchOption::ZeroStage], parallelism.zeroStage));
    layout.sequenceParallel = firstOr(
                                  chosen[LayoutSearchOption::SequenceParallel], parallelism.sequenceParallel ? 1 : 0)
        != 0;
    return layout;
}

/// The published layout with the fastest of what is not published; where none of these fits, the plan's own, so that
/// there is something to say.
Expected<PublishedScore> priced(const PublishedChoice &choice, const layoutsearch::Control &control)
{
    const auto found = layoutsearch::run(requestOf(choice, choice.chosen), control);
    if (!found)
        return std::unexpected(found.error());
    PublishedScore score{.choice = choice, .facts = found->cases.front()};
    if (const auto *best = found->best()) {
        score.published = *best;
        return score;
    }
    score.published.layout = statedLayout(choice);
    const auto &plan = *choice.plan;
    const auto detailed = findCostModel(rankingModel);
    if (!detailed)
        return std::unexpected(detailed.error());
    const auto pricing = (*detailed)->prepareLayouts(plan.workload, plan.fleet, plan.training, plan.assumptions);
    if (!pricing)
        return std::unexpected(pricing.error());
    if (!(*pricing)->accepts(score.published.layout))
        return refuse(ErrorCode::InfeasibleParallelism, choice.id,
            "The cost model does not take the published layout of " + choice.title + ".");
    const auto memory = (*pricing)->memory(score.published.layout);
    score.published.memoryBytes = memory.bytes;
    score.fits = memory.fits;
    const auto figures = (*pricing)->price(score.published.layout);
    score.published.stepSeconds = figures.stepSeconds;
    score.published.mfu = figures.mfu;
    return score;
}

Expected<Standing> standingOf(
    const PublishedScore &score, const LayoutSearchSpace &space, const layoutsearch::Control &control)
{
    auto request = requestOf(score.choice, space);
    request.referenceSeconds = score.published.stepSeconds;
    const auto found = layoutsearch::run(request, control);
    if (!found)
        return std::unexpected(found.error());
    Standing standing{.counts = found->total()};
    standing.rank = standing.counts.faster + 1;
    if (const auto *best = found->best())
        standing.best = *best;
    double own = score.published.stepSeconds;
    const auto split = splitOf(score.published.layout);
    for (const auto &group : found->groups)
        if (group.best && group.split == split)
            own = group.best->stepSeconds;
    for (const auto &group : found->groups)
        if (group.best) {
            ++standing.splits;
            standing.splitRank += group.best->stepSeconds < own;
        }
    return standing;
}

/// The same plan on accelerators whose memory is no limit.
Expected<Plan> withoutMemoryLimit(const Plan &plan)
{
    constexpr double plenty = 1000;
    auto accelerator = *plan->fleet->node->accelerator;
    accelerator.memoryCapacity *= plenty;
    auto roomy = Accelerator::create(std::move(accelerator));
    if (!roomy)
        return std::unexpected(roomy.error());
    auto nodeFacts = *plan->fleet->node;
    nodeFacts.accelerator = std::move(*roomy);
    auto node = Node::create(std::move(nodeFacts));
    if (!node)
        return std::unexpected(node.error());
    auto fleetFacts = *plan->fleet;
    fleetFacts.node = std::move(*node);
    auto fleet = Fleet::create(std::move(fleetFacts));
    if (!fleet)
        return std::unexpected(fleet.error());
    auto facts = *plan;
    facts.fleet = std::move(*fleet);
    return Plan::create(std::move(facts));
}

Expected<std::optional<BeyondMemory>> beyondMemoryOf(const PublishedScore &score, const layoutsearch::Control &control)
{
    auto request = requestOf(score.choice, score.choice.chosen);
    auto roomy = withoutMemoryLimit(score.choice.plan);
    if (!roomy)
        return std::unexpected(roomy.error());
    request.cases.front().plan = std::move(*roomy);
    const auto found = layoutsearch::run(request, control);
    if (!found)
        return std::unexpected(found.error());
    const auto *best = found->best();
    if (!best || best->memoryBytes <= score.facts.capacityBytes || best->stepSeconds >= score.published.stepSeconds)
        return std::optional<BeyondMemory>();
    auto ranked = requestOf(score.choice, score.choice.software);
    ranked.referenceSeconds = best->stepSeconds;
    const auto standing = layoutsearch::run(ranked, control);
    if (!standing)
        return std::unexpected(standing.error());
    return BeyondMemory{*best, standing->total().faster + 1};
}

std::string saved(double from, double to) { return units::formatPercent(1 - to / from); }

Expected<std::vector<std::string>> reasonsOf(const PublishedScore &score)
{
    std::vector<std::string> sentences;
    const auto &standing = score.software;
    const auto time = [](double seconds) { return units::format(seconds * second); };
    if (!score.fits)
        sentences.push_back("By the model the published layout needs "
            + units::format(score.published.memoryBytes * byte) + " of "
            + units::format(score.facts.capacityBytes * byte) + " and does not fit, although it ran.");
    if (!standing.best) {
        sentences.emplace_back("By the model no layout fits.");
        return sentences;
    }
    const auto &best = *standing.best;
    if (standing.rank == 1)
        sentences.push_back("No layout that the software could run is faster: the published one is found.");
    else
        sentences.push_back("Best found: " + inWords(best.layout) + "; the step is "
            + saved(score.published.stepSeconds, best.stepSeconds)
            + " shorter. What follows is about the published layout.");
    if (standing.rank > 1) {
        auto request = requestOf(score.choice, score.choice.software);
        const auto why = layoutsearch::whyNot(request, score.published.layout, 0, best);
        if (!why)
            return std::unexpected(why.error());
        sentences.insert(sentences.end(), why->begin(), why->end());
    }
    if (score.beyondMemory) {
        const auto &beyond = *score.beyondMemory;
        sentences.push_back("What is published would also allow " + settingsInWords(beyond.row.layout) + ": "
            + time(beyond.row.stepSeconds) + ", rank " + std::to_string(beyond.rank) + ", but by the model "
            + units::format(beyond.row.memoryBytes * byte) + " of " + units::format(score.facts.capacityBytes * byte)
            + "; the run may have saved memory by means that the model does not know.");
    }
    if (score.everything && score.everything->best && score.everything->best->stepSeconds < best.stepSeconds) {
        const auto &other = *score.everything->best;
        sentences.push_back("With what software can do today, otherwise alike: " + inWords(other.layout) + " takes "
            + time(other.stepSeconds) + ", " + saved(score.published.stepSeconds, other.stepSeconds)
            + " less than the published layout.");
    }
    return sentences;
}

} // namespace

double Standing::share() const { return counts.legal() > 0 ? std::min(1.0, double(rank) / double(counts.legal())) : 1; }
double Standing::feasibleShare() const
{
    return counts.feasible > 0 ? std::min(1.0, double(rank) / double(counts.feasible)) : 1;
}

double PublishedScore::gain() const
{
    return software.best ? std::max(0.0, 1 - software.best->stepSeconds / published.stepSeconds) : 0;
}

std::string topInWords(double share) { return "top " + units::formatPercent(share); }

Expected<std::vector<PublishedScore>> scorePublishedChoices(
    std::span<const PublishedChoice> choices, const PublishedControl &control)
{
    // Rough shares of the work: everything has some twenty times as many layouts as the software of 2021 could run.
    constexpr double softwareShare = 0.2;
    std::vector<PublishedScore> scores;
    const auto part = [&](double from, double to) {
        layoutsearch::Control inner{.stop = control.stop, .threads = control.threads};
        if (control.progress)
            inner.progress = [&, from, to](const layoutsearch::Snapshot &snapshot) {
                control.progress(
                    (double(scores.size()) + from + (to - from) * snapshot.share) / double(choices.size()));
            };
        return inner;
    };
    for (const auto &choice : choices) {
        auto score = priced(choice, part(0, 0));
        if (!score)
            return std::unexpected(score.error());
        auto beyond = beyondMemoryOf(*score, part(0, 0));
        if (!beyond)
            return std::unexpected(beyond.error());
        score->beyondMemory = *beyond;
        const bool limited = !choice.limits.empty();
        auto software = standingOf(*score, choice.software, part(0, limited ? softwareShare : 1));
        if (!software)
            return std::unexpected(software.error());
        score->software = std::move(*software);
        if (limited) {
            auto everything = standingOf(*score, {}, part(softwareShare, 1));
            if (!everything)
                return std::unexpected(everything.error());
            score->everything = std::move(*everything);
        }
        auto reasons = reasonsOf(*score);
        if (!reasons)
            return std::unexpected(reasons.error());
        score->reasons = std::move(*reasons);
        scores.push_back(std::move(*score));
        if (control.progress)
            control.progress(double(scores.size()) / double(choices.size()));
    }
    return scores;
}

} // namespace fleetwright::validation
