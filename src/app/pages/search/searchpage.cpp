// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/search/searchpage.h"

#include "app/pages/search/layoutsearchview.h"
#include "app/pages/search/plannersearchview.h"
#include "app/theme.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

SearchPage::SearchPage(Workspace &workspace, Prompts &prompts, std::function<qint64()> currentPlan, QWidget *parent)
    : Page(parent), m_tabs(new QTabBar(this)), m_views(new QStackedWidget(this)),
      m_layouts(new LayoutSearchView(workspace, prompts, currentPlan, this)),
      m_planners(new PlannerSearchView(workspace, prompts, std::move(currentPlan), this))
{
    auto *title = new QLabel(tr("Search"), this);
    title->setObjectName(u"pageTitle"_s);
    makeTitle(title);
    m_tabs->setObjectName(u"searchTabs"_s);
    m_tabs->setAccessibleName(tr("Kind of search"));
    m_tabs->setDrawBase(false);
    m_tabs->addTab(tr("Ever&y layout"));
    m_tabs->setTabToolTip(0, tr("Every legal split and setting of a plan, priced by any cost model"));
    m_tabs->addTab(tr("Published planners"));
    m_tabs->setTabToolTip(1, tr("The searches of published planners, as they were published"));
    m_layouts->setObjectName(u"layoutView"_s);
    m_planners->setObjectName(u"plannerView"_s);
    m_views->addWidget(m_layouts);
    m_views->addWidget(m_planners);

    auto *heading = new QHBoxLayout;
    heading->setSpacing(2 * gridUnit);
    heading->addWidget(title);
    heading->addWidget(m_tabs);
    heading->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * gridUnit, 2 * gridUnit, 2 * gridUnit, 2 * gridUnit);
    layout->setSpacing(gridUnit);
    layout->addLayout(heading);
    layout->addWidget(m_views);

    connect(m_tabs, &QTabBar::currentChanged, m_views, &QStackedWidget::setCurrentIndex);
    for (const auto *view : std::initializer_list<const SearchView *>{m_layouts, m_planners}) {
        connect(view, &SearchView::statusMessage, this, &Page::statusMessage);
        connect(view, &SearchView::planRequested, this, &Page::planRequested);
    }
}

void SearchPage::searchPlan(qint64 id)
{
    m_tabs->setCurrentIndex(m_views->indexOf(m_layouts));
    m_layouts->choosePlan(id);
}

std::vector<PageWork> SearchPage::work() const
{
    return {static_cast<const SearchView *>(m_layouts)->work(), static_cast<const SearchView *>(m_planners)->work()};
}

void SearchPage::copy() { static_cast<SearchView *>(m_views->currentWidget())->copy(); }

} // namespace fleetwright::app
