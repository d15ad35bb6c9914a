// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/plannersearchview.h"

#include "app/dialogs/ledgerentrydialog.h"
#include "app/pages/plan/layoutname.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/tablecolumns.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "itemmodels/plannersearchmodel.h"
#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"
#include "solver/answer/decision.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_plannersearchview.h"

#include <QSignalBlocker>
#include <QSortFilterProxyModel>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int answerHeight = 420;
constexpr int inputsHeight = 240;

/// One line of rich text; `tone`, if any, colours it.
QString line(const QString &words, const QColor &tone = {})
{
    return tone.isValid() ? u"<span style=\"color:%1\">%2</span>"_s.arg(tone.name(), words.toHtmlEscaped())
                          : words.toHtmlEscaped();
}

/// "Searcher (knows no memory)"
QString plannerName(std::string_view planner)
{
    const auto title = localized(searchPlannerTitle(planner)), gap = localized(searchPlannerGap(planner));
    return gap.isEmpty() ? title : PlannerSearchView::tr("%1 (%2)").arg(title, gap);
}

/// Why the planner's times are not those of the other tab.
QString basisText(const PlannerSearch &search, const std::string &costModelId)
{
    const auto model = findCostModel(costModelId);
    const auto title = localized(search.title);
    if (search.planner == costModelId || !model)
        return PlannerSearchView::tr("Times are those of %1 as it was published.").arg(title);
    return PlannerSearchView::tr(
        "Times are those of %1 as it was published, with formulas and constants of its own: "
        "they order its splits, and may differ many times over from those of Every layout, which "
        "goes by %2 where its settings do not say otherwise.")
        .arg(title, localized((*model)->title()));
}

QString answerText(const PlannerSearch &search, const std::string &costModelId, const QPalette &palette)
{
    QStringList lines;
    for (const auto &sentence : search.recommendation)
        lines += lines.empty() ? u"<b>%1</b>"_s.arg(localizedHtmlEscaped(sentence)) : line(localized(sentence));
    lines += line(basisText(search, costModelId));
    for (const auto &sentence : search.advice)
        lines += line(localized(sentence));
    for (const auto &sentence : search.warnings)
        lines += line(localized(sentence), warningColour(palette));
    if (search.defaultAssumptions)
        lines += line(PlannerSearchView::tr(
                          "The plan's assumptions belong to another cost model, so the planner's defaults were used."),
            quietColour(palette));
    return lines.join(u"<br>"_s);
}

} // namespace

PlannerSearchView::PlannerSearchView(
    Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent)
    : SearchView(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::PlannerSearchView>()),
      m_model(new itemmodels::PlannerSearchModel(this)), m_inputs(new itemmodels::NativeInputModel(this)),
      m_proxy(new QSortFilterProxyModel(this))
{
    m_ui->setupUi(this);
    makeHeading(m_ui->emptyTitle);
    makeHeading(m_ui->inputsTitle);
    m_ui->planCombo->setAccessibleName(tr("Plan to search for"));
    m_ui->plannerCombo->setAccessibleName(tr("Planner"));
    m_ui->progressBar->setAccessibleName(tr("Progress of the search"));
    for (const auto planner : searchPlanners())
        m_ui->plannerCombo->addItem(plannerName(planner), utf8(planner));
    m_ui->splitter->setSizes({answerHeight, inputsHeight});
    setUpTables();
    connectWorkspace();

    connect(m_ui->searchButton, &QPushButton::clicked, this, &PlannerSearchView::start);
    connect(m_ui->cancelButton, &QPushButton::clicked, this, &PlannerSearchView::cancel);
    connect(m_ui->adoptButton, &QPushButton::clicked, this, &PlannerSearchView::adopt);
    connect(m_ui->recordButton, &QPushButton::clicked, this, &PlannerSearchView::recordDecision);
    connect(m_ui->copyButton, &QPushButton::clicked, this, &PlannerSearchView::copy);
    connect(m_ui->csvButton, &QPushButton::clicked, this, &PlannerSearchView::saveCsv);
    connect(m_ui->jsonButton, &QPushButton::clicked, this, &PlannerSearchView::saveJson);
    connect(m_ui->emptyPlansButton, &QPushButton::clicked, this, [this] { emit planRequested(0); });
    connect(m_ui->planCombo, &PlanChooser::planChosen, this, &PlannerSearchView::planChosen);
    connect(m_ui->planCombo, &PlanChooser::planEdited, this, &PlannerSearchView::planEdited);
    connect(m_ui->plannerCombo, &QComboBox::currentIndexChanged, this, [this] {
        clearAnswer({});
        m_live.ask(subject());
    });
    connect(&m_workspace, &Workspace::projectChanged, &m_live, &LiveRun::clear);
    connect(&m_live, &LiveRun::becameLong, this, &PlannerSearchView::updateState);
    connect(&m_live, &LiveRun::due, this, [this] {
        if (isVisible())
            search();
    });
    connect(&m_job, &jobs::PlannerSearchJob::progressed, this,
        [this](double share) { m_ui->progressBar->setValue(int(100 * share)); });
    connect(&m_job, &jobs::PlannerSearchJob::finished, this, &PlannerSearchView::showAnswer);
    m_ui->planCombo->follow(workspace, std::move(currentPlan));
    planChosen();
}

PlannerSearchView::~PlannerSearchView() = default;

void PlannerSearchView::setUpTables()
{
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(itemmodels::sortRole);
    m_ui->resultsTable->setModel(m_proxy);
    setUpTable(m_ui->resultsTable, 0);
    m_ui->resultsTable->setSortingEnabled(true);
    m_ui->resultsTable->setAccessibleName(tr("Splits"));
    m_ui->inputsTable->setModel(m_inputs);
    setUpTable(m_ui->inputsTable, 3);
    m_ui->inputsTable->setAccessibleName(tr("Inputs of the planner"));
    connect(m_ui->resultsTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &PlannerSearchView::updateState);
    connect(m_ui->resultsTable, &QTableView::activated, this, &PlannerSearchView::adopt);
}

void PlannerSearchView::connectWorkspace()
{
    connect(&m_workspace, &Workspace::catalogChanged, this,
        [this] { answerAgain(tr("The catalogs have changed; search again.")); });
}

void PlannerSearchView::planChosen()
{
    clearAnswer({});
    m_ui->stack->setCurrentWidget(chosenPlan() ? m_ui->contentPage : m_ui->emptyPage);
    m_live.ask(subject());
}

void PlannerSearchView::planEdited(qint64 id)
{
    auto document = m_workspace.plan(id)->document;
    document.name = m_searched.name; // a new name changes no answer
    if (document != m_searched)
        answerAgain(tr("The plan has changed; search again."));
}

void PlannerSearchView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_job.isRunning())
        return;
    m_ui->planCombo->takeShown();
    if (!m_model->search())
        m_live.ask(subject());
}

void PlannerSearchView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_model->search())
        showHtml(m_ui->answerLabel, answerText(*m_model->search(), m_searched.costModelId, palette()));
}

qint64 PlannerSearchView::chosenPlan() const { return m_ui->planCombo->plan(); }

const PlannerSearchRow *PlannerSearchView::selectedRow() const
{
    const auto rows = m_ui->resultsTable->selectionModel()->selectedRows();
    return rows.size() == 1 ? &m_model->row(m_proxy->mapToSource(rows.front()).row()) : nullptr;
}

void PlannerSearchView::clearAnswer(const QString &message)
{
    m_job.cancel();
    m_live.stopped();
    m_model->setSearch({});
    m_inputs->setInputs({});
    m_ui->answerLabel->clear();
    m_ui->messageLabel->setText(message.isEmpty()
            ? tr("Tries every way to split the plan's fleet as the chosen planner was published; Adopt makes a plan of "
                 "the selected split.")
            : message);
    updateState();
}

PageWork PlannerSearchView::work() const { return {m_ui->progressBar, m_ui->cancelButton, m_ui->progressBar}; }

void PlannerSearchView::updateState()
{
    const bool running = m_job.isRunning();
    const auto *search = m_model->search();
    const bool any = search && !search->rows.empty();
    m_ui->searchButton->setEnabled(!running);
    m_ui->searchButton->setVisible(!(m_live.isLive(subject()) && (running || search)));
    m_ui->cancelButton->setVisible(running && m_live.isLong());
    m_ui->progressBar->setVisible(running && m_live.isLong());
    m_ui->copyButton->setEnabled(any);
    m_ui->csvButton->setEnabled(any);
    m_ui->jsonButton->setVisible(m_ui->plannerCombo->currentData().toString() == u"searcher");
    m_ui->jsonButton->setEnabled(any && !search->searcherRows.empty());
    m_ui->adoptButton->setEnabled(selectedRow() && !m_workspace.isReadOnly());
    m_ui->recordButton->setEnabled(m_ui->adoptButton->isEnabled());
    m_ui->splitter->setVisible(search);
    m_ui->messageLabel->setVisible(!search);
}

QString PlannerSearchView::subject() const
{
    return u"%1/%2"_s.arg(chosenPlan()).arg(m_ui->plannerCombo->currentData().toString());
}

void PlannerSearchView::answerAgain(const QString &message)
{
    if (m_model->search() || m_job.isRunning())
        clearAnswer(message);
    m_live.ask(subject());
}

void PlannerSearchView::start()
{
    if (m_job.isRunning())
        return;
    clearAnswer(tr("Searching…"));
    search();
}

void PlannerSearchView::search()
{
    const auto *plan = m_workspace.plan(chosenPlan());
    if (!plan)
        return;
    m_searched = plan->document;
    m_ui->progressBar->setValue(0);
    m_live.began(subject());
    m_job.start({.document = plan->document, .planner = m_ui->plannerCombo->currentData().toString().toStdString()},
        m_workspace.catalog());
    updateState();
}

void PlannerSearchView::cancel()
{
    if (!m_job.isRunning())
        return;
    m_live.cancelled();
    clearAnswer(tr("The search was cancelled; Search begins it again."));
}

void PlannerSearchView::showAnswer(const jobs::PlannerSearchOutcome &outcome)
{
    m_live.ended();
    if (!outcome) {
        clearAnswer(localized(outcome.error().message));
        return;
    }
    const auto &search = **outcome;
    m_model->setSearch(*outcome);
    m_inputs->setInputs(search.inputs);
    m_ui->inputsPanel->setVisible(!search.inputs.empty());
    showHtml(m_ui->answerLabel, answerText(search, m_searched.costModelId, palette()));
    if (const int columns = m_model->columnCount(); columns > 0) {
        auto &arranged = TableColumns::of(*m_ui->resultsTable);
        arranged.shareAmong({columns - 1});
        arranged.sortAtFirst(m_model->firstSortColumn(), Qt::AscendingOrder);
    }
    updateState();
    if (const int best = m_model->bestRow(); best >= 0) {
        const auto index = m_proxy->mapFromSource(m_model->index(best, 0));
        m_ui->resultsTable->setCurrentIndex(index);
        m_ui->resultsTable->scrollTo(index);
    }
    emit statusMessage(tr("%1: %2 splits").arg(localized(search.title)).arg(search.rows.size()));
}

void PlannerSearchView::recordDecision()
{
    if (const auto *row = selectedRow(); row && !m_workspace.isReadOnly())
        connect(recordInLedger(decisionOn(m_searched, *m_model->search(), *row, ledgerTime()), m_workspace, this),
            &LedgerEntryDialog::kept, this, [this] { emit statusMessage(tr("Recorded in the ledger")); });
}

void PlannerSearchView::adopt()
{
    const auto *row = selectedRow();
    if (!row || m_workspace.isReadOnly())
        return;
    auto document = m_searched;
    fleetwright::adopt(*row, *m_model->search(), document);
    const auto layout = tr("TP %1, PP %2, DP %3").arg(row->tp).arg(row->pp).arg(row->dp);
    document.name = tr("%1 (%2)", "plan and planner")
                        .arg(nameWithLayout(utf8(m_searched.name), layout), localized(m_model->search()->title))
                        .toStdString();
    const auto added = m_workspace.addPlan(document);
    if (!added) {
        m_prompts.showError(this, tr("The plan was not added"), added.error());
        return;
    }
    emit planRequested(*added);
}

void PlannerSearchView::copy()
{
    if (m_model->rowCount() == 0)
        return;
    emit statusMessage(copyTable(*m_ui->resultsTable, CopyAs::TabSeparated, CopyWhat::Table));
}

void PlannerSearchView::saveTo(
    const QString &title, const QString &name, const QString &filter, const QByteArray &content)
{
    const auto told = m_prompts.saveFile(this,
        {.title = title, .name = name, .filter = filter, .failure = tr("The search was not saved")},
        [&](const QString &) { return content; });
    if (!told.isEmpty())
        emit statusMessage(told);
}

void PlannerSearchView::saveCsv()
{
    if (m_model->rowCount() > 0)
        saveTo(tr("Save the splits as CSV"), u"%1 search.csv"_s.arg(utf8(m_model->search()->planner)),
            tr("Comma-separated values (*.csv)"), itemmodels::toCsv(*m_proxy).toUtf8());
}

void PlannerSearchView::saveJson()
{
    if (const auto *search = m_model->search(); search && !search->searcherRows.empty())
        saveTo(tr("Save the search in the searcher's format"), u"searcher search.json"_s, tr("JSON (*.json)"),
            QByteArray::fromStdString(searcher::searcherJson(search->searcherRows)));
}

} // namespace fleetwright::app
