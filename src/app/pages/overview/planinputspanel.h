// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/planinputsjob.h"
#include "storage/project.h"

#include <QHash>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <QWidget>

#include <memory>

class QMenu;

namespace Ui {
class PlanInputsPanel;
}
namespace fleetwright::itemmodels {
struct PlanInputsColumn;
class PlanInputsFilter;
class PlanInputsModel;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class GoalSeekDialog;
class Workspace;

/// Where do the plans differ? Every input of every plan in one table, edited in place: what is typed into one of
/// several selected cells of a row goes into all of them, as one step. What cannot be used is refused with a sentence
/// and changes nothing.
class PlanInputsPanel : public QWidget {
    Q_OBJECT
public:
    explicit PlanInputsPanel(QWidget *parent = nullptr);
    ~PlanInputsPanel() override;

    void follow(Workspace &workspace); ///< to be called once
    void focusTable();
    /// What was typed is being tried; nothing has changed yet.
    [[nodiscard]] bool isChecking() const { return m_job.isRunning() && !m_asked.searches; }

signals:
    void statusMessage(const QString &text);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpTable();
    void setUpActions();
    void reload();
    void showPlans(); ///< that are compared, and what of them
    void showRows();
    void showHint();
    void fillPlans();
    void fitColumns();
    /// What an open editor holds is accepted, and the editor closed.
    void acceptTyped();
    [[nodiscard]] QList<QWidget *> openEditors() const;
    void typed(int row, int column, const QString &text);
    void clearCells();
    void copyToAll();
    void seekValue(); ///< of the current cell, where it is a number
    [[nodiscard]] QList<int> selectedPlans(int row) const; ///< columns
    void set(int row, const QList<int> &columns, const QString &text);
    /// Of a column, with what was entered here and is not shown yet.
    [[nodiscard]] PlanInputs inputsNow(const itemmodels::PlanInputsColumn &plan) const;
    void finishCheck();
    void take(const jobs::PlanInputsResult &edited); ///< of m_asked

    struct Asked {
        std::vector<storage::SavedPlan> plans; ///< as they were then
        QStringList without; ///< plans that were selected, too, and do not have the input
        std::vector<PlanInputs> inputs; ///< of the plans
        std::string key;
        QString text;
        bool searches = false; ///< for layouts, which takes long
    };

    std::unique_ptr<Ui::PlanInputsPanel> m_ui;
    Workspace *m_workspace = nullptr;
    itemmodels::PlanInputsModel *m_model;
    itemmodels::PlanInputsFilter *m_filter;
    QMenu *m_plansMenu;
    jobs::PlanInputsJob m_job;
    Asked m_asked;
    QHash<qint64, PlanDocument> m_entered; ///< plans as the last entries made them, until they are shown
    QSet<qint64> m_hidden; ///< plans that were taken away
    QPointer<GoalSeekDialog> m_seek;
    QTimer m_soon; ///< changes that come together are shown together
    bool m_isSetting = false;
    bool m_isChosen = false; ///< somebody has chosen which rows are shown
};

} // namespace fleetwright::app
