// SPDX-License-Identifier: GPL-3.0-or-later
// What the window makes of another project, of what other programs make of the open one, and of the room that pages
// take.
#include "app/mainwindow.h"
#include "app/navigation.h"
#include "app/noticebar.h"
#include "app/pages/page.h"
#include "app/pagetabs.h"
#include "text/localized.h"
#include "ui_mainwindow.h"

#include <QLabel>
#include <QScopedValueRollback>
#include <QTabBar>
#include <QTime>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int followingMilliseconds = 1000;
const auto followedNotice = u"followed"_s, readOnlyNotice = u"read-only"_s;

} // namespace

void MainWindow::projectChanged()
{
    const bool open = m_workspace.isOpen();
    setWindowTitle(open ? tr("Fleetwright - %1").arg(m_workspace.projectName()) : tr("Fleetwright"));
    setWindowFilePath(m_workspace.path());
    m_navigation->setTitle(u"overview"_s, open ? tr("Plans") : tr("Welcome"));
    m_navigation->move(u"overview"_s, open ? 1 : 0); // where one begins, and below what decides
    m_navigation->setUsable([open](const Navigation::Entry &entry) { return open || entry.id == u"overview"; });
    for (auto *action : {m_ui->actionSaveCopy, m_ui->actionVersions, m_ui->actionCloseProject})
        action->setEnabled(open);
    for (auto *action : {m_ui->actionImport, m_ui->actionUpdateCatalogs})
        action->setEnabled(open && !m_workspace.isReadOnly());
    for (auto *menu : {m_ui->planMenu, m_ui->reportMenu})
        for (auto *action : menu->actions())
            action->setEnabled(open);
    m_readOnlyLabel->setVisible(m_workspace.isReadOnly());
    m_readOnlyLabel->setToolTip(m_workspace.readOnlyReason());
    statusBar()->clearMessage();
    m_notices->dismiss(removedNotice); // of the project before; what failed there stays to be read
    if (m_workspace.isReadOnly()) {
        if (!m_isFollowing)
            m_notices->tell({.kind = Notice::Kind::Warning,
                .title = tr("Read-only"),
                .text = m_workspace.readOnlyReason(),
                .key = readOnlyNotice});
        m_following.start();
    } else {
        m_notices->dismiss(readOnlyNotice);
        m_notices->dismiss(followedNotice);
        m_following.stop();
    }
    m_savedLabel->clear();
    if (!m_isFollowing) // which shows what was looked at
        for (const auto &tabs : pageTabs())
            if (const auto *page = m_navigation->pageIfMade(tabs.page))
                if (auto *bar = findTabBar(*page, tabs.bar))
                    bar->setCurrentIndex(0); // where a page begins
    showPage(m_workspace.decisions().empty() ? u"overview"_s : u"decide"_s);
}

void MainWindow::follow()
{
    if (m_workspace.isReadingAgain() || !m_workspace.changedElsewhere())
        return;
    if (m_workspace.isCopy())
        showFollowed([this] { return m_workspace.reload(); }); // which opens the file anew
    else
        m_workspace.readAgain();
}

void MainWindow::showFollowed(const std::function<Expected<void>()> &show)
{
    const auto page = currentPage();
    const auto plan = shownPlan();
    const QScopedValueRollback following(m_isFollowing, true);
    if (const auto read = show(); !read) { // perhaps it is being written; asked again in a second
        m_notices->tell({.kind = Notice::Kind::Warning,
            .title = tr("Changed by another program, and cannot be read now"),
            .text = localized(read.error().message),
            .key = followedNotice});
        return;
    }
    showPage(page);
    if (page == u"plans" && m_workspace.plan(plan))
        showPlan(plan);
    m_notices->tell({.title = tr("Changed by another program at %1").arg(QTime::currentTime().toString(u"hh:mm:ss"_s)),
        .text = tr("This is the project as it is now."),
        .key = followedNotice});
}

void MainWindow::setUpFollowing()
{
    m_following.setInterval(followingMilliseconds);
    connect(&m_following, &QTimer::timeout, this, &MainWindow::follow);
    connect(&m_workspace, &Workspace::readAgainEnded, this,
        [this] { showFollowed([this] { return m_workspace.showReadAgain(); }); });
    connect(m_ui->windowSplitter, &QSplitter::splitterMoved, this, [this](int width) { m_navigationWidth = width; });
    connect(m_ui->pages, &QStackedWidget::currentChanged, this, &MainWindow::keepNavigationWidth, Qt::QueuedConnection);
}

/// A narrow window takes room from the navigation, which gets it back where it can; no page does.
void MainWindow::keepNavigationWidth()
{
    const auto sizes = m_ui->windowSplitter->sizes();
    if (!isVisible())
        return;
    if (m_navigationWidth == 0) // as it was left in the session before
        m_navigationWidth = sizes.front();
    if (sizes.front() != m_navigationWidth)
        m_ui->windowSplitter->setSizes({m_navigationWidth, sizes.front() + sizes.back() - m_navigationWidth});
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    QMetaObject::invokeMethod(this, &MainWindow::keepNavigationWidth, Qt::QueuedConnection); // when it is laid out
}

} // namespace fleetwright::app
