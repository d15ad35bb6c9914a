// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planfigures.h"

#include "app/theme.h"
#include "app/wording.h"
#include "itemmodels/tracemodel.h"
#include "solver/answer/likelyspeed.h"
#include "solver/explain/figureorigin.h"
#include "solver/worksheet/formulawords.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace fleetwright::app {

using units::Dimension;

namespace {

constexpr auto keys = std::to_array<std::string_view>(
    {"step_time_s", "tokens_per_s", "mfu", "hfu", "scaling_efficiency", "bubble_share_of_step", "exposed_comm_time_s",
        "bubble_fraction", "samples_per_s", "flops_per_accelerator_per_s", "tuning_worth", "run_time_s",
        "order_to_end_s", "token_budget", "compute_optimal_tokens", "run_owned_usd", "run_rented_usd",
        "run_owned_usd_per_million_tokens", "fleet_capital_usd", "run_electricity_usd", "facility_power_w",
        "run_rented_usd_per_million_tokens", "levelised_usd_per_accelerator_hour", "rent_usd_per_accelerator_hour",
        "fleet_yearly_usd", "run_energy_j", "run_carbon_kg", "run_embodied_kg", "run_water_l", "productive_share",
        "run_failures", "interval_s", "checkpoint_time_s", "cost_usd_per_million_tokens"});

/// A figure of the worksheet: its formula, what enters it, and what its range is made of.
QString rowReason(const Figure &figure, const Solution &solution, const ExplainedCell &cell)
{
    QStringList lines;
    const auto &sheet = solution.costs->sheet();
    if (const auto worded = wordedFormula(sheet, cell.key, cell.column); !worded.words.empty()) {
        lines << tr(QT_TRANSLATE_NOOP("app", "= %1")).arg(localized(worded.words));
        if (!worded.values.empty())
            lines << tr(QT_TRANSLATE_NOOP("app", "= %1")).arg(localized(worded.values));
    }
    lines << tr(QT_TRANSLATE_NOOP("app", "Source: %1")).arg(localized(sourceInWords(sheet, cell.key)));
    constexpr std::size_t mostSwings = 3;
    const auto swings = solution.costs->swings(cell.key);
    QStringList moved;
    for (std::size_t i = 0; i < std::min(mostSwings, swings.size()); ++i)
        if (const auto row = sheet.sheet().find(swings[i].entry))
            moved << localized(sheet.sheet().row(*row).label);
    if (rangeOf(figure, solution))
        lines << tr(QT_TRANSLATE_NOOP("app", "Range %1: eight of ten draws, as in a decision; most of it from %2."))
                     .arg(localized(valueInWords(figure, solution)), moved.join(QStringLiteral("; ")));
    return lines.join(u'\n');
}

bool isOnlyLikely(ScoreLevel level, const Solution &solution)
{
    return scorecard(solution).of(level) == Verdict::Pass
        && std::ranges::any_of(solution.trace,
            [&](const TraceEntry &entry) { return entry.onlyLikely && levelOf(entry.constraint) == level; });
}

QString verdictInWords(ScoreLevel level, const Solution &solution)
{
    return isOnlyLikely(level, solution) ? tr(QT_TRANSLATE_NOOP("app", "likely"))
                                         : localized(words(scorecard(solution).of(level)));
}

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
    const auto missing = reasonFor(figure, solution);
    if (!insteadOf(figure, solution).empty())
        return localized(missing);
    if (!missing.empty())
        return tr(QT_TRANSLATE_NOOP("app", "Not known.")) + u' ' + localized(withLabels(missing));
    if (const auto cell = explainRow(figure, solution))
        return rowReason(figure, solution, *cell);
    const auto found = std::ranges::find(explained, figure.key, &ExplainedFigure::key);
    if (found == explained.end())
        return {};
    QStringList lines{tr(QT_TRANSLATE_NOOP("app", "= %1")).arg(QString::fromStdString(found->formula))};
    const auto model = findCostModel(plan->costModelId);
    for (const auto &input : found->inputs)
        lines << QStringLiteral("   %1 = %2: %3 (%4)")
                     .arg(QString::fromStdString(input.symbol), localized(units::format(input.value, input.dimension)),
                         localized(input.meaning), localized(originInWords(input.origin, model ? *model : nullptr)));
    lines << tr(QT_TRANSLATE_NOOP("app", "Source: %1")).arg(localized(found->source));
    if (figure.key == "checkpoint_time_s" && solution.operations.checkpointSlow)
        lines << tr(QT_TRANSLATE_NOOP("app", "Longer than a minute: faster or more checkpoint storage saves time."));
    if (figure.key == "compute_optimal_tokens" && plan->tokenBudget())
        lines << tr(QT_TRANSLATE_NOOP("app", "The token budget is %1."))
                     .arg(localized(units::format(*plan->tokenBudget(), Dimension::Number)));
    return lines.join(u'\n');
}

QString verdictText(ScoreLevel level, const Solution &solution, const QPalette &palette)
{
    const auto verdict = scorecard(solution).of(level);
    const QString shown = verdictInWords(level, solution);
    const auto marked = [&](QChar sign, const QColor &colour) {
        const auto mark =
            QStringLiteral("<a href=\"why\" style=\"color:%1\"><b>%2</b> %3</a>").arg(colour.name(), sign, shown);
        switch (level) {
        case ScoreLevel::Feasibility: return tr(QT_TRANSLATE_NOOP("app", "memory and layout: %1")).arg(mark);
        case ScoreLevel::Performance: return tr(QT_TRANSLATE_NOOP("app", "speed: %1")).arg(mark);
        case ScoreLevel::Macro: break;
        }
        return tr(QT_TRANSLATE_NOOP("app", "time, money and power: %1")).arg(mark);
    };
    if (isOnlyLikely(level, solution))
        return marked(QChar(0x2248), warningColour(palette));
    switch (verdict) {
    case Verdict::Pass: return marked(QChar(0x2713), palette.color(QPalette::WindowText));
    case Verdict::Fail: return marked(QChar(0x2717), errorColour(palette));
    case Verdict::Undecided: return marked(u'?', warningColour(palette));
    case Verdict::NoLimits: break;
    }
    switch (level) { // the limits of other levels may be set
    case ScoreLevel::Feasibility: return tr(QT_TRANSLATE_NOOP("app", "no limit on memory"));
    case ScoreLevel::Performance: return tr(QT_TRANSLATE_NOOP("app", "no limit on speed"));
    case ScoreLevel::Macro: break;
    }
    return tr(QT_TRANSLATE_NOOP("app", "no limit on time, money or power"));
}

QString verdictHelp(ScoreLevel level, const Solution &solution)
{
    QStringList lines;
    for (const auto &entry : solution.trace)
        if (levelOf(entry.constraint) == level)
            lines << localized(entry.sentence);
    return lines.isEmpty() ? tr(QT_TRANSLATE_NOOP("app", "No limit of this level is set; enter one under Constraints."))
                           : lines.join(u'\n');
}

QString verdictReason(std::span<const TraceEntry> trace)
{
    QStringList likely;
    for (const auto &entry : trace) {
        if (entry.decided && !entry.holds)
            return localized(entry.sentence);
        if (entry.onlyLikely)
            likely << itemmodels::constraintTitle(entry.constraint);
    }
    return likely.isEmpty()
        ? QString()
        : tr(QT_TRANSLATE_NOOP(
                 "app", "Keeps all limits at the likely values; at the high end of its range it misses: %1."))
              .arg(likely.join(QStringLiteral(", ")));
}

QString verdictReason(const Solution &solution)
{
    QStringList reasons{verdictReason(solution.trace)};
    if (solution.estimate.notices.has(Notice::SequenceSplit))
        reasons << localized(sentence(Notice::SequenceSplit));
    reasons.removeAll(QString());
    return reasons.join(u' ');
}

const Figure *figureBehind(ScoreLevel level, const Solution &solution)
{
    struct Behind {
        Limit limit;
        std::string_view figure;
    };
    constexpr std::array behind{Behind{Limit::DeadlineDays, "run_time_s"}, Behind{Limit::RunCostUsd, "run_cost_usd"},
        Behind{Limit::CapitalUsd, "fleet_capital_usd"}, Behind{Limit::YearlyCostUsd, "fleet_yearly_usd"},
        Behind{Limit::MaxFacilityMw, "facility_power_w"}};
    const auto figureOfEntry = [&](const TraceEntry &entry) -> const Figure * {
        const auto found = std::ranges::find(
            behind, entry.constraint, [](const Behind &of) { return keyOf(of.limit); });
        return found == behind.end() || levelOf(entry.constraint) != level ? nullptr : findFigure(found->figure);
    };
    const auto firstOf = [&](auto isOne) -> const Figure * {
        for (const auto &entry : solution.trace)
            if (const auto *figure = figureOfEntry(entry); figure && isOne(entry))
                return figure;
        return nullptr;
    };
    if (const auto *broken = firstOf([](const TraceEntry &entry) { return entry.decided && !entry.holds; }))
        return broken;
    if (const auto *likely = firstOf([](const TraceEntry &entry) { return entry.onlyLikely; }))
        return likely;
    return firstOf([](const TraceEntry &) { return true; });
}

QString byFormulaAlone(const exchange::StoredEstimate &estimate)
{
    const auto step = estimate.figure("step_time_s");
    if (!likelyByRuns("step_time_s", step, step, estimate.range))
        return {};
    QStringList byFormula;
    for (const auto key : {"step_time_s", "tokens_per_s", "mfu"})
        if (const auto value = estimate.figure(key))
            byFormula << tr(QT_TRANSLATE_NOOP("app", "%1 %2"))
                             .arg(shortLabelOf(figureNamed(key)),
                                 localized(figureText(value, figureNamed(key).dimension)));
    return tr(QT_TRANSLATE_NOOP("app", "By the formula alone, as all parts of the step: %1."))
        .arg(byFormula.join(QStringLiteral(", ")));
}

QString resultsAsText(const QString &planName, const Solution &solution, const QString &provenance, bool tabs)
{
    const QString separator = tabs ? QStringLiteral("\t") : QStringLiteral(": ");
    QStringList lines{tr(QT_TRANSLATE_NOOP("app", "Plan")) + separator + planName,
        labelOf(feasibleFigure()) + separator + localized(verdictInWords(solution))};
    const auto limits = [&](const char *name, ScoreLevel level) {
        lines << tr(name) + separator + verdictInWords(level, solution);
    };
    limits(QT_TRANSLATE_NOOP("app", "Limits, feasibility"), ScoreLevel::Feasibility);
    limits(QT_TRANSLATE_NOOP("app", "Limits, performance"), ScoreLevel::Performance);
    limits(QT_TRANSLATE_NOOP("app", "Limits, macro"), ScoreLevel::Macro);
    const auto add = [&](const Figure &figure) {
        const auto value = figureOf(solution, figure.key);
        if (const auto likely = likelyByRuns(figure.key, value, figureOf(solution, "step_time_s"), solution.range))
            lines << labelOf(figure) + separator
                    + tr(QT_TRANSLATE_NOOP("app", "%1 likely by the measured runs, %2 by the formula"))
                          .arg(localized(figureText(likely, figure.dimension)),
                              localized(figureText(value, figure.dimension)));
        else if (value || !insteadOf(figure, solution).empty())
            lines << labelOf(figure) + separator + localized(valueInWords(figure, solution));
    };
    for (const auto *key : {"memory.total_bytes", "memory.capacity_bytes"})
        add(figureNamed(key));
    for (const auto key : keys)
        add(figureNamed(key));
    for (const auto &entry : solution.trace)
        lines << itemmodels::constraintTitle(entry.constraint) + separator + localized(entry.sentence);
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = Notice(i); solution.estimate.notices.has(notice))
            lines << tr(QT_TRANSLATE_NOOP("app", "Warning")) + separator + localized(sentence(notice));
    lines << tr(QT_TRANSLATE_NOOP("app", "Source")) + separator + provenance;
    return lines.join(u'\n') + u'\n';
}

} // namespace fleetwright::app
