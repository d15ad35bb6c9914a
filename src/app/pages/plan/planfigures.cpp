// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planfigures.h"

#include "charts/charts.h"
#include "itemmodels/tracemodel.h"
#include "solver/answer/figures.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace fleetwright::app {

using units::Dimension;

namespace {

constexpr std::array<FigureDescriptor, 29> figures{{
    {"step_time_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Step time"),
        QT_TRANSLATE_NOOP("Figures",
            "Time of one optimizer step: computation, exposed communication, pipeline bubble and overheads."),
        Dimension::Time},
    {"tokens_per_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Tokens per second"),
        QT_TRANSLATE_NOOP("Figures", "Tokens of the global batch divided by the step time, for the whole fleet."),
        Dimension::Number},
    {"mfu", Level::Fast, QT_TRANSLATE_NOOP("Figures", "MFU"),
        QT_TRANSLATE_NOOP("Figures",
            "Model FLOP utilisation: FLOP that the model needs per second over the dense peak of the whole fleet; "
            "recomputation does not count."),
        Dimension::Fraction},
    {"hfu", Level::Fast, QT_TRANSLATE_NOOP("Figures", "HFU"),
        QT_TRANSLATE_NOOP("Figures", "Hardware FLOP utilisation: as MFU, with recomputation counted."),
        Dimension::Fraction},
    {"scaling_efficiency", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Scaling efficiency"),
        QT_TRANSLATE_NOOP("Figures",
            "Share of the step in which accelerators compute: time without communication and bubble over the step "
            "time."),
        Dimension::Fraction},
    {"bubble_share_of_step", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Bubble"), nullptr, Dimension::Fraction},
    {"exposed_comm_time_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Exposed comm."),
        QT_TRANSLATE_NOOP("Figures", "Communication that the step waits for, per step."), Dimension::Time},
    {"samples_per_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Sequences per s"),
        QT_TRANSLATE_NOOP("Figures", "Sequences per second for the whole fleet."), Dimension::Number},
    {"flops_per_accelerator_per_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Per accelerator"),
        QT_TRANSLATE_NOOP("Figures", "Model FLOP per second on one accelerator."), Dimension::ComputeRate},
    {"duration_s", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Duration"),
        QT_TRANSLATE_NOOP("Figures", "Token budget over tokens per second, without failures and restarts."),
        Dimension::Time},
    {"duration_with_failures_s", Level::Worth, QT_TRANSLATE_NOOP("Figures", "With failures"), nullptr, Dimension::Time},
    {"token_budget", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Token budget"),
        QT_TRANSLATE_NOOP(
            "Figures", "Tokens to train on: the plan's own number, else the one published for the model."),
        Dimension::Number},
    {"compute_optimal_tokens", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Optimal tokens"), nullptr,
        Dimension::Number},
    {"cost_usd", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Cloud cost"),
        QT_TRANSLATE_NOOP("Figures", "Accelerator-hours at the lowest cloud price in the catalog."), Dimension::Money},
    {"tco_usd", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Owned cost"), nullptr, Dimension::Money},
    {"cost_usd_per_million_tokens", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Cloud, 1M tokens"), nullptr,
        Dimension::Money},
    {"tco_usd_per_million_tokens", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Owned, 1M tokens"), nullptr,
        Dimension::Money},
    {"it_power_w", Level::Worth, QT_TRANSLATE_NOOP("Figures", "IT power"),
        QT_TRANSLATE_NOOP(
            "Figures", "Nodes at their maximum power; accelerators at TDP where the node's power is unknown."),
        Dimension::Power},
    {"facility_power_w", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Facility power"),
        QT_TRANSLATE_NOOP("Figures", "IT power times the PUE of the facility."), Dimension::Power},
    {"energy_j", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Facility energy"), nullptr, Dimension::Energy},
    {"operational_carbon_kg", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Carbon, running"), nullptr,
        Dimension::Carbon},
    {"embodied_carbon_kg", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Carbon, embodied"), nullptr, Dimension::Carbon},
    {"water_l", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Water"), nullptr, Dimension::Water},
    {"accelerator_hours", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Accelerator-hours"),
        QT_TRANSLATE_NOOP("Figures", "Accelerators times the duration in hours."), Dimension::Number},
    {"fleet_mtbf_s", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Fleet MTBF"), nullptr, Dimension::Time},
    {"expected_failures", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Failures"), nullptr, Dimension::Number},
    {"checkpoint_interval_s", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Checkpoint every"), nullptr, Dimension::Time},
    {"checkpoint_time_s", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Checkpoint takes"), nullptr, Dimension::Time},
    {"goodput", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Goodput"), nullptr, Dimension::Fraction},
}};

} // namespace

std::span<const FigureDescriptor> figureDescriptors() { return figures; }

QString figureText(const FigureDescriptor &figure, const QJsonObject &estimate)
{
    const auto stored = estimate.value(QLatin1StringView(figure.key));
    if (!stored.isDouble())
        return {};
    const double value = stored.toDouble();
    return QString::fromStdString(figure.dimension == Dimension::Number && value < 1e6
            ? units::threeDigits(value)
            : units::format(value, figure.dimension));
}

QString figureLabel(const FigureDescriptor &figure) { return QCoreApplication::translate("Figures", figure.label); }

QString figureHelp(const FigureDescriptor &figure)
{
    if (figure.help)
        return QCoreApplication::translate("Figures", figure.help);
    const auto *known = findFigure(figure.key);
    return known ? utf8(known->help) : QString();
}

QString figureReason(const FigureDescriptor &figure, const Plan &plan, const Solution &solution,
    const std::vector<ExplainedFigure> &explained)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("Figures", text); };
    if (const auto missing = reasonForAbsence(solution, figure.key); !missing.empty())
        return tr(QT_TRANSLATE_NOOP("Figures", "Not known.")) + u' ' + utf8(missing);
    const auto found = std::ranges::find(explained, figure.key, &ExplainedFigure::key);
    if (found == explained.end())
        return {};
    QStringList lines{tr(QT_TRANSLATE_NOOP("Figures", "= %1")).arg(QString::fromStdString(found->formula))};
    for (const auto &input : found->inputs)
        lines << QStringLiteral("   %1 = %2: %3 (%4)")
                     .arg(QString::fromStdString(input.symbol),
                         QString::fromStdString(units::format(input.value, input.dimension)),
                         QString::fromStdString(input.meaning), QString::fromStdString(input.origin));
    lines << tr(QT_TRANSLATE_NOOP("Figures", "Source: %1")).arg(QString::fromStdString(found->source));
    if (std::string_view(figure.key) == "checkpoint_time_s" && solution.operations.checkpointSlow)
        lines << tr(
            QT_TRANSLATE_NOOP("Figures", "Longer than a minute: faster or more checkpoint storage saves time."));
    if (std::string_view(figure.key) == "compute_optimal_tokens" && plan->tokenBudget())
        lines << tr(QT_TRANSLATE_NOOP("Figures", "The token budget is %1."))
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
    return lines.isEmpty()
        ? QCoreApplication::translate("Figures", "No limit of this level is set; enter one under Constraints.")
        : lines.join(u'\n');
}

QString feasibilityText(std::optional<bool> feasibility)
{
    const auto *word = !feasibility ? QT_TRANSLATE_NOOP("Figures", "not known")
        : *feasibility              ? QT_TRANSLATE_NOOP("Figures", "yes")
                                    : QT_TRANSLATE_NOOP("Figures", "no");
    return QCoreApplication::translate("Figures", word);
}

QString resultsAsText(const QString &planName, const QJsonObject &estimate, const Solution &solution,
    const QString &provenance, bool tabs)
{
    const QString separator = tabs ? QStringLiteral("\t") : QStringLiteral(": ");
    const auto tr = [](const char *text) { return QCoreApplication::translate("Figures", text); };
    QStringList lines{tr(QT_TRANSLATE_NOOP("Figures", "Plan")) + separator + planName,
        tr(QT_TRANSLATE_NOOP("Figures", "Feasible")) + separator + feasibilityText(feasibility(solution))};
    const auto card = scorecard(solution);
    const auto limits = [&](const char *name, Verdict verdict) {
        const auto text = words(verdict);
        lines << tr(name) + separator + utf8(text);
    };
    limits(QT_TRANSLATE_NOOP("Figures", "Limits, feasibility"), card.feasibility);
    limits(QT_TRANSLATE_NOOP("Figures", "Limits, performance"), card.performance);
    limits(QT_TRANSLATE_NOOP("Figures", "Limits, macro"), card.macro);
    if (const auto &memory = solution.estimate.memory)
        lines << tr(QT_TRANSLATE_NOOP("Figures", "Memory")) + separator
                + QString::fromStdString(units::format(memory->total))
              << tr(QT_TRANSLATE_NOOP("Figures", "Memory capacity")) + separator
                + QString::fromStdString(units::format(memory->capacity));
    for (const auto &figure : figures)
        if (const QString text = figureText(figure, estimate); !text.isEmpty())
            lines << figureLabel(figure) + separator + text;
    for (const auto &entry : solution.trace)
        lines << itemmodels::constraintTitle(entry.constraint) + separator + QString::fromStdString(entry.sentence);
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = Notice(i); solution.estimate.notices.has(notice))
            lines << tr(QT_TRANSLATE_NOOP("Figures", "Warning")) + separator + utf8(sentence(notice));
    lines << tr(QT_TRANSLATE_NOOP("Figures", "Source")) + separator + provenance;
    return lines.join(u'\n') + u'\n';
}

} // namespace fleetwright::app
