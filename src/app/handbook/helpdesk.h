// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QWidget;

namespace fleetwright::app {

class HandbookWindow;
class Settings;

/// Opens the handbook where it is about what is on the screen: F1 in dialogs, and what the window's menu asks. There is
/// one handbook, which is closed with the program's window.
class HelpDesk : public QObject {
    Q_OBJECT
public:
    /// `topic`: the place for what the owner shows.
    HelpDesk(Settings &settings, QWidget *owner, std::function<QString()> topic);
    ~HelpDesk() override;

    void help(); ///< about what the owner shows
    void show(const QString &target);

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] QString topicOf(const QWidget *window) const; ///< empty: not ours

    Settings &m_settings;
    QWidget *m_owner;
    std::function<QString()> m_topic;
    QPointer<HandbookWindow> m_window;
};

} // namespace fleetwright::app
