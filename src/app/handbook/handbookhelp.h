// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/handbook/handbookwindow.h"

#include <QObject>

#include <functional>
#include <memory>

class QMainWindow;

namespace fleetwright::app {

struct SearchEntry;

/// F1 in every window of the program, and the window that it opens: one, whoever asks.
class HandbookHelp : public QObject {
    Q_OBJECT
public:
    /// `topic`: what the main window shows, for the widget with the focus.
    HandbookHelp(Settings &settings, std::function<QString(const QWidget *focus)> topic, QMainWindow *window);

    /// The page about what is on the screen.
    void showHere();
    void open(const HandbookPlace &place);
    /// Pages and their headings, for Ctrl+K.
    void addEntries(std::vector<SearchEntry> &entries);
    [[nodiscard]] HandbookWindow *window() const { return m_handbook.get(); } ///< null until it is first asked for

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Settings &m_settings;
    std::function<QString(const QWidget *)> m_topic;
    QMainWindow *m_window;
    std::unique_ptr<HandbookWindow> m_handbook;
};

} // namespace fleetwright::app
