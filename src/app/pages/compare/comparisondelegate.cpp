// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/comparisondelegate.h"

#include "app/theme.h"
#include "itemmodels/comparisonmodel.h"

#include <QApplication>
#include <QPainter>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::ComparisonModel;

namespace {
constexpr int margin = 6;
constexpr int gap = 8;
constexpr int mostLines = 3; // of one name in a heading
} // namespace

int ComparisonDelegate::differenceWidth(const QFontMetrics &metrics) const
{
    return m_differences ? metrics.horizontalAdvance(u"+99.9\u00a0%"_s) + gap : 0;
}

int ComparisonDelegate::columnWidth(const QFontMetrics &metrics) const
{
    return metrics.horizontalAdvance(u"\u2605 888\u202f888.8"_s) + differenceWidth(metrics) + 2 * margin;
}

void ComparisonDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    QString value = item.text;
    item.text.clear();
    const auto *style = item.widget ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    if (index.data(ComparisonModel::BestRole).toBool())
        value.prepend(u"\u2605 "_s);
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    const QColor text = item.palette.color(QPalette::Active, selected ? QPalette::HighlightedText : QPalette::Text);
    const QRect area = item.rect.adjusted(margin, 0, -margin, 0);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(
        index.data(ComparisonModel::ReasonRole).toString().isEmpty() || selected ? text : quietColour(item.palette));
    // An input has no difference in percent, so its words have the whole cell.
    const bool input = index.data(ComparisonModel::InputRole).toBool();
    const QRect room = input ? area : area.adjusted(0, 0, -differenceWidth(option.fontMetrics), 0);
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
        input ? QFontMetrics(item.font).elidedText(value, Qt::ElideMiddle, room.width()) : value);
    if (const QString difference = m_differences ? index.data(ComparisonModel::DifferenceRole).toString() : QString();
        !difference.isEmpty()) {
        painter->setFont(option.font);
        painter->setPen(selected ? text : quietColour(item.palette));
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, difference);
    }
    painter->restore();
}

QStringList LinesHeader::linesOf(int logicalIndex) const
{
    const int room = sectionSize(logicalIndex) - gap;
    const auto fits = [&](const QString &line) { return fontMetrics().horizontalAdvance(line) <= room; };
    QStringList lines;
    for (QString line : model()->headerData(logicalIndex, orientation()).toString().split(u'\n')) {
        for (int more = 0; more < mostLines && !fits(line); ++more) {
            qsizetype end = line.lastIndexOf(u' ');
            while (end > 0 && !fits(line.left(end)))
                end = line.lastIndexOf(u' ', end - 1);
            if (end <= 0)
                break;
            lines << line.left(end);
            line = line.mid(end + 1);
        }
        lines << fontMetrics().elidedText(line, Qt::ElideMiddle, room);
    }
    return lines;
}

void LinesHeader::initStyleOptionForIndex(QStyleOptionHeader *option, int logicalIndex) const
{
    QHeaderView::initStyleOptionForIndex(option, logicalIndex);
    option->text = orientation() == Qt::Vertical
        ? option->fontMetrics.elidedText(option->text, Qt::ElideRight, width() - gap)
        : linesOf(logicalIndex).join(u'\n');
}

QSize LinesHeader::sectionSizeFromContents(int logicalIndex) const
{
    if (orientation() == Qt::Vertical)
        return QHeaderView::sectionSizeFromContents(logicalIndex);
    return {sectionSize(logicalIndex), int(linesOf(logicalIndex).size()) * fontMetrics().lineSpacing() + gap};
}

} // namespace fleetwright::app
