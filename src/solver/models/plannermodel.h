// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/modelcard.h"
#include "solver/models/plannerfacts.h"

#include <initializer_list>
#include <limits>
#include <span>

/// What the published planners do alike as cost models.
namespace fleetwright::planners {

/// Writes Estimate::details by the model's own enumeration of them; what is not written is unknown.
template <class Detail> [[nodiscard]] auto detailsOf(Estimate &estimate)
{
    estimate.details.fill(std::numeric_limits<double>::quiet_NaN());
    return [&estimate](Detail which, double value) { estimate.details[static_cast<std::size_t>(which)] = value; };
}

/// The refusal of a step time that a double cannot hold.
[[nodiscard]] std::unexpected<Error> refuseStepTime();

class PlannerEvaluator : public Evaluator {
public:
    [[nodiscard]] Expected<std::vector<ExplainedFigure>> explain(const Parallelism &split) const final;

protected:
    /// `source` of the figures for which none is named.
    PlannerEvaluator(Facts facts, std::span<const DetailDescriptor> details, std::string_view source)
        : m_facts(std::move(facts)), m_details(details), m_source(source)
    {
    }

    /// Adds every figure of an estimate that evaluate(split) gave.
    virtual void explainFigures(Explanation &out, const Parallelism &split, const Estimate &estimate) const = 0;

    /// Adds a detail under its key and label.
    template <class Detail>
    void detail(Explanation &out, const Estimate &estimate, Detail which, std::string formula,
        std::vector<FormulaInput> inputs, std::string source = {}) const
    {
        addDetail(out, estimate, static_cast<std::size_t>(which), std::move(formula), std::move(inputs),
            source.empty() ? std::string(m_source) : std::move(source));
    }

    /// A part of the step that is another figure.
    struct Part {
        const char *key;
        const char *of; ///< key of that figure
        const char *symbol = "T_i";
    };
    /// The parts that add up to the step time, and the rest, zero.
    void parts(Explanation &out, std::initializer_list<Part> parts) const;

    Facts m_facts;

private:
    void addDetail(Explanation &out, const Estimate &estimate, std::size_t which, std::string formula,
        std::vector<FormulaInput> inputs, std::string source) const;

    std::span<const DetailDescriptor> m_details;
    std::string_view m_source;
};

/// An evaluator of inputs that may have been refused.
template <class Made, class Inputs>
[[nodiscard]] Expected<std::unique_ptr<Evaluator>> evaluatorOf(Facts facts, const Expected<Inputs> &inputs)
{
    if (!inputs)
        return std::unexpected(inputs.error());
    return std::make_unique<Made>(std::move(facts), *inputs);
}

class PlannerModel : public DescribedModel {
public:
    using DescribedModel::DescribedModel;
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> prepare(const Workload &workload, const Fleet &fleet,
        const Training &training, const Assumptions &assumptions) const final;

protected:
    /// Reads the assumptions, and refuses as prepare().
    [[nodiscard]] virtual Expected<std::unique_ptr<Evaluator>> evaluator(
        Facts facts, const Assumptions &assumptions) const = 0;
};

} // namespace fleetwright::planners
