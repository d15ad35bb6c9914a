// SPDX-License-Identifier: GPL-3.0-or-later
// Searches with cost models that have no pricing of their own for them.
#include "solver/answer/limits.h"
#include "solver/models/costmodel.h"

#include <map>

namespace fleetwright {

namespace {

class GenericPricing final : public LayoutPricing {
public:
    GenericPricing(const CostModel &model, const Workload &workload, const Fleet &fleet, const Training &training,
        const Assumptions &assumptions)
        : m_model(model), m_workload(workload), m_fleet(fleet), m_training(training), m_assumptions(assumptions)
    {
    }

    /// Refuses as the model does.
    Expected<void> prepare(const Layout &layout)
    {
        auto evaluator = m_model.prepare(m_workload, m_fleet, trainingOf(layout, m_training), m_assumptions);
        if (!evaluator)
            return std::unexpected(evaluator.error());
        m_evaluators.emplace(keyOf(layout), std::move(*evaluator));
        return {};
    }

    [[nodiscard]] bool accepts(const Layout &) override { return true; } // memory() says so for each layout

    [[nodiscard]] LayoutMemory memory(const Layout &layout) override
    {
        const auto *estimate = evaluate(layout);
        if (!estimate)
            return {.refused = true};
        return {.bytes = estimate->memory ? estimate->memory->total.value() : std::numeric_limits<double>::quiet_NaN(),
            .fits = estimate->fits.value_or(true)};
    }

    [[nodiscard]] bool outgrows(const Layout &, double) override { return false; }
    [[nodiscard]] LayoutFigures bound(const Layout &) override { return {.stepSeconds = 0}; }

    [[nodiscard]] LayoutFigures price(const Layout &layout) override
    {
        const auto *estimate = evaluate(layout);
        if (!estimate)
            return {};
        return figuresOf(*estimate);
    }

private:
    using Key = std::pair<int, Recompute>;
    [[nodiscard]] static Key keyOf(const Layout &layout) { return {layout.microbatchSize, layout.recompute}; }

    /// A search asks for memory and price of the same layout, one after the other.
    const Estimate *evaluate(const Layout &layout)
    {
        if (m_asked != layout) {
            m_asked = layout;
            m_estimate = std::nullopt;
            if (!m_evaluators.contains(keyOf(layout)) && !prepare(layout))
                return nullptr;
            if (auto estimate = m_evaluators.at(keyOf(layout))->evaluate(parallelismOf(layout)))
                m_estimate = *estimate;
        }
        return m_estimate ? &*m_estimate : nullptr;
    }

    const CostModel &m_model;
    Workload m_workload;
    Fleet m_fleet;
    Training m_training;
    Assumptions m_assumptions;
    std::map<Key, std::unique_ptr<Evaluator>> m_evaluators;
    std::optional<Layout> m_asked;
    std::optional<Estimate> m_estimate;
};

} // namespace

Expected<std::unique_ptr<LayoutPricing>> CostModel::prepareLayouts(
    const Workload &workload, const Fleet &fleet, const Training &training, const Assumptions &assumptions) const
{
    auto pricing = std::make_unique<GenericPricing>(*this, workload, fleet, training, assumptions);
    Layout first;
    first.recompute = training.recompute;
    if (auto ok = pricing->prepare(first); !ok)
        return std::unexpected(ok.error());
    return pricing;
}

} // namespace fleetwright
