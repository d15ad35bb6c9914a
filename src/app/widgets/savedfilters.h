// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QLineEdit;
class QMenu;

namespace fleetwright::app {

class Settings;

/// The filters that somebody wants to use again, in a menu at the end of a filter's field (or the Down key in it). They
/// are kept under the field's name, of the same field in every project.
class SavedFilters : public QObject {
    Q_OBJECT
public:
    SavedFilters(QLineEdit &edit, Settings &settings, const QString &name);

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void popUp();
    void updateIcon();

    QLineEdit &m_edit;
    Settings &m_settings;
    QString m_name;
    QMenu *m_menu;
    QAction *m_action;
};

/// Gives every field with the property "filters" (a name) its saved filters when it is first shown: an event filter of
/// the application.
class FilterMemory : public QObject {
    Q_OBJECT
public:
    FilterMemory(Settings &settings, QObject *parent);
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Settings &m_settings;
};

} // namespace fleetwright::app
