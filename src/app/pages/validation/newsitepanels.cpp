// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/newsitepanels.h"

#include "app/pages/validation/evidencepanel.h"
#include "app/pages/validation/validationtables.h"
#include "charts/chartview.h"
#include "charts/newsitecharts.h"
#include "itemmodels/newsitemodels.h"
#include "text/localized.h"
#include "units/format.h"

#include <QItemSelectionModel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace itemmodels;

NewSitePanels::NewSitePanels(QTabWidget *views, jobs::FewShotJob::Scorer fewShot, QWidget *page)
    : QObject(page), m_views(views),
      m_coverage(new EvidencePanel(u"coverage"_s, tr("Do the ranges hold at a site that nobody has measured?"))),
      m_levels(new EvidencePanel(u"levels"_s, tr("Where do the errors come from?"))),
      m_fewShot(new EvidencePanel(u"fewShot"_s, tr("What would a few runs of our own do?"))),
      m_production(new EvidencePanel(u"production"_s, tr("How good is it on the largest jobs?"))),
      m_coverageModel(new CoverageModel(this)), m_levelModel(new LevelModel(this)),
      m_fewShotModel(new FewShotModel(this)), m_productionModel(new ProductionModel(this)), m_job(std::move(fewShot))
{
    const auto add = [&](EvidencePanel *panel, const QString &title, const QString &help) {
        views->setTabToolTip(views->addTab(panel, title), help);
    };
    add(m_coverage, tr("Ranges"),
        tr("How many runs of each source lie in the range that was made without that source"));
    add(m_levels, tr("Levels of error"), tr("How much of the error belongs to accelerators, software, sites and runs"));
    add(m_fewShot, tr("Own runs"),
        tr("What one, three, five or ten runs of a site do for the predictions of its others"));
    add(m_production, tr("Largest jobs"), tr("Runs on thousands of accelerators, beside what others claim for theirs"));
    setUpEvidenceTable(m_coverage->table(), m_coverageModel, CoverageModel::Source, CoverageModel::Covered);
    setUpEvidenceTable(m_levels->table(), m_levelModel, LevelModel::Meaning, -1);
    setUpEvidenceTable(m_fewShot->table(), m_fewShotModel, FewShotModel::Sources, FewShotModel::Known);
    setUpEvidenceTable(m_production->table(), m_productionModel, ProductionModel::Run, -1);
    connect(m_coverage->table()->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (const auto *known = site())
            m_coverage->showChart(charts::coverageChartOf(known->score.coverage, chosenSource(), m_file->file.runs));
    });
    connect(m_coverage->table(), &QTableView::activated, this, [this] {
        if (const auto source = chosenSource())
            emit sourceChosen(localized(*source));
    });
    connect(m_production->table(), &QTableView::activated, this,
        [this](const QModelIndex &index) { emit runChosen(index.data(itemmodels::idRole).toInt()); });
    connect(&m_job, &jobs::FewShotJob::finished, this, &NewSitePanels::fewShotDone);
    connect(&m_job, &jobs::FewShotJob::cancelled, this, &NewSitePanels::showFewShot);
    connect(m_fewShot->stopButton(), &QPushButton::clicked, &m_job, &jobs::FewShotJob::cancel);
    connect(m_fewShot->computeButton(), &QPushButton::clicked, this, &NewSitePanels::computeFewShot);
    const auto *calibrate = m_fewShot->offerFurther(tr("Calibrate to my runs\u2026"),
        tr("Add measured runs of yours, and fit the constants of the cost model to them"));
    connect(calibrate, &QPushButton::clicked, this, &NewSitePanels::calibrationRequested);
    connect(views, &QTabWidget::currentChanged, this, [this] {
        if (m_views->currentWidget() == m_fewShot && !m_figures)
            computeFewShot();
        showCurrent();
    });
}

NewSitePanels::~NewSitePanels() = default;

const QTableView *NewSitePanels::coverageTable() const { return m_coverage->table(); }
const QTableView *NewSitePanels::levelTable() const { return m_levels->table(); }
const QTableView *NewSitePanels::fewShotTable() const { return m_fewShot->table(); }
const QTableView *NewSitePanels::productionTable() const { return m_production->table(); }

const validation::NewSite *NewSitePanels::site() const
{
    const auto *known = m_file ? m_file->newSiteOf(m_modelId.toStdString()) : nullptr;
    return known && !known->score.runs.empty() ? known : nullptr;
}

void NewSitePanels::show(
    std::shared_ptr<const validation::ScoredFile> file, const QString &modelId, const QString &modelTitle)
{
    m_job.cancel();
    m_file = std::move(file);
    m_modelId = modelId;
    m_modelTitle = modelTitle;
    m_figures.reset();
    const auto *known = site();
    m_coverageModel->setRows(known ? coverageRows(known->score.coverage, m_file->file) : std::vector<CoverageRow>());
    m_levelModel->setRows(known && known->levels ? levelRows(*known->levels) : std::vector<LevelRow>());
    const auto *of = m_file ? m_file->scoreOf(m_modelId.toStdString()) : nullptr;
    m_productionModel->setRows(known && of ? productionRows(*m_file, *of, *known) : std::vector<ProductionRow>());
    m_fewShotModel->setRows({});
    showCurrent();
    if (m_views->currentWidget() == m_fewShot)
        computeFewShot();
}

void NewSitePanels::showCurrent()
{
    const auto *current = m_views->currentWidget();
    if (site()) {
        if (current == m_coverage)
            showCoverage();
        if (current == m_levels)
            showLevels();
        if (current == m_production)
            showProduction();
    } else {
        const QString why = m_file ? tr("Of \u201c%1\u201d no errors on sources left out are known, so there is "
                                        "nothing to say about sites that "
                                        "nobody has measured. Select another one in the tab \u201cCost models\u201d.")
                                         .arg(m_modelTitle)
                                   : QString();
        for (auto *panel : {m_coverage, m_levels, m_production})
            panel->showNothing(why);
    }
    if (current == m_fewShot)
        showFewShot();
}

void NewSitePanels::showCoverage()
{
    const auto &coverage = site()->score.coverage;
    m_coverage->showAnswer(localized(coverageInWords(coverage)) + u' ' + tr("Enter on a source shows its runs."),
        charts::coverageChartOf(coverage, chosenSource(), m_file->file.runs));
}

void NewSitePanels::showLevels()
{
    const auto &levels = site()->levels;
    if (!levels)
        return m_levels->showNothing(
            tr("None of these runs is among those whose left-out errors come with the program. "
               "Choose the published runs to see where errors arise."));
    m_levels->showAnswer(
        tr("Standard deviation of measured over predicted time, of all left-out errors of the program, each beyond the "
           "levels above it. What belongs to the source is what runs of your own remove."),
        charts::levelsChart(*levels));
}

void NewSitePanels::showProduction()
{
    const auto &production = site()->production;
    if (production.runs.empty())
        return m_production->showNothing(localized(productionInWords(production)));
    m_production->showAnswer(localized(productionInWords(production)) + u' ' + localized(validation::claimsInWords()),
        charts::productionChart(production));
}

void NewSitePanels::computeFewShot()
{
    if (site())
        m_job.start(m_file, m_modelId.toStdString());
    showFewShot();
}

void NewSitePanels::fewShotDone(const jobs::FewShotOutcome &outcome)
{
    if (outcome)
        m_figures = *outcome;
    m_fewShotModel->setRows(m_figures ? fewShotRows(*m_figures) : std::vector<FewShotRow>());
    showFewShot();
    if (!outcome)
        m_fewShot->showNothing(localized(outcome.error().message));
}

void NewSitePanels::showFewShot()
{
    const bool running = m_job.isRunning();
    m_fewShot->setWork(running, site() && !m_figures);
    if (running)
        return m_fewShot->showNothing(tr("Learning from a few runs of each source, twenty times over\u2026"));
    if (!site())
        return m_fewShot->showNothing(
            m_file ? tr("Only a cost model with left-out errors learns from own runs.") : QString());
    if (!m_figures)
        return m_fewShot->showNothing(tr("Not computed."));
    const auto &first = m_figures->begin()->second;
    if (first.sources == 0)
        return m_fewShot->showNothing(tr("No source has enough runs here: twelve are needed."));
    const auto &last = *m_figures->rbegin();
    m_fewShot->showAnswer(
        tr("Over the %1 sources with at least %2 runs: some of its runs are drawn, the effect of the source is learnt "
           "from them alone, and the others are predicted. The median error goes from %3 without to %4 with %5 known "
           "runs.")
            .arg(first.sources)
            .arg(validation::fewestFor(last.first))
            .arg(localized(units::formatPercent(first.median)), localized(units::formatPercent(last.second.median)))
            .arg(last.first),
        charts::fewShotChart(*m_figures));
}

std::optional<std::string> NewSitePanels::chosenSource() const
{
    const auto rows = m_coverage->table()->selectionModel()->selectedRows();
    const auto *known = site();
    if (rows.isEmpty() || !known)
        return std::nullopt;
    return known->score.coverage.sources.at(rows.constFirst().data(itemmodels::idRole).toUInt()).source;
}

} // namespace fleetwright::app
