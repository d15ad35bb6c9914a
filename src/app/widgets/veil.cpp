// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/veil.h"

#include <QEvent>
#include <QPainter>

namespace fleetwright::app {

namespace {
constexpr qreal veilOpacity = 0.5; // what is below stays readable, and is plainly not the answer
}

Veil::Veil(QWidget *over) : QWidget(over)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    over->installEventFilter(this);
    hide();
}

bool Veil::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize)
        resize(parentWidget()->size());
    else if (event->type() == QEvent::ChildAdded)
        raise();
    return QWidget::eventFilter(watched, event);
}

void Veil::paintEvent(QPaintEvent *)
{
    auto colour = palette().color(QPalette::Window);
    colour.setAlphaF(float(veilOpacity));
    QPainter(this).fillRect(rect(), colour);
}

} // namespace fleetwright::app
