// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/calibrationjob.h"
#include "jobs/latestrun.h"
#include "jobs/readrunsjob.h"
#include "storage/project.h"

#include <QDialog>

#include <functional>
#include <memory>

class QSortFilterProxyModel;

namespace Ui {
class CalibrationDialog;
}

namespace fleetwright::itemmodels {
class FittedConstantModel;
class MeasuredRunModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class Prompts;
class Workspace;

/// "Calibrate to my runs": the user's measured runs, a fit of the constants that they can identify, and what it
/// changes; applying it writes the user's own calibration constants. Not modal: undo and the pages behind it stay at
/// hand.
class CalibrationDialog : public QDialog {
    Q_OBJECT
public:
    CalibrationDialog(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~CalibrationDialog() override;

public slots:
    void add();
    void edit();
    void duplicate();
    void remove();
    void importFile(); ///< reads and prepares on a worker; Cancel stops it
    void copy(); ///< the selected rows, or all, tab-separated
    void fit();
    void cancel(); ///< the fit or the import under way
    void apply();
    void reset(); ///< removes what fits wrote; what was set by hand stays

protected:
    void changeEvent(QEvent *event) override;

private:
    void setUpTables();
    void connectWorkspace();
    void reload();
    void prepare(const QString &fileName, const jobs::ReadRunsOutcome &runs);
    void addRead(
        const QString &fileName, const jobs::ReadRunsOutcome &runs, const storage::PreparedRuns *prepared = nullptr);
    void showVerdict(const QStringList &sentences);
    void weighFit(); ///< what it does to the plans, and which run to measure next; beside the window
    void forgetFit(); ///< the runs or the constants are others now
    void showFit(const jobs::CalibrationOutcome &outcome);
    void updateState();
    void showConstantsInUse(bool writable);
    void updateIcons();
    void openRun(
        const validation::MeasuredRun &run, std::function<Expected<void>(const validation::MeasuredRun &)> keep);
    [[nodiscard]] const storage::SavedMeasuredRun *current() const;
    [[nodiscard]] std::vector<storage::RowId> selected() const;
    void select(const std::vector<storage::RowId> &ids); ///< the first row where none of them is left

    std::unique_ptr<Ui::CalibrationDialog> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    itemmodels::MeasuredRunModel *m_runs;
    QSortFilterProxyModel *m_proxy;
    itemmodels::FittedConstantModel *m_constants;
    jobs::CalibrationJob m_job;
    jobs::ReadRunsJob m_reading;
    QString m_readFile; ///< that m_reading reads
    jobs::LatestRun m_preparing; ///< makes what was read ready to be saved
    jobs::LatestRun m_weighing; ///< what a fit is worth
    std::shared_ptr<const validation::RunCalibration> m_fit;
};

} // namespace fleetwright::app
