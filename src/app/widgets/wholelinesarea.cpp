// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/wholelinesarea.h"

#include <QEvent>
#include <QLabel>

#include <algorithm>

namespace fleetwright::app {

namespace {

/// So high that no line of a label lies on both sides of the end.
int wholeLines(const QWidget &content, int height)
{
    const auto labels = content.findChildren<QLabel *>();
    int end = height;
    for (int before = 0; before != end;) { // the line above may be cut in the label beside it
        before = end;
        for (const auto *label : labels) {
            if (!label->isVisible() || label->text().isEmpty())
                continue;
            const auto room = label->contentsRect().translated(label->mapTo(&content, QPoint()));
            const int line = label->fontMetrics().lineSpacing();
            if (room.top() < end && end < room.bottom())
                end = std::min(end, room.top() + (end - room.top()) / line * line);
        }
    }
    return 2 * end > height ? end : height; // a label higher than that is no text to be cut at a line
}

} // namespace

WholeLinesArea::WholeLinesArea(QWidget *parent) : QScrollArea(parent) { }

bool WholeLinesArea::eventFilter(QObject *watched, QEvent *event)
{
    const bool isDone = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        QMetaObject::invokeMethod(this, &WholeLinesArea::fit, Qt::QueuedConnection); // once all are in their places
    return isDone;
}

void WholeLinesArea::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    QMetaObject::invokeMethod(this, &WholeLinesArea::fit, Qt::QueuedConnection);
}

void WholeLinesArea::fit()
{
    const int height = contentsRect().height();
    const bool isLonger = widget() && widget()->height() > height
        && verticalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
    const int left = isLonger ? height - wholeLines(*widget(), height) : 0;
    if (left != viewportMargins().bottom())
        setViewportMargins(0, 0, 0, left);
}

} // namespace fleetwright::app
