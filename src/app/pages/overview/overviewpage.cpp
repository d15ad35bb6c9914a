// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/overview/overviewpage.h"

#include "app/pages/plan/planfigures.h"
#include "app/pages/plan/planrows.h"
#include "app/pages/welcome/welcome.h"
#include "app/plannamedelegate.h"
#include "app/theme.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/tablecolumns.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "app/workspace/rowdocuments.h"
#include "app/workspace/workspace.h"
#include "charts/planscatter.h"
#include "exchange/plandocuments.h"
#include "exchange/storedtrace.h"
#include "itemmodels/rowtable.h"
#include "solver/answer/binding.h"
#include "text/localized.h"
#include "ui_overviewpage.h"

#include <QStyledItemDelegate>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::PlanOverviewModel;
using itemmodels::PlanOverviewRow;

namespace {
constexpr int emptyTextWidth = 480, leastColumn = 48, widthForFleets = 1200;
constexpr int rowsAtOnce = 50, rowsOfATurn = 10; ///< whose answers are read
constexpr int manyRowsMilliseconds = 200; ///< between drawings of more rows than that

/// Stale rows are quiet, and say so with a sign beside the word.
class StaleDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Names that are too long for their column stay distinct.
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool isWhole = sizeHint(option, index).height() <= option.rect.height(); // in as many lines as it needs
        if (index.column() != PlanOverviewModel::Name || isWhole)
            return QStyledItemDelegate::paint(painter, option, index);
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        QStringList names;
        for (int row = 0; row < index.model()->rowCount(); ++row)
            names << index.siblingAtRow(row).data().toString();
        drawDistinct(*painter, std::move(item), names);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (!index.data(PlanOverviewModel::StaleRole).toBool())
            return;
        option->palette.setColor(QPalette::Text, quietColour(option->palette));
        if (index.column() == PlanOverviewModel::Feasible) {
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->icon = icon(u"warning"_s, option->palette);
            option->decorationSize = {iconPixels, iconPixels};
        }
    }

private:
    static constexpr int iconPixels = 16;
};

} // namespace

OverviewPage::OverviewPage(
    Workspace &workspace, ProjectFiles &files, Prompts &prompts, const Settings &settings, QWidget *parent)
    : Page(parent), m_ui(std::make_unique<Ui::OverviewPage>()), m_workspace(workspace), m_prompts(prompts),
      m_welcome(new Welcome(workspace, files, settings)), m_plans(new PlanOverviewModel(this)),
      m_sorted(new QSortFilterProxyModel(this)), m_around(new QTimer(this)), m_missing(workspace)
{
    m_ui->setupUi(this);
    m_ui->stack->addWidget(m_welcome);
    setAccessibleName(tr("Plans"));
    for (auto *label : {m_ui->titleLabel, m_ui->emptyTitle})
        makeTitle(label);
    m_prompts.saveChart(*m_ui->plansChart);
    m_ui->emptyText->setMinimumWidth(emptyTextWidth);
    m_around->setSingleShot(true);
    m_reading.setObjectName(u"readingTimer"_s);
    m_reading.setInterval(0);
    setUpTable();
    wire();
    connect(m_ui->inputsTab, &PlanInputsPanel::statusMessage, this, &OverviewPage::statusMessage);
    m_ui->inputsTab->follow(m_workspace);
    reload();
}

OverviewPage::~OverviewPage() = default;

void OverviewPage::setUpTable()
{
    auto *table = m_ui->plansTable;
    m_sorted->setSourceModel(m_plans);
    m_sorted->setSortRole(itemmodels::sortRole);
    m_sorted->setFilterKeyColumn(-1);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table->setModel(m_sorted);
    copyPlans(table, m_workspace);
    table->setItemDelegate(new StaleDelegate(table));
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder); // the project's order, until a header is clicked
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + gridUnit);
    auto *header = table->horizontalHeader();
    header->setMinimumSectionSize(leastColumn);
    header->setSortIndicatorClearable(true);
    TableColumns::of(*table).shareAmong(
        {PlanOverviewModel::Name, PlanOverviewModel::Fleet, PlanOverviewModel::Layout, PlanOverviewModel::Binds});
    TableColumns::of(*table).wrapTexts(); // what tells plans apart is read whole
    m_ui->plansSplitter->setStretchFactor(0, 3);
    m_ui->plansSplitter->setStretchFactor(1, 2);
}

void OverviewPage::wire()
{
    auto &ui = *m_ui;
    for (auto *button : {ui.newPlanButton, ui.emptyNewButton})
        connect(button, &QPushButton::clicked, this, &OverviewPage::newPlanRequested);
    for (auto *button : {ui.decideButton, ui.emptyDecideButton})
        connect(button, &QPushButton::clicked, this, [this] { emit pageRequested(u"decide"_s); });
    connect(m_welcome, &Welcome::pageRequested, this, &OverviewPage::pageRequested);
    connect(ui.plansFilter, &QLineEdit::textChanged, m_sorted,
        [this](const QString &text) { m_sorted->setFilterFixedString(text.trimmed()); });
    connect(ui.plansFilter, &QLineEdit::returnPressed, ui.plansTable, qOverload<>(&QWidget::setFocus));
    connect(m_around, &QTimer::timeout, this, &OverviewPage::showAround);
    connect(ui.plansTable, &QTableView::activated, this,
        [this](const QModelIndex &index) { emit planRequested(index.data(PlanOverviewModel::IdRole).toLongLong()); });
    connect(ui.plansTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &OverviewPage::showChart);
    connect(ui.countsLabel, &QLabel::linkActivated, this, &OverviewPage::pageRequested);
    const auto soon = [this] { showAroundSoon(); };
    connect(&m_reading, &QTimer::timeout, this, [this] { readRows(rowsOfATurn); });
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_plans, signal, this, soon);
    connect(m_plans, &QAbstractItemModel::dataChanged, this, soon);

    connect(&m_workspace, &Workspace::projectChanged, this, &OverviewPage::reload);
    connect(&m_workspace, &Workspace::planInserted, this,
        [this](int index) { m_plans->insert(index, row(m_workspace.plans()[std::size_t(index)])); });
    connect(&m_workspace, &Workspace::planChanged, this, [this](int index) {
        const auto &plan = m_workspace.plans()[std::size_t(index)];
        auto changed = row(plan);
        if (isVisible() && changed.stale) // edited among the inputs
            m_missing.add(plan.id);
        m_plans->change(index, std::move(changed));
    });
    connect(&m_workspace, &Workspace::planRemoved, this, [this](int index) {
        m_unread.remove(m_plans->rows()[std::size_t(index)].id); // which nobody will read any more
        m_plans->remove(index);
    });
    connect(&m_workspace, &Workspace::resultSaved, this, &OverviewPage::refreshPlan);
    connect(&m_missing, &MissingAnswers::refused, this, [this](qint64 id, const QString &sentence) {
        m_refusals.insert(id, sentence);
        refreshPlan(id);
    });
    connect(&m_missing, &MissingAnswers::failed, this,
        [this](const Error &error) { emit statusMessage(localized(error.message)); });
    for (const auto signal : {&Workspace::decisionInserted, &Workspace::decisionRemoved, &Workspace::fleetInserted,
             &Workspace::fleetRemoved, &Workspace::offerInserted, &Workspace::offerRemoved, &Workspace::sweepInserted,
             &Workspace::sweepRemoved, &Workspace::studyInserted, &Workspace::studyRemoved,
             &Workspace::ledgerEntryInserted, &Workspace::ledgerEntryRemoved})
        connect(&m_workspace, signal, this, &OverviewPage::showCounts);
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &OverviewPage::showCounts);
    // Runs of the site decide what is likely of every plan.
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &OverviewPage::solveAgain);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &OverviewPage::solveAgain);
    connect(&m_workspace, &Workspace::catalogChanged, this, &OverviewPage::reloadPlans);
}

/// Without an answer.
PlanOverviewRow OverviewPage::asked(const storage::SavedPlan &plan) const
{
    const auto &document = plan.document;
    const auto catalog = m_workspace.catalog();
    PlanOverviewRow row;
    row.id = plan.id;
    row.refusal = m_refusals.value(plan.id);
    row.name = QString::fromStdString(document.name);
    row.workload = QString::fromStdString(nameOf(document.workload, CatalogKind::Workload, *catalog));
    row.fleet = fleetText(document.fleet, *catalog);
    row.layout = layoutText(document, std::nullopt);
    row.costModel = QString::fromStdString(document.costModelId);
    row.globalBatch = document.training.globalBatch;
    return row;
}

PlanOverviewRow OverviewPage::row(const storage::SavedPlan &plan) const
{
    auto row = asked(plan);
    if (const auto result = m_workspace.result(plan.id)) {
        const auto &document = plan.document;
        row.layout = layoutText(document, result);
        if (document.bestLayout)
            row.layoutSentence = tr("The best layout of this fleet: %1").arg(row.layout);
        const auto estimate = result->estimate();
        if (const auto stepTime = estimate.figure("step_time_s"))
            row.stepTime = *stepTime * second;
        if (const auto runTime = estimate.figure("run_time_s"))
            row.runTime = *runTime * second;
        row.runCostUsd = estimate.figure("run_cost_usd");
        row.capitalUsd = estimate.figure("fleet_capital_usd");
        row.facilityWatts = estimate.figure("facility_power_w");
        row.range = estimate.range;
        row.mfu = estimate.figure("mfu");
        row.feasible = estimate.feasible;
        row.onlyLikely = estimate.onlyLikely;
        const auto trace = exchange::storedTraceFromText(result->estimateJson.toStdString());
        row.verdictReason = verdictReason(trace);
        if (const auto binding = bindingOf(trace)) {
            row.binds = localized(binding->words);
            row.bindsSentence = localized(binding->sentence);
        }
        const auto resolved = resolve(document, *m_workspace.catalog());
        row.stale = !resolved || QString::fromStdString(exchange::inputHash(document, *resolved)) != result->inputHash;
        row.solvedAt = result->solvedAt;
    }
    return row;
}

void OverviewPage::reload()
{
    m_refusals.clear();
    const bool open = m_workspace.isOpen();
    m_ui->stack->setCurrentWidget(open ? m_ui->projectPanel : m_welcome);
    m_ui->titleLabel->setText(m_workspace.projectName());
    m_ui->titleLabel->setToolTip(m_workspace.path());
    const bool writable = open && !m_workspace.isReadOnly();
    for (auto *button : {m_ui->newPlanButton, m_ui->emptyNewButton}) {
        button->setEnabled(writable);
        button->setToolTip(writable ? tr("Add a plan to the project (Ctrl+Shift+N)") : m_workspace.readOnlyReason());
    }
    m_unread.clear();
    std::vector<PlanOverviewRow> rows;
    for (const auto &plan : m_workspace.plans()) {
        const bool isRead = int(rows.size()) < rowsAtOnce;
        rows.push_back(isRead ? row(plan) : asked(plan));
        if (!isRead)
            m_unread.insert(plan.id);
    }
    m_plans->reset(std::move(rows));
    readRows(0);
    if (m_plans->rowCount() > 0)
        chooseRow(*m_ui->plansTable, 0);
    showCounts();
    showAround();
    if (isVisible()) {
        solveMissing();
        focusSensibly();
    }
}

void OverviewPage::showAround()
{
    auto &ui = *m_ui;
    ui.plansStack->setCurrentWidget(m_plans->rowCount() > 0 ? ui.plansPanel : ui.emptyPanel);
    ui.newPlanButton->setVisible(m_plans->rowCount() > 0);
    ui.decideButton->setVisible(m_plans->rowCount() > 0);
    QStringList shared; // what all plans share is said once, and the columns are left to what differs
    for (const auto &[column, words] :
        {std::pair(PlanOverviewModel::Workload, tr("%1")), std::pair(PlanOverviewModel::CostModel, tr("cost model %1")),
            std::pair(PlanOverviewModel::Batch, tr("global batch %1"))}) {
        const auto text = m_plans->sharedText(column);
        ui.plansTable->setColumnHidden(column, text.has_value());
        if (text)
            shared << words.arg(*text);
    }
    ui.summaryLabel->setText(m_plans->summary()
        + (shared.isEmpty() ? QString() : u'\n' + tr("All plans: %1").arg(shared.join(u"  \u00b7  "_s))));
    showChart();
}

void OverviewPage::showChart()
{
    std::vector<charts::PlanPoint> points;
    for (const auto &row : m_plans->rows())
        points.push_back({row.name, row.runTime, row.runCostUsd, row.feasible.value_or(true), row.stale});
    const auto current = m_sorted->mapToSource(m_ui->plansTable->currentIndex());
    const auto selected = current.isValid() ? std::optional(std::size_t(current.row())) : std::nullopt;
    const auto pick = [this](std::size_t plan) { // the chart is replaced after its event
        QMetaObject::invokeMethod(
            this,
            [this, plan] { chooseRow(*m_ui->plansTable, m_sorted->mapFromSource(m_plans->index(int(plan), 0)).row()); },
            Qt::QueuedConnection);
    };
    m_ui->plansChart->show(charts::planScatter(std::move(points), selected, pick),
        isDark(palette()) ? charts::Theme::dark() : charts::Theme::light());
}

void OverviewPage::showCounts()
{
    const auto link = [](const char *page, const QString &text, std::size_t count) {
        return u"<a href=\"%1\">%2</a> %3"_s.arg(QString::fromUtf8(page), text).arg(count);
    };
    const QStringList links{link("decide", tr("Decisions"), m_workspace.decisions().size()),
        link("fleets", tr("Fleets"), m_workspace.fleets().size()),
        link("offers", tr("Offers"), m_workspace.offers().size()),
        link("sweeps", tr("Sweeps"), m_workspace.sweeps().size()),
        link("validation", tr("Measured runs"), m_workspace.measuredRuns().size()),
        link("studies", tr("Studies of your own"), m_workspace.studies().size()),
        link("ledger", tr("Ledger entries"), m_workspace.ledger().size())};
    showHtml(m_ui->countsLabel, tr("Also in this project:") + u' ' + links.join(u" &nbsp;\u00b7&nbsp; "_s));
}

void OverviewPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    solveMissing();
    focusSensibly();
}

/// Into the table, or to the first action where it is empty; whoever walks through the navigation stays there.
void OverviewPage::focusSensibly()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            const auto *focused = window()->focusWidget();
            if (!isVisible() || (focused && focused->isVisible() && focused != this && !isAncestorOf(focused)))
                return;
            if (!m_workspace.isOpen())
                m_welcome->focusFirst();
            else if (m_plans->rowCount() > 0 && m_ui->inputsTab->isVisible())
                m_ui->inputsTab->focusTable();
            else if (m_plans->rowCount() > 0)
                m_ui->plansTable->setFocus();
            else
                (m_ui->emptyNewButton->isEnabled() ? m_ui->emptyNewButton : m_ui->emptyDecideButton)->setFocus();
        },
        Qt::QueuedConnection);
}

/// Where there is little room, the fleet is in the tooltip of the plan's name.
void OverviewPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    m_ui->plansTable->setColumnHidden(PlanOverviewModel::Fleet, width() < widthForFleets);
}

void OverviewPage::refreshPlan(qint64 id)
{
    const auto &plans = m_workspace.plans();
    if (const auto found = std::ranges::find(plans, id, &storage::SavedPlan::id); found != plans.end())
        m_plans->change(int(found - plans.begin()), row(*found));
}

void OverviewPage::solveMissing()
{
    m_refusals.clear();
    for (const auto &shown : m_plans->rows())
        if (!m_unread.contains(shown.id) && isMissing(shown))
            m_missing.add(shown.id);
}

void OverviewPage::solveAgain()
{
    for (const auto &shown : m_plans->rows())
        m_missing.add(shown.id);
}

bool OverviewPage::isMissing(const PlanOverviewRow &row) { return !row.feasible || row.stale; }

/// Each row has an answer to be read and compared with the plan: those of many plans come little by little.
void OverviewPage::reloadPlans()
{
    m_unread.clear();
    for (const auto &plan : m_workspace.plans())
        m_unread.insert(plan.id);
    readRows(rowsAtOnce);
}

void OverviewPage::readRows(int count)
{
    const auto &plans = m_workspace.plans();
    for (std::size_t i = 0; i < plans.size() && count > 0 && !m_unread.isEmpty(); ++i) {
        if (!m_unread.remove(plans[i].id))
            continue;
        --count;
        auto read = row(plans[i]);
        if (isVisible() && isMissing(read))
            m_missing.add(read.id);
        m_plans->change(int(i), std::move(read));
    }
    if (m_unread.isEmpty())
        m_reading.stop();
    else if (!m_reading.isActive())
        m_reading.start();
}

/// Of many plans the answers come one by one, and a chart of all of them takes a while to draw.
void OverviewPage::showAroundSoon()
{
    if (!m_around->isActive())
        m_around->start(m_plans->rowCount() > rowsAtOnce ? manyRowsMilliseconds : 0);
}

void OverviewPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        showAroundSoon();
    Page::changeEvent(event);
}

} // namespace fleetwright::app
