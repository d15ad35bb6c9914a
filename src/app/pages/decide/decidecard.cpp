// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decidecard.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/wording.h"
#include "solver/size/sizewords.h"
#include "text/markdowntext.h"

#include <QAction>
#include <QClipboard>
#include <QGraphicsOpacityEffect>
#include <QGuiApplication>
#include <QLabel>
#include <QVBoxLayout>

#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using size::SizeLimit;
using uncertainty::RiskFigure;

namespace {

constexpr double staleOpacity = 0.45;

QString cardFigure(SizeLimit limit, double value) { return utf8(size::valueInWords(limit, value)); }

/// "10.3 MUSD (7.32 to 14.9)": the likely value and the range of eight draws in ten, in one unit; the likely value
/// alone where nothing was drawn, or nothing varies.
QString ranged(SizeLimit limit, double likely, const uncertainty::FleetRisk *risk, RiskFigure drawn)
{
    const auto *spread = risk && risk->spread(drawn) ? &*risk->spread(drawn) : nullptr;
    if (!spread)
        return cardFigure(limit, likely);
    const auto &quantiles = spread->quantiles;
    return quantiles.p10 < quantiles.p90 ? utf8(size::rangeInWords(limit, spread->likely, quantiles.p10, quantiles.p90))
                                         : cardFigure(limit, likely);
}

} // namespace

DecideCard::DecideCard(QWidget *parent) : QFrame(parent), m_title(new QLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gridUnit, gridUnit / 2, gridUnit, gridUnit / 2);
    layout->setSpacing(1);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setObjectName(u"cardTitle"_s);
    auto quiet = m_title->palette();
    quiet.setColor(QPalette::WindowText, quietColour(palette()));
    m_title->setPalette(quiet);
    layout->addWidget(m_title);
    for (auto &line : m_lines) {
        line = new QLabel(this);
        line->setTextFormat(Qt::PlainText);
        line->setWordWrap(true);
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
        line->setContextMenuPolicy(Qt::NoContextMenu); // that of the card comes
        useTabularFigures(line);
        layout->addWidget(line);
    }
    makeHeading(m_lines[Fleet]);
    layout->addStretch(1);
    const auto add = [this](const QString &name, const QString &text, QString (DecideCard::*content)() const) {
        auto *action = new QAction(text, this);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this,
            [this, content] { QGuiApplication::clipboard()->setText((this->*content)()); });
        addAction(action);
    };
    add(u"copyCardAction"_s, tr("&Copy"), &DecideCard::text);
    add(u"copyCardMarkdownAction"_s, tr("Copy as &Markdown"), &DecideCard::markdown);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void DecideCard::setTitle(const QString &title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

void DecideCard::showFleet(const DecisionDocument &document, const size::Result &result, const size::Answer &answer,
    const uncertainty::FleetRisk *risk)
{
    const auto &figures = answer.figures;
    m_lines[Fleet]->setText(utf8(size::fleetInWords(result, answer)));
    m_lines[Layout]->setText(utf8(size::layoutsInWords(document, answer)));
    auto days = ranged(SizeLimit::Deadline, figures.days, risk, RiskFigure::Days);
    if (risk && risk->deadline)
        days += tr(", %1 by the deadline").arg(percent(risk->deadline->share));
    else if (!std::isnan(figures.deadlineChance))
        days += tr(", %1 by the deadline").arg(percent(figures.deadlineChance));
    if (risk && result.best() == &answer)
        days += tr("; best in %1 of draws").arg(percent(risk->best.share));
    m_lines[Days]->setText(days);
    auto money = tr("%1 for the run").arg(ranged(SizeLimit::RunCost, figures.runCostUsd, risk, RiskFigure::RunCost));
    money += u"; "_s
        + (figures.capitalUsd > 0
                ? tr("%1 capital").arg(ranged(SizeLimit::Capital, figures.capitalUsd, risk, RiskFigure::Capital))
                : tr("%1 a year")
                      .arg(ranged(SizeLimit::YearlyCost, figures.yearlyUsd, risk, RiskFigure::OwnershipCost)));
    if (const auto whole = size::reservationUsd(result, answer))
        money += tr(", %1 until the reservation ends").arg(cardFigure(SizeLimit::YearlyCost, *whole));
    m_lines[Money]->setText(money);
    QStringList power{cardFigure(SizeLimit::Power, figures.facilityWatts)};
    if (std::isfinite(figures.carbonKg))
        power << cardFigure(SizeLimit::Carbon, figures.carbonKg);
    if (std::isfinite(figures.usdPerAcceleratorHour))
        power << tr("%1 USD an accelerator-hour").arg(utf8(units::threeDigits(figures.usdPerAcceleratorHour)));
    if (const auto calendar = utf8(size::calendarInWords(document, answer)); !calendar.isEmpty())
        power << calendar;
    m_lines[Power]->setText(power.join(u", "_s));
    m_lines[Misses]->setText(
        answer.isFeasible() ? QString() : tr("Misses: %1.").arg(utf8(size::missesInWords(answer))));
    for (auto *line : m_lines)
        line->setVisible(!line->text().isEmpty());
    if (risk && risk->best.share > 0)
        m_lines[Days]->setToolTip(
            tr("Best in %1 of the draws, give or take %2.").arg(percent(risk->best.share), percent(risk->best.error)));
    else
        m_lines[Days]->setToolTip({});
}

void DecideCard::showNone(const QString &sentence)
{
    for (auto *line : m_lines) {
        line->clear();
        line->hide();
    }
    m_lines[Layout]->setText(sentence);
    m_lines[Layout]->show();
}

void dim(QWidget &widget, bool stale)
{
    if (stale == (widget.graphicsEffect() != nullptr))
        return;
    auto *effect = stale ? new QGraphicsOpacityEffect(&widget) : nullptr;
    if (effect)
        effect->setOpacity(staleOpacity);
    widget.setGraphicsEffect(effect);
}

void DecideCard::setStale(bool stale) { dim(*this, stale); }

QString DecideCard::markdown() const
{
    auto lines = text().split(u'\n');
    for (auto &line : lines)
        line = u"- "_s + markdownText(line);
    lines.front() = u"**"_s + lines.front().mid(2) + u"**\n"_s;
    return lines.join(u'\n') + u'\n';
}

QString DecideCard::text() const
{
    QStringList lines{m_title->text()};
    for (const auto *line : m_lines)
        if (!line->text().isEmpty())
            lines << line->text();
    return lines.join(u'\n');
}

} // namespace fleetwright::app
