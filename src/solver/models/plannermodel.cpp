// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/plannermodel.h"

namespace fleetwright::planners {

std::unexpected<Error> refuseStepTime()
{
    return refuse(ErrorCode::OutOfRange, "fleet",
        "The step time is too long to represent; use rates and counts of a realistic size.");
}

Expected<std::vector<ExplainedFigure>> PlannerEvaluator::explain(const Parallelism &split) const
{
    const auto estimate = evaluate(split);
    if (!estimate)
        return std::unexpected(estimate.error());
    Explanation out;
    explainFigures(out, split, *estimate);
    return out.take();
}

void PlannerEvaluator::addDetail(Explanation &out, const Estimate &estimate, std::size_t which, std::string formula,
    std::vector<FormulaInput> inputs, std::string source) const
{
    const auto &descriptor = m_details[which];
    out.add({descriptor.path(), std::string(descriptor.label)}, estimate.details[which], descriptor.dimension,
        std::move(formula), std::move(inputs), std::move(source));
}

void PlannerEvaluator::parts(Explanation &out, std::initializer_list<Part> parts) const
{
    for (const auto &part : parts)
        if (const auto *figure = out.find(part.of))
            out.add({part.key}, figure->value, figure->dimension, part.symbol, {out.from(part.symbol, part.of)},
                "A part of the step time");
    out.add({"other_time_s"}, Seconds{}, "0", {}, "The other parts add up to the step time");
}

Expected<std::unique_ptr<Evaluator>> PlannerModel::prepare(
    const Workload &workload, const Fleet &fleet, const Training &training, const Assumptions &assumptions) const
{
    auto facts = Facts::create(workload, fleet, training);
    if (!facts)
        return std::unexpected(facts.error());
    return evaluator(std::move(*facts), assumptions);
}

} // namespace fleetwright::planners
