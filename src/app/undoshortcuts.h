// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace fleetwright::app {

/// Lets the window's Undo and Redo work while a text field has the focus. A field claims these keys even when it has
/// nothing of its own to take back; with this filter on the application it keeps them only while it holds typed text
/// that is not accepted yet.
class UndoShortcuts : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace fleetwright::app
