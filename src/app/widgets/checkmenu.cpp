// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/checkmenu.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

namespace fleetwright::app {

namespace {

class Ticking : public QObject {
public:
    explicit Ticking(QMenu &menu) : QObject(&menu), m_menu(menu) { menu.installEventFilter(this); }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        QAction *action = nullptr;
        if (event->type() == QEvent::MouseButtonRelease)
            action = m_menu.actionAt(static_cast<QMouseEvent *>(event)->position().toPoint());
        else if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Space)
            action = m_menu.activeAction();
        if (!action || !action->isCheckable() || !action->isEnabled())
            return QObject::eventFilter(watched, event);
        action->trigger();
        return true;
    }

private:
    QMenu &m_menu;
};

} // namespace

void keepOpenWhileTicked(QMenu &menu) { new Ticking(menu); }

} // namespace fleetwright::app
