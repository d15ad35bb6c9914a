// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace fleetwright::app {

/// Whether what was copied is an object of JSON, which nobody means to have in a field of one line.
[[nodiscard]] bool isCopiedObject();

/// Lets the window's keys work while a text field has the focus. A field claims Undo and Redo even when it has nothing
/// of its own to take back; with this filter on the application it keeps them only while it holds typed text that is
/// not accepted yet. Ctrl+K, which fields take for deleting to the end of the line, is always the window's, and so is
/// Paste where a field of one line would get a whole document.
class WindowShortcuts : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace fleetwright::app
