// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plannamedelegate.h"

#include "app/planbranch.h"
#include "app/workspace/workspace.h"
#include "text/utf8.h"

#include <QApplication>
#include <QResizeEvent>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

QString distinctName(const QString &name, const QStringList &all, const QFontMetrics &metrics, int width)
{
    if (metrics.horizontalAdvance(name) <= width)
        return name;
    const QChar dots(0x2026);
    const auto cut = [&](const QString &end) {
        qsizetype length = name.size() - end.size();
        while (length > 0 && metrics.horizontalAdvance(name.first(length) + dots + end) > width)
            --length;
        return name.first(length);
    };
    for (qsizetype from = name.size(); from > 1; from = name.lastIndexOf(u' ', from - 2) + 1) {
        const auto end = name.sliced(from), begin = cut(end);
        if (begin.isEmpty())
            break;
        const auto reads = std::ranges::count_if(
            all, [&](const QString &other) { return other.startsWith(begin) && other.endsWith(end); });
        if (reads <= 1)
            return begin + dots + end;
    }
    return cut({}) + dots;
}

QStringList distinctLines(const QString &name, const QStringList &all, const QFontMetrics &metrics, int width)
{
    if (metrics.horizontalAdvance(name) <= width)
        return {name};
    qsizetype broken = -1; // behind the last word that the first line has room for
    for (auto blank = name.indexOf(u' '); blank >= 0; blank = name.indexOf(u' ', blank + 1))
        if (metrics.horizontalAdvance(name.first(blank)) <= width)
            broken = blank;
    if (broken <= 0)
        return {distinctName(name, all, metrics, width)};
    const auto first = name.first(broken + 1);
    QStringList rests;
    for (const auto &other : all)
        if (other.startsWith(first))
            rests << other.sliced(first.size());
    return {first.trimmed(), distinctName(name.sliced(first.size()), rests, metrics, width)};
}

void drawDistinct(QPainter &painter, QStyleOptionViewItem item, const QStringList &all)
{
    const auto *style = item.widget ? item.widget->style() : QApplication::style();
    const int margin = 2 * (style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, item.widget) + 1);
    item.text = distinctName(item.text, all, item.fontMetrics, item.rect.width() - margin);
    style->drawControl(QStyle::CE_ItemViewItem, &item, &painter, item.widget);
}

PlanNameDelegate::PlanNameDelegate(const Workspace &workspace, QTreeView *tree)
    : QStyledItemDelegate(tree), m_workspace(workspace), m_tree(tree)
{
    tree->installEventFilter(this);
}

/// As they are in the width that is left beside a scroll bar: whether there is one follows from how high the lines are.
QStringList PlanNameDelegate::linesOf(const QStyleOptionViewItem &item, const QModelIndex &index) const
{
    const auto *style = m_tree->style();
    int levels = m_tree->rootIsDecorated() ? 1 : 0;
    for (auto above = index.parent(); above.isValid(); above = above.parent())
        ++levels;
    const int width = m_tree->width() - 2 * m_tree->frameWidth() - levels * m_tree->indentation()
        - style->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_tree)
        - 2 * (style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, m_tree) + 1);
    const auto name = index.data().toString();
    QStringList names;
    if (item.fontMetrics.horizontalAdvance(name) > width)
        for (const auto &plan : m_workspace.plans())
            names << utf8(plan.document.name);
    return distinctLines(name, names, item.fontMetrics, width);
}

void PlanNameDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (PlanBranch::planOf(index.data(Qt::UserRole).toString()) == 0)
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text = linesOf(item, index).join(QChar::LineSeparator);
    item.textElideMode = Qt::ElideNone;
    m_tree->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, m_tree);
}

QSize PlanNameDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    auto size = QStyledItemDelegate::sizeHint(option, index);
    if (PlanBranch::planOf(index.data(Qt::UserRole).toString()) != 0)
        size.rheight() += int(linesOf(option, index).size() - 1) * option.fontMetrics.lineSpacing();
    return size;
}

bool PlanNameDelegate::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_tree && event->type() == QEvent::Resize
        && static_cast<const QResizeEvent *>(event)->size().width()
            != static_cast<const QResizeEvent *>(event)->oldSize().width())
        emit sizeHintChanged({}); // other names need two lines
    // Else the tree would be taken for an editor, whose Tab and Esc the delegate keeps.
    return watched != m_tree && QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace fleetwright::app
