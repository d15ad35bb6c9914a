// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/figures.h"
#include "solver/formula.h"
#include "solver/sampleplan.h"
#include "text/utf8.h"

#include <cmath>
#include <functional>
#include <map>
#include <optional>

/// Whether every figure of an explanation follows from its inputs, and every figure of an estimate is explained.
namespace explaintesting {

using namespace fleetwright;

struct Explained {
    Estimate estimate;
    StepBreakdown breakdown;
    std::vector<ExplainedFigure> figures;

    [[nodiscard]] const ExplainedFigure *find(std::string_view key) const
    {
        const auto found = std::ranges::find(figures, key, &ExplainedFigure::key);
        return found == figures.end() ? nullptr : &*found;
    }
};

/// Nothing when the split does not divide the fleet.
inline std::optional<Explained> explained(const PlanFacts &plan)
{
    const auto evaluator = sampleplan::prepare(plan);
    if (!evaluator)
        qFatal("%s: %s", evaluator.error().field.c_str(), evaluator.error().message.c_str());
    const auto estimate = (*evaluator)->evaluate(plan.parallelism);
    if (!estimate)
        return std::nullopt;
    auto figures = (*evaluator)->explain(plan.parallelism);
    if (!figures)
        qFatal("%s", figures.error().message.c_str());
    return Explained{*estimate, (*evaluator)->breakdown(*estimate), std::move(*figures)};
}

inline bool fromOutside(std::string_view origin)
{
    for (const auto *prefix : {"parallelism.", "training.", "assumptions.", "workload.", "fleet.", "constraints."})
        if (origin.starts_with(prefix))
            return true;
    return origin == "published constant";
}

/// The first figure that does not follow from its inputs; empty when every one does.
inline QString firstBroken(const std::vector<ExplainedFigure> &figures)
{
    std::map<std::string, double, std::less<>> known;
    for (const auto &figure : figures) {
        const QString key = QString::fromStdString(figure.key);
        double largest = 0;
        for (const auto &input : figure.inputs) {
            const QString symbol = QString::fromStdString(input.symbol);
            if (input.meaning.empty())
                return key + QStringLiteral(": nothing says what %1 is").arg(symbol);
            if (const auto found = known.find(input.origin); found != known.end()) {
                if (found->second != input.value)
                    return key
                        + QStringLiteral(": %1 is not the value of %2")
                              .arg(symbol, QString::fromStdString(input.origin));
            } else if (!fromOutside(input.origin)) {
                return key
                    + QStringLiteral(
                        ": %1 comes from \u201c%2\u201d, which is neither an input of the plan nor an earlier figure")
                          .arg(symbol, QString::fromStdString(input.origin));
            }
            if (input.dimension == figure.dimension)
                largest = std::max(largest, std::abs(input.value));
        }
        if (!known.emplace(figure.key, figure.value).second)
            return key + QStringLiteral(" is explained twice");
        if (figure.label.empty() || figure.source.empty())
            return key + QStringLiteral(" has no label or no source");
        testing::Formula formula(figure);
        const double again = formula.value();
        if (!formula.unused().empty())
            return key
                + QStringLiteral(": %1 is listed and not used in %2")
                      .arg(QString::fromStdString(formula.unused()), QString::fromStdString(figure.formula));
        // Differences of nearly equal figures keep the rounding of what they are made of.
        if (!(std::abs(again - figure.value) <= 1e-10 * std::abs(figure.value)
                    + (figure.formula.find('-') != std::string::npos ? 1e-12 * largest : 0)))
            return QStringLiteral("%1: %2 gives %3, the figure is %4")
                .arg(key, QString::fromStdString(figure.formula))
                .arg(again, 0, 'g', 17)
                .arg(figure.value, 0, 'g', 17);
    }
    return {};
}

/// The first figure of the estimate that is not explained with exactly its value.
inline QString firstUnexplained(const Explained &answer, std::string_view modelId)
{
    const auto wrong = [&](std::string_view key, double value) {
        const auto *figure = answer.find(key);
        return !figure || figure->value != value;
    };
    Solution solution;
    solution.estimate = answer.estimate;
    solution.breakdown = answer.breakdown;
    for (const auto &figure : allFigures()) {
        const auto value = figure.value(solution);
        const bool derived = figure.key.starts_with("memory.share") || figure.key == "memory.headroom_bytes"
            || figure.key == "bubble_share_of_step"; // explained by explainRun, not by the model
        if (!derived && value && wrong(figure.key, *value))
            return utf8(figure.key);
    }
    const auto &estimate = answer.estimate;
    for (const auto &[key, value] : {std::pair("tp_comm_time_s", estimate.tpCommTime),
             std::pair("ep_comm_time_s", estimate.epCommTime), std::pair("compute_time_s", estimate.computeTime),
             std::pair("bubble_time_s", estimate.bubbleTime), std::pair("overhead_time_s", estimate.overheadTime)})
        if (value && wrong(key, value->value()))
            return QString::fromLatin1(key);
    if (wrong("parallelism.dp", estimate.dp))
        return QStringLiteral("parallelism.dp");
    if (estimate.fits && wrong("fits", double(*estimate.fits)))
        return QStringLiteral("fits");
    const auto details = (*findCostModel(modelId))->details();
    for (std::size_t i = 0; i < details.size(); ++i)
        if (std::isfinite(estimate.details[i]) && wrong(details[i].path(), estimate.details[i]))
            return QString::fromStdString(std::string(details[i].key));
    return {};
}

} // namespace explaintesting
