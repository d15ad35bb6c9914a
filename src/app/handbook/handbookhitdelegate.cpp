// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbookhitdelegate.h"

#include "app/theme.h"

#include <QApplication>
#include <QListView>
#include <QPainter>

#include <algorithm>

namespace fleetwright::app {

namespace {

constexpr int inset = gridUnit / 2;

/// Title and context of a result (the option of a style has another sign in place of the line break) in a cell of this
/// width, from its upper left corner.
struct HitPlaces {
    QFont bold;
    QString title, context;
    QRect titlePlace, contextPlace;
};

HitPlaces placesIn(int width, const QFont &font, const QString &text)
{
    HitPlaces places{font, text.section(u'\n', 0, 0), text.section(u'\n', 1), {}, {}};
    places.bold.setBold(true);
    const QRect room(inset, inset, std::max(1, width - 2 * inset), 10'000);
    places.titlePlace = QFontMetrics(places.bold).boundingRect(room, Qt::TextWordWrap, places.title);
    if (!places.context.isEmpty())
        places.contextPlace = QFontMetrics(font).boundingRect(
            room.translated(0, places.titlePlace.height()), Qt::TextWordWrap, places.context);
    return places;
}

} // namespace

void HandbookHitDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    auto empty = option;
    initStyleOption(&empty, index);
    const auto places = placesIn(option.rect.width(), empty.font, index.data().toString());
    empty.text.clear();
    const auto *style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &empty, painter, option.widget);
    const bool selected = option.state & QStyle::State_Selected;
    const auto ink = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    painter->save();
    painter->setPen(ink);
    painter->setFont(places.bold);
    painter->drawText(places.titlePlace.translated(option.rect.topLeft()), Qt::TextWordWrap, places.title);
    painter->setFont(empty.font);
    painter->drawText(places.contextPlace.translated(option.rect.topLeft()), Qt::TextWordWrap, places.context);
    painter->restore();
}

QSize HandbookHitDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    auto whole = option;
    initStyleOption(&whole, index);
    const auto *view = qobject_cast<const QListView *>(option.widget);
    const int width = view ? view->viewport()->width() : option.rect.width();
    const auto places = placesIn(width, whole.font, index.data().toString());
    return {width, places.titlePlace.united(places.contextPlace).bottom() + 2 * inset};
}

} // namespace fleetwright::app
