// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/undoshortcuts.h"

#include <QKeyEvent>
#include <QLineEdit>

namespace fleetwright::app {

bool UndoShortcuts::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto *field = qobject_cast<QLineEdit *>(watched);
    const auto *key = static_cast<QKeyEvent *>(event);
    if (!field || field->isModified() || !(key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)))
        return false;
    event->ignore();
    return true;
}

} // namespace fleetwright::app
