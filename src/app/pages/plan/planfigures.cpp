// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planfigures.h"

#include "app/wording.h"
#include "charts/charts.h"
#include "itemmodels/tracemodel.h"
#include "text/figuretext.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace fleetwright::app {

using units::Dimension;

namespace {

constexpr auto keys = std::to_array<std::string_view>({"step_time_s", "tokens_per_s", "mfu", "hfu",
    "scaling_efficiency", "bubble_share_of_step", "exposed_comm_time_s", "bubble_fraction", "samples_per_s",
    "flops_per_accelerator_per_s", "tuning_worth", "duration_s", "duration_with_failures_s", "token_budget",
    "compute_optimal_tokens", "cost_usd", "tco_usd", "cost_usd_per_million_tokens", "tco_usd_per_million_tokens",
    "it_power_w", "facility_power_w", "energy_j", "operational_carbon_kg", "embodied_carbon_kg", "water_l",
    "accelerator_hours", "fleet_mtbf_s", "expected_failures", "checkpoint_interval_s", "checkpoint_time_s", "goodput"});

} // namespace

std::vector<const Figure *> shownFigures(ScoreLevel level)
{
    std::vector<const Figure *> figures;
    for (const auto key : keys)
        if (const auto &figure = figureNamed(key); levelOf(figure.group) == level)
            figures.push_back(&figure);
    return figures;
}

QString figureReason(
    const Figure &figure, const Plan &plan, const Solution &solution, const std::vector<ExplainedFigure> &explained)
{
    if (const auto missing = reasonFor(figure, solution); !missing.empty())
        return tr(QT_TRANSLATE_NOOP("app", "Not known.")) + u' ' + utf8(missing);
    const auto found = std::ranges::find(explained, figure.key, &ExplainedFigure::key);
    if (found == explained.end())
        return {};
    QStringList lines{tr(QT_TRANSLATE_NOOP("app", "= %1")).arg(QString::fromStdString(found->formula))};
    for (const auto &input : found->inputs)
        lines << QStringLiteral("   %1 = %2: %3 (%4)")
                     .arg(QString::fromStdString(input.symbol),
                         QString::fromStdString(units::format(input.value, input.dimension)),
                         QString::fromStdString(input.meaning), QString::fromStdString(input.origin));
    lines << tr(QT_TRANSLATE_NOOP("app", "Source: %1")).arg(QString::fromStdString(found->source));
    if (figure.key == "checkpoint_time_s" && solution.operations.checkpointSlow)
        lines << tr(QT_TRANSLATE_NOOP("app", "Longer than a minute: faster or more checkpoint storage saves time."));
    if (figure.key == "compute_optimal_tokens" && plan->tokenBudget())
        lines << tr(QT_TRANSLATE_NOOP("app", "The token budget is %1."))
                     .arg(QString::fromStdString(units::format(*plan->tokenBudget(), Dimension::Number)));
    return lines.join(u'\n');
}

QString verdictText(Verdict verdict)
{
    const auto text = words(verdict);
    const QString shown = utf8(text);
    const auto marked = [&](charts::Quantity colour) {
        return QStringLiteral("<span style=\"color:%1\">\u25cf</span> %2").arg(charts::colour(colour).name(), shown);
    };
    switch (verdict) {
    case Verdict::Pass: return marked(charts::Quantity::DataParallel);
    case Verdict::Fail: return marked(charts::Quantity::OptimizerState);
    case Verdict::Undecided: return marked(charts::Quantity::TensorParallel);
    case Verdict::NoLimits: break;
    }
    return shown;
}

QString verdictHelp(ScoreLevel level, const Solution &solution)
{
    QStringList lines;
    for (const auto &entry : solution.trace)
        if (levelOf(entry.constraint) == level)
            lines << QString::fromStdString(entry.sentence);
    return lines.isEmpty() ? tr(QT_TRANSLATE_NOOP("app", "No limit of this level is set; enter one under Constraints."))
                           : lines.join(u'\n');
}

QString feasibilityText(std::optional<bool> feasibility)
{
    const auto *word = !feasibility ? QT_TRANSLATE_NOOP("app", "not known")
        : *feasibility              ? QT_TRANSLATE_NOOP("app", "yes")
                                    : QT_TRANSLATE_NOOP("app", "no");
    return tr(word);
}

QString resultsAsText(const QString &planName, const Solution &solution, const QString &provenance, bool tabs)
{
    const QString separator = tabs ? QStringLiteral("\t") : QStringLiteral(": ");
    QStringList lines{tr(QT_TRANSLATE_NOOP("app", "Plan")) + separator + planName,
        labelOf(feasibleFigure()) + separator + feasibilityText(feasibility(solution))};
    const auto card = scorecard(solution);
    const auto limits = [&](const char *name, Verdict verdict) {
        const auto text = words(verdict);
        lines << tr(name) + separator + utf8(text);
    };
    limits(QT_TRANSLATE_NOOP("app", "Limits, feasibility"), card.feasibility);
    limits(QT_TRANSLATE_NOOP("app", "Limits, performance"), card.performance);
    limits(QT_TRANSLATE_NOOP("app", "Limits, macro"), card.macro);
    const auto add = [&](const Figure &figure) {
        if (const auto value = figureOf(solution, figure.key))
            lines << labelOf(figure) + separator + utf8(figureText(value, figure.dimension));
    };
    for (const auto *key : {"memory.total_bytes", "memory.capacity_bytes"})
        add(figureNamed(key));
    for (const auto key : keys)
        add(figureNamed(key));
    for (const auto &entry : solution.trace)
        lines << itemmodels::constraintTitle(entry.constraint) + separator + QString::fromStdString(entry.sentence);
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = Notice(i); solution.estimate.notices.has(notice))
            lines << tr(QT_TRANSLATE_NOOP("app", "Warning")) + separator + utf8(sentence(notice));
    lines << tr(QT_TRANSLATE_NOOP("app", "Source")) + separator + provenance;
    return lines.join(u'\n') + u'\n';
}

} // namespace fleetwright::app
