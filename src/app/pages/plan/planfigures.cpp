// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planfigures.h"

#include "itemmodels/tracemodel.h"
#include "units/format.h"

#include <QCoreApplication>

#include <array>

namespace fleetwright::app {

using units::Dimension;

namespace {

constexpr std::array<FigureDescriptor, 15> figures{{
    {"step_time_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Step time"), QT_TRANSLATE_NOOP("Figures", "Time of one optimizer step: computation, exposed communication, pipeline bubble and overheads."), Dimension::Time},
    {"tokens_per_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Tokens per second"), QT_TRANSLATE_NOOP("Figures", "Tokens of the global batch divided by the step time, for the whole fleet."), Dimension::Number},
    {"mfu", Level::Fast, QT_TRANSLATE_NOOP("Figures", "MFU"), QT_TRANSLATE_NOOP("Figures", "Model FLOP utilisation: FLOP that the model needs per second over the dense peak of the whole fleet; recomputation does not count."), Dimension::Fraction},
    {"hfu", Level::Fast, QT_TRANSLATE_NOOP("Figures", "HFU"), QT_TRANSLATE_NOOP("Figures", "Hardware FLOP utilisation: as MFU, with recomputation counted."), Dimension::Fraction},
    {"scaling_efficiency", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Scaling efficiency"), QT_TRANSLATE_NOOP("Figures", "Share of the step in which accelerators compute: time without communication and bubble over the step time."), Dimension::Fraction},
    {"bubble_fraction", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Bubble"), QT_TRANSLATE_NOOP("Figures", "Share of the pipelined interval in which a stage waits for others."), Dimension::Fraction},
    {"exposed_comm_time_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Exposed comm."), QT_TRANSLATE_NOOP("Figures", "Communication that the step waits for, per step."), Dimension::Time},
    {"samples_per_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Sequences per s"), QT_TRANSLATE_NOOP("Figures", "Sequences per second for the whole fleet."), Dimension::Number},
    {"flops_per_accelerator_per_s", Level::Fast, QT_TRANSLATE_NOOP("Figures", "Per accelerator"), QT_TRANSLATE_NOOP("Figures", "Model FLOP per second on one accelerator."), Dimension::ComputeRate},
    {"duration_s", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Duration"), QT_TRANSLATE_NOOP("Figures", "Token budget over tokens per second, without failures and restarts."), Dimension::Time},
    {"token_budget", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Token budget"), QT_TRANSLATE_NOOP("Figures", "Tokens to train on: the plan's own number, else the one published for the model."), Dimension::Number},
    {"accelerator_hours", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Accelerator-hours"), QT_TRANSLATE_NOOP("Figures", "Accelerators times the duration in hours."), Dimension::Number},
    {"it_power_w", Level::Worth, QT_TRANSLATE_NOOP("Figures", "IT power"), QT_TRANSLATE_NOOP("Figures", "Nodes at their maximum power; accelerators at TDP where the node's power is unknown."), Dimension::Power},
    {"facility_power_w", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Facility power"), QT_TRANSLATE_NOOP("Figures", "IT power times the PUE of the facility."), Dimension::Power},
    {"cost_usd", Level::Worth, QT_TRANSLATE_NOOP("Figures", "Cloud cost"), QT_TRANSLATE_NOOP("Figures", "Accelerator-hours at the lowest cloud price in the catalog."), Dimension::Money},
}};

} // namespace

std::span<const FigureDescriptor> figureDescriptors() { return figures; }

QString figureText(const FigureDescriptor &figure, const QJsonObject &estimate)
{
    const auto value = estimate.value(QLatin1StringView(figure.key));
    if (!value.isDouble())
        return {};
    return figure.dimension == Dimension::Number ? QString::fromStdString(value.toDouble() < 1e6 ? units::threeDigits(value.toDouble()) : units::format(value.toDouble(), figure.dimension))
                                                 : QString::fromStdString(units::format(value.toDouble(), figure.dimension));
}

QString figureLabel(const FigureDescriptor &figure) { return QCoreApplication::translate("Figures", figure.label); }

QString figureHelp(const FigureDescriptor &figure) { return QCoreApplication::translate("Figures", figure.help); }

QString resultsAsText(const QString &planName, const QJsonObject &estimate, const Solution &solution, const QString &provenance, bool tabs)
{
    const QString separator = tabs ? QStringLiteral("\t") : QStringLiteral(": ");
    const auto tr = [](const char *text) { return QCoreApplication::translate("Figures", text); };
    QStringList lines{tr(QT_TRANSLATE_NOOP("Figures", "Plan")) + separator + planName,
        tr(QT_TRANSLATE_NOOP("Figures", "Feasible")) + separator + (solution.feasible ? tr(QT_TRANSLATE_NOOP("Figures", "yes")) : tr(QT_TRANSLATE_NOOP("Figures", "no")))};
    if (const auto &memory = solution.estimate.memory)
        lines << tr(QT_TRANSLATE_NOOP("Figures", "Memory")) + separator + QString::fromStdString(units::format(memory->total))
              << tr(QT_TRANSLATE_NOOP("Figures", "Memory capacity")) + separator + QString::fromStdString(units::format(memory->capacity));
    for (const auto &figure : figures)
        if (const QString text = figureText(figure, estimate); !text.isEmpty())
            lines << figureLabel(figure) + separator + text;
    for (const auto &entry : solution.trace)
        lines << itemmodels::constraintTitle(entry.constraint) + separator + QString::fromStdString(entry.sentence);
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = Notice(i); solution.estimate.notices.has(notice))
            lines << tr(QT_TRANSLATE_NOOP("Figures", "Warning")) + separator + QString::fromUtf8(sentence(notice).data(), qsizetype(sentence(notice).size()));
    lines << tr(QT_TRANSLATE_NOOP("Figures", "Source")) + separator + provenance;
    return lines.join(u'\n') + u'\n';
}

} // namespace fleetwright::app
