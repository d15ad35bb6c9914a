// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/search/candidates.h"

#include <algorithm>

namespace fleetwright::layoutsearch {

namespace {

/// Some frameworks count the embedding and the output layer as layers when they cut a model into stages.
constexpr std::int64_t endLayers = 2;

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

/// What the rules of legality ask about a case.
class Rules {
public:
    Rules(const Plan &plan, const LayoutSearchSpace &space, const LayoutSearchTraits &traits)
        : m_plan(plan), m_space(space), m_traits(traits), m_workload(*plan->workload),
          m_accelerators(plan->fleet->accelerators()),
          m_domain(std::min<std::int64_t>(plan->fleet->node->scaleUpDomainSize, m_accelerators))
    {
    }

    [[nodiscard]] std::int64_t accelerators() const { return m_accelerators; }
    [[nodiscard]] std::int64_t layers() const { return m_workload.layers.value_or(0); }

    /// Of a split whose TP x CP x PP divides the accelerators; `dp` is filled in.
    [[nodiscard]] std::optional<Exclusion> broken(Split &split) const
    {
        const std::int64_t tp = split.tp;
        if (tp <= m_domain ? m_domain % tp != 0 : !m_space.tpAcrossDomains || tp % m_domain != 0)
            return Exclusion::Placement;
        if (m_workload.attentionHeads && *m_workload.attentionHeads % tp != 0)
            return Exclusion::Heads;
        if (m_workload.kvHeads && *m_workload.kvHeads % tp != 0 && tp % *m_workload.kvHeads != 0)
            return Exclusion::KvHeads;
        if (m_workload.ffnHiddenSize && denseLayers() && *m_workload.ffnHiddenSize % tp != 0)
            return Exclusion::FfnSize;
        if (m_workload.layers && split.pp > *m_workload.layers + endLayers)
            return Exclusion::Layers;
        if (split.cp > 1 && m_plan->training.sequenceLength % (2 * std::int64_t(split.cp)) != 0)
            return Exclusion::Sequence;
        if (split.ep > 1 && (!m_workload.experts || *m_workload.experts % split.ep != 0))
            return Exclusion::Experts;
        const auto data = m_accelerators / (tp * split.cp * split.pp);
        if ((m_traits.expertsInsideData ? tp * split.cp * data : data) % split.ep != 0)
            return Exclusion::ExpertRanks;
        split.dp = int(m_traits.expertsInsideData ? data : data / split.ep);
        const auto &asked = m_space[LayoutSearchOption::Dp];
        if (!asked.empty() && !std::ranges::binary_search(asked, split.dp))
            return Exclusion::DataParallelism;
        return std::nullopt;
    }

    [[nodiscard]] bool evenChunks(std::int64_t chunks) const
    {
        return m_space.unevenChunks || layers() % chunks == 0 || (layers() + 1) % chunks == 0
            || (layers() + endLayers) % chunks == 0;
    }

private:
    [[nodiscard]] bool denseLayers() const
    {
        return m_workload.experts.value_or(0) <= 1 || m_workload.firstDenseLayers.value_or(0) > 0
            || m_workload.expertLayerInterval.value_or(1) > 1;
    }

    const Plan &m_plan;
    const LayoutSearchSpace &m_space;
    const LayoutSearchTraits &m_traits;
    const WorkloadFacts &m_workload;
    std::int64_t m_accelerators, m_domain;
};

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

CaseSpace limitsOf(const Plan &plan)
{
    CaseSpace space;
    const auto &limits = plan->constraints;
    const auto &node = *plan->fleet->node;
    const double accelerators = plan->fleet->accelerators();
    if (limits.maxStepTime)
        space.stepLimit = limits.maxStepTime->value();
    space.leastMfu = limits.minMfu;
    if (const auto tokens = plan->tokenBudget(); tokens && *tokens > 0) {
        const double steps = *tokens / (double(plan->training.globalBatch) * plan->training.sequenceLength);
        if (limits.deadline)
            space.deadlineLimit = limits.deadline->value() / steps;
        if (limits.budget && node.accelerator->cloudPriceLow)
            space.budgetLimit = limits.budget->value()
                / (steps * accelerators * node.accelerator->cloudPriceLow->value());
    }
    if (limits.maxPower) {
        std::optional<Watts> power;
        if (node.maxPower)
            power = double(plan->fleet->nodeCount) * *node.maxPower;
        else if (node.accelerator->tdp)
            power = accelerators * *node.accelerator->tdp;
        if (power && plan->fleet->site.pue)
            power = *plan->fleet->site.pue * *power;
        space.power = power && *power > *limits.maxPower;
    }
    return space;
}

} // namespace

std::optional<Exclusion> CaseSpace::broken(const LayoutFigures &figures) const
{
    if (power)
        return Exclusion::Power;
    if (leastMfu && !(figures.mfu >= *leastMfu) && !std::isnan(figures.mfu))
        return Exclusion::Mfu;
    if (stepLimit && figures.stepSeconds > *stepLimit)
        return Exclusion::StepTime;
    if (deadlineLimit && figures.stepSeconds > *deadlineLimit)
        return Exclusion::Deadline;
    if (budgetLimit && figures.stepSeconds > *budgetLimit)
        return Exclusion::Budget;
    return std::nullopt;
}

CaseFacts factsOf(const Case &searched)
{
    const auto &plan = *searched.plan;
    const auto &accelerator = *plan.fleet->node->accelerator;
    CaseFacts facts{
        .label = searched.label, .accelerators = plan.fleet->accelerators(), .globalBatch = plan.training.globalBatch};
    if (plan.workload->family != WorkloadFamily::Other || plan.workload->hybrid
        || plan.workload->forwardFlopsUnit == "flop_per_token")
        facts.tokensPerStep = double(plan.training.globalBatch) * plan.training.sequenceLength;
    facts.capacityBytes = accelerator.memoryCapacity.value();
    facts.limitBytes = facts.capacityBytes * plan.constraints.maxMemoryShare.value_or(1.0);
    if (accelerator.cloudPriceLow)
        facts.dollarsPerSecond = facts.accelerators * accelerator.cloudPriceLow->value();
    return facts;
}

Expected<CaseCandidates> candidatesOf(const Case &searched, int caseIndex, std::size_t firstGroup,
    const LayoutSearchSpace &space, const LayoutSearchTraits &traits, LayoutPricing &pricing)
{
    const auto &plan = searched.plan;
    const auto &training = plan->training;
    const Rules rules(plan, space, traits);
    CaseCandidates found{.space = limitsOf(plan)};
    auto &own = found.space;
    own.globalBatch = training.globalBatch;

    std::optional<Error> refused;
    const auto values = [&](LayoutSearchOption option, std::vector<int> every, int plans) {
        auto list = valuesOf(option, space, traits, std::move(every), plans);
        if (!list && !refused)
            refused = list.error();
        return list.value_or(std::vector<int>());
    };
    const auto ranks = divisorsOf(rules.accelerators());
    const auto tps = values(LayoutSearchOption::Tp, ranks, 1), cps = values(LayoutSearchOption::Cp, ranks, 1),
               pps = values(LayoutSearchOption::Pp, ranks, 1);
    const auto eps = values(LayoutSearchOption::Ep, divisorsOf(std::max(1, plan->workload->experts.value_or(1))), 1);
    own.microbatchSizes = values(
        LayoutSearchOption::MicrobatchSize, divisorsOf(training.globalBatch), training.microbatchSize.value_or(1));
    own.zeroStages = values(LayoutSearchOption::ZeroStage, {0, 1, 2, 3}, plan->parallelism.zeroStage);
    const auto recomputes = values(LayoutSearchOption::Recompute, {0, 1, 2}, int(training.recompute));
    const auto sequenceParallels = values(
        LayoutSearchOption::SequenceParallel, {0, 1}, plan->parallelism.sequenceParallel ? 1 : 0);
    const auto stages = values(LayoutSearchOption::VirtualStages, {}, plan->parallelism.virtualStages);
    if (refused)
        return std::unexpected(*refused);

    const std::uint64_t perStages = own.microbatchSizes.size() * own.zeroStages.size();
    const std::uint64_t variants = recomputes.size() * sequenceParallels.size();
    const auto exclude = [&found](Exclusion reason, std::uint64_t layouts) {
        found.counts.excluded[static_cast<std::size_t>(reason)] += layouts;
    };

    for (const int tp : tps)
        for (const int cp : cps)
            for (const int ep : eps) {
                auto candidates = std::make_shared<std::vector<Candidate>>();
                std::uint64_t layouts = 0; // of one variant
                for (const int pp : pps) {
                    if (rules.accelerators() % (std::int64_t(tp) * cp) != 0
                        || rules.accelerators() / (std::int64_t(tp) * cp) % pp != 0)
                        continue;
                    Candidate candidate{.split = {.tp = tp, .cp = cp, .pp = pp, .ep = ep}};
                    auto virtualStages = stages;
                    if (virtualStages.empty()) {
                        const auto most = pp > 1 ? (rules.layers() + endLayers) / pp : 1;
                        for (int v = 1; v == 1 || v <= most; ++v)
                            virtualStages.push_back(v);
                    }
                    const std::uint64_t settings = virtualStages.size() * perStages;
                    auto reason = rules.broken(candidate.split);
                    if (!reason) {
                        const Layout first{.tp = tp, .cp = cp, .pp = pp, .ep = ep, .dp = candidate.split.dp};
                        if (candidate.split.dp <= own.globalBatch && !pricing.accepts(first))
                            reason = Exclusion::ModelRefuses;
                    }
                    if (reason) {
                        exclude(*reason, settings * variants);
                        continue;
                    }
                    for (const int v : virtualStages) {
                        const auto chunks = std::int64_t(pp) * v;
                        if (v > 1 && (pp == 1 || (rules.layers() > 0 && chunks > rules.layers() + endLayers)))
                            exclude(Exclusion::Stages, perStages * variants);
                        else if (v > 1 && !rules.evenChunks(chunks))
                            exclude(Exclusion::Chunks, perStages * variants);
                        else
                            candidate.virtualStages.push_back(v);
                    }
                    layouts += candidate.virtualStages.size() * perStages;
                    candidate.group = firstGroup + found.groups.size();
                    found.groups.push_back(candidate.split);
                    candidates->push_back(std::move(candidate));
                }
                if (candidates->empty())
                    continue;
                for (const int sequenceParallel : sequenceParallels)
                    for (const int recompute : recomputes) {
                        if (tp == 1 && sequenceParallel != sequenceParallels.front()) {
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
