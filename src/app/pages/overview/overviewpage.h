// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/workspace/missinganswers.h"
#include "itemmodels/planoverviewmodel.h"
#include "storage/project.h"

#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QTimer>

#include <memory>

namespace Ui {
class OverviewPage;
}

namespace fleetwright::app {

class ProjectFiles;
class Prompts;
class Settings;
class Welcome;
class Workspace;

/// The plans of the project: days against cost, what binds, what is stale. Without a project, how to get one (Welcome).
class OverviewPage : public Page {
    Q_OBJECT
public:
    OverviewPage(Workspace &workspace, ProjectFiles &files, Prompts &prompts, const Settings &settings,
        QWidget *parent = nullptr);
    ~OverviewPage() override;

signals:
    void pageRequested(const QString &id);
    void newPlanRequested();

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setUpTable();
    void wire();
    void reload();
    void reloadPlans();
    void readRows(int count); ///< of those whose answers are unread, and the rest later
    void showAroundSoon();
    void refreshPlan(qint64 id);
    /// Computes what was never computed or is stale, one plan after the other, while the page is shown.
    void solveMissing();
    void solveAgain(); ///< every plan
    void showAround(); ///< what stands about the rows, once they rest
    void showChart();
    void showCounts();
    void focusSensibly();
    [[nodiscard]] itemmodels::PlanOverviewRow asked(const storage::SavedPlan &plan) const;
    [[nodiscard]] itemmodels::PlanOverviewRow row(const storage::SavedPlan &plan) const;
    [[nodiscard]] static bool isMissing(const itemmodels::PlanOverviewRow &row);

    std::unique_ptr<Ui::OverviewPage> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    Welcome *m_welcome;
    itemmodels::PlanOverviewModel *m_plans;
    QSortFilterProxyModel *m_sorted;
    QTimer *m_around; ///< answers that come one after another are drawn together
    MissingAnswers m_missing;
    QHash<qint64, QString> m_refusals;
    QSet<qint64> m_unread; ///< plans whose rows say nothing of their answers yet
    QTimer m_reading{this}; ///< runs while there are some
};

} // namespace fleetwright::app
