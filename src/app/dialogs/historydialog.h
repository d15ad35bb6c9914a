// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

class QListWidget;

namespace fleetwright::app {

class Workspace;

/// The steps that can be undone and redone, by name; choosing one goes there. Stays open beside the window.
class HistoryDialog : public QDialog {
    Q_OBJECT
public:
    explicit HistoryDialog(Workspace &workspace, QWidget *parent = nullptr);

private:
    void refill();
    /// Undoes or redoes until so many steps are done, or until one cannot be; many of them a few at a time.
    void goTo(int steps);
    void goOn();

    Workspace &m_workspace;
    QListWidget *m_list;
    bool m_going = false;
    int m_target = 0;
    QTimer m_later;
};

} // namespace fleetwright::app
