// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/seekjob.h"

#include <QDialog>
#include <QTimer>

#include <memory>

namespace Ui {
class GoalSeekDialog;
}

namespace fleetwright::app {

class Workspace;

/// "Change the nodes until the days of the run are 30": the answer follows every entry, and the plan as it is
/// meanwhile. Apply is one undoable edit. Closes with its plan.
class GoalSeekDialog : public QDialog {
    Q_OBJECT
public:
    GoalSeekDialog(Workspace &workspace, QWidget *parent = nullptr);
    /// For tests: `solver` prices the plans.
    GoalSeekDialog(Workspace &workspace, jobs::SeekJob::Solver solver, QWidget *parent);
    ~GoalSeekDialog() override;

    /// Asks about this plan; `key` is chosen to be changed, or the nodes where it is none that can be. The target
    /// begins as the limit that the plan sets for the key or, where it sets none, for its days.
    void setPlan(qint64 plan, const std::string &key);

    void reject() override;

signals:
    void valueApplied(const QString &told);

private:
    void setUpEntries();
    void keyChosen(); ///< by somebody
    void fillKeys();
    void takeUnit(std::optional<double> goal);
    void takeOwn();
    [[nodiscard]] std::optional<QString> ownFigure() const; ///< of the target, whose figure has changed
    void fillAround(); ///< the plan's name, and whether it may be changed
    void ask(); ///< what is entered, or says what is missing
    void soon();
    void stop();
    void answered(const jobs::SeekResult &result);
    void showAnswer();
    void showRefusal(const QString &sentence);
    void apply();
    [[nodiscard]] const SeekPoint &applied()
        const; ///< of the answer: the one that keeps every limit, where there is one
    [[nodiscard]] std::string currentKey() const;
    [[nodiscard]] Expected<SeekQuestion> question() const;

    std::unique_ptr<Ui::GoalSeekDialog> m_ui;
    Workspace &m_workspace;
    jobs::SeekJob m_job;
    qint64 m_plan = 0;
    std::string m_unit; ///< of a target that states none; empty: the base unit
    std::optional<SeekQuestion> m_asked;
    std::shared_ptr<const SeekAnswer> m_answer; ///< to m_asked
    QTimer m_pause, m_patience;
};

} // namespace fleetwright::app
