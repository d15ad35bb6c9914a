// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planresults.h"

#include "app/pages/fleet/cellexplanation.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/veil.h"
#include "app/wording.h"
#include "app/workspace/solvedresult.h"
#include "charts/chartdata.h"
#include "charts/charts.h"
#include "itemmodels/rowtable.h"
#include "itemmodels/tracemodel.h"
#include "solver/answer/comparison.h"
#include "solver/answer/likelyspeed.h"
#include "solver/worksheet/formulawords.h"
#include "text/figuretext.h"
#include "text/localized.h"
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
    return PlanResults::tr("%1, version %2").arg(model ? localized((*model)->title()) : id, version);
}

/// The fingerprint is of the plan's own inputs: the same whatever was measured beside it.
QString provenance(const QString &model, const QString &inputHash, bool byRuns)
{
    constexpr int shown = 12; // digits
    return (byRuns ? PlanResults::tr("%1, inputs %2 (without your measured runs)") : PlanResults::tr("%1, inputs %2"))
        .arg(model, inputHash.left(shown));
}

/// A figure of what the same fleet would cost in rent.
bool isOfRent(const Figure &figure)
{
    return figure.key == "run_rented_usd" || figure.key == "run_rented_usd_per_million_tokens"
        || figure.key == "rent_usd_per_accelerator_hour";
}

/// Says in words which rent, or why there is none.
bool isWordy(const Figure &figure) { return isOfRent(figure) || figure.key == "order_to_end_s"; }

/// The whole name, where the page has room for a short one only, and the definition.
QString meaningOf(const Figure &figure) { return labelOf(figure) + u'\n' + helpOf(figure); }

constexpr std::size_t figuresAbove =
    10; // figures of the third level that stand beneath its heading; the others have a tab
constexpr int tabsHeight = 96; // a few lines stay readable in the smallest window; the rest scrolls inside
constexpr int narrowestAnswer = 430; // two columns of figures with their names
constexpr int chartHeight = 172; // one bar, its axis and two lines of legend
constexpr int highestChart = 230; // a bar that is thicker says no more
constexpr int feasibleLines = 4; // of memory, and of the limit that is missed
constexpr int noteLines = 3; // of what is refused
// Letters of a name, a value and its range; the running costs have the longest names.
constexpr int lettersOfSpeed = 30, lettersOfWorth = 43, lettersOfRunning = 48;
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
    for (auto *tab : {m_ui->stepTab, m_ui->traceTab, m_ui->warningsTab, m_ui->detailsTab, m_ui->limitationsTab})
        tab->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // the tabs take what the answers leave
    m_ui->bodyLayout->setStretchFactor(m_ui->tabs, 1);
    m_ui->stepChart->setMinimumHeight(chartHeight);
    m_ui->stepChart->setMaximumHeight(highestChart);
    const auto heightOf = [this](int lines) { return lines * fontMetrics().lineSpacing(); };
    m_ui->feasibleWords->setMinimumHeight(heightOf(feasibleLines));
    m_ui->notes->setFixedHeight(heightOf(noteLines));
    for (auto *note : std::initializer_list<QLabel *>{m_ui->provenanceLabel, m_ui->stateLabel, m_ui->refusalLabel})
        note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // a long one pushes nothing aside
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
    m_fast = {m_ui->fastGrid, lettersOfSpeed};
    m_worth = {m_ui->worthGrid, lettersOfWorth};
    m_running = {new QGridLayout(runningContent), lettersOfRunning};
    m_running.layout->setVerticalSpacing(2);
    m_running.layout->setHorizontalSpacing(4); // ranges of two figures side by side, in German, too
    m_running.layout->setRowStretch(
        int(shownFigures(ScoreLevel::Macro).size()), 1); // the lines stay together at the top
    m_running.layout->setContentsMargins(4, 4, 4, 4);
    running->setWidget(runningContent);
    m_ui->tabs->insertTab(m_ui->tabs->indexOf(m_ui->traceTab) + 1, page, tr("Running"));
    buildFigures(ScoreLevel::Performance);
    buildRange();
    buildFigures(ScoreLevel::Macro);
    for (auto *grid : {&m_fast, &m_worth, &m_running})
        grid->layOut(1);
    m_ui->traceTable->setModel(m_trace);
    setUpTable(m_ui->traceTable, itemmodels::TraceModel::Constraint);
    m_ui->traceTable->setAccessibleName(tr("Constraint trace"));
    m_ui->detailsTable->setColumnCount(2);
    m_ui->detailsTable->setHorizontalHeaderLabels({tr("Figure of this cost model"), tr("Value")});
    setUpTable(m_ui->detailsTable, 0);
    m_ui->detailsTable->setAccessibleName(tr("Figures of this cost model"));
    connect(m_ui->detailsTable, &QTableWidget::activated, this, [this](const QModelIndex &index) {
        emit figureRequested(index.siblingAtColumn(0).data(Qt::UserRole).toString());
    });
    for (const auto &[label, level] : {std::pair(m_ui->feasibleVerdict, ScoreLevel::Feasibility),
             {m_ui->fastVerdict, ScoreLevel::Performance}, {m_ui->worthVerdict, ScoreLevel::Macro}}) {
        label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
        connect(label, &QLabel::linkActivated, this, [this, level = level] { explainVerdict(level); });
    }
    m_ui->feasibleVerdict->setAccessibleName(tr("Limits on memory"));
    m_ui->fastVerdict->setAccessibleName(tr("Limits on speed"));
    m_ui->worthVerdict->setAccessibleName(tr("Limits on time, cost and power"));
    m_ui->likelyLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
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
        explainCosts(*findFigure(isRun ? "run_cost_usd" : "fleet_yearly_usd"));
    });
    m_ui->explainButton->setMenu(explain);
    m_ui->explainButton->setPopupMode(QToolButton::MenuButtonPopup);
    m_ui->copyButton->setToolTip(tr("Copies the results to the clipboard"));
    showNothing();
}

PlanResults::~PlanResults() = default;

void PlanResults::buildFigures(ScoreLevel level)
{
    std::size_t position = 0;
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
            auto kept = label->sizePolicy(); // what is hidden for a plan leaves its line
            kept.setRetainSizeWhenHidden(true);
            label->setSizePolicy(kept);
        }
        auto &grid = level == ScoreLevel::Performance ? m_fast : position < figuresAbove ? m_worth : m_running;
        grid.cells.push_back({name, value, isWordy(*figure) ? 2 : 1});
        m_figures.emplace(figure, std::pair(name, value));
        ++position;
    }
}

void PlanResults::explainCosts(const Figure &figure)
{
    const auto &costs = m_answer ? m_answer->solution.costs : nullptr;
    const auto cell = m_answer ? explainRow(figure, m_answer->solution) : std::nullopt;
    if (!costs || !cell)
        return; // a figure of the cost model, or nothing to pay for
    if (!m_costs) {
        m_costs = new CellExplanation(this);
        connect(m_costs, &CellExplanation::pricesRequested, this, &PlanResults::pricesRequested);
        connect(m_costs, &CellExplanation::recordRequested, this, &PlanResults::recordRequested);
    }
    m_costs->setAttribute(Qt::WA_DeleteOnClose);
    m_costs->setSheet(costs, m_answer->fleet, m_answer->catalog);
    m_costs->explain(utf8(cell->key), int(cell->column));
    m_costs->show();
    m_costs->raise();
    m_costs->activateWindow();
}

/// What the figure behind it is made of and may be, or where memory and time go.
void PlanResults::explainVerdict(ScoreLevel level)
{
    if (const auto *figure = m_answer ? figureBehind(level, m_answer->solution) : nullptr)
        explainCosts(*figure);
    else
        emit explainRequested();
}

void PlanResults::showFigures(const exchange::StoredEstimate &estimate)
{
    m_hasFigures = true;
    const auto step = estimate.figure("step_time_s");
    for (const auto &[figure, labels] : m_figures) {
        const auto value = estimate.figure(figure->key);
        const auto likely = likelyByRuns(figure->key, value, step, estimate.range);
        labels.second->setText(localized(figureText(likely ? likely : value, figure->dimension)));
        labels.first->setToolTip(meaningOf(*figure));
        labels.second->setToolTip(
            value ? meaningOf(*figure) : meaningOf(*figure) + u'\n' + tr("Not known for this plan."));
        // One cost model has it: for the others its row would only push the answers out of a small window.
        // Where tuned software is slower the warnings and assumptions say so: a negative worth reads as an error.
        if (figure->key == "tuning_worth")
            for (auto *label : {labels.first, labels.second})
                label->setVisible(value.value_or(-1) >= 0);
    }
    showRange(estimate);
    showWhyLikely(estimate);
}

void PlanResults::showReasons(const Plan &plan, const Solution &solution)
{
    const auto explained = explainRun(plan, solution);
    for (const auto &[figure, labels] : m_figures) {
        if (rangeOf(*figure, solution) || !insteadOf(*figure, solution).empty())
            labels.second->setText(localized(valueInWords(*figure, solution)));
        if (isOfRent(*figure) && figureOf(solution, figure->key)) // which rent
            labels.second->setText(
                tr("%1, %2").arg(labels.second->text(), localized(words(plan->fleet->costs.rentTerm))));
        if (figure->key == "order_to_end_s" && !figureOf(solution, figure->key))
            labels.second->setText(plan->fleet->costs.paying == Paying::Rent
                    ? tr("the fleet is rented")
                    : tr("lead time of %1 not known").arg(localized(plan->fleet->node->name)));
        const QString reason = figureReason(*figure, plan, solution, explained);
        if (reason.isEmpty())
            continue;
        for (auto *label : {labels.first, labels.second})
            label->setToolTip(meaningOf(*figure) + u'\n' + reason);
    }
}

void PlanResults::showScorecard(const Solution &solution)
{
    const std::pair<QLabel *, ScoreLevel> marks[]{{m_ui->feasibleVerdict, ScoreLevel::Feasibility},
        {m_ui->fastVerdict, ScoreLevel::Performance}, {m_ui->worthVerdict, ScoreLevel::Macro}};
    for (const auto &[label, level] : marks) {
        // Beside the answer, which is about all limits, only those of this line are judged.
        showHtml(label, verdictText(level, solution, palette()));
        label->setToolTip(verdictHelp(level, solution));
    }
    const bool isOut = feasibility(solution) == false;
    if (isOut)
        showHtml(m_ui->worthVerdict, tr("not feasible; ") + m_ui->worthVerdict->text());
    for (const auto *figure : shownFigures(ScoreLevel::Macro)) {
        auto *value = m_figures.at(figure).second;
        auto colours = palette();
        if (isOut)
            colours.setColor(QPalette::WindowText, quietColour(palette()));
        value->setPalette(colours);
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

void PlanResults::showSolution(const Plan &plan, const Solution &solution, const QString &inputHash,
    const FleetDocument &fleet, std::shared_ptr<const Catalog> catalog)
{
    m_answer = Answer{QString::fromStdString(plan->name), plan, solution, fleet, std::move(catalog)};
    showState({}, false);
    m_ui->feasibleAnswer->setText(localized(verdictInWords(solution)));
    const QString reason = verdictReason(solution);
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
            warnings << localized(sentence(Notice(i)));
    if (solution.costs)
        for (const auto &notice : solution.costs->notices())
            warnings << localizedHtmlEscaped(withLabels(notice));
    if (m_costs && solution.costs)
        m_costs->setSheet(solution.costs, m_answer->fleet, m_answer->catalog);
    m_ui->warningsText->setHtml(warnings.isEmpty() ? tr("No warnings.") : itemList(warnings));
    m_ui->tabs->setTabText(m_ui->tabs->indexOf(m_ui->warningsTab),
        warnings.isEmpty() ? tr("Warnings") : tr("Warnings (%1)").arg(warnings.size()));
    showDetails();
    const auto name = modelName(
        QString::fromStdString(solution.costModelId), QString::fromStdString(solution.costModelVersion));
    const bool byRuns = solution.range && solution.range->ownRuns > 0;
    m_ui->provenanceLabel->setText(provenance(name, inputHash, byRuns));
    m_ui->provenanceLabel->setToolTip(
        (byRuns ? tr("Cost model, its version and the SHA-256 of everything that the formula\u2019s answer depends on; "
                     "your measured runs, which move it, are not in it:\n%1")
                : tr("Cost model, its version and the SHA-256 of everything that the answer depends on:\n%1"))
            .arg(inputHash));
    for (auto *button : {m_ui->copyButton, m_ui->explainButton, m_ui->servingButton})
        button->setEnabled(true);
}

void PlanResults::showStored(const storage::SavedResult &result, bool stale)
{
    const auto estimate = result.estimate();
    showNothing();
    showFigures(estimate);
    m_ui->feasibleAnswer->setText(localized(fleetwright::inWords(estimate.feasible, estimate.onlyLikely)));
    if (const auto total = estimate.figure("memory.total_bytes"))
        m_ui->memoryLabel->setText(
            tr("%1 of %2")
                .arg(localized(figureText(total, Dimension::Information)),
                    localized(figureText(estimate.figure("memory.capacity_bytes"), Dimension::Information))));
    showState(
        stale ? tr("Stored on %1 for other inputs; the numbers are out of date.").arg(result.solvedAt) : QString(),
        stale);
    const bool byRuns = estimate.range && estimate.range->ownRuns > 0;
    m_ui->provenanceLabel->setText(
        tr("%1, stored %2")
            .arg(provenance(modelName(result.costModelId, result.costModelVersion), result.inputHash, byRuns),
                result.solvedAt));
}

void PlanResults::showRefusal(const QString &sentence)
{
    showState(m_hasFigures ? tr("No answer for these entries: %1 The numbers are the last valid result.").arg(sentence)
                           : tr("No answer for these entries: %1").arg(sentence),
        m_hasFigures);
}

void PlanResults::showPending()
{
    if (m_hasFigures)
        showState(tr("Being solved. The numbers are those of the entries before."), true);
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
                                 .arg(withinSentence(shortLabelOf(figure)),
                                     localized(figureText(amount, figure.dimension)));
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
    const std::vector<charts::LabelledBreakdown> steps{{QString(), m_answer->solution.breakdown}};
    auto bars = charts::stepBars(steps); // one bar: its name is the page's
    charts::markLikely(bars, {m_answer->solution.range});
    m_ui->stepChart->show(
        charts::barChart(std::move(bars), tr("Step time chart"), charts::describeStepBreakdown(steps)), theme);
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
        auto *name = new QTableWidgetItem(localized(detail.label));
        auto *value = new QTableWidgetItem(localized(units::format(values[i], detail.dimension)));
        value->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const QString tip =
            tr("Formula: %1\nEnter or a double click: in words and with the values").arg(utf8(detail.formula));
        name->setData(Qt::UserRole, utf8(detail.path()));
        name->setToolTip(tip);
        value->setToolTip(tip);
        m_ui->detailsTable->setItem(row, 0, name);
        m_ui->detailsTable->setItem(row, 1, value);
    }
    QStringList limits;
    for (const auto &limitation : (*model)->limitations())
        limits << localized(limitation.text);
    m_ui->limitationsText->setHtml(
        itemList(limits) + u"<p>"_s + localizedHtmlEscaped((*model)->literature()) + u"</p>"_s);
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

} // namespace fleetwright::app
