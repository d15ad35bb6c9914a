// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/explain/explain.h"
#include "solver/models/estimate.h"
#include "solver/models/layoutpricing.h"
#include "solver/models/planreading.h"

#include <memory>
#include <span>
#include <string_view>

namespace fleetwright {

/// Prices parallelisms for one workload, fleet and training setting. Immutable: any number of threads may call it at
/// once.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    /// Allocates nothing unless it refuses. OutOfRange, InfeasibleParallelism or UnsupportedValue with the field
    /// ("parallelism.tp", ...) when the model cannot price this parallelism; a plan that does not fit memory is an
    /// answer, not an error.
    [[nodiscard]] virtual Expected<Estimate> evaluate(const Parallelism &parallelism) const = 0;
    /// The parts that add up to the step time of an estimate made by this evaluator.
    [[nodiscard]] virtual StepBreakdown breakdown(const Estimate &estimate) const = 0;
    /// How the plan was read and what other readings give; empty unless the model reads anything. For a parallelism
    /// that evaluate() takes. Prices a few settings: for one plan at a time, not for searches.
    [[nodiscard]] virtual PlanReading reading(const Parallelism &) const { return {}; }
    /// Why the plan lies outside what the model was made for, so that its times say nothing of it: one sentence. Empty
    /// where it does not, and of models that know no such bound. `estimate`: what evaluate(parallelism) gave.
    [[nodiscard]] virtual std::string outOfScope(const Parallelism &, const Estimate &) const { return {}; }
    /// How every figure of evaluate(parallelism) came about, inputs before what uses them. Allocates: for people, not
    /// for searches. Refuses as evaluate() does.
    [[nodiscard]] virtual Expected<std::vector<ExplainedFigure>> explain(const Parallelism &parallelism) const = 0;
};

/// A figure that only one model produces; `key` carries the unit ("replica_mfu", "tp_link_bytes_per_s").
struct DetailDescriptor {
    std::string_view key;
    std::string_view label;
    units::Dimension dimension = units::Dimension::Number;
    std::string_view formula; ///< how it is computed, in words and symbols of the model's documentation
    /// Key of the figure of every model that is the same number; empty: a figure of this model only.
    std::string_view figure{};
    /// Where the estimate's JSON has it: "details.<key>", or the key of `figure`.
    [[nodiscard]] std::string path() const
    {
        return figure.empty() ? "details." + std::string(key) : std::string(figure);
    }
};

/// Something a user must know before relying on the numbers.
struct Limitation {
    std::string_view text;
};

class CostModel {
public:
    virtual ~CostModel() = default;
    [[nodiscard]] virtual std::string_view id() const = 0;
    [[nodiscard]] virtual std::string_view title() const = 0;
    [[nodiscard]] virtual std::string_view version() const = 0;
    [[nodiscard]] virtual std::string_view literature() const = 0;
    [[nodiscard]] virtual std::span<const Limitation> limitations() const = 0;
    /// Every tunable constant of the model, with default, range and source.
    [[nodiscard]] virtual std::span<const AssumptionDescriptor> assumptions() const = 0;
    [[nodiscard]] virtual std::span<const DetailDescriptor> details() const = 0;
    /// Does once what does not depend on the parallelism. Errors name the field of the plan: "training.precision",
    /// "assumptions.efficiency", "fleet.node", "workload"...
    [[nodiscard]] virtual Expected<std::unique_ptr<Evaluator>> prepare(const Workload &workload, const Fleet &fleet,
        const Training &training, const Assumptions &assumptions) const = 0;

    [[nodiscard]] virtual LayoutSearchTraits layoutSearchTraits() const = 0;
    /// The same for one plan: which figures a model fills can depend on its assumptions and on the workload.
    [[nodiscard]] virtual LayoutSearchTraits layoutSearchTraitsFor(
        const WorkloadFacts &workload, const Assumptions &assumptions) const;
    /// For one thread of a search; the microbatches and recomputation of `training` give way to those of each layout.
    /// Refuses as prepare(). Unless a model has something faster, an evaluator for each microbatch size and
    /// recomputation.
    [[nodiscard]] virtual Expected<std::unique_ptr<LayoutPricing>> prepareLayouts(
        const Workload &workload, const Fleet &fleet, const Training &training, const Assumptions &assumptions) const;
};

/// All registered models, the default first.
[[nodiscard]] std::span<const CostModel *const> costModels();
/// UnknownReference with field "cost_model" and the known ids.
[[nodiscard]] Expected<const CostModel *> findCostModel(std::string_view id);

/// A plan's edited assumptions as far as the model knows them and takes their value, for pricing the plan with another
/// model than its own; the keys of the others are appended to `ignored`.
[[nodiscard]] Assumptions understoodBy(
    const CostModel &model, const Assumptions &assumptions, std::vector<std::string> &ignored);

} // namespace fleetwright
