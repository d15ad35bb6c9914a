// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QPlainTextEdit;

namespace fleetwright::app {

class NoticeBar;

/// "Messages": everything that the window has said since it was opened, the last first, as text to read and copy.
class MessagesDialog : public QDialog {
    Q_OBJECT
public:
    explicit MessagesDialog(const NoticeBar &notices, QWidget *parent = nullptr);

private:
    void refill();

    const NoticeBar &m_notices;
    QPlainTextEdit *m_text;
};

} // namespace fleetwright::app
