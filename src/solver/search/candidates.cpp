// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/candidates.h"

#include "solver/answer/layoutrules.h"
#include "solver/search/recommendation.h"

#include <algorithm>

namespace fleetwright::layoutsearch {

namespace {

std::vector<int> divisorsOf(std::int64_t number)
{
    std::vector<int> divisors;
    for (std::int64_t i = 1; i * i <= number; ++i)
        if (number % i == 0) {
            divisors.push_back(int(i));
            if (i != number / i)
                divisors.push_back(int(number / i));
        }
    std::ranges::sort(divisors);
    return divisors;
}

/// The values of an option in this case, `every` where the space names none; the plan's own where the model does not
/// price the option.
Expected<std::vector<int>> valuesOf(LayoutSearchOption option, const LayoutSearchSpace &space,
    const LayoutSearchTraits &traits, std::vector<int> every, int own)
{
    const auto &named = space[option];
    if (traits.options.has(option))
        return named.empty() ? std::move(every) : named;
    if (named.size() > 1)
        return refuse(ErrorCode::OutOfRange, "space." + std::string(toString(option)),
            "The cost model does not price " + std::string(titleOf(option))
                + ", so all its values would look alike; name one value or leave it at any.");
    return named.empty() ? std::vector{own} : named;
}

/// The first rule of layouts, or choice of the space, that the split breaks; fills in DP.
std::optional<Exclusion> brokenBy(Split &split, const LayoutRules &rules, const LayoutSearchSpace &space)
{
    const auto broken = rules.broken(split);
    if (!space.tpAcrossDomains && rules.acrossDomains(split))
        return Exclusion::Placement;
    if (broken)
        return broken;
    const auto &asked = space[LayoutSearchOption::Dp];
    if (!asked.empty() && !std::ranges::binary_search(asked, split.dp))
        return Exclusion::DataParallelism;
    return std::nullopt;
}

} // namespace

CaseFacts factsOf(const Case &searched, const LayoutSearchTraits &traits)
{
    const auto &plan = *searched.plan;
    const auto &accelerator = *plan.fleet->node->accelerator;
    CaseFacts facts{
        .label = searched.label, .accelerators = plan.fleet->accelerators(), .globalBatch = plan.training.globalBatch};
    if (traits.tokens)
        facts.tokensPerStep = double(plan.training.globalBatch) * plan.training.sequenceLength;
    facts.capacityBytes = accelerator.memoryCapacity.value();
    const Limits limits(searched.plan);
    facts.limitBytes = limits.mostMemoryBytes();
    facts.roomyBytes = plan.constraints.maxMemoryShare
        ? facts.limitBytes
        : std::min(facts.limitBytes, defaultMemoryShare * facts.capacityBytes);
    facts.scaleUpDomain = LayoutRules(searched.plan, traits).scaleUpDomain();
    if (const auto rate = limits.fleetRate())
        facts.dollarsPerSecond = rate->value();
    return facts;
}

Expected<OptionValues> optionValues(
    const Plan &plan, const LayoutSearchSpace &space, const LayoutSearchTraits &traits, std::int64_t accelerators)
{
    const auto &training = plan->training;
    std::optional<Error> refused;
    const auto values = [&](LayoutSearchOption option, std::vector<int> every, int plans) {
        auto list = valuesOf(option, space, traits, std::move(every), plans);
        if (!list && !refused)
            refused = list.error();
        return list.value_or(std::vector<int>());
    };
    const auto ranks = divisorsOf(accelerators);
    OptionValues asked;
    asked.tps = values(LayoutSearchOption::Tp, ranks, 1);
    asked.cps = values(LayoutSearchOption::Cp, ranks, 1);
    asked.pps = values(LayoutSearchOption::Pp, ranks, 1);
    asked.eps = values(LayoutSearchOption::Ep, divisorsOf(std::max(1, plan->workload->experts.value_or(1))), 1);
    asked.microbatchSizes = values(
        LayoutSearchOption::MicrobatchSize, divisorsOf(training.globalBatch), training.microbatchSize.value_or(1));
    asked.zeroStages = values(LayoutSearchOption::ZeroStage, {0, 1, 2, 3}, plan->parallelism.zeroStage);
    asked.recomputes = values(LayoutSearchOption::Recompute, {0, 1, 2}, int(training.recompute));
    asked.sequenceParallels = values(
        LayoutSearchOption::SequenceParallel, {0, 1}, plan->parallelism.sequenceParallel ? 1 : 0);
    asked.virtualStages = values(LayoutSearchOption::VirtualStages, {}, plan->parallelism.virtualStages);
    if (refused)
        return std::unexpected(*refused);
    return asked;
}

std::vector<Candidate> pipelinesOf(const Split &ranks, const OptionValues &asked, const LayoutRules &rules,
    const LayoutSearchSpace &space, std::int64_t globalBatch, LayoutPricing &pricing,
    const std::function<void(Exclusion, std::uint64_t)> &exclude)
{
    std::vector<Candidate> candidates;
    for (const int pp : asked.pps) {
        Candidate candidate{.split = {.tp = ranks.tp, .cp = ranks.cp, .pp = pp, .ep = ranks.ep}};
        if (!rules.divides(candidate.split))
            continue;
        auto virtualStages = asked.virtualStages;
        if (virtualStages.empty()) {
            const auto most = pp > 1 ? rules.mostChunks() / pp : 1;
            for (int v = 1; v == 1 || v <= most; ++v)
                virtualStages.push_back(v);
        }
        auto reason = brokenBy(candidate.split, rules, space);
        if (!reason) {
            const Layout first{.tp = ranks.tp, .cp = ranks.cp, .pp = pp, .ep = ranks.ep, .dp = candidate.split.dp};
            if (candidate.split.dp <= globalBatch && !pricing.accepts(first))
                reason = Exclusion::ModelRefuses;
        }
        if (reason) {
            exclude(*reason, virtualStages.size());
            continue;
        }
        for (const int v : virtualStages) {
            if (!rules.roomFor(pp, v))
                exclude(Exclusion::Stages, 1);
            else if (v > 1 && !space.unevenChunks && !rules.evenChunks(std::int64_t(pp) * v))
                exclude(Exclusion::Chunks, 1);
            else
                candidate.virtualStages.push_back(v);
        }
        candidates.push_back(std::move(candidate));
    }
    return candidates;
}

Expected<CaseCandidates> candidatesOf(const Case &searched, int caseIndex, std::size_t firstGroup,
    const LayoutSearchSpace &space, const LayoutSearchTraits &traits, LayoutPricing &pricing)
{
    const auto &plan = searched.plan;
    const LayoutRules rules(plan, traits);
    CaseCandidates found{.space = CaseSpace(plan)};
    auto &own = found.space;

    auto asked = optionValues(plan, space, traits, rules.accelerators());
    if (!asked)
        return std::unexpected(asked.error());
    own.microbatchSizes = std::move(asked->microbatchSizes);
    own.zeroStages = std::move(asked->zeroStages);

    const std::uint64_t perStages = own.microbatchSizes.size() * own.zeroStages.size();
    const std::uint64_t variants = asked->recomputes.size() * asked->sequenceParallels.size();
    const auto exclude = [&found](Exclusion reason, std::uint64_t layouts) {
        found.counts.excluded[static_cast<std::size_t>(reason)] += layouts;
    };

    for (const int tp : asked->tps)
        for (const int cp : asked->cps)
            for (const int ep : asked->eps) {
                const Split ranks{.tp = tp, .cp = cp, .ep = ep};
                auto candidates = std::make_shared<std::vector<Candidate>>(pipelinesOf(ranks, *asked, rules, space,
                    own.globalBatch, pricing, [&](Exclusion reason, std::uint64_t pipelines) {
                        exclude(reason, pipelines * perStages * variants);
                    }));
                std::uint64_t layouts = 0; // of one variant
                for (auto &candidate : *candidates) {
                    layouts += candidate.virtualStages.size() * perStages;
                    candidate.group = firstGroup + found.groups.size();
                    found.groups.push_back(candidate.split);
                }
                if (candidates->empty())
                    continue;
                for (const int sequenceParallel : asked->sequenceParallels)
                    for (const int recompute : asked->recomputes) {
                        if (tp == 1 && sequenceParallel != asked->sequenceParallels.front()) {
                            exclude(Exclusion::NoEffect, layouts);
                            continue;
                        }
                        found.pieces.push_back({.caseIndex = caseIndex,
                            .sequenceParallel = sequenceParallel != 0,
                            .recompute = static_cast<Recompute>(recompute),
                            .candidates = candidates,
                            .layouts = layouts});
                    }
            }
    return found;
}

} // namespace fleetwright::layoutsearch
