// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plannamedelegate.h"

#include "app/planbranch.h"
#include "app/workspace/workspace.h"
#include "text/utf8.h"

#include <QApplication>

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

void drawDistinct(QPainter &painter, QStyleOptionViewItem item, const QStringList &all)
{
    const auto *style = item.widget ? item.widget->style() : QApplication::style();
    const int margin = 2 * (style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, item.widget) + 1);
    item.text = distinctName(item.text, all, item.fontMetrics, item.rect.width() - margin);
    style->drawControl(QStyle::CE_ItemViewItem, &item, &painter, item.widget);
}

PlanNameDelegate::PlanNameDelegate(const Workspace &workspace, QObject *parent)
    : QStyledItemDelegate(parent), m_workspace(workspace)
{
}

void PlanNameDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (PlanBranch::planOf(index.data(Qt::UserRole).toString()) == 0)
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    QStringList names;
    for (const auto &plan : m_workspace.plans())
        names << utf8(plan.document.name);
    drawDistinct(*painter, std::move(item), names);
}

} // namespace fleetwright::app
