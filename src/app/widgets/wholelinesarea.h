// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace fleetwright::app {

/// Scrolls what is longer than itself, and ends between two lines of its labels, never in the midst of one, as long as
/// nothing is scrolled: half a line looks like an error. What is left of the height below stays empty.
class WholeLinesArea : public QScrollArea {
    Q_OBJECT
public:
    explicit WholeLinesArea(QWidget *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();
};

} // namespace fleetwright::app
