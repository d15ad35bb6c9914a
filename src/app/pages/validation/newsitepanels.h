// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/fewshotjob.h"

#include <QObject>

#include <memory>
#include <optional>

class QTabWidget;
class QTableView;

namespace fleetwright::itemmodels {
class CoverageModel;
class FewShotModel;
class LevelModel;
class ProductionModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class EvidencePanel;

/// The views of the Validation page about a site that nobody has measured: whether the ranges hold, where errors arise,
/// what a few own runs do, and the largest jobs.
class NewSitePanels : public QObject {
    Q_OBJECT
public:
    /// Adds its views to `views`. `fewShot` is asked when its view is first shown.
    NewSitePanels(QTabWidget *views, jobs::FewShotJob::Scorer fewShot, QWidget *page);
    ~NewSitePanels() override;

    /// What is known of the cost model on these runs; nothing without a file.
    void show(std::shared_ptr<const validation::ScoredFile> file, const QString &modelId, const QString &modelTitle);
    void showCurrent(); ///< in the colours of the page; charts are drawn when they are looked at

    [[nodiscard]] const QTableView *coverageTable() const;
    [[nodiscard]] const QTableView *levelTable() const;
    [[nodiscard]] const QTableView *fewShotTable() const;
    [[nodiscard]] const QTableView *productionTable() const;

signals:
    void sourceChosen(const QString &source); ///< its runs are asked for
    void runChosen(int run); ///< index into Validation::runs
    void calibrationRequested();

private:
    void showCoverage();
    void showLevels();
    void showProduction();
    void showFewShot();
    void fewShotDone(const jobs::FewShotOutcome &outcome);
    void computeFewShot();
    [[nodiscard]] const validation::NewSite *site() const;
    [[nodiscard]] std::optional<std::string> chosenSource() const;

    QTabWidget *m_views;
    EvidencePanel *m_coverage;
    EvidencePanel *m_levels;
    EvidencePanel *m_fewShot;
    EvidencePanel *m_production;
    itemmodels::CoverageModel *m_coverageModel;
    itemmodels::LevelModel *m_levelModel;
    itemmodels::FewShotModel *m_fewShotModel;
    itemmodels::ProductionModel *m_productionModel;
    jobs::FewShotJob m_job;
    std::shared_ptr<const validation::ScoredFile> m_file;
    QString m_modelId, m_modelTitle;
    std::shared_ptr<const jobs::FewShotAnswer> m_figures; ///< of m_file and m_modelId
};

} // namespace fleetwright::app
