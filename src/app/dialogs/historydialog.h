// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

class QListWidget;

namespace fleetwright::app {

class Prompts;
class Workspace;

/// Whether steps down to so many may be undone: asks where the approval of a decision is among them, which nobody takes
/// back by the way.
[[nodiscard]] bool mayUndoTo(int steps, const Workspace &workspace, Prompts &prompts, QWidget *parent);

/// The steps that can be undone and redone, by name; choosing one goes there, after a question where that takes an
/// approval back. Stays open beside the window.
class HistoryDialog : public QDialog {
    Q_OBJECT
public:
    HistoryDialog(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);

    /// Closed half-way it goes the rest of the way at once.
    void done(int result) override;

private:
    void refill();
    /// Undoes or redoes until so many steps are done, or until one cannot be, or somebody edits something meanwhile;
    /// many of them a few at a time.
    void goTo(int steps);
    void goOn();
    /// Until the turn is over or all is done, which it returns.
    bool takeSteps(qint64 milliseconds);
    void arrive();

    Workspace &m_workspace;
    Prompts &m_prompts;
    QListWidget *m_list;
    bool m_going = false;
    int m_target = 0;
    int m_index = 0, m_count = 0; ///< of the steps at the end of the last turn
    QTimer m_later;
};

} // namespace fleetwright::app
