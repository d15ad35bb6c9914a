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
    const int batch = plan->training.globalBatch;
    for (const int tp : asked.tps)
        for (const int cp : asked.cps) {
            if (accelerators % (std::int64_t(tp) * cp) != 0 && traits.splits)
                continue;
            for (const int ep : asked.eps) {
                Split ranks{.tp = tp, .cp = cp, .pp = 1, .ep = ep};
                if (const auto broken = fleet.m_rules.broken(ranks); broken && holdsForAnyPipeline(*broken))
                    continue;
                if (!m_space.tpAcrossDomains && fleet.m_rules.acrossDomains(ranks))
                    continue;
                auto &known = m_settings[{tp, cp, ep}];
                Fleet::Ranks ranked{.split = ranks};
                for (const int microbatch : asked.microbatchSizes) {
                    const auto &settings = settingsOf(known, ranks, microbatch, asked, batch, *fleet.m_pricing);
                    ranked.settings.push_back(&settings);
                    fleet.m_leastSeconds = std::min(
                        fleet.m_leastSeconds, settings.front().leastWork * fleet.m_sequencesEach);
                }
                fleet.m_ranks.push_back(std::move(ranked));
            }
        }
    return made;
}

const std::vector<LayoutChooser::Setting> &LayoutChooser::settingsOf(Settings &known, const Split &ranks,
    int microbatch, const layoutsearch::OptionValues &values, double batch, LayoutPricing &pricing) const
{
    auto [place, isNew] = known.try_emplace(microbatch);
    auto &settings = place->second;
    if (!isNew)
        return settings;
    for (const int recompute : values.recomputes)
        for (const int sequence : values.sequenceParallels) {
            if (ranks.tp == 1 && sequence != values.sequenceParallels.front())
                continue; // without effect
            Setting setting{.microbatchSize = microbatch,
                .recompute = static_cast<Recompute>(recompute),
                .sequenceParallel = sequence != 0};
            if (m_pruning)
                setting.leastWork = pricing.leastWork({.tp = ranks.tp,
                                        .cp = ranks.cp,
                                        .ep = ranks.ep,
                                        .microbatchSize = microbatch,
                                        .recompute = setting.recompute,
                                        .sequenceParallel = setting.sequenceParallel})
                    / batch;
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

void LayoutChooser::Fleet::look(Ranks &ranks, const Setting &setting, double mostSeconds)
{
    const std::int64_t globalBatch = m_plan->training.globalBatch;
    if (!ranks.known) {
        ranks.pipelines = layoutsearch::pipelinesOf(ranks.split, m_values, m_rules, m_chooser.m_space, globalBatch,
            *m_pricing, [](Exclusion, std::uint64_t) {});
        ranks.known = true;
    }
    const bool usesTime = m_traits.time;
    for (const auto &pipeline : ranks.pipelines) {
        const auto &split = pipeline.split;
        const auto replicaBatch = std::int64_t(setting.microbatchSize) * split.dp;
        if (!LayoutRules::dividesBatch(globalBatch, replicaBatch))
            continue;
        const bool interleaves = LayoutRules::interleaves(m_traits, globalBatch / replicaBatch, split.pp);
        Layout layout{.tp = split.tp,
            .cp = split.cp,
            .pp = split.pp,
            .ep = split.ep,
            .dp = split.dp,
            .microbatchSize = setting.microbatchSize,
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
    std::vector<std::pair<const Setting *, Ranks *>> order;
    for (auto &ranks : m_ranks)
        for (const auto *settings : ranks.settings)
            for (const auto &setting : *settings) {
                if (setting.leastWork * m_sequencesEach > mostSeconds)
                    break;
                order.emplace_back(&setting, &ranks);
            }
    std::ranges::stable_sort(order, {}, [](const auto &pair) { return pair.first->leastWork; });
    for (const auto &[setting, ranks] : order) {
        if (!canMatter(setting->leastWork * m_sequencesEach, mostSeconds))
            break;
        if (stop.stop_requested())
            return m_best;
        look(*ranks, *setting, mostSeconds);
    }
    m_searched = mostSeconds;
    return m_best;
}

} // namespace fleetwright::size
