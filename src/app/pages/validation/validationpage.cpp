// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/validationpage.h"

#include "app/pages/validation/newsitepanels.h"
#include "app/pages/validation/publishedchoices.h"
#include "app/pages/validation/rundetails.h"
#include "app/pages/validation/validationcharts.h"
#include "app/pages/validation/validationexport.h"
#include "app/pages/validation/validationtables.h"
#include "app/pages/validation/verdict.h"
#include "app/theme.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "charts/chartview.h"
#include "exchange/measuredruns.h"
#include "exchange/plandocuments.h"
#include "exchange/publishedcosts.h"
#include "exchange/validationdata.h"
#include "itemmodels/scoremodel.h"
#include "itemmodels/validationmodel.h"
#include "jobs/learntsite.h"
#include "solver/models/costmodel.h"
#include "solver/models/detailed/constantrecords.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_validationpage.h"
#include "units/format.h"

#include <QAction>
#include <QDesktopServices>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QUrl>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace itemmodels;

namespace {

constexpr auto preferredModel = "detailed"_L1;

Expected<costs::CostValidation> publishedCostScores(const Catalog &catalog)
{
    const auto &published = exchange::shippedPublishedCosts();
    if (!published)
        return std::unexpected(published.error());
    return costs::validateCosts(*published, catalog);
}

QString runFileFilter() { return ValidationPage::tr("Measured runs (*.json *.csv);;All files (*)"); }

} // namespace

int ValidationPage::idOf(const QModelIndex &index)
{
    return index.isValid() ? index.data(itemmodels::idRole).toInt() : -1;
}

ValidationPage::ValidationPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : ValidationPage(workspace, prompts,
        {.published = [] { return exchange::shippedMeasuredRuns(); },
            .validator =
                [](auto runs, std::string_view model, const auto &constants, std::stop_token stop, auto *done) {
                    return validation::validate(runs, model, constants, std::move(stop), done);
                },
            .newSite = exchange::shippedNewSite,
            .fewShot = exchange::shippedFewShot,
            .costs = publishedCostScores},
        parent)
{
}

ValidationPage::ValidationPage(Workspace &workspace, Prompts &prompts, ValidationSources sources, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::ValidationPage>()),
      m_models(new QMenu(this)), m_scores(new ScoreModel(this)), m_groups(new ErrorGroupModel(this)),
      m_runs(new ScoredRunModel(this)), m_filter(new ScoredRunFilter(this)), m_rankGroups(new RankGroupModel(this)),
      m_ranked(new RankedModel(this)), m_skipped(new SkippedModel(this)),
      m_choices(new PublishedChoices(sources.published, this)), m_newSite(std::move(sources.newSite)),
      m_job(std::move(sources.validator)), m_browser([](const QUrl &url) { QDesktopServices::openUrl(url); })
{
    m_ui->setupUi(this);
    makeTitle(m_ui->pageTitle);
    m_sources = new RunSources(m_workspace, sources.published, m_ui->dataCombo);
    setUpChoice();
    setUpTables();
    setUpRunTable();
    setUpCharts();
    setUpTexts();
    setUpAreas(sources.costs ? std::move(sources.costs) : publishedCostScores);
    setUpViews(std::move(sources));
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

std::vector<PageWork> ValidationPage::work() const
{
    return {{m_ui->progressBar, m_ui->cancelButton, m_ui->progressBar}};
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
    m_ui->planChooser->takeShown();
    if (m_stale)
        restart();
    else
        showVerdict(); // another plan may be looked at, or the same be solved anew
}

void ValidationPage::restartLater()
{
    m_stale = true;
    if (isVisible())
        restart();
}

/// A project says something of its own once it holds runs or constants.
void ValidationPage::offerProject()
{
    const bool open = m_workspace.isOpen();
    const bool own = open
        && (!m_workspace.measuredRuns().empty()
            || std::ranges::any_of(m_workspace.catalog()->records(CatalogKind::CalibrationConstant),
                [](const CatalogRecord &record) { return !record.shipped; }));
    m_ui->projectCheck->setVisible(own && isShowingTimes());
    if (!own)
        m_ui->projectCheck->setChecked(false);
    else if (m_ui->projectCheck->isChecked())
        restartLater();
}

Expected<jobs::ValidationRequest> ValidationPage::request() const
{
    jobs::ValidationRequest request{
        .read = m_sources->chosen(), .modelIds = chosenModels(), .constants = {}, .newSite = m_newSite};
    if (!m_ui->projectCheck->isChecked())
        return request;
    const auto &catalog = *m_workspace.catalog();
    const auto constants = detailed::constantsOf(catalog), centre = detailed::uncalibratedConstantsOf(catalog);
    if (!constants || !centre) // the latter is what the project's runs are counted from
        return std::unexpected((constants ? centre : constants).error());
    request.constants = *constants;
    request.newSite = [own = m_workspace.ownSite()](const validation::Validation &of,
                          std::span<const validation::MeasuredRun> runs, const std::stop_token &stop) {
        const auto site = jobs::learnt(own, stop);
        return exchange::projectNewSite(of, runs, site.get(), stop);
    };
    return request;
}

void ValidationPage::restart()
{
    m_stale = false;
    const auto asked = request();
    if (!asked || asked->modelIds.empty()) {
        m_job.cancel();
        m_answer.reset();
        showMessage(asked ? tr("Tick at least one cost model.") : localized(asked.error().message));
        return;
    }
    m_ui->progressBar->setRange(0, 0); // until the runs are read
    m_job.start(*asked);
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
        showMessage(error.field.empty() ? localized(error.message)
                                        : tr("%1: %2").arg(utf8(error.field), localized(error.message)));
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
    const bool times = isShowingTimes();
    const bool running = m_job.isRunning() && times;
    ui.progressBar->setVisible(running);
    ui.cancelButton->setVisible(running);
    for (auto *of : std::initializer_list<QWidget *>{ui.dataLabel, ui.dataCombo, ui.openButton, ui.modelsButton})
        of->setVisible(times);
    ui.exportButton->setEnabled(m_answer != nullptr || !times);
    ui.allGroupsButton->setEnabled(!m_focus.empty());
    ui.modelsButton->setText(tr("Cost models (%1)").arg(chosenModels().size()));
}

bool ValidationPage::isShowingTimes() const { return m_ui->areas->currentIndex() == 0; }

const validation::Validation *ValidationPage::shown() const
{
    return m_answer ? m_answer->scoreOf(m_model.toStdString()) : nullptr;
}

const validation::NewSite *ValidationPage::newSite() const
{
    return m_answer ? m_answer->newSiteOf(m_model.toStdString()) : nullptr;
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
    fitHeight(table);
    m_ui->stack->setCurrentWidget(m_ui->contentPage);
    for (int i = 0; i < table->model()->rowCount(); ++i)
        if (m_scores->row(idOf(table->model()->index(i, 0))).modelId == m_model)
            chooseRow(*table, i); // no other model, so chooseModel() does nothing
    showModel();
}

void ValidationPage::showVerdict()
{
    if (m_answer)
        showHtml(m_ui->verdictLabel, verdictHtml(*m_answer, m_model.toStdString(), m_ui->dataCombo->currentText()));
    auto where = m_answer ? standing() : QString();
    if (where.isEmpty())
        where = tr("This plan has no answer of this cost model yet; it gets one under Plans.");
    showHtml(m_ui->standingLabel, where);
    m_ui->planRow->setVisible(m_answer && m_ui->planChooser->count() > 0 && m_model == preferredModel);
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
    showVerdict();
    m_runs->setRows(m_answer ? scoredRunRows(*m_answer, shownOrNothing, newSite()) : std::vector<ScoredRunRow>());
    const auto model = findCostModel(m_model.toStdString());
    m_panels->show(m_answer, m_model, model ? localized((*model)->title()) : m_model);
    m_rankGroups->setRows(rankGroupRows(shownOrNothing));
    m_skipped->setRows(m_answer ? skippedRows(*m_answer, shownOrNothing) : std::vector<SkippedRow>());
    const bool groups = m_rankGroups->rowCount() > 0;
    m_ui->rankingSplitter->setVisible(groups);
    m_ui->noGroupsLabel->setVisible(!groups);
    if (groups)
        chooseRow(*m_ui->rankGroupTable, 0);
    m_focus.clear();
    m_missesShown = false;
    groupErrors(); // the run draws the points
    showCounts();
    showRun(m_run, false);
    showMisses();
}

void ValidationPage::showGroups()
{
    groupErrors();
    showScatter();
}

void ValidationPage::groupErrors()
{
    const auto *of = shown();
    m_breakdown = of ? validation::breakdown(*of, m_answer->places, grouping(), newSite())
                     : std::vector<validation::GroupErrors>();
    m_groups->setGrouping(grouping());
    m_groups->setRows(
        m_answer ? errorGroupRows(m_breakdown, grouping(), m_answer->file) : std::vector<ErrorGroupRow>());
    showSpread();
    updateState();
}

void ValidationPage::showScatter()
{
    m_charts->showScatter(
        m_answer, shown(), grouping(), m_focus, m_run >= 0 ? std::optional(std::size_t(m_run)) : std::nullopt);
}

void ValidationPage::showSpread()
{
    m_charts->showSpread(m_breakdown, grouping(),
        m_answer ? std::span(m_answer->file.runs) : std::span<const validation::MeasuredRun>(), m_model, m_focus);
}

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
        m_ui->views->setCurrentWidget(m_ui->runsView);
        m_ui->tabs->setCurrentWidget(m_ui->runTab);
        m_ui->runText->setFocus();
    }
}

void ValidationPage::showSource(const QString &source)
{
    m_ui->views->setCurrentWidget(m_ui->runsView);
    m_ui->tabs->setCurrentWidget(m_ui->runsTab);
    m_ui->filterEdit->setText(source);
    m_ui->runTable->setFocus();
}

void ValidationPage::showDetails()
{
    const auto *of = shown();
    m_ui->runText->setHtml(of && m_run >= 0
            ? runHtml(*m_answer, *of, newSite(), std::size_t(m_run))
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
        m_panels->showCurrent();
    }
    Page::changeEvent(event);
}

} // namespace fleetwright::app
