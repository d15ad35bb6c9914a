// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QTabBar;
class QWidget;

namespace fleetwright::app {

class Workspace;

/// The tabs of one bar of a page, known without the page being made. A test compares them with those of the pages.
struct PageTabs {
    QString page; ///< its id in the navigation
    QString bar; ///< name of the QTabBar or the QTabWidget
    QStringList titles; ///< without keys, and without the count that some end in
    bool (*hasSomething)(const Workspace &) = nullptr; ///< the page has no tabs otherwise; null: it always has
    QString outer{}; ///< the bar in whose tab this one stands; empty: on the page itself
    int outerTab = 0;
};

[[nodiscard]] const std::vector<PageTabs> &pageTabs();
/// "Costs › Figures"
[[nodiscard]] QString titleOf(const PageTabs &tabs, int tab);
/// Of a page that is made; null where it has none of that name.
[[nodiscard]] QTabBar *findTabBar(const QWidget &page, const QString &name);
/// Shows the tab, and those in which it stands.
void showTab(const QWidget &page, const PageTabs &tabs, int tab);

} // namespace fleetwright::app
