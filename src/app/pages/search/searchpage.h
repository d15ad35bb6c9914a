// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"

#include <functional>

class QStackedWidget;
class QTabBar;

namespace fleetwright::app {

class LayoutSearchView;
class PlannerSearchView;
class Prompts;
class Workspace;

/// Which layout: our own search over every one, and beside it the published planners' searches.
class SearchPage : public Page {
    Q_OBJECT
public:
    /// `currentPlan`: the plan that the Plans page shows, offered first; 0: none.
    SearchPage(Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent = nullptr);

    /// Shows the search over every layout, for this plan if there is one with the id.
    void searchPlan(qint64 id);
    [[nodiscard]] std::vector<PageWork> work() const override;

public slots:
    void copy(); ///< the shown table

private:
    QTabBar *m_tabs;
    QStackedWidget *m_views;
    LayoutSearchView *m_layouts;
    PlannerSearchView *m_planners;
};

} // namespace fleetwright::app
