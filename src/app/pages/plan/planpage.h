// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/workspace/missinganswers.h"
#include "domain/ledgerentry.h"
#include "jobs/layoutadvicejob.h"
#include "jobs/solvejob.h"
#include "storage/project.h"

#include <QPointer>
#include <QTimer>

#include <memory>

namespace Ui {
class PlanPage;
}

namespace fleetwright::app {

class ExplainDialog;
class GoalSeekDialog;
class LaunchDialog;
class Prompts;
class ServingDialog;
class Workspace;

/// One plan of the project: its entries and its answers. Every valid entry is solved in the
/// background; when the cost model can price it, entry and answer become one undoable edit of the project. What cannot
/// be priced is refused at the field, and the project keeps the last plan that can. Whoever leaves before the answer is
/// there leaves the entry in the project: it is saved without an answer, which follows.
class PlanPage : public Page {
    Q_OBJECT
public:
    PlanPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    /// For tests: `solver` prices the plans.
    PlanPage(Workspace &workspace, Prompts &prompts, jobs::SolveJob::Solver solver, QWidget *parent);
    ~PlanPage() override;

    [[nodiscard]] qint64 currentPlan() const { return m_current; } ///< 0: none
    bool takeBackRefused() override;
    /// Names of the groups of the form that are folded to a line, until the user folds others.
    void setFoldedGroups(const QStringList &names);

signals:
    void planShown(qint64 id);
    void groupsFolded(const QStringList &names); ///< by the user
    /// Asks for the Search page with the shown plan chosen.
    void searchRequested();
    void recordRequested(fleetwright::CatalogKind kind, const QString &id); ///< asks for the page of a catalog item
    void pricesRequested(const QStringList &ids); ///< asks for the Prices page with these chosen

public slots:
    void newPlan();
    void duplicatePlan();
    void renamePlan();
    void removePlan();
    void seekValue(); ///< of the field that has the focus, or of the nodes
    void exportPlan(); ///< as YAML or JSON, whichever suffix is chosen
    void exportLaunch(); ///< the text that launches it, to copy and save
    void showPlan(qint64 id);
    void explainPlan(qint64 id, const QString &figure = {}); ///< and how its figures, or that one, came about
    void recordDecision(); ///< asks for the note and keeps the plan's figures in the ledger
    void copy(); ///< the results, tab-separated

private:
    void connectActions();
    void connectWorkspace();
    void reload();
    void updateState(); ///< empty page, read-only, buttons
    void showSaved(const storage::SavedPlan &plan);
    void planChanged(int index);
    void planRemoved(int index);
    void addPlan(PlanDocument document);
    void solveDraft();
    void showPending();
    /// Saves what was accepted and has no answer yet.
    void settle();
    bool commit(const PlanDocument &document, std::optional<storage::SavedResult> result);
    /// That of the fleet, as long as the plan has the name of its fleet: nobody has given it another.
    [[nodiscard]] std::string nameAfter(const PlanDocument &edited) const;
    [[nodiscard]] bool lacksAnswer(qint64 plan) const; ///< there is none, or it is stale
    void revert();
    void solved(const jobs::SolveOutcome &outcome);
    void accept(const jobs::SolveOutcome &outcome);
    /// What the layout of the answer could gain, or what would make it feasible: looked for once the answer is shown.
    void askAboutLayout(const jobs::SolveOutcome &outcome);
    void advised(const jobs::LayoutAdviceOutcome &outcome);
    void openServing();
    void explain(const PlanDocument &document);
    void openExplain();
    void openSeek(const QString &key);

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::PlanPage> m_ui;
    jobs::SolveJob m_job;
    jobs::LayoutAdviceJob m_layoutJob;
    std::optional<jobs::SolveOutcome> m_asked; ///< the answer that m_layoutJob is about
    QTimer m_pending; ///< until the page says that an answer is late
    MissingAnswers m_later; ///< of plans that were left before their answer was there
    std::optional<LedgerEntry> m_decision; ///< what the ledger would record of the plan as it is shown
    qint64 m_current = 0;
    std::optional<Plan> m_solvedPlan; ///< of the answer that is shown
    QPointer<ServingDialog> m_serving;
    QPointer<ExplainDialog> m_explain;
    QPointer<GoalSeekDialog> m_seek;
    QPointer<LaunchDialog> m_launch;
    QString m_explainKey; ///< of the figure that is explained when the answer is there; empty: all of them
    QString m_lastField; ///< edited last; consecutive edits of one field are one undo step
    bool m_committing = false;
    bool m_explainsNext = false;
    bool m_savedIsRefused =
        false; ///< the saved plan itself cannot be priced, so holding edits back would lock the user in
};

} // namespace fleetwright::app
