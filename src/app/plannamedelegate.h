// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QStringList>
#include <QStyledItemDelegate>

namespace fleetwright::app {

class Workspace;

/// `name` within `width` pixels so that nobody takes it for another of `all`: its beginning, and as many of its last
/// words as tell it from the others. Its beginning alone where nothing does.
[[nodiscard]] QString distinctName(const QString &name, const QStringList &all, const QFontMetrics &metrics, int width);

/// Draws the item with its text as distinctName() has it in its own width.
void drawDistinct(QPainter &painter, QStyleOptionViewItem item, const QStringList &all);

/// Draws the navigation; plans whose names are too long for it stay distinct.
class PlanNameDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    PlanNameDelegate(const Workspace &workspace, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const Workspace &m_workspace;
};

} // namespace fleetwright::app
