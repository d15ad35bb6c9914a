// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>

#include <vector>

class QStackedWidget;
class QWidget;

namespace fleetwright::app {

/// The panes of the window, which F6 goes through and Shift+F6 goes back through: the navigation, the parts of the page
/// in sight (what a splitter divides, what stands in tabs, and the rest), and the notices while there are any.
class Panes {
public:
    Panes(QWidget *navigation, QStackedWidget *pages, QWidget *notices);

    void next();
    void previous();
    /// Puts the focus into the page in sight: into its first table, or else its first field.
    void enterPage();
    /// Whether the focus is in the page in sight.
    [[nodiscard]] bool isInPage() const;

private:
    /// What takes the keyboard in one pane, in the order of Tab.
    using Pane = std::vector<QWidget *>;
    [[nodiscard]] std::vector<Pane> panes() const;
    void step(int by);

    QPointer<QWidget> m_navigation;
    QPointer<QStackedWidget> m_pages;
    QPointer<QWidget> m_notices;
};

} // namespace fleetwright::app
