// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"

#include "app/activity.h"
#include "app/dialogs/calibration/calibrationdialog.h"
#include "app/dialogs/historydialog.h"
#include "app/dialogs/messagesdialog.h"
#include "app/navigation.h"
#include "app/noticebar.h"
#include "app/pages/catalog/catalogpage.h"
#include "app/pages/compare/comparepage.h"
#include "app/pages/decide/decidepage.h"
#include "app/pages/fleet/fleetpage.h"
#include "app/pages/ledger/ledgerpage.h"
#include "app/pages/offers/offerspage.h"
#include "app/pages/overview/overviewpage.h"
#include "app/pages/plan/planpage.h"
#include "app/pages/report/reportpage.h"
#include "app/pages/search/searchpage.h"
#include "app/pages/studies/studiespage.h"
#include "app/pages/sweeps/sweepspage.h"
#include "app/pages/validation/validationpage.h"
#include "app/panes.h"
#include "app/planbranch.h"
#include "app/plannamedelegate.h"
#include "app/projectfiles.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/wrappedtooltips.h"
#include "app/windowshortcuts.h"
#include "app/workspace/prompts.h"
#include "itemmodels/catalogtablemodel.h"
#include "ui_mainwindow.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QTime>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int navigationShare = 6; // of a wide window
constexpr int navigationWidth = 216, titleBarHeight = 40;
constexpr int messageMilliseconds = 8000;
constexpr int receivingMilliseconds = 200;
constexpr auto splitterName = "navigation"_L1;

QString catalogIcon(CatalogKind kind)
{
    switch (kind) {
    case CatalogKind::Accelerator: return u"accelerator"_s;
    case CatalogKind::Node: return u"node"_s;
    case CatalogKind::Fabric: return u"fabric"_s;
    case CatalogKind::Cluster: return u"cluster"_s;
    case CatalogKind::Workload: return u"workload"_s;
    case CatalogKind::Grid: return u"grid"_s;
    case CatalogKind::Facility: return u"facility"_s;
    case CatalogKind::Price: return u"price"_s;
    case CatalogKind::NetworkGear: return u"networkgear"_s;
    case CatalogKind::Currency: return u"currency"_s;
    case CatalogKind::PlanningDefault: return u"default"_s;
    case CatalogKind::CalibrationConstant: return u"calibration"_s;
    }
    return {};
}

} // namespace

QString MainWindow::catalogPageId(CatalogKind kind) { return u"catalog/%1"_s.arg(QString::fromUtf8(toString(kind))); }

MainWindow::MainWindow(Settings &settings, Prompts &prompts, QWidget *parent)
    : QMainWindow(parent), m_ui(std::make_unique<Ui::MainWindow>()), m_settings(settings), m_prompts(prompts),
      m_files(new ProjectFiles(m_workspace, prompts, settings, this)), m_notices(new NoticeBar(this)),
      m_activity(new Activity(this)), m_savedLabel(new QLabel(this)), m_readOnlyLabel(new QLabel(this))
{
    m_ui->setupUi(this);
    m_ui->centralLayout->addWidget(m_notices);
    setAcceptDrops(true);
    m_navigation = new Navigation(m_ui->navigation, m_ui->pages, this);
    m_panes = std::make_unique<Panes>(m_ui->navigation, m_ui->pages, m_notices);
    makeNavigation();
    makeMenus();
    makeStatusBar();
    updateIcons();

    connect(&m_workspace, &Workspace::projectChanged, this, &MainWindow::projectChanged);
    connect(&m_workspace, &Workspace::saved, this, [this] {
        m_savedLabel->setText(tr("saved %1").arg(QTime::currentTime().toString(u"hh:mm"_s)));
        m_toldAtClosing = false;
    });
    connect(&m_workspace, &Workspace::failed, this,
        [this](const Error &error) { m_prompts.showError(this, tr("The step could not be saved"), error); });
    tell(&m_workspace, &Workspace::outputSetsFollowed);
    // Undo on the notice takes back what it tells of, so it goes when something else is done.
    connect(m_workspace.undoStack(), &QUndoStack::indexChanged, this, [this] { m_notices->dismiss(removedNotice); });
    connect(m_files, &ProjectFiles::recentFilesChanged, this, &MainWindow::fillRecentMenu);
    tell(m_files, &ProjectFiles::upgraded);
    connect(
        m_files, &ProjectFiles::copySaved, this, [this](const QString &path) { say(tr("Copied to %1").arg(path)); });

    if (const auto geometry = m_settings.windowGeometry(); geometry.isEmpty() || !restoreGeometry(geometry))
        resize(1280, 800);
    if (!isMaximized() && !isFullScreen()) // it may have been left on another screen; the size leaves out the title bar
        resize(size().boundedTo(screen()->availableSize() - QSize(0, titleBarHeight)));
    if (!m_ui->windowSplitter->restoreState(m_settings.splitterState(splitterName)))
        m_ui->windowSplitter->setSizes({std::max(navigationWidth, width() / navigationShare), width()});
    qApp->installEventFilter(new WrappedToolTips(this));
    setUpFollowing();
    m_receiving.setInterval(receivingMilliseconds);
    connect(&m_receiving, &QTimer::timeout, this, &MainWindow::receiveWaiting);
    projectChanged();
}

MainWindow::~MainWindow()
{
    m_workspace.settle();
    // Pages and dialogs refer to the workspace, which would otherwise go first.
    delete m_calibration;
    delete m_ui->pages;
}

void MainWindow::say(const QString &text)
{
    statusBar()->showMessage(keptInOrder(text, layoutDirection()), messageMilliseconds);
    m_notices->note(text);
}

void MainWindow::tellRemoved(const QString &name)
{
    const auto undo = [this, step = m_workspace.undoStack()->index()] {
        m_workspace.settle(); // what is typed elsewhere is a step of its own, after this one
        if (m_workspace.undoStack()->index() == step)
            m_workspace.undo();
        else
            showHistory();
    };
    m_notices->tell(
        {.title = tr("Deleted \u201c%1\u201d").arg(name), .key = removedNotice, .action = tr("Undo"), .act = undo});
}

void MainWindow::makeNavigation()
{
    m_ui->windowSplitter->setStretchFactor(0, 0);
    m_ui->windowSplitter->setStretchFactor(1, 1);
    auto *pages = m_ui->pages;
    const auto entry = [this, pages]<class T>(std::type_identity<T>, const QString &id, const QString &title,
                           const QString &icon, const QString &keys) {
        return Navigation::Entry{id, title, icon, [this, pages] { return new T(m_workspace, m_prompts, pages); }, keys};
    };
    const auto shown = [this] { return shownPlan(); };
    m_navigation->add(entry(std::type_identity<DecidePage>(), u"decide"_s, tr("Decide"), u"decide"_s, u"Ctrl+1"_s));
    m_navigation->add({u"overview"_s, tr("Plans"), u"plan"_s,
        [this, pages] {
            auto *page = new OverviewPage(m_workspace, *m_files, m_prompts, m_settings, pages);
            connect(page, &OverviewPage::pageRequested, this, &MainWindow::showPage);
            connect(page, &OverviewPage::newPlanRequested, m_ui->actionNewPlan, &QAction::trigger);
            return page;
        },
        u"Ctrl+2"_s});
    m_navigation->addUnlisted(entry(std::type_identity<PlanPage>(), u"plans"_s, tr("Plan last looked at"), u"plan"_s,
        u"Ctrl+3"_s)); // see PlanBranch
    m_navigation->addGroup(tr("Explore"), u"compare"_s,
        {{u"search"_s, tr("Search"), u"search"_s,
             [this, pages, shown] { return new SearchPage(m_workspace, m_prompts, shown, pages); }, u"Ctrl+4"_s},
            entry(std::type_identity<SweepsPage>(), u"sweeps"_s, tr("Sweeps"), u"sweep"_s, u"Ctrl+5"_s),
            {u"compare"_s, tr("Compare"), u"compare"_s,
                [this, pages, shown] {
                    auto *page = new ComparePage(m_workspace, m_prompts, shown, pages);
                    connect(page, &ComparePage::recordRequested, this, &MainWindow::showRecord);
                    page->setFoldedGroups(m_settings.foldedComparisonGroups());
                    connect(page, &ComparePage::foldedGroupsChanged, this,
                        [this](const QStringList &groups) { m_settings.setFoldedComparisonGroups(groups); });
                    return page;
                },
                u"Ctrl+6"_s}});
    m_navigation->addGroup(tr("Evidence"), u"validation"_s,
        {{u"validation"_s, tr("Validation"), u"validation"_s,
             [this, pages] { return new ValidationPage(m_workspace, m_prompts, pages); }, u"Ctrl+7"_s},
            entry(std::type_identity<StudiesPage>(), u"studies"_s, tr("Studies"), u"study"_s, u"Ctrl+8"_s),
            entry(std::type_identity<LedgerPage>(), u"ledger"_s, tr("Ledger"), u"ledger"_s, u"Ctrl+9"_s)});
    std::vector catalogs{
        entry(std::type_identity<FleetPage>(), u"fleets"_s, tr("Fleets"), u"fleet"_s, u"Ctrl+Shift+F"_s),
        entry(std::type_identity<OffersPage>(), u"offers"_s, tr("Offers"), u"price"_s, u"Ctrl+Shift+O"_s)};
    for (const auto kind : allCatalogKinds)
        catalogs.push_back({catalogPageId(kind), itemmodels::catalogTitle(kind), catalogIcon(kind),
            [this, pages, kind] { return new CatalogPage(kind, m_workspace, m_prompts, m_settings, pages); },
            kind == allCatalogKinds.front() ? u"Ctrl+Shift+A"_s : QString()});
    m_navigation->addGroup(tr("Catalogs"), u"catalog"_s, std::move(catalogs));
    m_navigation->add(entry(std::type_identity<ReportPage>(), u"report"_s, tr("Report"), u"report"_s, u"Ctrl+0"_s));
    connect(m_navigation, &Navigation::requested, this, &MainWindow::showPage);
    connect(m_navigation, &Navigation::pageMade, this, &MainWindow::pageMade);
    makePlanBranch();
}

void MainWindow::makePlanBranch()
{
    auto *tree = m_ui->navigation;
    m_plans = new PlanBranch(m_workspace, tree, m_navigation->item(u"overview"_s), this);
    tree->setItemDelegate(new PlanNameDelegate(m_workspace, tree));
    m_navigation->setFolded(m_settings.foldedNavigation());
    connect(m_navigation, &Navigation::foldsChanged, this,
        [this](const QStringList &folded) { m_settings.setFoldedNavigation(folded); });
    tree->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(tree, &QWidget::customContextMenuRequested, this, [this, tree](const QPoint &at) {
        if (const auto *item = tree->itemAt(at); item && PlanBranch::planOf(item->data(0, Qt::UserRole).toString()))
            m_ui->planMenu->popup(tree->viewport()->mapToGlobal(at));
    });
    const auto key = [this, tree](const QString &text, const QKeySequence &keys, void (PlanPage::*act)()) {
        auto *action = new QAction(text, tree);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, [this, tree, act] {
            const auto *item = tree->currentItem();
            if (auto *page = m_navigation->pageAs<PlanPage>(u"plans"_s);
                page && item && PlanBranch::planOf(item->data(0, Qt::UserRole).toString()) == page->currentPlan())
                (page->*act)();
        });
        tree->addAction(action);
    };
    key(tr("&Delete"), QKeySequence::Delete, &PlanPage::removePlan);
    key(tr("&Rename"), Qt::Key_F2, &PlanPage::renamePlan);
}

void MainWindow::makeStatusBar()
{
    m_readOnlyLabel->setObjectName(u"readOnlyLabel"_s);
    m_readOnlyLabel->setText(tr("read-only"));
    m_readOnlyLabel->setFrameShape(QFrame::StyledPanel);
    m_savedLabel->setObjectName(u"savedLabel"_s);
    connect(m_activity, &Activity::pageRequested, this, &MainWindow::showPage);
    statusBar()->addPermanentWidget(m_activity);
    statusBar()->addPermanentWidget(m_readOnlyLabel);
    statusBar()->addPermanentWidget(m_savedLabel);
}

void MainWindow::pageMade(Page *page, const QString &id, const QString &title)
{
    m_activity->add(page, id, title);
    tell(page, &Page::statusMessage);
    connect(page, &Page::removed, this, &MainWindow::tellRemoved);
    connect(page, &Page::planRequested, this, &MainWindow::showPlan);
    connect(page, &Page::explanationRequested, this, [this](qint64 plan, const QString &figure) {
        showPage(u"plans"_s);
        if (auto *plans = m_navigation->pageAs<PlanPage>(u"plans"_s))
            plans->explainPlan(plan, figure);
    });
    connect(page, &Page::fleetRequested, this, &MainWindow::showFleet);
    connect(page, &Page::compareRequested, this, &MainWindow::comparePlan);
    connect(page, &Page::calibrationRequested, this, &MainWindow::calibrate);
    if (auto *prices = qobject_cast<CatalogPage *>(page))
        connect(prices, &CatalogPage::decisionRequested, this, [this](qint64 decision) { showDecision(decision, 0); });
    if (auto *ledger = qobject_cast<LedgerPage *>(page))
        connect(ledger, &LedgerPage::decisionRequested, this, &MainWindow::showDecision);
    const auto leads = [this](auto *from, auto signal, auto to) {
        if (from)
            connect(from, signal, this, to);
    };
    auto *fleets = qobject_cast<FleetPage *>(page);
    auto *plans = qobject_cast<PlanPage *>(page);
    leads(qobject_cast<DecidePage *>(page), &DecidePage::pricesRequested, &MainWindow::showPrices);
    leads(fleets, &FleetPage::pricesRequested, &MainWindow::showPrices);
    leads(fleets, &FleetPage::recordRequested, &MainWindow::showRecord);
    leads(plans, &PlanPage::pricesRequested, &MainWindow::showPrices);
    leads(plans, &PlanPage::recordRequested, &MainWindow::showRecord);
    if (plans) {
        if (const auto folded = m_settings.foldedPlanGroups())
            plans->setFoldedGroups(*folded);
        connect(plans, &PlanPage::groupsFolded, this,
            [this](const QStringList &groups) { m_settings.setFoldedPlanGroups(groups); });
        connect(plans, &PlanPage::searchRequested, m_ui->actionSearchLayouts, &QAction::trigger);
        connect(plans, &PlanPage::planShown, this, [this](qint64 plan) {
            if (currentPage() == u"plans")
                m_plans->select(plan);
        });
    }
}

void MainWindow::showPage(const QString &id)
{
    if (!m_workspace.isOpen() && id != u"overview")
        return;
    if (const auto plan = PlanBranch::planOf(id)) {
        showPlan(plan);
        return;
    }
    m_workspace.settle(); // the page shows what the one before it has accepted
    m_navigation->show(id);
    if (id == u"plans")
        m_plans->select(shownPlan());
}

QString MainWindow::currentPage() const { return m_navigation->current(); }

void MainWindow::showPlan(qint64 id)
{
    showPage(u"plans"_s);
    if (auto *page = m_navigation->pageAs<PlanPage>(u"plans"_s))
        page->showPlan(id);
}

qint64 MainWindow::shownPlan()
{
    m_workspace.settle();
    const auto *page = qobject_cast<const PlanPage *>(m_navigation->pageIfMade(u"plans"_s));
    return page ? page->currentPlan() : 0;
}

void MainWindow::comparePlan(qint64 id)
{
    if (auto *page = m_navigation->pageAs<ComparePage>(u"compare"_s)) {
        page->comparePlan(id);
        showPage(u"compare"_s);
    }
}

void MainWindow::showFleet(qint64 id)
{
    showPage(u"fleets"_s);
    if (auto *page = m_navigation->pageAs<FleetPage>(u"fleets"_s))
        page->showFleet(id);
}

void MainWindow::showRecord(CatalogKind kind, const QString &id) { showRecords(kind, {id}); }

void MainWindow::showRecords(CatalogKind kind, const QStringList &ids)
{
    showPage(catalogPageId(kind));
    if (auto *page = m_navigation->pageAs<CatalogPage>(catalogPageId(kind)))
        page->showRecords(ids);
}

void MainWindow::applyTheme(ThemeChoice choice)
{
    m_settings.setTheme(choice);
    app::applyTheme(choice);
}

void MainWindow::updateIcons()
{
    if (m_navigation) // a palette may come before anything else
        m_navigation->updateIcons(palette());
    if (m_searchButton)
        m_searchButton->setIcon(icon(u"search"_s, palette()));
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcons();
    QMainWindow::changeEvent(event);
}

void MainWindow::copy()
{
    // Whatever has the focus knows what it is as text or picture: tables, charts, text views, or the page around them.
    for (auto *widget = focusWidget(); widget && widget != this; widget = widget->parentWidget()) {
        if (auto *action = Copying::actionOf(*widget))
            return action->trigger();
        if (widget->metaObject()->indexOfMethod("copy()") >= 0)
            return void(QMetaObject::invokeMethod(widget, "copy"));
    }
}

void MainWindow::paste()
{
    auto *field = focusWidget();
    const bool takes = field && field->metaObject()->indexOfMethod("paste()") >= 0;
    if (takes && !(qobject_cast<QLineEdit *>(field) && isCopiedObject()))
        QMetaObject::invokeMethod(field, "paste");
    else
        m_files->paste(QGuiApplication::clipboard()->text());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    const int told = m_notices->open();
    m_workspace.settle(); // what was typed last is an entry too
    if (m_notices->open() > told
        && !std::exchange(m_toldAtClosing, true)) { // it could not be saved; the next one closes
        event->ignore();
        return;
    }
    m_settings.setWindowGeometry(saveGeometry());
    m_settings.setSplitterState(splitterName, m_ui->windowSplitter->saveState());
    QMainWindow::closeEvent(event);
}

} // namespace fleetwright::app
