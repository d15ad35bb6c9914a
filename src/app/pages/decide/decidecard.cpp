// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decidecard.h"

#include "app/theme.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/fleetfields.h"
#include "app/wording.h"
#include "solver/size/sizewords.h"
#include "text/markdowntext.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QGridLayout>
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
    m_title->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_title);
    const auto readable = [this](bool wraps) {
        auto *label = new QLabel(this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(wraps);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setContextMenuPolicy(Qt::NoContextMenu); // that of the card comes
        useTabularFigures(label);
        return label;
    };
    for (const auto line : {Fleet, Calendar, Note, Warning, Misses})
        m_lines[line] = readable(true);
    // A second line in one of two cards would move the figures below it.
    m_lines[Layout] = new ElidedLabel(this);
    m_lines[Layout]->setTextFormat(Qt::PlainText);
    m_grid = new QWidget(this);
    auto *grid = new QGridLayout(m_grid);
    grid->setContentsMargins(0, gridUnit / 2, 0, gridUnit / 2);
    grid->setHorizontalSpacing(gridUnit);
    grid->setVerticalSpacing(1);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        auto &[name, value] = m_figures[i];
        name = new QLabel(m_grid);
        name->setForegroundRole(QPalette::PlaceholderText);
        value = readable(false);
        const int row = int(i) / 2, column = 2 * (int(i) % 2);
        grid->addWidget(name, row, column);
        grid->addWidget(value, row, column + 1);
    }
    for (const int column : {1, 3})
        grid->setColumnStretch(column, 1);
    for (const auto line : {Fleet, Layout})
        layout->addWidget(m_lines[line]);
    layout->addWidget(m_grid);
    for (const auto line : {Calendar, Note, Warning, Misses})
        layout->addWidget(m_lines[line]);
    makeHeading(m_lines[Fleet]);
    colourWarnings();
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

void DecideCard::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        colourWarnings();
    QFrame::changeEvent(event);
}

void DecideCard::colourWarnings()
{
    for (const auto &[line, colour] :
        {std::pair(Misses, errorColour(palette())), std::pair(Warning, warningColour(palette()))}) {
        auto coloured = m_lines[line]->palette();
        coloured.setColor(QPalette::WindowText, colour);
        m_lines[line]->setPalette(coloured);
    }
}

void DecideCard::setTitle(const QString &title, const QString &note, const QString &toolTip)
{
    m_name = title;
    m_note = note;
    m_title->setToolTip(toolTip);
    setAccessibleName(title);
    showTitle();
}

void DecideCard::showTitle()
{
    QStringList parts{m_name};
    if (!m_note.isEmpty())
        parts << m_note;
    if (m_isStale)
        parts = {m_name, tr("belongs to the question before")};
    m_title->setText(parts.join(u"  \u00b7  "_s));
}

void DecideCard::showFleet(const DecisionDocument &document, const size::Result &result, const size::Answer &answer,
    const uncertainty::FleetRisk *risk)
{
    const auto &figures = answer.figures;
    m_lines[Fleet]->setText(utf8(size::fleetInWords(result, answer)));
    m_lines[Layout]->setText(utf8(size::layoutsInWords(document, answer)));
    setFigure(0, tr("Days"), ranged(SizeLimit::Deadline, figures.days, risk, RiskFigure::Days));
    const double byDeadline = risk && risk->deadline ? risk->deadline->share : figures.deadlineChance;
    setFigure(1, tr("In time"), std::isnan(byDeadline) ? QString() : percent(byDeadline));
    setFigure(2, tr("Run cost"), ranged(SizeLimit::RunCost, figures.runCostUsd, risk, RiskFigure::RunCost));
    if (figures.capitalUsd > 0)
        setFigure(3, tr("Capital"), ranged(SizeLimit::Capital, figures.capitalUsd, risk, RiskFigure::Capital));
    else
        setFigure(
            3, tr("Yearly cost"), ranged(SizeLimit::YearlyCost, figures.yearlyUsd, risk, RiskFigure::OwnershipCost));
    setFigure(4, tr("Power"), cardFigure(SizeLimit::Power, figures.facilityWatts));
    setFigure(
        5, tr("Carbon"), std::isfinite(figures.carbonKg) ? cardFigure(SizeLimit::Carbon, figures.carbonKg) : QString());
    setFigure(6, tr("Accelerator-h"),
        std::isfinite(figures.usdPerAcceleratorHour)
            ? tr("%1 USD").arg(utf8(units::threeDigits(figures.usdPerAcceleratorHour)))
            : QString());
    if (risk && result.best() == &answer)
        setFigure(7, tr("Best in"), tr("%1 of draws").arg(percent(risk->best.share)),
            tr("Best in %1 of the draws, give or take %2.").arg(percent(risk->best.share), percent(risk->best.error)));
    else
        setFigure(7, {}, {});
    showFigures(true);
    QStringList calendar;
    if (const auto dates = utf8(size::calendarInWords(document, answer)); !dates.isEmpty())
        calendar << dates;
    if (const auto whole = size::reservationUsd(result, answer))
        calendar << tr("%1 until the reservation ends").arg(cardFigure(SizeLimit::YearlyCost, *whole));
    m_lines[Calendar]->setText(calendar.join(u"; "_s));
    m_lines[Note]->clear();
    m_lines[Warning]->clear();
    m_lines[Misses]->setText(
        answer.isFeasible() ? QString() : tr("Misses: %1.").arg(utf8(size::missesInWords(answer))));
    for (auto *line : m_lines)
        line->setVisible(!line->text().isEmpty());
}

void DecideCard::setNotes(const QString &warning, const QString &note)
{
    m_lines[Warning]->setText(warning);
    m_lines[Note]->setText(note);
    for (const auto line : {Warning, Note})
        m_lines[line]->setVisible(!m_lines[line]->text().isEmpty());
}

void DecideCard::setFigure(std::size_t place, const QString &name, const QString &value, const QString &toolTip)
{
    const auto &labels = m_figures[place];
    labels.name->setText(name);
    labels.value->setText(value.isEmpty() && !name.isEmpty() ? u"\u2013"_s : value);
    labels.value->setToolTip(toolTip);
}

void DecideCard::showFigures(bool shown) { m_grid->setVisible(shown); }

void DecideCard::showNone(const QString &sentence)
{
    for (auto *line : m_lines) {
        line->clear();
        line->hide();
    }
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        setFigure(i, {}, {});
    showFigures(false);
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

void DecideCard::setStale(bool stale)
{
    m_isStale = stale;
    showTitle();
    dim(*this, stale);
}

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
    const auto say = [&lines](const QString &text) {
        if (!text.isEmpty())
            lines << text;
    };
    say(m_lines[Fleet]->text());
    say(m_lines[Layout]->text());
    for (const auto &[name, value] : m_figures)
        if (!name->text().isEmpty())
            say(tr("%1: %2").arg(name->text(), value->text()));
    for (const auto line : {Calendar, Note, Warning, Misses})
        say(m_lines[line]->text());
    return lines.join(u'\n');
}

} // namespace fleetwright::app
