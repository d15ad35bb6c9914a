// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/checkmenu.h"

#include <QAction>
#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

#include <optional>
#include <utility>

namespace fleetwright::app {

namespace {

class Ticking : public QObject {
public:
    explicit Ticking(QMenu &menu) : QObject(&menu), m_menu(menu) { menu.installEventFilter(this); }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        QAction *action = nullptr;
        if (event->type() == QEvent::Show)
            m_openedAt = QCursor::pos();
        else if (event->type() == QEvent::MouseButtonPress)
            m_openedAt.reset();
        if (event->type() == QEvent::MouseButtonRelease && endsOpening(*static_cast<QMouseEvent *>(event)))
            return true;
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
    /// Of the click that opened the menu, which has come to lie under the pointer where it is as high as the screen.
    bool endsOpening(const QMouseEvent &release)
    {
        const auto opened = std::exchange(m_openedAt, std::nullopt);
        return opened
            && (release.globalPosition().toPoint() - *opened).manhattanLength() < QApplication::startDragDistance();
    }

    QMenu &m_menu;
    std::optional<QPoint> m_openedAt; ///< until a button is pressed or let go in it
};

} // namespace

void keepOpenWhileTicked(QMenu &menu) { new Ticking(menu); }

} // namespace fleetwright::app
