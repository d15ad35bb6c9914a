// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/layoutrules.h"

namespace fleetwright {

using layoutsearch::Exclusion;

namespace {

std::string text(std::int64_t number) { return std::to_string(number); }

std::string batchSentence(const Layout &layout, std::int64_t batch, bool sizes)
{
    const std::int64_t unit = std::int64_t(layout.dp) * (sizes ? layout.microbatchSize : 1);
    const std::int64_t below = batch / unit * unit;
    return (sizes ? "Microbatch " + text(layout.microbatchSize) + " \u00d7 DP " + text(layout.dp)
                  : "DP " + text(layout.dp))
        + " does not divide the global batch of " + text(batch) + "; a batch of "
        + (below > 0 ? text(below) + " or " : std::string()) + text(below + unit) + " would do.";
}

} // namespace

LayoutRules::LayoutRules(const Plan &plan, const LayoutSearchTraits &traits)
    : m_plan(plan), m_traits(traits), m_accelerators(plan->fleet->accelerators()),
      m_domain(std::min<std::int64_t>(plan->fleet->node->scaleUpDomainSize, m_accelerators)),
      m_layers(plan->workload->layers.value_or(0))
{
}

bool LayoutRules::denseLayers() const
{
    const auto &workload = *m_plan->workload;
    return workload.experts.value_or(0) <= 1 || workload.firstDenseLayers.value_or(0) > 0
        || workload.expertLayerInterval.value_or(1) > 1;
}

std::optional<Exclusion> LayoutRules::broken(Split &split) const
{
    const auto &workload = *m_plan->workload;
    const std::int64_t tp = split.tp;
    if (!m_traits.splits) {
        split.dp = int(m_accelerators);
        return std::nullopt;
    }
    if (!divides(split))
        return Exclusion::Ranks;
    const auto data = m_accelerators / (tp * split.cp * split.pp);
    const auto exchanging = m_traits.expertsInsideData ? tp * split.cp * data : data;
    split.dp = int(m_traits.expertsInsideData || exchanging % split.ep != 0 ? data : data / split.ep);
    if (tp <= m_domain ? m_domain % tp != 0 : tp % m_domain != 0)
        return Exclusion::Placement;
    if (workload.attentionHeads && *workload.attentionHeads % tp != 0)
        return Exclusion::Heads;
    if (workload.kvHeads && *workload.kvHeads % tp != 0 && tp % *workload.kvHeads != 0)
        return Exclusion::KvHeads;
    if (workload.ffnHiddenSize && denseLayers() && *workload.ffnHiddenSize % tp != 0)
        return Exclusion::FfnSize;
    if (workload.layers && split.pp > mostChunks())
        return Exclusion::Layers;
    if (split.cp > 1 && m_plan->training.sequenceLength % (2 * std::int64_t(split.cp)) != 0)
        return Exclusion::Sequence;
    if (split.ep > 1 && (!workload.experts || *workload.experts % split.ep != 0))
        return Exclusion::Experts;
    if (exchanging % split.ep != 0)
        return Exclusion::ExpertRanks;
    return std::nullopt;
}

BrokenRule describe(Exclusion rule, const Layout &layout, const Plan &plan)
{
    const auto &workload = *plan->workload;
    const auto &training = plan->training;
    const std::int64_t n = plan->fleet->accelerators();
    const auto domain = std::min<std::int64_t>(plan->fleet->node->scaleUpDomainSize, n);
    const auto layers = [&] {
        return workload.layers ? " The workload has " + text(*workload.layers) + " layers." : std::string();
    };
    const auto broken = [rule](double needed, double allowed, std::string sentence) {
        return BrokenRule{.rule = rule, .needed = needed, .allowed = allowed, .sentence = std::move(sentence)};
    };
    const double chunks = double(layout.pp) * layout.virtualStages;
    switch (rule) {
    case Exclusion::Ranks:
        return broken(double(layout.tp) * layout.cp * layout.pp, double(n),
            "TP " + text(layout.tp) + " \u00d7 CP " + text(layout.cp) + " \u00d7 PP " + text(layout.pp)
                + " does not divide the " + text(n) + " accelerators.");
    case Exclusion::Placement:
        return broken(layout.tp, double(domain),
            "TP " + text(layout.tp) + " does not lie evenly inside the scale-up domains of " + text(domain)
                + " accelerators"
                + (layout.tp % domain == 0 ? "; allow TP across domains to price multiples of them." : "."));
    case Exclusion::Heads:
        return broken(layout.tp, workload.attentionHeads.value_or(0),
            "TP " + text(layout.tp) + " does not divide the " + text(workload.attentionHeads.value_or(0))
                + " attention heads.");
    case Exclusion::KvHeads:
        return broken(layout.tp, workload.kvHeads.value_or(0),
            "TP " + text(layout.tp) + " and the " + text(workload.kvHeads.value_or(0))
                + " KV heads do not divide each other.");
    case Exclusion::FfnSize:
        return broken(layout.tp, workload.ffnHiddenSize.value_or(0),
            "TP " + text(layout.tp) + " does not divide the FFN size of " + text(workload.ffnHiddenSize.value_or(0))
                + ".");
    case Exclusion::Layers:
        return broken(layout.pp, workload.layers.value_or(0),
            "PP " + text(layout.pp) + " has more stages than there are layers, embedding and output counted."
                + layers());
    case Exclusion::Sequence:
        return broken(2.0 * layout.cp, training.sequenceLength,
            "CP " + text(layout.cp) + " cuts each sequence into " + text(2 * std::int64_t(layout.cp))
                + " pieces, which do not divide its " + text(training.sequenceLength) + " tokens.");
    case Exclusion::Experts:
        return broken(layout.ep, workload.experts.value_or(1),
            workload.experts ? "EP " + text(layout.ep) + " does not divide the " + text(*workload.experts) + " experts."
                             : "The workload has no experts, so EP must be 1.");
    case Exclusion::ExpertRanks:
        return broken(layout.ep, double(n) / layout.pp,
            "EP " + text(layout.ep) + " does not divide the ranks that share the experts.");
    case Exclusion::Stages:
        return broken(chunks, workload.layers.value_or(0),
            layout.pp == 1 ? "Virtual stages interleave a pipeline; PP is 1."
                           : text(layout.pp) + " \u00d7 " + text(layout.virtualStages)
                    + " chunks are more than there are layers." + layers());
    case Exclusion::Batch: {
        const std::int64_t unit = std::int64_t(layout.dp) * layout.microbatchSize;
        return broken(double((training.globalBatch / unit + 1) * unit), training.globalBatch,
            batchSentence(layout, training.globalBatch, layout.microbatchSize > 1));
    }
    case Exclusion::Chunks:
        return broken(chunks, workload.layers.value_or(0),
            text(layout.pp) + " \u00d7 " + text(layout.virtualStages) + " chunks would differ in length." + layers()
                + " Allow uneven chunks to price it.");
    case Exclusion::Interleaving: {
        const auto microbatches = training.microbatchCount
            ? std::int64_t(*training.microbatchCount) * training.accumulationSteps
            : training.globalBatch / (std::int64_t(layout.microbatchSize) * layout.dp);
        return broken(layout.pp, double(microbatches),
            "Interleaving needs a number of microbatches that PP " + text(layout.pp) + " divides; a replica has "
                + text(microbatches) + ".");
    }
    default: return broken(0, 0, std::string(layoutsearch::sentence(rule)));
    }
}

std::vector<BrokenRule> brokenRules(const Plan &plan, const LayoutSearchTraits &traits)
{
    const LayoutRules rules(plan, traits);
    const auto &split = plan->parallelism;
    const auto &training = plan->training;
    Split ranks{.tp = split.tp, .cp = split.cp, .pp = split.pp, .ep = split.ep};
    const auto first = rules.broken(ranks);
    const Layout layout{.tp = split.tp,
        .cp = split.cp,
        .pp = split.pp,
        .ep = split.ep,
        .dp = ranks.dp,
        .virtualStages = split.virtualStages,
        .microbatchSize = training.microbatchSize.value_or(1)};
    std::vector<BrokenRule> broken;
    const auto add = [&](Exclusion rule) { broken.push_back(describe(rule, layout, plan)); };
    if (first)
        add(*first);
    if (first == Exclusion::Ranks) // there is no DP to judge the rest by
        return broken;
    if (!rules.roomFor(split.pp, split.virtualStages))
        add(Exclusion::Stages);
    const auto sequences = std::int64_t(layout.dp) * layout.microbatchSize;
    if (!LayoutRules::dividesBatch(training.globalBatch, sequences))
        add(Exclusion::Batch);
    else if (split.virtualStages > 1
        && !LayoutRules::interleaves(traits,
            training.microbatchCount ? std::int64_t(*training.microbatchCount) * training.accumulationSteps
                                     : training.globalBatch / sequences,
            split.pp))
        add(Exclusion::Interleaving);
    return broken;
}

} // namespace fleetwright
