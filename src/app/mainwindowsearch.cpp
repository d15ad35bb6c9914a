// SPDX-License-Identifier: GPL-3.0-or-later
// What Ctrl+K finds, the tabs of pages that are not made yet among it, and the ways to prices and decisions.
#include "app/mainwindow.h"

#include "app/dialogs/quicksearch.h"
#include "app/handbook/handbookhelp.h"
#include "app/navigation.h"
#include "app/pages/catalog/catalogpage.h"
#include "app/pages/decide/decidepage.h"
#include "app/pages/ledger/ledgerpage.h"
#include "app/pages/offers/offerspage.h"
#include "app/pages/page.h"
#include "app/pages/plan/planpage.h"
#include "app/pages/sweeps/sweepspage.h"
#include "app/pagetabs.h"
#include "app/wording.h"
#include "text/catalogtexts.h"
#include "text/figuretext.h"
#include "text/localizedparts.h"
#include "ui_mainwindow.h"

#include <QAbstractButton>
#include <QPointer>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>

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

namespace {

const PageTabs *barOf(const QString &page, const QString &bar)
{
    const auto &all = pageTabs();
    const auto found = std::ranges::find_if(
        all, [&](const PageTabs &tabs) { return tabs.page == page && tabs.bar == bar; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

const std::vector<PageTabs> &pageTabs()
{
    static const auto anyDecision = [](const Workspace &workspace) { return !workspace.decisions().empty(); };
    static const auto anyPlan = [](const Workspace &workspace) { return !workspace.plans().empty(); };
    static const auto anySweep = [](const Workspace &workspace) { return !workspace.sweeps().empty(); };
    static const auto anyFleet = [](const Workspace &workspace) { return !workspace.fleets().empty(); };
    static const auto anyOffer = [](const Workspace &workspace) { return !workspace.offers().empty(); };
    static const std::vector<PageTabs> all{
        {u"decide"_s, u"answer"_s,
            {tr("Candidates"), tr("Front"), tr("Money over time"), tr("How sure"), tr("What if"), tr("What binds"),
                tr("Approved")},
            anyDecision},
        {u"overview"_s, u"plansTabs"_s, {tr("Answers"), tr("Inputs")}, anyPlan},
        {u"plans"_s, u"tabs"_s,
            {tr("Step time"), tr("Trace"), tr("Running"), tr("Warnings"), tr("Details"), tr("Limitations")}, anyPlan},
        {u"search"_s, u"searchTabs"_s, {tr("Every layout"), tr("Published planners")}},
        {u"search"_s, u"detailTabs"_s,
            {tr("Reasons"), tr("Settings of this split"), tr("Changing one setting"), tr("Why not this one?"),
                tr("TP \u00d7 PP"), tr("Trade-off"), tr("Excluded")},
            anyPlan, u"searchTabs"_s, 0},
        {u"sweeps"_s, u"tabs"_s, {tr("What varies"), tr("Selected cell")}, anySweep},
        {u"compare"_s, u"viewTabs"_s, {tr("Plans"), tr("Models")}, anyPlan},
        {u"compare"_s, u"chartTabs"_s, {tr("Step time"), tr("Memory"), tr("Spread")}, anyPlan},
        {u"compare"_s, u"textTabs"_s, {tr("How it came about"), tr("What the models leave out")}, anyPlan},
        {u"validation"_s, u"areaTabs"_s, {tr("Step times"), tr("Costs")}},
        {u"validation"_s, u"views"_s,
            {tr("Run by run"), tr("Cost models"), tr("Ranges"), tr("Levels of error"), tr("Own runs"),
                tr("Largest jobs"), tr("Published choices")},
            nullptr, u"areaTabs"_s, 0},
        {u"validation"_s, u"groupTabs"_s, {tr("Table"), tr("Spread")}, nullptr, u"views"_s, 0},
        {u"validation"_s, u"tabs"_s,
            {tr("Runs"), tr("Largest misses"), tr("Ranking groups"), tr("Skipped"), tr("Selected run")}, nullptr,
            u"views"_s, 0},
        {u"validation"_s, u"costTabs"_s, {tr("Figures"), tr("Not scored")}, nullptr, u"areaTabs"_s, 1},
        {u"fleets"_s, u"answers"_s,
            {tr("Totals"), tr("To order"), tr("Power"), tr("Costs"), tr("By year"), tr("Buy or rent"), tr("Failures"),
                tr("Delivery"), tr("Prices")},
            anyFleet},
        {u"offers"_s, u"tabs"_s, {tr("Offer"), tr("Side by side")}, anyOffer},
        {u"report"_s, u"tabs"_s, {tr("Contents"), tr("Title"), tr("Files")}},
    };
    return all;
}

QString titleOf(const PageTabs &tabs, int tab)
{
    const auto title = tabs.titles.value(tab);
    const auto *outer = tabs.outer.isEmpty() ? nullptr : barOf(tabs.page, tabs.outer);
    return outer ? titleOf(*outer, tabs.outerTab) + u" \u203a "_s + title : title;
}

QTabBar *findTabBar(const QWidget &page, const QString &name)
{
    if (const auto *tabs = page.findChild<QTabWidget *>(name))
        return tabs->tabBar();
    return page.findChild<QTabBar *>(name);
}

void showTab(const QWidget &page, const PageTabs &tabs, int tab)
{
    if (const auto *outer = tabs.outer.isEmpty() ? nullptr : barOf(tabs.page, tabs.outer))
        showTab(page, *outer, tabs.outerTab);
    if (auto *bar = findTabBar(page, tabs.bar))
        bar->setCurrentIndex(tab);
}

void MainWindow::search()
{
    std::vector<SearchEntry> entries;
    for (const auto &entry : m_navigation->entries())
        if (m_workspace.isOpen() || entry.id == u"overview")
            entries.push_back({entry.title, tr("page"), [this, id = entry.id] { showPage(id); }});
    addTabs(entries);
    addFigures(entries);
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
        for (const auto &record : catalog->records(kind)) {
            const auto id = QString::fromStdString(record.id), what = localizedWord(itemName(kind));
            const bool isOne = std::ranges::count(catalog->records(kind), record.name, &CatalogRecord::name) == 1;
            entries.push_back({nameInWords(record), isOne ? what : tr("%1 %2").arg(what, id),
                [this, kind, id] { showRecord(kind, id); }});
        }
    addWithdrawals(entries);
    addActions(entries);
    m_help->addEntries(entries);
    auto *dialog = new QuickSearch(std::move(entries), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

/// Figures that people look for under several names: of the plan that was shown last, else of the first one; without
/// plans where the decision lists them.
void MainWindow::addFigures(std::vector<SearchEntry> &entries)
{
    const auto &plans = m_workspace.plans();
    const auto shown = shownPlan();
    const auto *plan = m_workspace.plan(shown != 0 || plans.empty() ? shown : plans.front().id);
    if (!plan && m_workspace.decisions().empty())
        return;
    for (const auto &figure : allFigures()) {
        if (figure.alsoCalled.empty())
            continue;
        const auto names = localized(figure.alsoCalled);
        if (plan)
            entries.push_back({labelOf(figure), tr("%1; of %2").arg(names, utf8(plan->document.name)),
                [this, id = plan->id, key = QString::fromLatin1(figure.key)] {
                    showPage(u"plans"_s);
                    if (auto *page = m_navigation->pageAs<PlanPage>(u"plans"_s))
                        page->explainPlan(id, key);
                }});
        else
            entries.push_back({labelOf(figure), tr("%1; of fleets that a decision is about").arg(names),
                [this] { showPage(u"decide"_s); }});
    }
}

/// Each approval that can be withdrawn, on the page where that is done.
void MainWindow::addWithdrawals(std::vector<SearchEntry> &entries)
{
    const auto ledger = std::ranges::find(m_navigation->entries(), u"ledger"_s, &Navigation::Entry::id);
    for (const auto &saved : m_workspace.approvals())
        if (ledger != m_navigation->entries().end() && !saved.document.withdrawn && !m_workspace.isReadOnly())
            entries.push_back({tr("Withdraw the approval of %1").arg(utf8(saved.document.name)), ledger->title,
                [this, id = saved.id] {
                    showPage(u"ledger"_s);
                    if (auto *page = m_navigation->pageAs<LedgerPage>(u"ledger"_s))
                        page->chooseApproval(id);
                }});
}

/// "Decide > What binds", of pages that are not made yet, too.
void MainWindow::addTabs(std::vector<SearchEntry> &entries)
{
    if (!m_workspace.isOpen())
        return;
    for (const auto &tabs : pageTabs()) {
        if (tabs.hasSomething && !tabs.hasSomething(m_workspace))
            continue;
        const auto entry = std::ranges::find(m_navigation->entries(), tabs.page, &Navigation::Entry::id);
        if (entry == m_navigation->entries().end())
            continue;
        const auto *bar = entry->page ? findTabBar(*entry->page, tabs.bar) : nullptr;
        for (int tab = 0; tab < tabs.titles.size(); ++tab) {
            if (bar && (!bar->isTabVisible(tab) || !bar->isTabEnabled(tab)))
                continue;
            entries.push_back({entry->title + u" \u203a "_s + titleOf(tabs, tab), tr("tab"), [this, of = &tabs, tab] {
                                   showPage(of->page);
                                   if (const auto *page = m_navigation->pageIfMade(of->page))
                                       showTab(*page, *of, tab);
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
            entries.push_back({title, keys.isEmpty() ? path : path + u", "_s + keys,
                [action = QPointer(action)] {
                    if (action)
                        action->trigger();
                },
                true});
        }
    };
    for (const auto *top : m_ui->menuBar->actions())
        if (const auto *menu = top->menu())
            addMenu(*menu, plain(top->text()), addMenu);
    if (auto *page = m_ui->pages->currentWidget())
        for (auto *button : page->findChildren<QAbstractButton *>())
            if (button->isVisible() && button->isEnabled() && !button->text().isEmpty() && !button->isCheckable())
                entries.push_back({plain(button->text()), tr("on this page"),
                    [button = QPointer(button)] {
                        if (button)
                            button->click();
                    },
                    true});
}

void MainWindow::showPrices(const QStringList &ids) { showRecords(CatalogKind::Price, ids); }

void MainWindow::showDecision(qint64 id, qint64 approval)
{
    showPage(u"decide"_s);
    if (auto *page = m_navigation->pageAs<DecidePage>(u"decide"_s)) {
        if (id != page->currentDecision()) // which would be answered again
            page->showDecision(id);
        if (approval != 0)
            page->showApproval(approval);
    }
}

} // namespace fleetwright::app
