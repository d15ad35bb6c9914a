// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace fleetwright::app {

/// Which place of the handbook is about what is on the screen.
struct HelpTopic {
    QString where; ///< a page of the navigation, or a window's name
    QString target; ///< "search#what-to-take"
    QString bar{}; ///< a bar of its tabs, and which of them; empty: all of it
    int tab = 0;
};

/// Every page, tab and dialog that has a place of its own. Tabs without one belong to their page.
[[nodiscard]] const std::vector<HelpTopic> &helpTopics();
/// The place for the page or dialog with the tabs that it shows now; empty where nothing is known of it. `shown` may be
/// null: then of the whole.
[[nodiscard]] QString helpFor(const QString &where, const QWidget *shown);

} // namespace fleetwright::app
