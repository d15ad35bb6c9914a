// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/workspace/missinganswers.h"
#include "itemmodels/planoverviewmodel.h"
#include "storage/project.h"

#include <QHash>
#include <QSortFilterProxyModel>

#include <memory>

namespace Ui {
class OverviewPage;
}

namespace fleetwright::app {

class ProjectFiles;
class Settings;
class Workspace;

/// What is in the project, with a way to each part; without a project, how to get one.
class OverviewPage : public Page {
    Q_OBJECT
public:
    OverviewPage(Workspace &workspace, ProjectFiles &files, const Settings &settings, QWidget *parent = nullptr);
    ~OverviewPage() override;

signals:
    void pageRequested(const QString &id);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void wire();
    void reload();
    void reloadPlans();
    void refreshPlan(qint64 id);
    /// Computes what was never computed or is stale, one plan after the other, while the page is shown.
    void solveMissing();
    void fillFleets();
    void fillCatalogs();
    void fillRecent();
    void updateIcons();
    [[nodiscard]] itemmodels::PlanOverviewRow row(const storage::SavedPlan &plan) const;

    std::unique_ptr<Ui::OverviewPage> m_ui;
    Workspace &m_workspace;
    ProjectFiles &m_files;
    const Settings &m_settings;
    itemmodels::PlanOverviewModel *m_plans;
    QSortFilterProxyModel *m_sorted;
    MissingAnswers m_missing;
    QHash<qint64, QString> m_refusals;
};

} // namespace fleetwright::app
