// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/sweep/sweep.h"
#include "storage/project.h"

#include <QObject>

#include <map>

class QAbstractItemModel;
class QSortFilterProxyModel;

namespace Ui {
class SweepsPage;
}
namespace fleetwright::itemmodels {
class SweepCellModel;
}

class QMenu;
class QStyledItemDelegate;

namespace fleetwright::app {

class Workspace;

/// The answer of one sweep as its page shows it: chart, table, sentences, and the selected cell in full.
class SweepAnswer : public QObject {
    Q_OBJECT
public:
    SweepAnswer(Ui::SweepsPage &ui, QWidget *page);

    void clear(const QString &note);
    /// Shown for what it answers; only how it is shown follows the entries, and it is stale when they ask something
    /// else.
    /// `another`: the answer to what stands there now follows by itself, so that this one is not called stale.
    void show(
        const SweepDocument &entries, const storage::SavedSweepResult &saved, const Workspace &workspace, bool another);
    void drawChart(); ///< light and dark charts differ
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] bool hasSelection() const { return selected() >= 0; }
    /// The selected cell as a plan; see planOfCell().
    [[nodiscard]] Expected<PlanDocument> selectedPlan() const;
    [[nodiscard]] const QAbstractItemModel &table() const; ///< as it is sorted

signals:
    void selectionChanged();

private:
    void setUpTable();
    void showVerdict(bool stale, const QString &solvedAt, bool measured);
    void showCell();
    void choose(int cell);
    void fitColumns();
    void fillColumnMenu();
    [[nodiscard]] QString columnKey(int column) const; ///< of a figure its key, else the title
    [[nodiscard]] bool isShown(int column) const; ///< by the user's choice, or at first up to the verdict
    [[nodiscard]] int selected() const; ///< -1: none

    Ui::SweepsPage &m_ui;
    QWidget *m_page;
    itemmodels::SweepCellModel *m_cells;
    QSortFilterProxyModel *m_proxy;
    QMenu *m_columns;
    QStyledItemDelegate *m_verdicts; ///< cuts why a cell is not feasible at the end
    std::map<QString, bool> m_chosen; ///< columns that the user has shown or hidden, by columnKey()
    std::shared_ptr<const Catalog> m_catalog;
};

} // namespace fleetwright::app
