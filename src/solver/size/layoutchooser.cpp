// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/layoutchooser.h"

#include "solver/search/vectorstate.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::size {

using layoutsearch::Exclusion;

namespace {

/// Whether the rule asks nothing of the pipeline: what breaks it with one stage does with any.
bool holdsForAnyPipeline(Exclusion rule)
{
    switch (rule) {
    case Exclusion::Placement:
    case Exclusion::Heads:
    case Exclusion::KvHeads:
    case Exclusion::FfnSize:
    case Exclusion::Sequence:
    case Exclusion::Experts: return true;
    default: return false;
    }
}

} // namespace

LayoutChooser::Fleet::Fleet(LayoutChooser &chooser, const Plan &plan, std::unique_ptr<LayoutPricing> pricing,
    const LayoutSearchTraits &traits, layoutsearch::OptionValues values)
    : m_chooser(chooser), m_plan(plan), m_pricing(std::move(pricing)), m_traits(traits), m_rules(plan, m_traits),
      m_limits(plan, refuse(ErrorCode::MissingField, {}, {})), m_values(std::move(values)),
      m_leastSeconds(std::numeric_limits<double>::infinity()), m_leastMemory(m_leastSeconds)
{
}

Expected<std::unique_ptr<LayoutChooser::Fleet>> LayoutChooser::on(const Plan &plan)
{
    const auto traits = m_model.layoutSearchTraitsFor(*plan->workload, plan->assumptions);
    auto pricing = m_model.prepareLayouts(plan->workload, plan->fleet, plan->training, plan->assumptions);
    if (!pricing)
        return std::unexpected(pricing.error());
    const std::int64_t accelerators = plan->fleet->accelerators();
    auto values = layoutsearch::optionValues(plan, m_space, traits, accelerators);
    if (!values)
        return std::unexpected(values.error());
    std::unique_ptr<Fleet> made(new Fleet(*this, plan, std::move(*pricing), traits, std::move(*values)));
    auto &fleet = *made;
    fleet.m_sequencesEach = double(plan->training.globalBatch) / double(accelerators);
    const auto &asked = fleet.m_values;
    for (const int microbatch : asked.microbatchSizes) {
        if (fleet.m_microbatches.empty() || fleet.m_microbatches.back().first != classOf(microbatch))
            fleet.m_microbatches.emplace_back(classOf(microbatch), std::vector<int>());
        fleet.m_microbatches.back().second.push_back(microbatch);
    }
    if (fleet.m_microbatches.empty())
        return made;
    // Most divisors of the accelerators are no TP and no CP of the job.
    const auto legalOf = [&](const std::vector<int> &degrees, bool isTp) {
        auto legal = degrees;
        if (traits.splits)
            std::erase_if(legal, [&](int degree) {
                return accelerators % degree != 0
                    || std::ranges::none_of(knownOf(fleet, isTp ? degree : 1, isTp ? 1 : degree), &Known::legal);
            });
        return legal;
    };
    const auto cps = legalOf(asked.cps, false);
    for (const int tp : legalOf(asked.tps, true))
        for (const int cp : cps) {
            if (accelerators % (std::int64_t(tp) * cp) != 0 && traits.splits)
                continue;
            for (auto &known : knownOf(fleet, tp, cp)) {
                if (!known.legal)
                    continue;
                const auto &settings = fleet.settingsOf(known, fleet.m_microbatches.back().first); // which take least
                fleet.m_leastSeconds = std::min(
                    fleet.m_leastSeconds, settings.front().leastWork * fleet.m_sequencesEach);
                fleet.m_ranks.push_back({.known = &known, .pipelines = {}});
            }
        }
    return made;
}

std::vector<LayoutChooser::Known> &LayoutChooser::knownOf(Fleet &fleet, int tp, int cp)
{
    auto [place, isNew] = m_known.try_emplace({fleet.m_rules.scaleUpDomain(), tp, cp});
    auto &all = place->second;
    if (isNew)
        for (const int ep : fleet.m_values.eps) {
            Known known{.split = {.tp = tp, .cp = cp, .pp = 1, .ep = ep}, .settings = {}};
            const auto broken = fleet.m_rules.broken(known.split);
            known.legal = !(broken && holdsForAnyPipeline(*broken))
                && (m_space.tpAcrossDomains || !fleet.m_rules.acrossDomains(known.split));
            all.push_back(std::move(known));
        }
    return all;
}

double LayoutChooser::Fleet::leastWorkOf(const Known &known, const Setting &setting, int microbatch)
{
    return m_pricing->leastWork({.tp = known.split.tp,
               .cp = known.split.cp,
               .ep = known.split.ep,
               .microbatchSize = microbatch,
               .recompute = setting.recompute,
               .sequenceParallel = setting.sequenceParallel})
        / double(m_plan->training.globalBatch);
}

const std::vector<LayoutChooser::Setting> &LayoutChooser::Fleet::settingsOf(Known &known, MicrobatchClass microbatches)
{
    if (known.settings.size() <= microbatches)
        known.settings.resize(microbatches + 1);
    auto &settings = known.settings[microbatches];
    if (!settings.empty())
        return settings;
    for (const int recompute : m_values.recomputes)
        for (const int sequence : m_values.sequenceParallels) {
            if (known.split.tp == 1 && sequence != m_values.sequenceParallels.front())
                continue; // without effect
            Setting setting{.recompute = static_cast<Recompute>(recompute), .sequenceParallel = sequence != 0};
            if (m_chooser.m_pruning)
                setting.leastWork = leastWorkOf(known, setting, 1 << microbatches);
            settings.push_back(setting);
        }
    std::ranges::stable_sort(settings, {}, &Setting::leastWork);
    return settings;
}

bool LayoutChooser::Fleet::isNeedless(double seconds, const Layout &layout, double mostSeconds) const
{
    return m_chooser.m_pruning
        && (seconds > mostSeconds
            || !m_best.needs(seconds, layoutsearch::complexityOf(layout, int(m_rules.scaleUpDomain()))));
}

bool LayoutChooser::Fleet::canMatter(double seconds, double mostSeconds) const
{
    if (!m_chooser.m_pruning)
        return true;
    for (std::size_t complexity = 0; complexity < layoutsearch::complexityClasses; ++complexity)
        if (seconds <= mostSeconds && m_best.needs(seconds, complexity))
            return true;
    return false;
}

void LayoutChooser::Fleet::look(Ranks &ranks, const Setting &setting, int microbatch, double mostSeconds)
{
    const std::int64_t globalBatch = m_plan->training.globalBatch;
    if (!std::has_single_bit(unsigned(microbatch)) // else it is the bound of its class
        && !canMatter(leastWorkOf(*ranks.known, setting, microbatch) * m_sequencesEach, mostSeconds))
        return;
    if (!ranks.hasPipelines) {
        ranks.pipelines = layoutsearch::pipelinesOf(ranks.known->split, m_values, m_rules, m_chooser.m_space,
            globalBatch, *m_pricing, [](Exclusion, std::uint64_t) {});
        ranks.hasPipelines = true;
    }
    const bool usesTime = m_traits.time;
    for (const auto &pipeline : ranks.pipelines) {
        const auto &split = pipeline.split;
        const auto replicaBatch = std::int64_t(microbatch) * split.dp;
        if (!LayoutRules::dividesBatch(globalBatch, replicaBatch))
            continue;
        const bool interleaves = LayoutRules::interleaves(m_traits, globalBatch / replicaBatch, split.pp);
        Layout layout{.tp = split.tp,
            .cp = split.cp,
            .pp = split.pp,
            .ep = split.ep,
            .dp = split.dp,
            .microbatchSize = microbatch,
            .recompute = setting.recompute,
            .sequenceParallel = setting.sequenceParallel};
        for (const int virtualStages : pipeline.virtualStages) {
            if (virtualStages > 1 && !interleaves)
                continue;
            layout.virtualStages = virtualStages;
            layout.zeroStage = 0;
            const double bound = usesTime && m_chooser.m_pruning ? m_pricing->bound(layout).stepSeconds : 0;
            if (isNeedless(bound, layout, mostSeconds))
                continue;
            for (std::size_t i = 0; i < m_values.zeroStages.size(); ++i) {
                if (i > 0 && std::int64_t(split.dp) * split.cp == 1)
                    break; // nothing to shard over
                layout.zeroStage = std::int8_t(m_values.zeroStages[i]);
                if (isNeedless(bound, layout, mostSeconds))
                    continue;
                const auto memory = m_pricing->memory(layout);
                if (memory.refused)
                    continue;
                m_leastMemory = std::fmin(m_leastMemory, memory.bytes);
                if (!m_limits.memoryHolds(memory))
                    continue;
                const auto figures = m_pricing->price(layout);
                ++m_priced;
                m_mostMfu = std::fmax(m_mostMfu, figures.mfu);
                if (std::isnan(figures.stepSeconds) || figures.stepSeconds > mostSeconds || m_limits.broken(figures))
                    continue;
                m_best.add({.score = figures.stepSeconds,
                               .row = {.layout = layout,
                                   .stepSeconds = figures.stepSeconds,
                                   .memoryBytes = memory.bytes,
                                   .mfu = figures.mfu}},
                    layoutsearch::complexityOf(layout, int(m_rules.scaleUpDomain())));
            }
        }
    }
}

const layoutsearch::BestByComplexity &LayoutChooser::Fleet::best(double mostSeconds, const std::stop_token &stop)
{
    if (m_searched >= mostSeconds)
        return m_best;
    layoutsearch::clearVectorState();
    m_best = {};
    struct Look {
        const Setting *setting = nullptr;
        Ranks *ranks = nullptr;
        const std::vector<int> *microbatches = nullptr;
    };
    std::vector<Look> order;
    for (auto &ranks : m_ranks)
        for (const auto &[microbatchClass, microbatches] : m_microbatches)
            for (const auto &setting : settingsOf(*ranks.known, microbatchClass)) {
                if (setting.leastWork * m_sequencesEach > mostSeconds)
                    break;
                order.push_back({&setting, &ranks, &microbatches});
            }
    // A heap: bounds leave most of it unsorted.
    const auto takesMore = [](const Look &left, const Look &right) {
        return left.setting->leastWork > right.setting->leastWork;
    };
    std::ranges::make_heap(order, takesMore);
    while (!order.empty()) {
        std::ranges::pop_heap(order, takesMore);
        const auto [setting, ranks, microbatches] = order.back();
        order.pop_back();
        if (!canMatter(setting->leastWork * m_sequencesEach, mostSeconds))
            break;
        for (const int microbatch : *microbatches) {
            if (stop.stop_requested())
                return m_best;
            look(*ranks, *setting, microbatch, mostSeconds);
        }
    }
    m_searched = mostSeconds;
    return m_best;
}

} // namespace fleetwright::size
