// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace fleetwright::app {

/// One entry of the navigation. Pages are made when they are first shown; they read from the Workspace and wire widgets
/// to it.
class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

signals:
    /// A short line for the status bar ("solved in 0.4 ms").
    void statusMessage(const QString &text);
    /// Asks the window to show the plan / fleet / catalog item elsewhere.
    void planRequested(qint64 id);
    void fleetRequested(qint64 id);
    /// Asks for the Compare page with this plan chosen.
    void compareRequested(qint64 plan);
    /// Asks for the dialog that calibrates constants to the user's measured runs.
    void calibrationRequested();
};

} // namespace fleetwright::app
