// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace fleetwright::app {

/// Breaks the long lines of the tooltips of all widgets and of the items of all views: they are plain text, of which Qt
/// makes one line across the screen. Filters the events of what it is installed on, the application.
class WrappedToolTips : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// The text in lines that are read at a glance; breaks of its own stay.
    [[nodiscard]] static QString wrapped(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace fleetwright::app
