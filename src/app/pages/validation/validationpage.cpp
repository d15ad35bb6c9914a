// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/validationpage.h"

#include "app/pages/validation/publishedchoices.h"
#include "app/pages/validation/rundetails.h"
#include "app/pages/validation/validationcharts.h"
#include "app/pages/validation/validationexport.h"
#include "app/pages/validation/validationtables.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/htmllabel.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "charts/chartview.h"
#include "exchange/measuredruns.h"
#include "itemmodels/scoremodel.h"
#include "itemmodels/validationmodel.h"
#include "solver/models/costmodel.h"
#include "text/utf8.h"
#include "ui_validationpage.h"
#include "units/format.h"

#include <QAction>
#include <QDesktopServices>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QUrl>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace itemmodels;

namespace {

constexpr auto preferredModel = "detailed"_L1;

QString runFileFilter() { return ValidationPage::tr("Measured runs (*.json *.csv);;All files (*)"); }

int idOf(const QModelIndex &index) { return index.isValid() ? index.data(itemmodels::idRole).toInt() : -1; }

} // namespace

ValidationPage::ValidationPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : ValidationPage(
        workspace, prompts, [] { return exchange::shippedMeasuredRuns(); },
        [](auto runs, std::string_view model, const auto &constants, std::stop_token stop, auto *done) {
            return validation::validate(runs, model, constants, std::move(stop), done);
        },
        parent)
{
}

ValidationPage::ValidationPage(
    Workspace &workspace, Prompts &prompts, Reader published, jobs::ValidationJob::Validator validator, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::ValidationPage>()),
      m_models(new QMenu(this)), m_scores(new ScoreModel(this)), m_groups(new ErrorGroupModel(this)),
      m_runs(new ScoredRunModel(this)), m_filter(new ScoredRunFilter(this)), m_rankGroups(new RankGroupModel(this)),
      m_ranked(new RankedModel(this)), m_skipped(new SkippedModel(this)),
      m_choices(new PublishedChoices(published, this)), m_job(std::move(validator)),
      m_browser([](const QUrl &url) { QDesktopServices::openUrl(url); })
{
    m_ui->setupUi(this);
    makeTitle(m_ui->pageTitle);
    m_sources = new RunSources(m_workspace, std::move(published), m_ui->dataCombo);
    setUpChoice();
    setUpTables();
    setUpRunTable();
    setUpCharts();
    setUpTexts();
    m_ui->tabs->addTab(m_choices, tr("Published choices"));
    connect(m_choices, &PublishedChoices::ranked, this, [this] {
        m_ui->splitter->setSizes({200, 300});
    }); // ten rows and their reasons
    setUpExport();
    connect(&m_job, &jobs::ValidationJob::started, this, &ValidationPage::updateState);
    connect(&m_job, &jobs::ValidationJob::progressed, this, [this](int done, int total) {
        m_ui->progressBar->setRange(0, total);
        m_ui->progressBar->setValue(done);
    });
    connect(&m_job, &jobs::ValidationJob::finished, this, &ValidationPage::scored);
    connect(&m_job, &jobs::ValidationJob::cancelled, this, &ValidationPage::updateState);
    connect(m_ui->cancelButton, &QPushButton::clicked, this, &ValidationPage::cancel);
    showMessage(tr("The cost models are scored when this page is first shown."));
    updateState();
}

ValidationPage::~ValidationPage() = default;

void ValidationPage::setUpChoice()
{
    auto &ui = *m_ui;
    connect(m_sources, &RunSources::changed, this, &ValidationPage::restartLater);
    connect(ui.openButton, &QPushButton::clicked, this, &ValidationPage::openRuns);
    ui.modelsButton->setMenu(m_models);
    ui.modelsButton->setPopupMode(QToolButton::InstantPopup);
    for (const auto *model : costModels()) {
        auto *action = m_models->addAction(u"%1 (%2)"_s.arg(utf8(model->title()), utf8(model->id())));
        action->setObjectName(u"costModel/"_s + utf8(model->id()));
        action->setCheckable(true);
        action->setChecked(true);
        action->setData(utf8(model->id()));
        connect(action, &QAction::toggled, this, &ValidationPage::restartLater);
    }
    for (const auto each : validation::allGroupings)
        ui.groupingCombo->addItem(utf8(validation::title(each)), int(each));
    connect(ui.groupingCombo, &QComboBox::currentIndexChanged, this, [this] {
        m_focus.clear();
        showGroups();
    });
    connect(ui.allGroupsButton, &QPushButton::clicked, this, &ValidationPage::clearFocus);
}

void ValidationPage::setUpTables()
{
    auto &ui = *m_ui;
    setUpScoreTable(ui.scoreTable, m_scores);
    connect(ui.scoreTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto rows = m_ui->scoreTable->selectionModel()->selectedRows();
        if (!rows.isEmpty())
            chooseModel(m_scores->row(idOf(rows.constFirst())).modelId);
    });
    setUpGroupTable(ui.groupTable, m_groups);
    ui.groupTable->installEventFilter(this);
    connect(ui.groupTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto rows = m_ui->groupTable->selectionModel()->selectedRows();
        m_focus = rows.isEmpty() ? std::string()
                                 : m_groups->row(m_groups->indexOf(idOf(rows.constFirst()))).group.toStdString();
        showScatter();
        showSpread();
        updateState();
    });
    setUpRankGroupTable(ui.rankGroupTable, m_rankGroups);
    connect(ui.rankGroupTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &ValidationPage::showRanking);
    setUpRankedTable(ui.rankedTable, m_ranked);
    connect(ui.rankedTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto rows = m_ui->rankedTable->selectionModel()->selectedRows();
        if (!rows.isEmpty())
            showRun(idOf(rows.constFirst()), false);
    });
    connect(
        ui.rankedTable, &QTableView::activated, this, [this](const QModelIndex &index) { showRun(idOf(index), true); });
    setUpSkippedTable(ui.skippedTable, m_skipped);
    ui.rankingSplitter->setSizes({540, 520});
}

void ValidationPage::setUpRunTable()
{
    auto &ui = *m_ui;
    m_filter->setSourceModel(m_runs);
    app::setUpRunTable(ui.runTable, m_filter);
    connect(ui.runTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto rows = m_ui->runTable->selectionModel()->selectedRows();
        if (!rows.isEmpty() && !m_following)
            showRun(idOf(rows.constFirst()), false);
    });
    connect(
        ui.runTable, &QTableView::activated, this, [this](const QModelIndex &index) { showRun(idOf(index), true); });
    connect(ui.filterEdit, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter->setText(text);
        showCounts();
    });
}

void ValidationPage::setUpCharts()
{
    auto &ui = *m_ui;
    m_charts = new ValidationCharts(m_prompts, ui.scatter, ui.spread, this);
    connect(m_charts, &ValidationCharts::picked, this, [this](int run) { showRun(run, false); });
    ui.scatter->setMinimumSize(320, 200);
    ui.middle->setStretchFactor(0, 1);
    ui.middle->setStretchFactor(1, 1);
    ui.middle->setSizes({510, 530});
    ui.splitter->setStretchFactor(0, 3);
    ui.splitter->setStretchFactor(1, 2);
    ui.splitter->setSizes({300, 200});
}

void ValidationPage::setUpTexts()
{
    auto &ui = *m_ui;
    for (auto *browser : {ui.missesText, ui.runText}) {
        useTabularFigures(browser);
        connect(browser, &QTextBrowser::anchorClicked, this, &ValidationPage::followLink);
    }
    // Back to the table that the run was chosen in.
    connect(new QShortcut(Qt::Key_Escape, ui.runText, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated,
        this, [this] {
            m_ui->tabs->setCurrentWidget(m_ui->runsTab);
            m_ui->runTable->setFocus();
        });
    connect(ui.tabs, &QTabWidget::currentChanged, this, &ValidationPage::showMisses);
}

void ValidationPage::setUpExport()
{
    const auto &ui = *m_ui;
    m_export = new ValidationExport(m_prompts, ui.exportButton,
        {.summary = ui.scoreTable,
            .groups = ui.groupTable,
            .runs = ui.runTable,
            .rankGroups = ui.rankGroupTable,
            .ranked = ui.rankedTable,
            .skipped = ui.skippedTable,
            .choices = m_choices->table()},
        this);
    connect(m_export, &ValidationExport::saved, this, &Page::statusMessage);
}

std::vector<std::string> ValidationPage::chosenModels() const
{
    std::vector<std::string> ids;
    const auto actions = m_models->actions();
    for (const auto *action : actions)
        if (action->isChecked())
            ids.push_back(action->data().toString().toStdString());
    return ids;
}

void ValidationPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    if (m_stale)
        restart();
}

void ValidationPage::restartLater()
{
    m_stale = true;
    if (isVisible())
        restart();
}

void ValidationPage::restart()
{
    m_stale = false;
    auto ids = chosenModels();
    if (ids.empty()) {
        m_job.cancel();
        m_answer.reset();
        showMessage(tr("Tick at least one cost model."));
        return;
    }
    m_ui->progressBar->setRange(0, 0); // until the runs are read
    m_job.start({.read = m_sources->chosen(), .modelIds = std::move(ids), .constants = {}});
}

void ValidationPage::cancel()
{
    m_job.cancel();
    if (!m_answer)
        showMessage(tr("Cancelled. Choose runs or cost models to start again."));
    emit statusMessage(tr("Cancelled"));
}

void ValidationPage::openRuns()
{
    const auto path = m_prompts.fileToOpen(this, tr("Open measured runs"), runFileFilter());
    if (!path.isEmpty())
        m_sources->open(path);
}

void ValidationPage::scored(const jobs::ValidationOutcome &outcome)
{
    if (!outcome) {
        m_answer.reset();
        const auto &error = outcome.error();
        showMessage(
            error.field.empty() ? utf8(error.message) : tr("%1: %2").arg(utf8(error.field), utf8(error.message)));
        return;
    }
    m_answer = *outcome;
    m_run = -1;
    showScores();
    updateState();
}

void ValidationPage::showMessage(const QString &text)
{
    m_ui->messageLabel->setText(text);
    m_ui->stack->setCurrentWidget(m_ui->messagePage);
    m_ui->verdictLabel->clear();
    updateState();
}

void ValidationPage::updateState()
{
    auto &ui = *m_ui;
    const bool running = m_job.isRunning();
    ui.progressBar->setVisible(running);
    ui.cancelButton->setVisible(running);
    ui.exportButton->setEnabled(m_answer != nullptr);
    ui.allGroupsButton->setEnabled(!m_focus.empty());
    ui.modelsButton->setText(tr("Cost models (%1)").arg(chosenModels().size()));
}

const validation::Validation *ValidationPage::shown() const
{
    return m_answer ? m_answer->scoreOf(m_model.toStdString()) : nullptr;
}

validation::Grouping ValidationPage::grouping() const
{
    return validation::Grouping(m_ui->groupingCombo->currentData().toInt());
}

void ValidationPage::showScores()
{
    auto rows = scoreRows(*m_answer);
    const auto has = [&](const QString &id) {
        return std::ranges::any_of(rows, [&](const ScoreRow &row) { return row.modelId == id && row.macroMedian; });
    };
    if (!has(m_model)) {
        const auto scoring = std::ranges::find_if(
            rows, [](const ScoreRow &row) { return row.macroMedian.has_value(); });
        m_model = has(preferredModel) ? QString(preferredModel)
            : scoring != rows.end()   ? scoring->modelId
                                      : rows.front().modelId;
    }
    auto *table = m_ui->scoreTable;
    m_scores->setRows(std::move(rows));
    const int row = table->verticalHeader()->defaultSectionSize();
    table->setFixedHeight(
        table->horizontalHeader()->sizeHint().height() + m_scores->rowCount() * row + 2 * table->frameWidth());
    m_ui->stack->setCurrentWidget(m_ui->contentPage);
    for (int i = 0; i < table->model()->rowCount(); ++i)
        if (m_scores->row(idOf(table->model()->index(i, 0))).modelId == m_model)
            table->selectRow(i); // no other model, so chooseModel() does nothing
    showModel();
}

void ValidationPage::chooseModel(const QString &id)
{
    if (id == m_model)
        return;
    // The same run stays chosen where the other model scored it as well.
    const auto *before = shown();
    const auto file = before && m_run >= 0 ? std::optional(before->runs.at(std::size_t(m_run)).run) : std::nullopt;
    m_model = id;
    m_run = -1;
    if (const auto *now = shown(); now && file)
        if (const auto found = std::ranges::find(now->runs, *file, &validation::ScoredRun::run);
            found != now->runs.end())
            m_run = int(found - now->runs.begin());
    showModel();
}

void ValidationPage::showModel()
{
    const auto *of = shown();
    const validation::Validation nothing{};
    const auto &shownOrNothing = of ? *of : nothing;
    showHtml(m_ui->verdictLabel,
        m_answer ? verdictHtml(*m_answer, m_model.toStdString(), m_ui->dataCombo->currentText()) : QString());
    m_runs->setRows(m_answer ? scoredRunRows(*m_answer, shownOrNothing) : std::vector<ScoredRunRow>());
    m_rankGroups->setRows(rankGroupRows(shownOrNothing));
    m_skipped->setRows(m_answer ? skippedRows(*m_answer, shownOrNothing) : std::vector<SkippedRow>());
    const bool groups = m_rankGroups->rowCount() > 0;
    m_ui->rankingSplitter->setVisible(groups);
    m_ui->noGroupsLabel->setVisible(!groups);
    if (groups)
        m_ui->rankGroupTable->selectRow(0);
    m_focus.clear();
    m_missesShown = false;
    showGroups();
    showCounts();
    showRun(m_run, false);
    showMisses();
}

void ValidationPage::showGroups()
{
    const auto *of = shown();
    m_breakdown = of ? validation::breakdown(*of, m_answer->places, grouping())
                     : std::vector<validation::GroupErrors>();
    m_groups->setGrouping(grouping());
    m_groups->setRows(
        m_answer ? errorGroupRows(m_breakdown, grouping(), m_answer->file) : std::vector<ErrorGroupRow>());
    showScatter();
    showSpread();
    updateState();
}

void ValidationPage::showScatter()
{
    m_charts->showScatter(
        m_answer.get(), shown(), grouping(), m_focus, m_run >= 0 ? std::optional(std::size_t(m_run)) : std::nullopt);
}

void ValidationPage::showSpread() { m_charts->showSpread(m_breakdown, grouping(), m_model, m_focus); }

void ValidationPage::showCounts()
{
    m_ui->countLabel->setText(m_filter->rowCount() == m_runs->rowCount()
            ? tr("%1 runs").arg(m_runs->rowCount())
            : tr("%1 of %2 runs").arg(m_filter->rowCount()).arg(m_runs->rowCount()));
}

void ValidationPage::showRanking()
{
    const auto *of = shown();
    const auto rows = m_ui->rankGroupTable->selectionModel()->selectedRows();
    m_ranked->setRows(of && !rows.isEmpty() ? rankedRows(*m_answer, *of, std::size_t(idOf(rows.constFirst())))
                                            : std::vector<RankedRow>());
}

void ValidationPage::showRun(int row, bool open)
{
    const auto *of = shown();
    m_run = of && row >= 0 && row < int(of->runs.size()) ? row : -1;
    if (m_run >= 0) {
        const auto inModel = m_runs->index(m_runs->indexOf(m_run), 0);
        if (!m_filter->mapFromSource(inModel).isValid())
            m_ui->filterEdit->clear(); // the filter hides what was chosen elsewhere
        const auto index = m_filter->mapFromSource(inModel);
        const auto selected = m_ui->runTable->selectionModel()->selectedRows();
        if (selected.isEmpty() || selected.constFirst().row() != index.row()) {
            const QScopedValueRollback following(m_following, true);
            m_ui->runTable->setCurrentIndex(index);
        }
        m_ui->runTable->scrollTo(index);
    }
    showScatter();
    showDetails();
    if (open && m_run >= 0) {
        m_ui->tabs->setCurrentWidget(m_ui->runTab);
        m_ui->runText->setFocus();
    }
}

void ValidationPage::showDetails()
{
    const auto *of = shown();
    m_ui->runText->setHtml(of && m_run >= 0
            ? runHtml(*m_answer, *of, std::size_t(m_run))
            : u"<p>%1</p>"_s.arg(tr("Select a run: click a point above, or press Enter in the table of runs.")));
}

void ValidationPage::showMisses()
{
    if (m_missesShown || m_ui->tabs->currentWidget() != m_ui->missesTab)
        return;
    const auto *of = shown();
    m_ui->missesText->setHtml(of ? missesHtml(*m_answer, *of) : QString());
    m_missesShown = true;
}

void ValidationPage::followLink(const QUrl &link)
{
    if (link.scheme() == QLatin1StringView(runLink))
        showRun(link.path().toInt(), true);
    else if (link.scheme() == u"https" || link.scheme() == u"http")
        m_browser(link);
}

void ValidationPage::clearFocus()
{
    m_ui->groupTable->clearSelection();
    m_ui->groupTable->setFocus();
}

bool ValidationPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_ui->groupTable && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        clearFocus();
        return true;
    }
    return Page::eventFilter(watched, event);
}

void ValidationPage::copy()
{
    if (!m_export->copyFocused() && m_answer)
        m_export->copySummary();
}

void ValidationPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_answer) {
        showScatter(); // light and dark charts differ
        showSpread();
    }
    Page::changeEvent(event);
}

} // namespace fleetwright::app
