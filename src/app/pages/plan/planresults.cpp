// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planresults.h"

#include "app/pages/fleet/cellexplanation.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/veil.h"
#include "app/wording.h"
#include "app/workspace/solvedresult.h"
#include "charts/charts.h"
#include "itemmodels/rowtable.h"
#include "itemmodels/tracemodel.h"
#include "solver/answer/comparison.h"
#include "solver/worksheet/formulawords.h"
#include "text/figuretext.h"
#include "ui_planresults.h"
#include "units/format.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QWhatsThis>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

QString itemList(const QStringList &sentences)
{
    QString html = u"<ul style=\"margin-left: 12px; -qt-list-indent: 0\">"_s;
    for (const auto &sentence : sentences)
        html += u"<li>"_s + sentence.toHtmlEscaped() + u"</li>"_s;
    return html + u"</ul>"_s;
}

QString modelName(const QString &id, const QString &version)
{
    const auto model = findCostModel(id.toStdString());
    return PlanResults::tr("%1, version %2").arg(model ? utf8((*model)->title()) : id, version);
}

/// The reason to show first: the first line of the trace that fails.
QString firstFailure(const Solution &solution)
{
    for (const auto &entry : solution.trace)
        if (entry.decided && !entry.holds)
            return QString::fromStdString(entry.sentence);
    return {};
}

/// The whole name, where the page has room for a short one only, and the definition.
QString meaningOf(const Figure &figure) { return labelOf(figure) + u'\n' + helpOf(figure); }

constexpr int figuresAbove = 10; // figures of the third level that stand beneath its heading; the others have a tab
constexpr int tabsHeight = 96; // a few lines stay readable in the smallest window; the rest scrolls inside
constexpr int narrowestAnswer = 430; // two columns of figures with their names
constexpr int chartHeight = 172; // one bar, its axis and two lines of legend
} // namespace

PlanResults::PlanResults(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::PlanResults>()), m_trace(new itemmodels::TraceModel(this))
{
    m_ui->setupUi(this);
    for (auto *heading : {m_ui->feasibleTitle, m_ui->fastTitle, m_ui->worthTitle, m_ui->feasibleAnswer})
        makeHeading(heading);
    useTabularFigures(this);
    m_ui->tabs->setMinimumHeight(tabsHeight);
    m_ui->tabs->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // else their wish makes the answers scroll
    for (auto *tab : {m_ui->traceTab, m_ui->warningsTab, m_ui->detailsTab, m_ui->limitationsTab})
        tab->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // the tabs take what the answers leave
    m_ui->bodyLayout->setStretchFactor(m_ui->tabs, 1);
    m_ui->stepChart->setMaximumHeight(chartHeight);
    m_veil = new Veil(m_ui->body);
    m_veil->setObjectName(u"veil"_s);
    m_ui->resultsScroll->setMinimumWidth(narrowestAnswer);
    auto *page = new QWidget(m_ui->tabs); // for what does not fit beneath the answers
    auto *pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins({});
    auto *running = new QScrollArea(page);
    pageLayout->addWidget(running);
    running->setObjectName(u"runningTab"_s);
    running->setWidgetResizable(true);
    running->setFrameShape(QFrame::NoFrame);
    auto *runningContent = new QWidget(running);
    m_runningGrid = new QGridLayout(runningContent);
    m_runningGrid->setVerticalSpacing(2);
    m_runningGrid->setHorizontalSpacing(8);
    m_runningGrid->setRowStretch(int(shownFigures(ScoreLevel::Macro).size()), 1); // the lines stay together at the top
    m_runningGrid->setContentsMargins(4, 4, 4, 4);
    running->setWidget(runningContent);
    m_ui->tabs->insertTab(1, page, tr("Running"));
    buildFigures(ScoreLevel::Performance, m_ui->fastGrid);
    buildRange();
    buildFigures(ScoreLevel::Macro, m_ui->worthGrid);
    m_ui->traceTable->setModel(m_trace);
    setUpTable(m_ui->traceTable, itemmodels::TraceModel::Constraint);
    m_ui->traceTable->setAccessibleName(tr("Constraint trace"));
    m_ui->detailsTable->setColumnCount(2);
    m_ui->detailsTable->setHorizontalHeaderLabels({tr("Figure of this cost model"), tr("Value")});
    setUpTable(m_ui->detailsTable, 0);
    m_ui->detailsTable->setAccessibleName(tr("Figures of this cost model"));
    m_ui->feasibleVerdict->setAccessibleName(tr("Limits on memory"));
    m_ui->fastVerdict->setAccessibleName(tr("Limits on speed"));
    m_ui->worthVerdict->setAccessibleName(tr("Limits on time, cost and power"));
    m_ui->warningsText->setAccessibleName(tr("Warnings"));
    m_ui->limitationsText->setAccessibleName(tr("Known limitations of the cost model"));
    m_ui->provenanceLabel->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *menu = new QMenu(m_ui->copyButton);
    menu->addAction(tr("Copy as &text"), this, &PlanResults::copyAsText);
    menu->addAction(tr("Copy as ta&ble (tab-separated)"), this, &PlanResults::copyAsTable);
    m_ui->copyButton->setMenu(menu);
    m_ui->copyButton->setPopupMode(QToolButton::InstantPopup);
    m_ui->servingButton->setToolTip(
        tr("What the same model costs to serve afterwards: latency, memory and cost per token"));
    connect(m_ui->servingButton, &QToolButton::clicked, this, &PlanResults::servingRequested);
    m_ui->trustBadge->setAccessibleName(tr("How far the step time can be trusted"));
    connect(m_ui->trustBadge, &QToolButton::clicked, this, [this] { // by keyboard and without hovering, too
        QWhatsThis::showText(m_ui->trustBadge->mapToGlobal(QPoint(0, m_ui->trustBadge->height())),
            m_ui->trustBadge->toolTip().toHtmlEscaped().replace(u'\n', u"<br>"_s), m_ui->trustBadge);
    });
    m_ui->explainButton->setToolTip(
        tr("How step time, memory and cost come about; operators, collectives, memory by stage and the schedule"));
    connect(m_ui->explainButton, &QToolButton::clicked, this, &PlanResults::explainRequested);
    auto *explain = new QMenu(m_ui->explainButton);
    explain->addAction(tr("&Step time, memory and cost"), this, &PlanResults::explainRequested);
    explain->addAction(tr("&Costs row by row, and what moves them"), this, [this] {
        const bool isRun = m_answer && figureOf(m_answer->solution, "run_cost_usd");
        explainCosts(*findFigure(isRun ? "run_cost_usd" : "fleet_capital_usd"));
    });
    m_ui->explainButton->setMenu(explain);
    m_ui->explainButton->setPopupMode(QToolButton::MenuButtonPopup);
    m_ui->copyButton->setToolTip(tr("Copies the results to the clipboard"));
    showNothing();
}

PlanResults::~PlanResults() = default;

void PlanResults::buildFigures(ScoreLevel level, QGridLayout *grid)
{
    int position = 0;
    const auto place = [](QGridLayout *target, int &cell, QLabel *name, QLabel *value, bool wholeLine) {
        cell += wholeLine ? cell % 2 : 0;
        const int column = (cell % 2) * 3;
        target->addWidget(name, cell / 2, column);
        target->addWidget(value, cell / 2, column + 1, 1, wholeLine ? 4 : 1);
        cell += wholeLine ? 2 : 1;
    };
    int above = 0, inTab = 0;
    for (const auto *figure : shownFigures(level)) {
        auto *name = new QLabel(shortLabelOf(*figure), this);
        auto *value = new QLabel(this);
        value->setObjectName(utf8(figure->key));
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setAccessibleName(labelOf(*figure));
        for (auto *label : {name, value}) {
            label->setToolTip(meaningOf(*figure));
            label->setTextFormat(Qt::PlainText);
            label->installEventFilter(this);
        }
        const bool tab = level == ScoreLevel::Macro && position >= figuresAbove;
        place(tab ? m_runningGrid : grid, tab ? inTab : above, name, value, canHaveRange(*figure));
        m_figures.emplace(figure, std::pair(name, value));
        ++position;
    }
    for (auto *each : {grid, m_runningGrid}) {
        each->setColumnMinimumWidth(2, 16);
        each->setColumnStretch(1, 1);
        each->setColumnStretch(4, 1);
    }
}

bool PlanResults::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonDblClick)
        for (const auto &[figure, labels] : m_figures)
            if (watched == labels.first || watched == labels.second)
                explainCosts(*figure);
    return QWidget::eventFilter(watched, event);
}

void PlanResults::explainCosts(const Figure &figure)
{
    const auto &costs = m_answer ? m_answer->solution.costs : nullptr;
    const auto cell = m_answer ? explainRow(figure, m_answer->solution) : std::nullopt;
    if (!costs || !cell)
        return; // a figure of the cost model, or nothing to pay for
    if (!m_costs)
        m_costs = new CellExplanation(this);
    m_costs->setAttribute(Qt::WA_DeleteOnClose);
    m_costs->setSheet(costs);
    m_costs->explain(utf8(cell->key), int(cell->column));
    m_costs->show();
    m_costs->raise();
    m_costs->activateWindow();
}

void PlanResults::buildRange()
{
    m_rangeName = new QLabel(tr("Range"), this);
    m_rangeValue = new QLabel(this);
    m_rangeValue->setObjectName(u"step_time_range"_s);
    m_rangeValue->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_rangeValue->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rangeValue->setAccessibleName(tr("Range of the step time"));
    const int place = int(shownFigures(ScoreLevel::Performance).size()); // after them
    m_ui->fastGrid->addWidget(m_rangeName, place / 2, (place % 2) * 3);
    m_ui->fastGrid->addWidget(m_rangeValue, place / 2, (place % 2) * 3 + 1);
}

void PlanResults::showFigures(const exchange::StoredEstimate &estimate)
{
    m_hasFigures = true;
    for (const auto &[figure, labels] : m_figures) {
        const auto value = estimate.figure(figure->key);
        labels.second->setText(utf8(figureText(value, figure->dimension)));
        labels.first->setToolTip(meaningOf(*figure));
        labels.second->setToolTip(
            value ? meaningOf(*figure) : meaningOf(*figure) + u'\n' + tr("Not known for this plan."));
        // One cost model has it: for the others its row would only push the answers out of a small window.
        if (figure->key == "tuning_worth")
            for (auto *label : {labels.first, labels.second})
                label->setVisible(value.has_value());
    }
    showRange(estimate);
}

void PlanResults::showRange(const exchange::StoredEstimate &estimate)
{
    const auto &range = estimate.range;
    m_ui->trustBadge->setVisible(range.has_value());
    for (auto *label : {m_rangeName, m_rangeValue})
        label->setVisible(range && range->runs > 0);
    if (!range || estimate.figure("step_time_s").value_or(0) <= 0)
        return;
    QStringList lines;
    for (const auto &line : validation::trustInWords(*range))
        lines << utf8(line);
    const auto badge = utf8(validation::badgeOf(*range));
    m_ui->trustBadge->setText(
        range->isValidated() ? tr("%1, from %2 runs").arg(badge).arg(range->runs) : u"! "_s + badge);
    m_ui->trustBadge->setToolTip(lines.join(u'\n'));
    m_ui->trustBadge->setAccessibleDescription(lines.join(u' '));
    m_rangeValue->setText(utf8(validation::inWords(*range)));
    for (auto *label : {m_rangeName, m_rangeValue})
        label->setToolTip(
            tr("Step times between which four of five comparable runs would lie.") + u'\n' + lines.join(u'\n'));
}

void PlanResults::showReasons(const Plan &plan, const Solution &solution)
{
    const auto explained = explainRun(plan, solution);
    for (const auto &[figure, labels] : m_figures) {
        if (rangeOf(*figure, solution))
            labels.second->setText(utf8(valueInWords(*figure, solution)));
        const QString reason = figureReason(*figure, plan, solution, explained);
        if (reason.isEmpty())
            continue;
        for (auto *label : {labels.first, labels.second})
            label->setToolTip(meaningOf(*figure) + u'\n' + reason);
    }
}

void PlanResults::showScorecard(const Solution &solution)
{
    const auto card = scorecard(solution);
    const std::pair<QLabel *, ScoreLevel> marks[]{{m_ui->feasibleVerdict, ScoreLevel::Feasibility},
        {m_ui->fastVerdict, ScoreLevel::Performance}, {m_ui->worthVerdict, ScoreLevel::Macro}};
    for (const auto &[label, level] : marks) {
        showHtml(label, tr("limits: %1").arg(verdictText(card.of(level), palette())));
        label->setToolTip(verdictHelp(level, solution));
    }
}

void PlanResults::showNothing()
{
    m_answer.reset();
    m_hasFigures = false;
    showFigures({});
    m_hasFigures = false;
    m_trace->setTrace({});
    showState({}, false);
    m_ui->feasibleAnswer->clear();
    for (auto *label : {m_ui->feasibleVerdict, m_ui->fastVerdict, m_ui->worthVerdict}) {
        label->clear();
        label->setToolTip({});
    }
    m_ui->reasonLabel->hide();
    m_ui->memoryBar->setParts({}, 0, {});
    m_ui->memoryLabel->clear();
    m_ui->stepChart->hide();
    m_ui->warningsText->clear();
    m_ui->detailsTable->setRowCount(0);
    m_ui->limitationsText->clear();
    m_ui->provenanceLabel->clear();
    for (auto *button : {m_ui->copyButton, m_ui->explainButton, m_ui->servingButton})
        button->setEnabled(false);
}

void PlanResults::showSolution(const Plan &plan, const Solution &solution, const QString &inputHash)
{
    m_answer = Answer{QString::fromStdString(plan->name), plan, solution};
    showState({}, false);
    m_ui->feasibleAnswer->setText(feasibilityText(feasibility(solution)));
    const QString reason = firstFailure(solution);
    m_ui->reasonLabel->setText(reason);
    m_ui->reasonLabel->setVisible(!reason.isEmpty());
    showFigures(exchange::storedEstimate(solution));
    showReasons(plan, solution);
    showScorecard(solution);
    showMemory();
    showChart();
    m_trace->setTrace(solution.trace);
    QStringList warnings;
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (solution.estimate.notices.has(Notice(i)))
            warnings << utf8(sentence(Notice(i)));
    if (solution.costs)
        for (const auto &notice : solution.costs->notices())
            warnings << htmlEscaped(withLabels(notice));
    if (m_costs && solution.costs)
        m_costs->setSheet(solution.costs);
    m_ui->warningsText->setHtml(warnings.isEmpty() ? tr("No warnings.") : itemList(warnings));
    m_ui->tabs->setTabText(m_ui->tabs->indexOf(m_ui->warningsTab),
        warnings.isEmpty() ? tr("Warnings") : tr("Warnings (%1)").arg(warnings.size()));
    showDetails();
    m_ui->provenanceLabel->setText(tr("%1, inputs %2")
                                       .arg(modelName(QString::fromStdString(solution.costModelId),
                                                QString::fromStdString(solution.costModelVersion)),
                                           inputHash.left(12)));
    m_ui->provenanceLabel->setToolTip(
        tr("Cost model, its version and the SHA-256 of everything that the answer depends on:\n%1").arg(inputHash));
    for (auto *button : {m_ui->copyButton, m_ui->explainButton, m_ui->servingButton})
        button->setEnabled(true);
}

void PlanResults::showStored(const storage::SavedResult &result, bool stale)
{
    const auto estimate = result.estimate();
    showNothing();
    showFigures(estimate);
    m_ui->feasibleAnswer->setText(feasibilityText(estimate.feasible));
    if (const auto total = estimate.figure("memory.total_bytes"))
        m_ui->memoryLabel->setText(
            tr("%1 of %2")
                .arg(utf8(figureText(total, Dimension::Information)),
                    utf8(figureText(estimate.figure("memory.capacity_bytes"), Dimension::Information))));
    showState(
        stale ? tr("Stored on %1 for other inputs; the numbers are out of date.").arg(result.solvedAt) : QString(),
        stale);
    m_ui->provenanceLabel->setText(
        tr("%1, inputs %2, stored %3")
            .arg(modelName(result.costModelId, result.costModelVersion), result.inputHash.left(12), result.solvedAt));
}

void PlanResults::showRefusal(const QString &sentence)
{
    showState(m_hasFigures
            ? tr("No answer for these entries: %1 The numbers below are the last valid result.").arg(sentence)
            : tr("No answer for these entries: %1").arg(sentence),
        m_hasFigures);
}

void PlanResults::showPending()
{
    if (m_hasFigures)
        showState(tr("Being solved. The numbers below are those of the entries before."), true);
}

void PlanResults::showState(const QString &sentence, bool dimmed)
{
    m_ui->stateLabel->setSentence(sentence);
    m_veil->raise();
    m_veil->setVisible(dimmed);
}

void PlanResults::showMemory()
{
    const auto &estimate = m_answer->solution.estimate;
    if (!estimate.memory) {
        m_ui->memoryBar->setParts({}, 0, {});
        m_ui->memoryLabel->setText(tr("The cost model knows no memory."));
        return;
    }
    const auto &memory = *estimate.memory;
    using charts::Quantity;
    std::vector<StackedBar::Part> parts;
    QStringList words;
    for (const auto quantity : charts::memoryParts()) {
        const auto &figure = charts::figureOf(quantity, FigureGroup::Memory);
        const auto amount = figure.value(m_answer->solution);
        if (!amount)
            continue;
        const QString line = tr("%1 %2", "part of memory, amount")
                                 .arg(shortLabelOf(figure).toLower(), utf8(figureText(amount, figure.dimension)));
        parts.push_back({line, *amount / memory.capacity.value(), charts::colour(quantity)});
        words << line;
    }
    if (parts.empty())
        parts.push_back({shown(memory.total), memory.total / memory.capacity, charts::colour(Quantity::Weights)});
    const QString sum = tr("%1 of %2 per accelerator").arg(shown(memory.total), shown(memory.capacity));
    m_ui->memoryBar->setParts(
        std::move(parts), m_answer->plan->constraints.maxMemoryShare.value_or(0), sum + u": "_s + words.join(u", "_s));
    m_ui->memoryLabel->setText(words.isEmpty() ? sum : sum + u": "_s + words.join(u", "_s));
    m_ui->memoryLabel->setToolTip(tr("Memory of the fullest accelerator by part; the thick line is its capacity, the "
                                     "dashed line the share that the plan allows."));
}

void PlanResults::showChart()
{
    if (!m_answer)
        return;
    if (!m_answer->solution.estimate.stepTime) {
        m_ui->stepChart->hide();
        return;
    }
    const bool dark = palette().color(QPalette::Window).lightness() < 128;
    auto theme = dark ? charts::Theme::dark() : charts::Theme::light();
    theme.background = palette().color(QPalette::Window);
    m_ui->stepChart->showSteps({{QString(), m_answer->solution.breakdown}}, theme); // one bar: its name is the page's
    m_ui->stepChart->show();
}

void PlanResults::showDetails()
{
    m_ui->detailsTable->setRowCount(0);
    m_ui->limitationsText->clear();
    const auto model = findCostModel(m_answer->solution.costModelId);
    if (!model)
        return;
    const auto descriptors = (*model)->details();
    const auto &values = m_answer->solution.estimate.details;
    for (std::size_t i = 0; i < std::min(descriptors.size(), values.size()); ++i) {
        const auto &detail = descriptors[i];
        if (!std::isfinite(values[i]))
            continue;
        const int row = m_ui->detailsTable->rowCount();
        m_ui->detailsTable->insertRow(row);
        auto *name = new QTableWidgetItem(utf8(detail.label));
        auto *value = new QTableWidgetItem(QString::fromStdString(units::format(values[i], detail.dimension)));
        value->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const QString tip = tr("Formula: %1").arg(utf8(detail.formula));
        name->setToolTip(tip);
        value->setToolTip(tip);
        m_ui->detailsTable->setItem(row, 0, name);
        m_ui->detailsTable->setItem(row, 1, value);
    }
    QStringList limits;
    for (const auto &limitation : (*model)->limitations())
        limits << utf8(limitation.text);
    m_ui->limitationsText->setHtml(itemList(limits) + u"<p>"_s + htmlEscaped((*model)->literature()) + u"</p>"_s);
    m_ui->tabs->setTabText(m_ui->tabs->indexOf(m_ui->limitationsTab), tr("Limitations (%1)").arg(limits.size()));
}

void PlanResults::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange) { // light and dark differ
        showChart();
        if (m_answer)
            showScorecard(m_answer->solution);
    }
    QWidget::changeEvent(event);
}

void PlanResults::copy(bool tabs)
{
    if (!m_answer)
        return;
    QGuiApplication::clipboard()->setText(
        resultsAsText(m_answer->planName, m_answer->solution, m_ui->provenanceLabel->text(), tabs));
}

void PlanResults::copyAsText() { copy(false); }

void PlanResults::copyAsTable() { copy(true); }

} // namespace fleetwright::app
