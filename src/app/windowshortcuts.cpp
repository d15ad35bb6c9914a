// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/windowshortcuts.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace fleetwright::app {

bool isCopiedObject()
{
    const auto text = QGuiApplication::clipboard()->text().trimmed();
    return text.startsWith(u'{') && text.endsWith(u'}');
}

bool WindowShortcuts::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    // A combo box with a field has the focus in its field's stead and hands the event on itself.
    const auto *box = qobject_cast<QComboBox *>(watched);
    const auto *field = box ? box->lineEdit() : qobject_cast<QLineEdit *>(watched);
    const bool typed = field || qobject_cast<QTextEdit *>(watched) || qobject_cast<QPlainTextEdit *>(watched);
    const bool back = field && !field->isModified()
        && (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo));
    const bool document = field && key->matches(QKeySequence::Paste) && isCopiedObject();
    if (!back && !document && !(typed && key->matches(QKeySequence::DeleteEndOfLine)))
        return false;
    event->ignore();
    return true;
}

} // namespace fleetwright::app
