// SPDX-License-Identifier: GPL-3.0-or-later
// What Ctrl+K finds.
#include "app/mainwindow.h"

#include "app/dialogs/quicksearch.h"
#include "app/navigation.h"
#include "app/pages/offers/offerspage.h"
#include "app/pages/page.h"
#include "app/pages/sweeps/sweepspage.h"
#include "ui_mainwindow.h"

#include <QAbstractButton>
#include <QPointer>
#include <QTabBar>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

namespace {

/// "Save &as..." without what belongs to the menu only.
QString plain(QString text)
{
    text.remove(u'&');
    while (text.endsWith(u'.') || text.endsWith(QChar(0x2026)))
        text.chop(1);
    return text;
}

} // namespace

void MainWindow::search()
{
    std::vector<SearchEntry> entries;
    for (const auto &entry : m_navigation->entries())
        if (m_workspace.isOpen() || entry.id == u"overview")
            entries.push_back({entry.title, tr("page"), [this, id = entry.id] { showPage(id); }});
    addTabs(entries);
    for (const auto &plan : m_workspace.plans())
        entries.push_back(
            {QString::fromStdString(plan.document.name), tr("plan"), [this, id = plan.id] { showPlan(id); }});
    for (const auto &fleet : m_workspace.fleets())
        entries.push_back(
            {QString::fromStdString(fleet.document.name), tr("fleet"), [this, id = fleet.id] { showFleet(id); }});
    for (const auto &sweep : m_workspace.sweeps())
        entries.push_back({QString::fromStdString(sweep.document.name), tr("sweep"), [this, id = sweep.id] {
                               showPage(u"sweeps"_s);
                               if (auto *page = m_navigation->pageAs<SweepsPage>(u"sweeps"_s))
                                   page->showSweep(id);
                           }});
    for (const auto &offer : m_workspace.offers())
        entries.push_back({QString::fromStdString(offer.document.name), tr("offer"), [this, id = offer.id] {
                               showPage(u"offers"_s);
                               if (auto *page = m_navigation->pageAs<OffersPage>(u"offers"_s))
                                   page->showOffer(id);
                           }});
    const auto catalog = m_workspace.catalog();
    for (const auto kind : allCatalogKinds)
        for (const auto &record : catalog->records(kind))
            entries.push_back({QString::fromStdString(record.name), QString::fromUtf8(itemName(kind)),
                [this, kind, id = QString::fromStdString(record.id)] { showRecord(kind, id); }});
    addActions(entries);
    auto *dialog = new QuickSearch(std::move(entries), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

/// The tabs of the pages that have been looked at: "Decide > What binds".
void MainWindow::addTabs(std::vector<SearchEntry> &entries)
{
    for (const auto &entry : m_navigation->entries()) {
        if (!m_workspace.isOpen() || !entry.page)
            continue;
        for (auto *bar : entry.page->findChildren<QTabBar *>()) {
            if (!bar->isVisibleTo(entry.page))
                continue;
            for (int tab = 0; tab < bar->count(); ++tab)
                if (bar->isTabEnabled(tab) && bar->isTabVisible(tab) && !bar->tabText(tab).isEmpty())
                    entries.push_back({entry.title + u" \u203a "_s + plain(bar->tabText(tab)), tr("tab"),
                        [this, id = entry.id, tab, bar = QPointer(bar)] {
                            showPage(id);
                            if (bar)
                                bar->setCurrentIndex(tab);
                        }});
        }
    }
}

/// Everything in the menus and on the page in sight that can be done now.
void MainWindow::addActions(std::vector<SearchEntry> &entries)
{
    const auto addMenu = [&](const QMenu &menu, const QString &path, const auto &self) -> void {
        for (auto *action : menu.actions()) {
            if (action->isSeparator() || !action->isEnabled() || action == m_ui->actionSearch)
                continue;
            const QString title = plain(action->text());
            if (const auto *further = action->menu()) {
                self(*further, path + u" \u203a "_s + title, self);
                continue;
            }
            if (&menu == m_ui->viewMenu)
                continue; // a page, among the pages
            const QString keys = action->shortcut().toString(QKeySequence::NativeText);
            entries.push_back({title, keys.isEmpty() ? path : path + u", "_s + keys, [action = QPointer(action)] {
                                   if (action)
                                       action->trigger();
                               }});
        }
    };
    for (const auto *top : m_ui->menuBar->actions())
        if (const auto *menu = top->menu())
            addMenu(*menu, plain(top->text()), addMenu);
    if (auto *page = m_ui->pages->currentWidget())
        for (auto *button : page->findChildren<QAbstractButton *>())
            if (button->isVisible() && button->isEnabled() && !button->text().isEmpty() && !button->isCheckable())
                entries.push_back({plain(button->text()), tr("on this page"), [button = QPointer(button)] {
                                       if (button)
                                           button->click();
                                   }});
}

} // namespace fleetwright::app
