// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/comparisondelegate.h"

#include "app/plannamedelegate.h"
#include "app/theme.h"
#include "itemmodels/comparisonmodel.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::ComparisonModel;

namespace {
constexpr int margin = 6;
constexpr int gap = 8;
constexpr int mostLines = 5; // of one name in a heading
constexpr int mostInputLetters = 36;
} // namespace

int ComparisonDelegate::differenceWidth(const QFontMetrics &metrics) const
{
    return m_differences ? metrics.horizontalAdvance(u"+99.9\u00a0%"_s) + gap : 0;
}

int ComparisonDelegate::columnWidth(const QFontMetrics &metrics) const
{
    return metrics.horizontalAdvance(u"\u2605 888\u202f888.8"_s) + differenceWidth(metrics) + 2 * margin;
}

int ComparisonDelegate::inputWidth(const QAbstractItemModel &model, int column, const QFontMetrics &metrics)
{
    int width = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        if (const auto index = model.index(row, column); index.data(ComparisonModel::InputRole).toBool())
            width = std::max(width, metrics.horizontalAdvance(index.data().toString()) + 2 * margin + 1);
    return std::min(width, mostInputLetters * metrics.averageCharWidth());
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
    painter->setLayoutDirection(Qt::LeftToRight); // numbers and signs run so in any layout
    painter->setFont(item.font);
    painter->setPen(
        index.data(ComparisonModel::ReasonRole).toString().isEmpty() || selected ? text : quietColour(item.palette));
    // An input has no difference in percent, so its words have the whole cell.
    const bool input = index.data(ComparisonModel::InputRole).toBool();
    const QString difference = m_differences ? index.data(ComparisonModel::DifferenceRole).toString() : QString();
    QRect room = input ? area : area.adjusted(0, 0, -differenceWidth(option.fontMetrics), 0);
    const QFontMetrics metrics(item.font);
    if (difference.isEmpty() && metrics.horizontalAdvance(value) > room.width()) // a word, which has none beside it
        room = area;
    if (input) {
        QStringList others;
        for (int column = 1; column < index.model()->columnCount(); ++column)
            others << index.siblingAtColumn(column).data().toString();
        others.removeDuplicates();
        value = distinctName(value, others, metrics, room.width());
    }
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(value, Qt::ElideRight, room.width()));
    if (!difference.isEmpty()) {
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
        for (int more = 1; more < mostLines && !fits(line); ++more) {
            qsizetype end = line.lastIndexOf(u' ');
            while (end > 0 && !fits(line.left(end)))
                end = line.lastIndexOf(u' ', end - 1);
            const bool isWord = end <= 0; // without a blank: it goes on in the next line
            for (end = isWord ? line.size() : end; isWord && end > 1 && !fits(line.left(end));)
                --end;
            lines << line.left(end);
            line = line.mid(isWord ? end : end + 1);
        }
        lines << fontMetrics().elidedText(line, Qt::ElideMiddle, room);
    }
    return lines;
}

void LinesHeader::initStyleOptionForIndex(QStyleOptionHeader *option, int logicalIndex) const
{
    QHeaderView::initStyleOptionForIndex(option, logicalIndex);
    if (const auto folded = model()->headerData(logicalIndex, orientation(), ComparisonModel::FoldedRole);
        folded.isValid())
        option->text.prepend(folded.toBool() ? u"\u25b8 "_s : u"\u25be "_s);
    if (orientation() == Qt::Vertical) { // the unit stays when the name is cut
        if (option->fontMetrics.horizontalAdvance(option->text) > width() - gap)
            if (const auto brief =
                    model()->headerData(logicalIndex, orientation(), ComparisonModel::ShortTitleRole).toString();
                !brief.isEmpty())
                option->text = brief;
        const auto at = option->text.endsWith(u']') ? option->text.lastIndexOf(u" ["_s) : -1;
        const auto unit = at > 0 ? option->text.sliced(at) : QString();
        const int room = width() - gap - option->fontMetrics.horizontalAdvance(unit);
        option->text = option->fontMetrics.elidedText(option->text.chopped(unit.size()), Qt::ElideRight, room) + unit;
    } else {
        option->text = linesOf(logicalIndex).join(u'\n');
    }
}

QSize LinesHeader::sectionSizeFromContents(int logicalIndex) const
{
    if (orientation() == Qt::Vertical)
        return QHeaderView::sectionSizeFromContents(logicalIndex);
    return {sectionSize(logicalIndex), int(linesOf(logicalIndex).size()) * fontMetrics().lineSpacing() + gap};
}

} // namespace fleetwright::app
