// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QAbstractButton;
class QLineEdit;
class QProgressBar;

namespace fleetwright::app {

/// Work that a page does on another thread, as it shows it itself.
struct PageWork {
    QProgressBar *bar;
    QAbstractButton *cancel;
    QWidget *shown; ///< the bar, or what it stands on: hidden unless the work goes on
};

/// One entry of the navigation. Pages are made when they are first shown; they read from the Workspace and wire widgets
/// to it.
class Page : public QWidget {
    Q_OBJECT
public:
    explicit Page(QWidget *parent = nullptr);

    /// Ctrl+F: into the filter that is in sight, or says that there is none.
    void find();

    /// What goes on here while another page is in sight; the window shows it then.
    [[nodiscard]] virtual std::vector<PageWork> work() const { return {}; }

    /// Takes back entries that are shown but were refused, so that they are in no step; false: there are none.
    virtual bool takeBackRefused() { return false; }

signals:
    /// A short line for the status bar ("solved in 0.4 ms").
    void statusMessage(const QString &text);
    /// What has this name was deleted just now, which undo brings back. No page asks before it deletes.
    void removed(const QString &name);
    /// Asks the window to show the plan / fleet / catalog item elsewhere.
    void planRequested(qint64 id);
    void fleetRequested(qint64 id);
    /// Asks for the plan with how its figures came about; with the key of one, for that figure.
    void explanationRequested(qint64 plan, const QString &figure = {});
    /// Asks for the Compare page with this plan chosen.
    void compareRequested(qint64 plan);
    /// Asks for the dialog that calibrates constants to the user's measured runs.
    void calibrationRequested();

private:
    [[nodiscard]] QLineEdit *filter() const; ///< with the property "filters" or "finds"; null: none in sight
};

} // namespace fleetwright::app
