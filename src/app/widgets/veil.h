// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace fleetwright::app {

/// Lies over a widget and fades it while what it shows is out of date. Mouse and keys go through it. (A graphics effect
/// would do so in less, but leaves ghosts of charts and tables.)
class Veil : public QWidget {
    Q_OBJECT
public:
    explicit Veil(QWidget *over); ///< hidden at first

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

} // namespace fleetwright::app
