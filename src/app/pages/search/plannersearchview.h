// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/search/searchview.h"
#include "app/widgets/liverun.h"
#include "jobs/plannersearchjob.h"

#include <functional>
#include <memory>

class QSortFilterProxyModel;

namespace Ui {
class PlannerSearchView;
}
namespace fleetwright::itemmodels {
class PlannerSearchModel;
class NativeInputModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class Prompts;
class Workspace;

/// The published planners' own searches over the splits of a plan: what they are given, every split, the answer in
/// words, and a chosen split as a new plan.
class PlannerSearchView : public SearchView {
    Q_OBJECT
public:
    /// `currentPlan`: the plan that the Plans page shows, offered first; 0: none.
    PlannerSearchView(
        Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent = nullptr);
    ~PlannerSearchView() override;

public slots:
    void start();
    void cancel();
    void adopt(); ///< adds a plan with the selected split and shows it
    void recordDecision(); ///< offers the selected split to the ledger
    void copy() override;
    [[nodiscard]] PageWork work() const override;
    void saveCsv();
    void saveJson(); ///< the searcher's own format

protected:
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void setUpTables();
    void connectWorkspace();
    void planEdited(qint64 id);
    void planChosen();
    void clearAnswer(const QString &message);
    void search();
    /// The shown answer no longer holds: a new search follows, or the message says that it is to be asked for.
    void answerAgain(const QString &message);
    [[nodiscard]] QString subject() const; ///< of m_live
    void showAnswer(const jobs::PlannerSearchOutcome &outcome);
    void updateState();
    void saveTo(const QString &title, const QString &name, const QString &filter, const QByteArray &content);
    [[nodiscard]] qint64 chosenPlan() const;
    [[nodiscard]] const PlannerSearchRow *selectedRow() const;

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::PlannerSearchView> m_ui;
    itemmodels::PlannerSearchModel *m_model;
    itemmodels::NativeInputModel *m_inputs;
    QSortFilterProxyModel *m_proxy;
    jobs::PlannerSearchJob m_job;
    LiveRun m_live{this};
    PlanDocument m_searched; ///< what the shown answer belongs to
};

} // namespace fleetwright::app
