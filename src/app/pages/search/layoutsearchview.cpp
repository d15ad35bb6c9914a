// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/layoutsearchview.h"

#include "app/dialogs/ledgerentrydialog.h"
#include "app/pages/plan/planrows.h"
#include "app/pages/search/layoutcomparisondialog.h"
#include "app/pages/search/layoutsearchdetails.h"
#include "app/pages/search/layoutsearchplans.h"
#include "app/pages/search/layoutsearchtables.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/tablecolumns.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "itemmodels/layoutsearchtablemodel.h"
#include "solver/answer/decision.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_layoutsearchview.h"
#include "units/format.h"
#include "units/grouping.h"

#include <QEvent>
#include <QSignalBlocker>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int foundHeight = 209;
constexpr int detailsHeight = 361; ///< that of its highest chart in the smallest window: its tabs stay where they are
constexpr int leastFoundHeight = 140; ///< some rows, beside a chart

} // namespace

LayoutSearchView::LayoutSearchView(
    Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent)
    : SearchView(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::LayoutSearchView>()),
      m_splits(new itemmodels::LayoutSearchTableModel(itemmodels::LayoutSearchTableModel::Content::Splits, this)),
      m_layouts(new itemmodels::LayoutSearchTableModel(itemmodels::LayoutSearchTableModel::Content::Layouts, this)),
      m_details(new LayoutSearchDetails(this))
{
    m_ui->setupUi(this);
    makeHeading(m_ui->emptyTitle);
    m_ui->splitter->addWidget(m_details);
    m_ui->splitter->setSizes({foundHeight, detailsHeight});
    m_ui->filterEdit->setToolTip(itemmodels::LayoutSearchFilter::help());
    const auto terms = tr(
        "A split divides the accelerators among TP, CP, PP, EP and DP. A layout is a split with all its "
        "settings: virtual stages, microbatch, recomputation, ZeRO, sequence parallelism.");
    m_ui->contentCombo->setToolTip(m_ui->contentCombo->toolTip() + u'\n' + terms);
    m_ui->countLabel->setToolTip(terms);
    setUpTables();
    setUpSaving();
    connectControls();
    connectWorkspace();
    connectJob();
    showSettings(false);
    m_ui->planCombo->follow(workspace, std::move(currentPlan));
    planChosen();
}

LayoutSearchView::~LayoutSearchView() = default;

void LayoutSearchView::setUpTables()
{
    m_ui->splitTable->setModel(m_splits);
    m_ui->layoutTable->setModel(m_layouts);
    for (auto *view : {m_ui->splitTable, m_ui->layoutTable}) {
        setUpLayoutSearchTable(view);
        view->setSelectionMode(QAbstractItemView::ExtendedSelection);
        view->setMinimumHeight(96);
        connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LayoutSearchView::tableSelected);
        connect(view, &QTableView::activated, this, &LayoutSearchView::adopt);
        connect(view, &QTableView::clicked, this, [this] { m_userSelected = true; });
    }
    connect(m_ui->contentCombo, &QComboBox::currentIndexChanged, this, [this] {
        if (m_partial && model() == m_layouts)
            m_layouts->setResult(m_partial);
        if (m_answer && !table()->selectionModel()->hasSelection())
            selectFirst();
        tableSelected();
        updateCount();
    });
}

void LayoutSearchView::connectControls()
{
    auto &ui = *m_ui;
    connect(ui.searchButton, &QPushButton::clicked, this, &LayoutSearchView::start);
    connect(ui.cancelButton, &QPushButton::clicked, this, &LayoutSearchView::cancel);
    connect(ui.adoptButton, &QPushButton::clicked, this, &LayoutSearchView::adopt);
    connect(ui.recordButton, &QPushButton::clicked, this, &LayoutSearchView::recordDecision);
    connect(ui.compareButton, &QPushButton::clicked, this, &LayoutSearchView::compareSelected);
    connect(ui.copyButton, &QPushButton::clicked, this, &LayoutSearchView::copy);
    connect(ui.emptyPlansButton, &QPushButton::clicked, this, [this] { emit planRequested(0); });
    connect(ui.settingsButton, &QToolButton::toggled, this, &LayoutSearchView::showSettings);
    connect(ui.planCombo, &PlanChooser::planChosen, this, &LayoutSearchView::planChosen);
    connect(ui.planCombo, &PlanChooser::planEdited, this, &LayoutSearchView::planEdited);
    connect(ui.settings, &LayoutSearchSettings::changed, this, [this] {
        settingsOf(chosenPlan()) = m_ui->settings->document();
        answerAgain(tr("The settings have changed; search again."));
    });
    connect(ui.filterEdit, &QLineEdit::textChanged, this, &LayoutSearchView::applyFilter);
    connect(ui.clearFilterButton, &QPushButton::clicked, this, [this] {
        m_ui->filterEdit->clear();
        m_ui->filterEdit->setFocus();
    });
    connect(m_details, &LayoutSearchDetails::chosenChanged, this, &LayoutSearchView::updateState);
    connect(m_details, &LayoutSearchDetails::cellPicked, this, &LayoutSearchView::filterTo);
    connect(m_details, &LayoutSearchDetails::rowPicked, this, &LayoutSearchView::selectRow);
    connect(m_details, &LayoutSearchDetails::heightWanted, this, &LayoutSearchView::giveHeight);
    connect(m_details, &LayoutSearchDetails::paretoChanged, this,
        [this] { settingsOf(chosenPlan()).pareto = m_details->paretoAxes(); });
}

void LayoutSearchView::connectWorkspace()
{
    connect(&m_workspace, &Workspace::projectChanged, this, [this] {
        m_settings.clear();
        m_live.clear();
    });
    connect(&m_workspace, &Workspace::catalogChanged, this, [this] {
        answerAgain(tr("The catalogs have changed; search again."));
        m_ui->settings->show(settingsOf(chosenPlan()), m_workspace.catalog());
    });
}

void LayoutSearchView::connectJob()
{
    connect(&m_job, &jobs::LayoutSearchJob::progressed, this, &LayoutSearchView::showProgress);
    connect(&m_job, &jobs::LayoutSearchJob::finished, this, &LayoutSearchView::showAnswer);
    connect(&m_live, &LiveRun::becameLong, this, &LayoutSearchView::updateState);
    connect(&m_live, &LiveRun::due, this, [this] {
        if (isVisible() && m_ui->settings->isValid())
            search();
    });
    connect(&m_solver, &jobs::SolveJob::finished, this, [this](const jobs::SolveOutcome &outcome) {
        if (!outcome.solution || !outcome.plan) {
            m_prompts.showError(
                this, tr("The layout was not recorded"), outcome.solution ? Error{} : outcome.solution.error());
            return;
        }
        auto entry = decisionOn(*outcome.plan, *outcome.solution, ledgerTime());
        entry.context = LedgerContext::FromSearch;
        connect(recordInLedger(entry, m_workspace, this), &LedgerEntryDialog::kept, this,
            [this] { emit statusMessage(tr("Recorded in the ledger")); });
    });
}

void LayoutSearchView::planChosen()
{
    clearAnswer({});
    m_ui->stack->setCurrentWidget(chosenPlan() ? m_ui->contentPage : m_ui->emptyPage);
    if (chosenPlan() == 0)
        return;
    const auto &document = settingsOf(chosenPlan());
    m_ui->settings->show(document, m_workspace.catalog());
    m_details->setParetoAxes(document.pareto);
    updateState();
    m_live.ask(subject());
}

void LayoutSearchView::planEdited(qint64 id)
{
    auto document = m_workspace.plan(id)->document;
    document.name = m_searched.plan.name; // a new name changes no answer
    if (document != m_searched.plan)
        answerAgain(tr("The plan has changed; search again."));
    m_ui->settings->show(settingsOf(id), m_workspace.catalog());
}

LayoutSearchDocument &LayoutSearchView::settingsOf(qint64 plan)
{
    auto &document = m_settings[plan];
    if (const auto *saved = m_workspace.plan(plan))
        document.plan = saved->document;
    return document;
}

void LayoutSearchView::choosePlan(qint64 id) { m_ui->planCombo->choose(id); }

void LayoutSearchView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_job.isRunning())
        return;
    m_ui->planCombo->takeShown();
    if (!m_answer)
        m_live.ask(subject());
}

void LayoutSearchView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showSettings(m_ui->settingsButton->isChecked());
}

/// A chart that would be cut takes what the table can spare, and gives it back when it is left.
void LayoutSearchView::giveHeight(int wanted)
{
    auto *splitter = m_ui->splitter;
    if (m_heightGiven && splitter->sizes() == m_heightGiven->second)
        splitter->setSizes(m_heightGiven->first);
    m_heightGiven.reset();
    const auto before = splitter->sizes();
    const int spared = std::min(wanted - before.back(), before.front() - leastFoundHeight);
    if (spared <= 0)
        return;
    splitter->setSizes({before.front() - spared, before.back() + spared});
    m_heightGiven.emplace(before, splitter->sizes());
}

void LayoutSearchView::showSettings(bool visible)
{
    m_ui->settings->setVisible(visible);
    m_ui->settingsButton->setArrowType(visible ? Qt::DownArrow : Qt::RightArrow);
}

qint64 LayoutSearchView::chosenPlan() const { return m_ui->planCombo->plan(); }
QTableView *LayoutSearchView::table() const
{
    return m_ui->contentCombo->currentIndex() == 1 ? m_ui->layoutTable : m_ui->splitTable;
}
itemmodels::LayoutSearchTableModel *LayoutSearchView::model() const
{
    return table() == m_ui->layoutTable ? m_layouts : m_splits;
}

void LayoutSearchView::fitTables()
{
    fitLayoutSearchTable(m_ui->splitTable);
    fitLayoutSearchTable(m_ui->layoutTable);
}

void LayoutSearchView::tableSelected()
{
    const auto rows = table()->selectionModel()->selectedRows();
    const auto current = table()->currentIndex();
    const bool currentSelected = current.isValid() && table()->selectionModel()->isRowSelected(current.row());
    if (rows.isEmpty())
        m_details->select({});
    else
        m_details->select(model()->item(currentSelected ? current.row() : rows.front().row()));
    updateState();
}

std::vector<layoutsearch::Row> LayoutSearchView::selectedRows() const
{
    std::vector<layoutsearch::Row> rows;
    const auto selected = table()->selectionModel()->selectedRows();
    for (const auto &index : selected)
        if (const auto item = model()->item(index.row()); item.row)
            rows.push_back(*item.row);
    return rows;
}

void LayoutSearchView::applyFilter()
{
    const auto filter = itemmodels::LayoutSearchFilter::parse(m_ui->filterEdit->text());
    m_ui->filterSentence->setSentence(filter ? QString() : localized(filter.error().message));
    setRefusedLook(m_ui->filterEdit, !filter);
    if (!filter)
        return;
    m_splits->setFilter(*filter);
    m_layouts->setFilter(*filter);
    if (m_answer && !table()->selectionModel()->hasSelection()) { // the one that was is hidden
        if (model()->rowCount() > 0)
            chooseRow(*table(), 0);
        tableSelected();
    }
    updateCount();
}

/// What is recommended, else the first.
void LayoutSearchView::selectFirst()
{
    const auto *taken = m_answer ? m_answer->result->taken() : nullptr;
    const int row = !taken    ? 0
        : model() == m_splits ? m_splits->rowOf(splitOf(taken->layout), taken->caseIndex)
                              : m_layouts->rowOf(taken->layout, taken->caseIndex);
    if (model()->rowCount() == 0)
        return;
    chooseRow(*table(), std::max(row, 0));
    table()->scrollTo(model()->index(std::max(row, 0), 0));
}

void LayoutSearchView::filterTo(int tp, int pp)
{
    m_ui->filterEdit->setText(u"tp=%1 pp=%2"_s.arg(tp).arg(pp));
    if (model()->rowCount() > 0)
        chooseRow(*table(), 0);
}

void LayoutSearchView::selectRow(const layoutsearch::Row &row)
{
    int found = model() == m_splits ? m_splits->rowOf(splitOf(row.layout), row.caseIndex)
                                    : m_layouts->rowOf(row.layout, row.caseIndex);
    if (found < 0 && !m_ui->filterEdit->text().isEmpty()) {
        m_ui->filterEdit->clear();
        found = model() == m_splits ? m_splits->rowOf(splitOf(row.layout), row.caseIndex)
                                    : m_layouts->rowOf(row.layout, row.caseIndex);
    }
    if (found < 0 && model() == m_layouts) { // beyond those that were kept; its split is always there
        m_ui->contentCombo->setCurrentIndex(0);
        found = m_splits->rowOf(splitOf(row.layout), row.caseIndex);
    }
    if (found < 0)
        return;
    m_userSelected = true;
    chooseRow(*table(), found);
    table()->scrollTo(model()->index(found, 0));
}

void LayoutSearchView::updateCount()
{
    const auto number = [](int count) { return utf8(units::grouped(std::to_string(count))); };
    const int shown = model()->rowCount(), total = model()->total();
    const bool splits = model() == m_splits;
    m_ui->countLabel->setText(shown != total ? tr("%1 of %2").arg(number(shown), number(total))
            : splits                         ? tr("%1 splits").arg(number(total))
                                             : tr("%1 layouts").arg(number(total)));
    const bool isEmptied = m_splits->result() && shown == 0 && total > 0;
    m_ui->noMatchLabel->setText((
        splits ? tr("No split matches the filter \u201c%1\u201d.") : tr("No layout matches the filter \u201c%1\u201d."))
                                    .arg(m_ui->filterEdit->text().trimmed()));
    m_ui->tables->setCurrentWidget(isEmptied ? m_ui->noMatchPage : static_cast<QWidget *>(table()));
}

PageWork LayoutSearchView::work() const { return {m_ui->progressBar, m_ui->cancelButton, m_ui->progressPanel}; }

void LayoutSearchView::updateState()
{
    auto &ui = *m_ui;
    const bool running = m_job.isRunning();
    ui.settingsButton->setToolTip(
        tr("Cost model, objective, what is tried, and cases to compare. Now: %1").arg(ui.settings->inWords()));
    const bool any = m_splits->result();
    ui.searchButton->setEnabled(!running && ui.settings->isValid());
    ui.searchButton->setVisible(!(m_live.isLive(subject()) && (running || m_answer)));
    ui.cancelButton->setVisible(running && m_live.isLong());
    ui.progressPanel->setVisible(running && m_live.isLong());
    ui.answerPanel->setVisible(any);
    ui.answerLabel->setVisible(m_answer.has_value());
    ui.messageLabel->setVisible(!any);
    const bool writable = m_answer && m_details->chosen() && !m_workspace.isReadOnly();
    ui.adoptButton->setEnabled(writable);
    ui.recordButton->setEnabled(writable);
    const auto selected = selectedRows().size();
    ui.compareButton->setEnabled(m_answer && selected == 2);
    ui.compareButton->setToolTip(ui.compareButton->isEnabled() ? tr("Show the two selected layouts side by side")
            : !m_answer
            ? tr("Closed until the search is done")
            : tr("Closed: select two rows (the second with Ctrl and a click, or Shift and an arrow); %1 now")
                  .arg(selected));
    ui.copyButton->setEnabled(any && model()->rowCount() > 0);
    ui.saveButton->setEnabled(m_answer && !m_writer.isRunning());
}

Expected<PlanDocument> LayoutSearchView::planOf(const layoutsearch::Row &row) const
{
    return app::planOf(m_searched, row, *m_workspace.catalog());
}

void LayoutSearchView::adopt()
{
    const auto &row = m_details->chosen();
    if (!row || !m_answer || m_workspace.isReadOnly())
        return;
    const QString title = tr("The layout was not adopted");
    auto document = planOf(*row);
    if (!document) {
        m_prompts.showError(this, title, document.error());
        return;
    }
    document->name = freeName(
        planName(m_searched, *row, m_answer->result->factsOf(*row), *m_workspace.catalog()).toStdString(),
        m_workspace.plans());
    const auto added = m_workspace.addPlan(*document);
    if (!added)
        m_prompts.showError(this, title, added.error());
    else
        emit planRequested(*added);
}

void LayoutSearchView::recordDecision()
{
    const auto &row = m_details->chosen();
    if (!row || !m_answer || m_workspace.isReadOnly())
        return;
    auto document = planOf(*row);
    if (!document) {
        m_prompts.showError(this, tr("The layout was not recorded"), document.error());
        return;
    }
    document->name = planName(m_searched, *row, m_answer->result->factsOf(*row), *m_workspace.catalog()).toStdString();
    m_solver.start(*document, m_workspace.catalog());
}

void LayoutSearchView::compareSelected()
{
    const auto rows = selectedRows();
    if (!m_answer || rows.size() != 2)
        return;
    std::array<PlanDocument, 2> plans;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        auto document = planOf(rows[i]);
        if (!document) {
            m_prompts.showError(this, tr("The layouts cannot be compared"), document.error());
            return;
        }
        const auto &facts = m_answer->result->factsOf(rows[i]);
        document->name = (facts.label.empty() ? std::string() : facts.label + ": ")
            + localized(inWords(rows[i].layout)).toStdString();
        plans[i] = std::move(*document);
    }
    auto *dialog = new LayoutComparisonDialog(std::move(plans), m_workspace.catalog(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void LayoutSearchView::copy()
{
    if (model()->rowCount() == 0)
        return;
    const bool several = table()->selectionModel()->selectedRows().size() > 1; // one is always chosen
    emit statusMessage(copyTable(*table(), CopyAs::TabSeparated, several ? CopyWhat::Selection : CopyWhat::Table));
}

} // namespace fleetwright::app
