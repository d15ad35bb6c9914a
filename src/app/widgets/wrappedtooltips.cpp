// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/wrappedtooltips.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>

namespace fleetwright::app {

namespace {
constexpr qsizetype longestLine = 80; // letters of a line
} // namespace

QString WrappedToolTips::wrapped(const QString &text)
{
    QStringList lines;
    for (QString line : text.split(u'\n')) {
        while (line.size() > longestLine) {
            const auto blank = line.lastIndexOf(u' ', longestLine);
            if (blank <= 0)
                break; // one word
            lines << line.first(blank);
            line = line.sliced(blank + 1);
        }
        lines << line;
    }
    return lines.join(u'\n');
}

bool WrappedToolTips::eventFilter(QObject *watched, QEvent *event)
{
    auto *widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget *>(watched) : nullptr;
    if (!widget)
        return false;
    const auto *help = static_cast<const QHelpEvent *>(event);
    QString text = widget->toolTip();
    if (const auto *view = qobject_cast<QAbstractItemView *>(widget->parentWidget());
        view && view->viewport() == widget)
        text = view->indexAt(help->pos()).data(Qt::ToolTipRole).toString();
    const auto shown = wrapped(text);
    if (shown == text)
        return false; // as Qt does it
    QToolTip::showText(help->globalPos(), shown, widget);
    return true;
}

} // namespace fleetwright::app
