// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decidecard.h"

#include "app/theme.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/fittedsentences.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "app/wording.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "text/markdowntext.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using size::SizeLimit;
using uncertainty::RiskFigure;

namespace {

constexpr double staleOpacity = 0.45;
constexpr std::size_t inTime = 1; // the place of the chance of the deadline

QString cardFigure(SizeLimit limit, double value) { return localized(size::valueInWords(limit, value)); }

/// "10.3 MUSD (7.32 to 14.9)": the likely value and the range of eight draws in ten, in one unit; the likely value
/// alone where nothing was drawn, or nothing varies.
/// "8.52 MUSD (6.61–9.96)": two cards beside each other have no room for words between the ends.
QString ranged(SizeLimit limit, double likely, const uncertainty::FleetRisk *risk, RiskFigure drawn)
{
    const auto *spread = risk && risk->spread(drawn) ? &*risk->spread(drawn) : nullptr;
    if (!spread)
        return cardFigure(limit, likely);
    const auto range = spread->range();
    if (!(range.p10 < range.p90))
        return cardFigure(limit, likely);
    static const QRegularExpression between(u"(?<=\\d)\\s\\p{L}+\\s(?=\\d[^()]*\\)$)"_s);
    return localized(size::rangeInWords(limit, spread->likely, range.p10, range.p90)).replace(between, u"\u2013"_s);
}

/// What the run's electricity costs, which the cost of the run holds.
QString electricityIn(const size::Result &result, const size::Answer &answer)
{
    if (std::isfinite(answer.figures.electricityUsd))
        return DecideCard::tr("Of it electricity, with cooling: %1.")
            .arg(cardFigure(SizeLimit::RunCost, answer.figures.electricityUsd));
    return result.lots[answer.lot].paying.paying == Paying::Rent && !answer.second
        ? DecideCard::tr("The electricity is in the price of the rent.")
        : QString();
}

} // namespace

DecideCard::DecideCard(QWidget *parent)
    : QFrame(parent), m_title(new QLabel(this)), m_fleet(new ElidedLabel(this)), m_brief(new FittedSentences(this))
{
    setFrameShape(QFrame::StyledPanel);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(gridUnit, gridUnit / 2, gridUnit, gridUnit / 2);
    layout->setSpacing(1);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setObjectName(u"cardTitle"_s);
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_brief->setObjectName(u"cardBrief"_s);
    const auto readable = [this](bool wraps) {
        auto *label = new QLabel(this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(wraps);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setContextMenuPolicy(Qt::NoContextMenu); // that of the card comes
        useTabularFigures(label);
        return label;
    };
    for (const auto line : {Layout, Calendar, Note, Warning, Misses})
        m_lines[line] = readable(true);
    m_lines[Fleet] = m_fleet;
    layout->addWidget(m_title); // and its mark, which would crowd out a name beside it
    layout->addWidget(m_lines[Fleet]);
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
    m_demand = new QLabel(m_grid);
    m_demand->setObjectName(u"demandChanceLink"_s);
    m_demand->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_demand->setToolTip(tr("State this as the least chance of the deadline; undo takes it back"));
    m_demand->hide();
    // Beside the chance, in its cell: a column of its own would make one of two cards wider.
    auto *beside = new QHBoxLayout;
    beside->setSpacing(gridUnit);
    grid->removeWidget(m_figures[inTime].value);
    beside->addWidget(m_figures[inTime].value);
    beside->addWidget(m_demand);
    beside->addStretch(1);
    grid->addLayout(beside, int(inTime) / 2, 2 * int(inTime % 2) + 1);
    connect(m_demand, &QLabel::linkActivated, this, &DecideCard::chanceDemanded);
    layout->addWidget(m_grid);
    layout->addWidget(m_brief);
    layout->addWidget(m_lines[Layout]); // below the figures, which one line more in one of two cards would move
    for (const auto line : {Calendar, Note, Warning, Misses})
        layout->addWidget(m_lines[line]);
    m_lines[Fleet]->setObjectName(u"cardFleet"_s);
    m_lines[Warning]->setObjectName(u"cardWarning"_s);
    m_lines[Warning]->setTextInteractionFlags(
        Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_lines[Warning], &QLabel::linkActivated, this, &DecideCard::pricesRequested);
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

void DecideCard::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    emit nameChanged(); // it has another room
}

void DecideCard::colourWarnings()
{
    for (const auto &[line, colour] :
        {std::pair(Misses, errorColour(palette())), std::pair(Warning, warningColour(palette()))}) {
        auto coloured = m_lines[line]->palette();
        coloured.setColor(QPalette::WindowText, colour);
        m_lines[line]->setPalette(coloured);
    }
    showLines(); // what is said in brief has the colour of one of them
}

void DecideCard::setTitle(const QString &title, const QString &mark, const QString &toolTip)
{
    m_name = title;
    m_mark = mark;
    m_title->setToolTip(toolTip);
    setAccessibleName(title);
    showTitle();
}

void DecideCard::showTitle()
{
    const auto mark = m_isStale ? tr("belongs to the question before") : m_mark;
    m_title->setText(mark.isEmpty() ? m_name : m_name + u"  \u00b7  "_s + mark);
}

void DecideCard::showFleet(const DecisionDocument &document, const size::Result &result, const size::Answer &answer,
    const uncertainty::FleetRisk *risk)
{
    const auto &figures = answer.figures;
    m_lines[Fleet]->setText(localized(size::fleetInWords(result, answer)));
    emit nameChanged();
    m_lines[Layout]->setText(localized(size::layoutsInWords(document, answer)));
    setFigure(0, tr("Days"), ranged(SizeLimit::Deadline, figures.days, risk, RiskFigure::Days));
    const auto drawn = size::asDrawn(document, answer, risk);
    const double byDeadline = drawn.figures.deadlineChance;
    const bool isDrawn = risk && risk->deadline;
    setFigure(inTime, tr("In time"),
        std::isnan(byDeadline) ? QString()
            : isDrawn          ? tr("%1 of draws").arg(cardFigure(SizeLimit::Chance, byDeadline))
                               : u"\u2248 "_s + cardFigure(SizeLimit::Chance, byDeadline), // as in the table
        isDrawn ? tr("The deadline is met in %1 of the draws, give or take %2, and so is a demanded chance.")
                      .arg(percent(byDeadline), percent(risk->deadline->error))
                : tr("By the range of the predicted step time alone: nothing is drawn yet."));
    setFigure(
        2, tr("Run cost", "on a card"), ranged(SizeLimit::RunCost, figures.runCostUsd, risk, RiskFigure::RunCost));
    if (figures.capitalUsd > 0)
        setFigure(3, tr("Capital"), ranged(SizeLimit::Capital, figures.capitalUsd, risk, RiskFigure::Capital));
    else
        setFigure(3, tr("Fleet, whole year"),
            ranged(SizeLimit::YearlyCost, figures.yearlyUsd, risk, RiskFigure::OwnershipCost),
            tr("What the fleet costs when it is had for a whole year; the run cost is that of the days of these jobs "
               "alone."));
    setFigure(4, tr("Power"), cardFigure(SizeLimit::Power, figures.facilityWatts));
    setFigure(
        5, tr("Carbon"), std::isfinite(figures.carbonKg) ? cardFigure(SizeLimit::Carbon, figures.carbonKg) : QString());
    setFigure(6, tr("Accelerator-h"),
        std::isfinite(figures.usdPerAcceleratorHour)
            ? tr("%1 USD").arg(localized(units::threeDigits(figures.usdPerAcceleratorHour)))
            : QString());
    if (risk && result.best() == &answer)
        setFigure(7, tr("Best in"), tr("%1 of draws").arg(percent(risk->best.share)),
            tr("Best in %1 of the draws, give or take %2.").arg(percent(risk->best.share), percent(risk->best.error)));
    else
        setFigure(7, {}, {});
    m_hasFleet = true;
    QStringList calendar;
    if (const auto late = localized(size::lateInWords(risk)); !late.isEmpty())
        calendar << late.at(0).toLower() + late.mid(1).chopped(1);
    if (const auto dates = localized(size::calendarInWords(document, answer)); !dates.isEmpty())
        calendar << dates;
    else if (!size::leadTimeInWords(result, answer).empty())
        calendar << tr("no lead time is known");
    if (const auto whole = size::reservationUsd(result, answer))
        calendar << tr("%1 until the reservation ends").arg(cardFigure(SizeLimit::YearlyCost, *whole));
    if (std::isfinite(figures.electricityUsd))
        calendar << tr("electricity of the run %1").arg(cardFigure(SizeLimit::RunCost, figures.electricityUsd));
    auto said = calendar.join(u"; "_s);
    if (!said.isEmpty())
        said[0] = said.at(0).toUpper();
    m_lines[Calendar]->setText(said);
    setDemand({});
    setNotes({}, {});
    m_lines[Misses]->setText(
        drawn.isFeasible() ? QString() : tr("Misses: %1.").arg(localized(size::missesInWords(drawn))));
    showLines();
}

void DecideCard::explainMoney(const size::Result &result, const size::Answer &answer, const size::HowSure *sure)
{
    constexpr std::size_t runCost = 2, capitalOrYear = 3;
    const auto held = sure && sure->money
        ? localized(costs::moneyRangeInWords(*sure->money, result.lots[answer.lot].paying.paying))
        : QString();
    QStringList ofRun{electricityIn(result, answer), held};
    ofRun.removeAll(QString());
    m_figures[runCost].value->setToolTip(ofRun.join(u'\n'));
    QStringList ofFleet{m_figures[capitalOrYear].name->toolTip(), held}; // which year it is
    ofFleet.removeAll(QString());
    m_figures[capitalOrYear].value->setToolTip(ofFleet.join(u'\n'));
}

void DecideCard::setNotes(const QStringList &warnings, const QStringList &notes, bool prices)
{
    m_warnings = warnings;
    m_notes = notes;
    const auto warning = warnings.join(u' ');
    if (prices)
        showHtml(m_lines[Warning],
            u"%1 <a href=\"prices\">%2</a>"_s.arg(warning.toHtmlEscaped(), tr("Show in Prices").toHtmlEscaped()));
    else
        showPlain(m_lines[Warning], warning);
    m_lines[Note]->setText(notes.join(u' '));
    showLines();
}

void DecideCard::setDemand(const QString &text)
{
    showHtml(m_demand, text.isEmpty() ? QString() : u"<a href=\"demand\">%1</a>"_s.arg(text.toHtmlEscaped()));
    m_demand->setVisible(!text.isEmpty());
}

void DecideCard::setFigure(std::size_t place, const QString &name, const QString &value, const QString &toolTip)
{
    const auto &labels = m_figures[place];
    labels.name->setText(name);
    labels.value->setText(value.isEmpty() && !name.isEmpty() ? u"\u2013"_s : value);
    for (auto *label : {labels.name, labels.value})
        label->setToolTip(toolTip);
}

void DecideCard::showLines()
{
    constexpr std::size_t inBrief = 4; // figures
    for (const auto line : {Layout, Calendar, Note, Warning, Misses})
        m_lines[line]->setVisible(!m_isCompact && !m_lines[line]->text().isEmpty());
    m_lines[Fleet]->setVisible(m_hasFleet);
    for (std::size_t i = inBrief; i < m_figures.size(); ++i)
        for (auto *label : {m_figures[i].name, m_figures[i].value})
            label->setVisible(!m_isCompact);
    m_grid->setVisible(m_hasFleet);
    const auto *misses = m_lines[Misses];
    const bool isMissing = !misses->text().isEmpty();
    m_brief->setSentences(isMissing ? QStringList(misses->text())
            : !m_warnings.isEmpty() ? m_warnings
            : m_hasFleet            ? m_notes
                                    : QStringList(m_lines[Layout]->text()));
    m_brief->setPalette(isMissing   ? misses->palette()
            : !m_warnings.isEmpty() ? m_lines[Warning]->palette()
                                    : palette());
    m_brief->setVisible(m_isCompact);
}

int DecideCard::nameLinesNeeded() const { return m_hasFleet ? m_fleet->linesNeeded() : 1; }

void DecideCard::setCompact(bool compact, int briefLines, int nameLines)
{
    m_nameLines = nameLines;
    m_fleet->setLines(nameLines);
    m_isCompact = compact;
    m_briefLines = briefLines;
    m_brief->setLines(briefLines);
    showTitle();
    showLines();
    setMinimumHeight(compact ? compactHeight() : 0);
    setMaximumHeight(compact ? compactHeight() : QWIDGETSIZE_MAX);
}

int DecideCard::compactHeight() const
{
    constexpr int rows = 2; // of figures
    const int line = fontMetrics().lineSpacing() + layout()->spacing() + 1;
    const int brief = line + (m_briefLines - 1) * m_brief->fontMetrics().lineSpacing();
    const int margins = gridUnit; // of the card, and of its figures
    return 2 * frameWidth() + 2 * margins + line + m_nameLines * QFontMetrics(m_fleet->font()).lineSpacing()
        + rows * line + brief;
}

void DecideCard::showNone(const QString &sentence)
{
    for (auto *line : m_lines)
        line->clear();
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        setFigure(i, {}, {});
    m_hasFleet = false;
    setDemand({});
    m_warnings.clear();
    m_notes.clear();
    m_lines[Layout]->setText(sentence);
    showLines();
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
        say(line == Warning ? m_warnings.join(u' ') : m_lines[line]->text());
    return lines.join(u'\n');
}

} // namespace fleetwright::app
