// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTreeWidget;
class QTreeWidgetItem;

namespace fleetwright::app {

class Workspace;

/// The plans of the project below an entry of the navigation, in their order, each with what its last answer says as a
/// tooltip. An item's data are "plan/" and the plan's id.
class PlanBranch : public QObject {
    Q_OBJECT
public:
    /// `tree` and `entry` must outlive this.
    PlanBranch(const Workspace &workspace, QTreeWidget *tree, QTreeWidgetItem *entry, QObject *parent);

    [[nodiscard]] static QString dataOf(qint64 plan);
    [[nodiscard]] static qint64 planOf(const QString &data); ///< 0: these are not of a plan
    /// Makes the plan the current item, without asking for its page; nothing where it is not there.
    void select(qint64 plan);

private:
    void reload();
    void insert(int index);
    void refresh(int index);
    void remove(int index);
    [[nodiscard]] bool isFolded() const; ///< by the user
    [[nodiscard]] int indexOf(qint64 plan) const; ///< -1: none

    const Workspace &m_workspace;
    QTreeWidget *m_tree;
    QTreeWidgetItem *m_entry;
};

} // namespace fleetwright::app
