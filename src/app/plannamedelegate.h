// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QStringList>
#include <QStyledItemDelegate>

class QTreeView;

namespace fleetwright::app {

class Workspace;

/// `name` within `width` pixels so that nobody takes it for another of `all`: its beginning, and as many of its last
/// words as tell it from the others. Its beginning alone where nothing does.
[[nodiscard]] QString distinctName(const QString &name, const QStringList &all, const QFontMetrics &metrics, int width);

/// The same in at most two lines of that width, broken between words; one line where that is enough.
[[nodiscard]] QStringList distinctLines(
    const QString &name, const QStringList &all, const QFontMetrics &metrics, int width);

/// Draws the item with its text as distinctName() has it in its own width.
void drawDistinct(QPainter &painter, QStyleOptionViewItem item, const QStringList &all);

/// Draws the navigation; plans whose names are too long for a line have two, and stay distinct.
class PlanNameDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// `tree` is its parent.
    PlanNameDelegate(const Workspace &workspace, QTreeView *tree);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] QStringList linesOf(const QStyleOptionViewItem &item, const QModelIndex &index) const;

    const Workspace &m_workspace;
    QTreeView *m_tree;
};

} // namespace fleetwright::app
