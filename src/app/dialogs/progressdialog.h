// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QProgressBar;
class QPushButton;

namespace fleetwright::app {

/// How far something is that the window waits for, with a way to end it where there is one. QProgressDialog would run
/// an event loop of its own at each step. It stays until whoever made it deletes it.
class ProgressDialog : public QDialog {
    Q_OBJECT
public:
    ProgressDialog(const QString &title, const QString &what, QWidget *parent);
    void setPercent(int percent);
    /// For what has to come to its end.
    void offerNoCancel();
    /// Also Escape and closing the dialog.
    void reject() override;

signals:
    void cancelled(); ///< once

private:
    QProgressBar *m_bar;
    QPushButton *m_cancelButton;
};

} // namespace fleetwright::app
