// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"
#include "solver/search/layoutsearch.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

/// A plain nested loop over the whole space, which prices every layout by itself as a plan.
namespace plainsearch {

using namespace fleetwright;

/// Everything that a search answers, found the obvious way.
struct Plain {
    std::vector<layoutsearch::Row> feasible;
    std::uint64_t tooLarge = 0;
};

class PlainSearch {
public:
    explicit PlainSearch(const layoutsearch::Request &request)
        : m_request(request), m_plan(*request.cases.front().plan), m_model(*findCostModel(request.costModelId).value()),
          m_traits(m_model.layoutSearchTraits())
    {
    }

    Plain run()
    {
        const auto &workload = *m_plan.workload;
        const int n = m_plan.fleet->accelerators();
        const int batch = m_plan.training.globalBatch;
        const auto last = [this](
                              LayoutSearchOption option, int most) { return m_traits.options.has(option) ? most : 1; };
        for (int tp = 1; tp <= last(LayoutSearchOption::Tp, n); ++tp)
            for (int cp = 1; cp <= last(LayoutSearchOption::Cp, n); ++cp)
                for (int pp = 1; pp <= last(LayoutSearchOption::Pp, n); ++pp)
                    for (int ep = 1; ep <= last(LayoutSearchOption::Ep, workload.experts.value_or(1)); ++ep) {
                        if (n % (tp * cp * pp) != 0 || !allowed(LayoutSearchOption::Tp, tp)
                            || !allowed(LayoutSearchOption::Cp, cp) || !allowed(LayoutSearchOption::Pp, pp)
                            || !allowed(LayoutSearchOption::Ep, ep))
                            continue;
                        const int ranks = n / (tp * cp * pp);
                        if ((m_traits.expertsInsideData ? ranks * tp * cp : ranks) % ep != 0)
                            continue;
                        const Layout split{.tp = tp,
                            .cp = cp,
                            .pp = pp,
                            .ep = ep,
                            .dp = m_traits.expertsInsideData ? ranks : ranks / ep};
                        if (!isLegal(split) || !allowed(LayoutSearchOption::Dp, split.dp))
                            continue;
                        for (int microbatch = 1; microbatch <= last(LayoutSearchOption::MicrobatchSize, batch);
                             ++microbatch)
                            if (batch % (microbatch * split.dp) == 0
                                && allowed(LayoutSearchOption::MicrobatchSize, microbatch))
                                settings(split, microbatch);
                    }
        return std::move(m_found);
    }

private:
    [[nodiscard]] bool allowed(LayoutSearchOption option, int value) const
    {
        const auto &values = m_request.space[option];
        return values.empty() || std::ranges::find(values, value) != values.end();
    }

    [[nodiscard]] bool isLegal(const Layout &layout) const
    {
        const auto &workload = *m_plan.workload;
        const int domain = std::min(m_plan.fleet->node->scaleUpDomainSize, m_plan.fleet->accelerators());
        if (layout.tp > domain && !m_request.space.tpAcrossDomains)
            return false;
        if (layout.tp <= domain ? domain % layout.tp != 0 : layout.tp % domain != 0)
            return false;
        if (*workload.attentionHeads % layout.tp != 0
            || (workload.kvHeads && *workload.kvHeads % layout.tp != 0 && layout.tp % *workload.kvHeads != 0))
            return false;
        if (workload.ffnHiddenSize && *workload.ffnHiddenSize % layout.tp != 0)
            return false;
        if (layout.cp > 1 && m_plan.training.sequenceLength % (2 * layout.cp) != 0)
            return false;
        return layout.pp <= *workload.layers + 2 && (layout.ep == 1 || *workload.experts % layout.ep == 0);
    }

    void settings(Layout layout, int microbatch)
    {
        layout.microbatchSize = microbatch;
        const int layers = *m_plan.workload->layers;
        const auto has = [this](LayoutSearchOption option) { return m_traits.options.has(option); };
        for (const auto recompute : {Recompute::None, Recompute::Selective, Recompute::Full}) {
            if (has(LayoutSearchOption::Recompute) ? !allowed(LayoutSearchOption::Recompute, int(recompute))
                                                   : recompute != m_plan.training.recompute)
                continue;
            layout.recompute = recompute;
            const auto evaluator = m_model
                                       .prepare(m_plan.workload, m_plan.fleet, trainingOf(layout, m_plan.training),
                                           m_plan.assumptions)
                                       .value();
            for (const bool sequenceParallel : {false, true}) {
                if (sequenceParallel && (layout.tp == 1 || !has(LayoutSearchOption::SequenceParallel)))
                    continue;
                if (!allowed(LayoutSearchOption::SequenceParallel, sequenceParallel ? 1 : 0))
                    continue;
                for (int virtualStages = 1; virtualStages * layout.pp <= layers + 2
                     && (virtualStages == 1 || (layout.pp > 1 && has(LayoutSearchOption::VirtualStages)));
                     ++virtualStages) {
                    const int chunks = virtualStages * layout.pp;
                    const bool even = layers % chunks == 0 || (layers + 1) % chunks == 0 || (layers + 2) % chunks == 0;
                    const int microbatches = m_plan.training.globalBatch / (microbatch * layout.dp);
                    if (virtualStages > 1
                        && ((!even && !m_request.space.unevenChunks) || microbatches % layout.pp != 0))
                        continue;
                    if (!allowed(LayoutSearchOption::VirtualStages, virtualStages))
                        continue;
                    for (int zero = 0; zero <= 3; ++zero) {
                        if (!allowed(LayoutSearchOption::ZeroStage, zero)
                            || (zero > 0 && !has(LayoutSearchOption::ZeroStage)))
                            continue;
                        // Without ranks to shard over one ZeRO stage is like another: the first that is asked for
                        // stands for all.
                        const bool repeats = layout.dp * layout.cp == 1 && zero > 0
                            && allowed(LayoutSearchOption::ZeroStage, zero - 1);
                        if (repeats)
                            continue;
                        layout.sequenceParallel = sequenceParallel;
                        layout.virtualStages = virtualStages;
                        layout.zeroStage = std::int8_t(zero);
                        price(layout, *evaluator);
                    }
                }
            }
        }
    }

    void price(const Layout &layout, const Evaluator &evaluator)
    {
        const auto estimate = evaluator.evaluate(parallelismOf(layout));
        if (!estimate)
            return;
        if (estimate->memory) {
            const auto share = m_plan.constraints.maxMemoryShare;
            if (!*estimate->fits
                || (share && estimate->memory->total > *share * m_plan.fleet->node->accelerator->memoryCapacity)) {
                ++m_found.tooLarge;
                return;
            }
        }
        if (m_plan.constraints.minMfu && *estimate->mfu < *m_plan.constraints.minMfu)
            return;
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
        m_found.feasible.push_back({.layout = layout,
            .stepSeconds = estimate->stepTime ? estimate->stepTime->value() : unknown,
            .memoryBytes = estimate->memory ? estimate->memory->total.value() : unknown,
            .mfu = estimate->mfu.value_or(unknown)});
    }

    const layoutsearch::Request &m_request;
    const PlanFacts &m_plan;
    const CostModel &m_model;
    LayoutSearchTraits m_traits;
    Plain m_found;
};

} // namespace plainsearch
