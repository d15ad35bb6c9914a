// SPDX-License-Identifier: GPL-3.0-or-later
// The front, money over time and how sure: the pages of the answer that have charts (part of DecideAnswer).
#include "app/pages/decide/decideanswer.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/foldheader.h"
#include "app/widgets/htmllabel.h"
#include "app/wording.h"
#include "charts/decisioncharts.h"
#include "itemmodels/sizemodel.h"
#include "solver/size/sizewords.h"
#include "solver/worksheet/fleettables.h"
#include "text/localizedparts.h"
#include "ui_decideanswer.h"
#include "units/format.h"

#include <QLabel>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

charts::Theme chartTheme(const QWidget &widget)
{
    return isDark(widget.palette()) ? charts::Theme::dark() : charts::Theme::light();
}

constexpr qsizetype saidOfMoney = 2; // sentences above the chart, whose legend needs the room

/// What matters stands above the chart; the rest, and nothing twice, below a line that folds.
void sayIn(QLabel &words, FoldHeader &fold, QLabel &details, const QStringList &said, QStringList more)
{
    words.setText(said.join(u' '));
    more.removeDuplicates();
    more.removeIf([&said](const QString &sentence) { return said.contains(sentence); });
    details.setText(more.isEmpty() ? QString() : u"\u2022 "_s + more.join(u"\n\u2022 "_s));
    fold.setSummary(localized(units::counted(double(more.size()), "more sentence", "more sentences")));
    fold.setVisible(!more.isEmpty());
    details.setVisible(!more.isEmpty() && fold.isChecked());
}

/// The limit on a figure that is drawn.
std::optional<size::SizeLimit> limitOnDrawn(uncertainty::RiskFigure figure)
{
    switch (figure) {
    case uncertainty::RiskFigure::Days: return size::SizeLimit::Deadline;
    case uncertainty::RiskFigure::RunCost: return size::SizeLimit::RunCost;
    case uncertainty::RiskFigure::OwnershipCost: return size::SizeLimit::YearlyCost;
    case uncertainty::RiskFigure::Capital: return size::SizeLimit::Capital;
    case uncertainty::RiskFigure::Power: return size::SizeLimit::Power;
    case uncertainty::RiskFigure::Carbon: return size::SizeLimit::Carbon;
    }
    return std::nullopt;
}

/// However it is paid for.
QString nodesOf(const size::Result &result, const size::Answer &answer)
{
    return DecideAnswer::tr("%1 \u00d7 %2").arg(app::count(answer.nodes), utf8(result.lots[answer.lot].node));
}

/// The sheet of a fleet of the answer; nothing where it cannot be priced.
std::optional<CostSheet> sheetOf(const size::Result &result, const size::Answer &answer, const Catalog &catalog)
{
    const auto fleet = resolve(size::fleetOf(result, answer), catalog);
    auto sheet = fleet ? fleetCost(*fleet) : Expected<CostSheet>(std::unexpected(fleet.error()));
    return sheet ? std::optional(std::move(*sheet)) : std::nullopt;
}

/// What is paid for the jobs, and that the lines are of another time.
QString runAndLife(const CostSheet &sheet, const size::Answer &answer, const size::Lot &lot)
{
    const auto years = units::counted(sheet.value("life_years").value_or(0), "year", "years");
    const bool runAlone = lot.paying.paying == Paying::Rent && yearsOf(lot.paying.rentTerm) == 0;
    return (runAlone
                   ? DecideAnswer::tr("These jobs take %2 and cost %1: the fleet is rented for them alone.")
                   : DecideAnswer::tr("These jobs take %2 and cost %1, their share of a fleet that is had for longer."))
               .arg(localized(size::valueInWords(size::SizeLimit::RunCost, answer.figures.runCostUsd)),
                   localized(size::valueInWords(size::SizeLimit::Deadline, answer.figures.days)))
        + u' '
        + DecideAnswer::tr("The lines are what the whole fleet costs when it is had for %1, working or not; these jobs "
                           "end at the mark.")
              .arg(localized(years));
}

} // namespace

void DecideAnswer::showCharts()
{
    if (currentWidget() == m_ui->frontTab)
        showFront();
    else if (currentWidget() == m_ui->moneyTab)
        showMoney();
    else if (currentWidget() == m_ui->sureTab)
        showSure();
}

void DecideAnswer::showFront()
{
    static const size::Result none;
    const auto axis = [](const QComboBox *combo) { return DecisionObjective(combo->currentData().toInt()); };
    m_ui->frontChart->show(charts::decisionFrontChart(m_answer.result ? *m_answer.result : none,
                               {.axes = {axis(m_ui->xCombo), axis(m_ui->yCombo)},
                                   .limits = size::statedLimits(m_answer.document),
                                   .selected = chosen(),
                                   .picked =
                                       [this](std::size_t answer) {
                                           QMetaObject::invokeMethod(
                                               this, [this, answer] { pick(answer); }, Qt::QueuedConnection);
                                       }}),
        chartTheme(*this));
}

void DecideAnswer::showMoney()
{
    std::vector<charts::MoneyCurve> curves;
    QStringList said{tr("What is paid over time stands here once the question is answered.")};
    const auto *best = m_answer.result ? m_answer.result->best() : nullptr;
    if (m_answer.result && !best)
        said = QStringList(tr("No fleet keeps all limits, so there is nothing to pay for."))
            + sentencesOf(size::bindingInWords(m_answer.document, *m_answer.result));
    if (best) {
        const auto &result = *m_answer.result;
        said = {tr("What %1 costs over time cannot be computed with the prices of the catalog.")
                    .arg(nodesOf(result, *best))};
        const auto *compared = m_answer.sure && m_answer.sure->buyOrRent ? &*m_answer.sure->buyOrRent : nullptr;
        if (const auto sheet = sheetOf(result, *best, *m_catalog)) {
            curves = charts::decisionCurves(result, compared, *m_catalog);
            if (compared) {
                said = sentencesOf(compared->sentences);
                if (!compared->first.empty()) { // the month, which the lines show
                    const auto month = localized(compared->first.back());
                    said.removeOne(month);
                    said.prepend(month);
                }
            } else if (const auto fleet = resolve(size::fleetOf(result, *best), *m_catalog))
                said = sentencesOf(buyOrRentInWords(*fleet, *sheet));
            said.prepend(runAndLife(*sheet, *best, result.lots[best->lot]));
        }
    }
    m_ui->moneyChart->setVisible(!curves.empty()); // empty axes say nothing
    m_ui->moneyChart->show(
        charts::moneyChart(curves, best ? std::optional(best->figures.days) : std::nullopt), chartTheme(*this));
    sayIn(*m_ui->moneyWords, *m_ui->moneyHeader, *m_ui->moneyDetails, said.mid(0, saidOfMoney), said.mid(saidOfMoney));
}

void DecideAnswer::showSure()
{
    auto &ui = *m_ui;
    const auto place = std::size_t(std::max(0, ui.sureFleetCombo->currentIndex()));
    const bool drawn = m_answer.sure && place < m_answer.sure->risk.fleets.size();
    for (auto *widget : std::initializer_list<QWidget *>{
             ui.sureHeadline, ui.sureFleetCombo, ui.sureFigureCombo, ui.histogramChart, ui.tornadoChart})
        widget->setVisible(drawn);
    if (!drawn) {
        const auto why = m_answer.sureRefused.empty()
            ? tr("Ranges of prices, step times and failures are drawn from once the answer is complete.")
            : localized(m_answer.sureRefused);
        sayIn(*ui.sureWords, *ui.sureHeader, *ui.sureDetails, {why}, {});
        return;
    }
    const auto &risk = m_answer.sure->risk;
    const auto &fleet = risk.fleets[place];
    const auto figure = uncertainty::RiskFigure(ui.sureFigureCombo->currentData().toInt());
    const auto limit = limitOnDrawn(figure);
    const auto stated = size::statedLimits(m_answer.document);
    const auto bound = std::ranges::find_if(stated, [&](const auto &one) { return one.limit == limit; });
    ui.histogramChart->show(
        charts::riskHistogramChart(fleet, figure, bound == stated.end() ? std::nullopt : std::optional(bound->value)),
        chartTheme(*this));
    ui.tornadoChart->show(charts::tornadoChart(risk, fleet, figure), chartTheme(*this));
    QStringList headlines;
    for (const auto &[title, sentence] : size::sureHeadlines(*m_answer.sure))
        headlines << tr("<b>%1</b> %2").arg(localized(title).toHtmlEscaped(), localized(sentence).toHtmlEscaped());
    showHtml(ui.sureHeadline, headlines.join(u"<br>"_s));
    QStringList said, more;
    if (const auto &spread = fleet.spread(figure); spread && limit) {
        const auto words = [&](double value) { return localized(size::valueInWords(*limit, value)); };
        const auto range = spread->range();
        said << (range.p10 < range.p90
                ? inflected(tr("%1: most likely %2; eight times in ten it lies between %3 and %4.")
                                .arg(localized(uncertainty::titleOf(figure)), words(spread->likely), words(range.p10),
                                    words(range.p90)))
                : tr("%1: %2; nothing with a range moves it.")
                      .arg(localized(uncertainty::titleOf(figure)), words(spread->likely)));
        if (figure == uncertainty::RiskFigure::Days)
            if (const auto late = localized(size::lateInWords(&fleet)); !late.isEmpty())
                said << late;
    }
    QStringList chances;
    for (const auto &[chance, what] : {std::pair(fleet.deadline, tr("the deadline")),
             std::pair(fleet.budget, tr("the limit on the run cost")), std::pair(fleet.both, tr("both"))})
        if (chance) {
            chances << tr("%1 with a chance of %2").arg(what, percent(chance->share));
            more << tr("%1 is kept in %2 of the draws, give or take %3.")
                        .arg(what.at(0).toUpper() + what.mid(1), percent(chance->share), percent(chance->error));
        }
    if (!chances.isEmpty())
        said << tr("It keeps %1.").arg(chances.join(u", "_s));
    said << tr("With everything that is not certain, it stays the best fleet in %1 of the cases.")
                .arg(percent(fleet.best.share));
    more << tr("Best in %1 of the draws, give or take %2.").arg(percent(fleet.best.share), percent(fleet.best.error));
    const auto isDrawn = [&](uncertainty::RiskInput::Kind kind) {
        return std::ranges::find(risk.inputs, kind, &uncertainty::RiskInput::kind) != risk.inputs.end();
    };
    if (isDrawn(uncertainty::RiskInput::Kind::FamilyStepTime) && isDrawn(uncertainty::RiskInput::Kind::FleetStepTime))
        more << tr("What a predicted step time may be off has two halves, each with a bar of its own: one that all "
                   "fleets of an accelerator family share, and one of this fleet alone.");
    more << sentencesOf(size::howSureInWords(*m_answer.sure));
    sayIn(*ui.sureWords, *ui.sureHeader, *ui.sureDetails, said, more);
}

} // namespace fleetwright::app
