// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/search/searchview.h"
#include "app/widgets/liverun.h"
#include "itemmodels/layoutsearchcolumns.h"
#include "jobs/layoutsearchjob.h"
#include "jobs/solvejob.h"
#include "jobs/writejob.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>

class QTableView;

namespace Ui {
class LayoutSearchView;
}
namespace fleetwright::itemmodels {
class LayoutSearchTableModel;
}

namespace fleetwright::app {

class Prompts;
class LayoutSearchDetails;
class Workspace;

/// The search over every layout of a plan: what is searched, the answer as it grows, and what is done with a layout
/// that was found.
class LayoutSearchView : public SearchView {
    Q_OBJECT
public:
    /// `currentPlan`: the plan that the Plans page shows, offered first; 0: none.
    LayoutSearchView(
        Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent = nullptr);
    ~LayoutSearchView() override;

    void choosePlan(qint64 id); ///< an id without a plan changes nothing

public slots:
    void start(); ///< folds the settings away for the answer
    void cancel();
    void adopt(); ///< adds a plan with the chosen layout and shows it
    void recordDecision(); ///< offers the chosen layout to the ledger
    void compareSelected(); ///< two selected rows side by side
    void copy() override;
    [[nodiscard]] PageWork work() const override;

protected:
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void setUpTables();
    void setUpSaving();
    void connectControls();
    void connectWorkspace();
    void connectJob();
    void planChosen();
    void planEdited(qint64 id);
    void giveHeight(int wanted);
    void showSettings(bool visible);
    void clearAnswer(const QString &message);
    void search();
    /// The shown answer no longer holds: a new search follows, or the message says that it is to be asked for.
    void answerAgain(const QString &message);
    [[nodiscard]] QString subject() const; ///< of m_live
    void showProgress(const jobs::LayoutSearchProgress &progress);
    void showAnswer(const jobs::LayoutSearchOutcome &outcome);
    void fitTables();
    void tableSelected();
    void applyFilter();
    void selectFirst();
    void filterTo(int tp, int pp);
    void selectRow(const layoutsearch::Row &row);
    void updateState();
    void updateCount();
    /// What a file is made of; copies, because it is made on another thread.
    struct Saved {
        LayoutSearchDocument document;
        jobs::LayoutSearchAnswer answer;
        std::shared_ptr<const Catalog> catalog;
    };
    using Content = std::function<Expected<QByteArray>(const Saved &)>;
    void save(const QString &title, const QString &suffix, const QString &filter, const Content &content);
    [[nodiscard]] qint64 chosenPlan() const; ///< 0: there are no plans
    [[nodiscard]] LayoutSearchDocument &settingsOf(qint64 plan);
    [[nodiscard]] QTableView *table() const;
    [[nodiscard]] itemmodels::LayoutSearchTableModel *model() const;
    [[nodiscard]] std::vector<layoutsearch::Row> selectedRows() const;
    /// The plan with the layout, as the search priced it.
    [[nodiscard]] Expected<PlanDocument> planOf(const layoutsearch::Row &row) const;

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::LayoutSearchView> m_ui;
    itemmodels::LayoutSearchTableModel *m_splits;
    itemmodels::LayoutSearchTableModel *m_layouts;
    LayoutSearchDetails *m_details;
    jobs::LayoutSearchJob m_job;
    jobs::SolveJob m_solver; ///< of the layout that goes to the ledger
    std::map<qint64, LayoutSearchDocument> m_settings; ///< of each plan while the project is open
    LayoutSearchDocument m_searched; ///< what the shown answer belongs to
    std::optional<jobs::LayoutSearchAnswer> m_answer; ///< of a finished search
    std::shared_ptr<const layoutsearch::Result>
        m_partial; ///< the newest of a running one; the table in sight follows it
    jobs::WriteJob m_writer;
    QString m_written; ///< the file that m_writer writes
    LiveRun m_live{this};
    std::optional<std::pair<QList<int>, QList<int>>> m_heightGiven; ///< of the splitter, before and since
    bool m_userSelected = false; ///< the user chose a row, which newer answers leave alone
};

} // namespace fleetwright::app
