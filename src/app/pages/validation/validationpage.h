// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/pages/validation/runsources.h"
#include "jobs/fewshotjob.h"
#include "jobs/validationjob.h"
#include "solver/costs/costvalidation.h"

#include <functional>
#include <memory>

class QMenu;
class QModelIndex;
class QTextBrowser;
class QUrl;

namespace Ui {
class ValidationPage;
}
namespace fleetwright::itemmodels {
class ErrorGroupModel;
class RankedModel;
class RankGroupModel;
class ScoredRunFilter;
class ScoredRunModel;
class ScoreModel;
class SkippedModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class CostsPanel;
class NewSitePanels;
class Prompts;
class PublishedChoices;
class ValidationCharts;
class ValidationExport;
class Workspace;

/// The worksheet on published costs, at the prices of a catalog.
using CostScorer = std::function<Expected<costs::CostValidation>(const Catalog &)>;

/// Where the figures of the Validation page come from.
struct ValidationSources {
    RunSources::Reader published; ///< the runs that come with the program
    jobs::ValidationJob::Validator validator;
    validation::NewSiteFinder newSite{};
    jobs::FewShotJob::Scorer fewShot{};
    CostScorer costs{};
};

/// How far the predictions can be trusted: every cost model on published measured runs, or on runs from a file. The
/// error on sources left out and the models side by side stand above the views: run by run (predicted against measured,
/// errors by group, every run with what is known about its miss, ranking groups, what was skipped), what holds at a new
/// site (NewSitePanels), and published choices. Costs have a tab of their own (CostsPanel).
class ValidationPage : public Page {
    Q_OBJECT
public:
    using Reader = RunSources::Reader;

    ValidationPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    /// For tests.
    ValidationPage(Workspace &workspace, Prompts &prompts, ValidationSources sources, QWidget *parent);
    ~ValidationPage() override;
    [[nodiscard]] std::vector<PageWork> work() const override;

    /// Opens addresses of the web; QDesktopServices unless a test sets another.
    void setBrowser(std::function<void(const QUrl &)> browser) { m_browser = std::move(browser); }

public slots:
    void openRuns();
    void cancel();
    void copy(); ///< the selected rows of the table with the focus, or all of it; else the summary
    /// Shows the run, an index into Validation::runs of the shown model, everywhere; brings its details to the front
    /// when `open`.
    void showRun(int row, bool open);
    void showSource(const QString &source); ///< its runs

protected:
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] static int idOf(const QModelIndex &index); ///< -1 for none
    void setUpChoice();
    void setUpTables();
    void setUpRunTable();
    void setUpCharts();
    void setUpViews(ValidationSources sources);
    void setUpAreas(CostScorer scorer);
    void setUpTexts();
    void setUpExport();
    void offerProject();
    [[nodiscard]] Expected<jobs::ValidationRequest> request() const;
    void restart();
    void restartLater();
    void scored(const jobs::ValidationOutcome &outcome);
    void showMessage(const QString &text);
    void showScores();
    void showVerdict();
    [[nodiscard]] QString standing() const; ///< of the plan that is chosen; empty: nothing is known
    /// The cheapest run of the plans that are known to keep their limits; 0: none.
    [[nodiscard]] qint64 bestPlan() const;
    void chooseModel(const QString &id);
    void showModel();
    void showGroups();
    void groupErrors(); ///< all of it but the points
    void showScatter();
    void showSpread();
    void showCounts();
    void showRanking();
    void showDetails();
    void showMisses();
    void followLink(const QUrl &link);
    void clearFocus();
    [[nodiscard]] bool isShowingTimes() const; ///< and not costs
    void updateState();
    [[nodiscard]] const validation::Validation *shown() const; ///< of the chosen model
    [[nodiscard]] const validation::NewSite *newSite() const; ///< nullptr: nothing is known of the chosen model
    [[nodiscard]] validation::Grouping grouping() const;
    [[nodiscard]] std::vector<std::string> chosenModels() const;

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::ValidationPage> m_ui;
    QMenu *m_models;
    itemmodels::ScoreModel *m_scores;
    itemmodels::ErrorGroupModel *m_groups;
    itemmodels::ScoredRunModel *m_runs;
    itemmodels::ScoredRunFilter *m_filter;
    itemmodels::RankGroupModel *m_rankGroups;
    itemmodels::RankedModel *m_ranked;
    itemmodels::SkippedModel *m_skipped;
    PublishedChoices *m_choices;
    CostsPanel *m_costs = nullptr;
    validation::NewSiteFinder m_newSite;
    jobs::ValidationJob m_job;
    std::function<void(const QUrl &)> m_browser;
    RunSources *m_sources = nullptr;
    ValidationCharts *m_charts = nullptr;
    NewSitePanels *m_panels = nullptr;
    ValidationExport *m_export = nullptr;
    std::shared_ptr<const validation::ScoredFile> m_answer;
    std::vector<validation::GroupErrors> m_breakdown; ///< of the shown model and grouping
    QString m_model; ///< id of the shown cost model
    std::string m_focus; ///< the group that is looked at; empty: all
    int m_run = -1; ///< the selected run
    bool m_following = false; ///< a table is being brought to what was chosen elsewhere
    bool m_stale = true; ///< what is shown is not what is chosen
    bool m_missesShown = false; ///< the text of the misses is that of the shown model
};

} // namespace fleetwright::app
