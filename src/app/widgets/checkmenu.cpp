// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/checkmenu.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

#include <utility>

namespace fleetwright::app {

namespace {

class Ticking : public QObject {
public:
    explicit Ticking(QMenu &menu) : QObject(&menu), m_menu(menu) { menu.installEventFilter(this); }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        QAction *action = nullptr;
        // A menu may open under the pointer: the click that opened it, let go, is none on what lies there.
        if (event->type() == QEvent::Show)
            m_isPressed = false;
        else if (event->type() == QEvent::MouseButtonPress)
            m_isPressed = true;
        if (event->type() == QEvent::MouseButtonRelease && std::exchange(m_isPressed, false))
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
    bool m_isPressed = false;
};

} // namespace

void keepOpenWhileTicked(QMenu &menu) { new Ticking(menu); }

} // namespace fleetwright::app
