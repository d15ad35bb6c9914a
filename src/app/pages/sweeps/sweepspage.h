// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/widgets/liverun.h"
#include "app/workspace/missinganswers.h"
#include "domain/sweepdocument.h"
#include "jobs/sweepjob.h"
#include "storage/project.h"

#include <functional>
#include <memory>

class QSortFilterProxyModel;

namespace Ui {
class SweepsPage;
}
namespace fleetwright::itemmodels {
class SweepListModel;
struct SweepRow;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class Prompts;
class SweepAnswer;
class Workspace;

/// The project's sweeps: the list, the answer of one as chart, table and sentences, and what varies in it. A run goes
/// to workers, by itself while that takes no time; its result is kept with the project when it is complete, so a
/// cancelled run leaves the saved one as it was.
class SweepsPage : public Page {
    Q_OBJECT
public:
    SweepsPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    /// For tests: `solver` prices the cells.
    SweepsPage(Workspace &workspace, Prompts &prompts, jobs::SweepJob::Solver solver, QWidget *parent);
    ~SweepsPage() override;
    [[nodiscard]] std::vector<PageWork> work() const override;

    [[nodiscard]] qint64 currentSweep() const { return m_current; } ///< 0: none

public slots:
    void newSweep();
    void duplicateSweep();
    void removeSweep();
    void showSweep(qint64 id);
    void run();
    void cancel();
    /// Adds the selected cell's plan to the project and asks the window to show it.
    void adoptCell();
    void importSweep();
    void exportSweep();

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void setUpList();
    void setUpResult();
    void connectWorkspace();
    void connectJob();
    void reload();
    void updateState();
    void addSweep(SweepDocument document);
    void sweepRemoved(int index);
    void change(const QString &field, const std::function<void(SweepDocument &)> &assign);
    void rename(const QString &name);
    void showEntries();
    void showResult();
    [[nodiscard]] bool hasCurrentResult(const storage::SavedSweep &sweep) const;
    [[nodiscard]] QString subject() const; ///< of m_live
    void finished(const jobs::SweepOutcome &outcome);
    void copyTable();
    void saveCsv();
    [[nodiscard]] itemmodels::SweepRow row(const storage::SavedSweep &sweep) const;
    void selectRow(qint64 id);

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::SweepsPage> m_ui;
    itemmodels::SweepListModel *m_model;
    QSortFilterProxyModel *m_proxy;
    SweepAnswer *m_answer = nullptr;
    jobs::SweepJob m_job;
    LiveRun m_live{this};
    MissingAnswers m_missing; ///< of the plans between which a new sweep chooses
    qint64 m_current = 0;
    qint64 m_running = 0; ///< the sweep that the job works on
};

} // namespace fleetwright::app
