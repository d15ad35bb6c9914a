// SPDX-License-Identifier: GPL-3.0-or-later
// How the parts of the Validation page are wired when it is made.
#include "app/pages/validation/costspanel.h"
#include "app/pages/validation/newsitepanels.h"
#include "app/pages/validation/publishedchoices.h"
#include "app/pages/validation/validationcharts.h"
#include "app/pages/validation/validationexport.h"
#include "app/pages/validation/validationpage.h"
#include "app/pages/validation/validationtables.h"
#include "app/pages/validation/verdict.h"
#include "app/theme.h"
#include "app/widgets/checkmenu.h"
#include "app/widgets/fleetfields.h"
#include "app/workspace/workspace.h"
#include "charts/chartview.h"
#include "exchange/plandocuments.h"
#include "itemmodels/scoremodel.h"
#include "itemmodels/validationmodel.h"
#include "solver/models/costmodel.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_validationpage.h"

#include <QAction>
#include <QMenu>
#include <QShortcut>

#include <limits>
#include <ranges>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace itemmodels;

void ValidationPage::setUpChoice()
{
    auto &ui = *m_ui;
    connect(m_sources, &RunSources::changed, this, &ValidationPage::restartLater);
    connect(ui.openButton, &QPushButton::clicked, this, &ValidationPage::openRuns);
    connect(ui.projectCheck, &QCheckBox::toggled, this, &ValidationPage::restartLater);
    for (const auto signal : {&Workspace::measuredRunsReplaced, &Workspace::projectChanged})
        connect(&m_workspace, signal, this, &ValidationPage::offerProject);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &ValidationPage::offerProject);
    connect(&m_workspace, &Workspace::catalogChanged, this, [this](CatalogKind kind) {
        if (kind == CatalogKind::CalibrationConstant)
            offerProject();
    });
    connect(&m_workspace, &Workspace::resultSaved, this, [this] {
        if (isVisible())
            m_ui->planChooser->takeShown(); // another one may be the best now
        showVerdict();
    });
    connect(&m_workspace, &Workspace::planChanged, this, &ValidationPage::showVerdict);
    ui.planChooser->follow(m_workspace, [this] { return bestPlan(); });
    connect(ui.planChooser, &PlanChooser::planChosen, this, &ValidationPage::showVerdict);
    offerProject();
    ui.modelsButton->setMenu(m_models);
    keepOpenWhileTicked(*m_models);
    ui.modelsButton->setPopupMode(QToolButton::InstantPopup);
    for (const auto *model : costModels()) {
        auto *action = m_models->addAction(u"%1 (%2)"_s.arg(localized(model->title()), utf8(model->id())));
        action->setObjectName(u"costModel/"_s + utf8(model->id()));
        action->setCheckable(true);
        action->setChecked(true);
        action->setData(utf8(model->id()));
        connect(action, &QAction::toggled, this, &ValidationPage::restartLater);
    }
    for (const auto each : validation::allGroupings)
        ui.groupingCombo->addItem(localized(validation::title(each)), int(each));
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
    connect(ui.filterEdit, &QLineEdit::textChanged, m_filter, &ScoredRunFilter::setText);
    connect(m_filter, &ScoredRunFilter::filtered, this, &ValidationPage::showCounts);
}

void ValidationPage::setUpCharts()
{
    auto &ui = *m_ui;
    m_charts = new ValidationCharts(ui.scatter, ui.spread, this);
    connect(m_charts, &ValidationCharts::picked, this, [this](int run) { showRun(run, false); });
    ui.scatter->setMinimumSize(320, 200);
    ui.middle->setStretchFactor(0, 1);
    ui.middle->setStretchFactor(1, 1);
    ui.middle->setSizes({440, 600}); // the names of sources are long
    ui.splitter->setStretchFactor(0, 1);
    ui.splitter->setStretchFactor(1, 1);
    ui.splitter->setSizes({250, 250});
}

void ValidationPage::setUpViews(ValidationSources sources)
{
    auto &views = *m_ui->views;
    m_panels = new NewSitePanels(&views, std::move(sources.fewShot), this);
    connect(m_panels, &NewSitePanels::calibrationRequested, this, &Page::calibrationRequested);
    connect(m_panels, &NewSitePanels::sourceChosen, this, &ValidationPage::showSource);
    connect(m_panels, &NewSitePanels::runChosen, this, [this](int run) { showRun(run, true); });
    const int choices = views.addTab(m_choices, tr("Published choices"));
    views.setTabToolTip(choices, tr("Where the layouts that people published stand among all layouts"));
}

/// The tabs stand in the line of the title: what belongs to the other one gives way.
void ValidationPage::setUpAreas(CostScorer scorer)
{
    auto &ui = *m_ui;
    m_costs = new CostsPanel([this, scorer = std::move(scorer)] { return scorer(*m_workspace.catalog()); }, this);
    ui.areas->addWidget(m_costs);
    ui.areaTabs->addTab(tr("Step times"));
    ui.areaTabs->addTab(tr("Costs"));
    ui.areaTabs->setTabToolTip(0, tr("Cost models on measured training runs"));
    ui.areaTabs->setTabToolTip(1, tr("The worksheet on published powers, energies, purchases and interruptions"));
    ui.areaTabs->setExpanding(false);
    ui.areaTabs->setDrawBase(false);
    connect(ui.areaTabs, &QTabBar::currentChanged, this, [this](int area) {
        m_ui->areas->setCurrentIndex(area);
        updateState();
        offerProject();
    });
    connect(&m_workspace, &Workspace::projectChanged, m_costs, &CostsPanel::refresh);
    connect(&m_workspace, &Workspace::catalogChanged, m_costs, &CostsPanel::refresh);
    connect(m_costs, &CostsPanel::linkActivated, this, &ValidationPage::followLink);
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
            .choices = m_choices->table(),
            .coverage = m_panels->coverageTable(),
            .levels = m_panels->levelTable(),
            .fewShot = m_panels->fewShotTable(),
            .production = m_panels->productionTable(),
            .costSummary = m_costs->summaryTable(),
            .costs = m_costs->figuresTable(),
            .unscoredCosts = m_costs->unscoredTable()},
        this);
    connect(m_export, &ValidationExport::saved, this, &Page::statusMessage);
}

qint64 ValidationPage::bestPlan() const
{
    constexpr std::size_t most = 500; // answers are read from the project
    qint64 best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const auto &saved : m_workspace.plans() | std::views::take(most))
        if (const auto result = m_workspace.result(saved.id)) {
            const auto estimate = result->estimate();
            const auto cost = estimate.figure("run_cost_usd");
            if (estimate.feasible == std::optional(true) && cost && *cost < least) {
                least = *cost;
                best = saved.id;
            }
        }
    return best;
}

QString ValidationPage::standing() const
{
    const auto *looked = m_workspace.plan(m_ui->planChooser->plan());
    const auto result = looked ? m_workspace.result(looked->id) : std::nullopt;
    if (!result || result->costModelId != m_model)
        return {}; // the errors of another model say nothing about it
    const auto resolved = resolve(looked->document, *m_workspace.catalog());
    if (!resolved || QString::fromStdString(exchange::inputHash(looked->document, *resolved)) != result->inputHash)
        return {}; // nor does an answer to former inputs
    const auto range = result->estimate().range;
    return range ? standingHtml(utf8(looked->document.name), *range) : QString();
}

} // namespace fleetwright::app
