// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"

#include "app/dialogs/aboutdialog.h"
#include "app/dialogs/calibration/calibrationdialog.h"
#include "app/dialogs/quicksearch.h"
#include "app/pages/catalog/catalogpage.h"
#include "app/pages/compare/comparepage.h"
#include "app/pages/fleet/fleetpage.h"
#include "app/pages/ledger/ledgerpage.h"
#include "app/pages/overview/overviewpage.h"
#include "app/pages/plan/planpage.h"
#include "app/pages/report/reportpage.h"
#include "app/pages/search/searchpage.h"
#include "app/pages/studies/studiespage.h"
#include "app/pages/sweeps/sweepspage.h"
#include "app/pages/validation/validationpage.h"
#include "app/projectfiles.h"
#include "app/theme.h"
#include "app/undoshortcuts.h"
#include "app/workspace/prompts.h"
#include "itemmodels/catalogtablemodel.h"
#include "ui_mainwindow.h"

#include <QActionGroup>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLabel>
#include <QTime>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int navigationWidth = 184;
constexpr int messageMilliseconds = 8000;
constexpr auto splitterName = "navigation"_L1;

QString catalogPageId(CatalogKind kind) { return u"catalog/%1"_s.arg(QString::fromUtf8(toString(kind))); }

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
    case CatalogKind::PlanningDefault: return u"default"_s;
    case CatalogKind::CalibrationConstant: return u"calibration"_s;
    }
    return {};
}

} // namespace

MainWindow::MainWindow(Settings &settings, Prompts &prompts, QWidget *parent)
    : QMainWindow(parent), m_ui(std::make_unique<Ui::MainWindow>()), m_settings(settings), m_prompts(prompts),
      m_files(new ProjectFiles(m_workspace, prompts, settings, this)), m_savedLabel(new QLabel(this)),
      m_readOnlyLabel(new QLabel(this))
{
    m_ui->setupUi(this);
    makeNavigation();
    makeMenus();
    makeStatusBar();
    updateIcons();

    connect(&m_workspace, &Workspace::projectChanged, this, &MainWindow::projectChanged);
    connect(&m_workspace, &Workspace::saved, this,
        [this] { m_savedLabel->setText(tr("saved %1").arg(QTime::currentTime().toString(u"hh:mm"_s))); });
    connect(&m_workspace, &Workspace::failed, this,
        [this](const Error &error) { m_prompts.showError(this, tr("The step could not be saved"), error); });
    connect(m_files, &ProjectFiles::recentFilesChanged, this, &MainWindow::fillRecentMenu);
    connect(m_files, &ProjectFiles::copySaved, this,
        [this](const QString &path) { statusBar()->showMessage(tr("Copied to %1").arg(path), messageMilliseconds); });

    if (const auto geometry = m_settings.windowGeometry(); geometry.isEmpty() || !restoreGeometry(geometry))
        resize(1280, 800);
    if (!m_ui->windowSplitter->restoreState(m_settings.splitterState(splitterName)))
        m_ui->windowSplitter->setSizes({navigationWidth, width() - navigationWidth});
    projectChanged();
}

MainWindow::~MainWindow()
{
    m_workspace.settle();
    // Pages and dialogs refer to the workspace, which would otherwise go first.
    delete m_calibration;
    delete m_ui->pages;
}

template <class T> T *MainWindow::pageOf(const QString &id)
{
    auto *entry = find(id);
    return entry ? qobject_cast<T *>(makePage(*entry)) : nullptr;
}

void MainWindow::addEntry(QTreeWidgetItem *parent, Entry entry)
{
    entry.item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(m_ui->navigation);
    entry.item->setText(0, entry.title);
    entry.item->setData(0, Qt::UserRole, entry.id);
    entry.item->setSizeHint(0, QSize(0, fontMetrics().height() + gridUnit));
    m_entries.push_back(std::move(entry));
}

void MainWindow::makeNavigation()
{
    m_ui->windowSplitter->setStretchFactor(0, 0);
    m_ui->windowSplitter->setStretchFactor(1, 1);
    addEntry(nullptr, {u"overview"_s, tr("Overview"), u"overview"_s, [this] {
                           auto *page = new OverviewPage(m_workspace, *m_files, m_settings, m_ui->pages);
                           connect(page, &OverviewPage::pageRequested, this, &MainWindow::showPage);
                           return page;
                       }});
    m_catalogsItem = new QTreeWidgetItem(m_ui->navigation, {tr("Catalogs")});
    m_catalogsItem->setFlags(Qt::ItemIsEnabled);
    m_catalogsItem->setSizeHint(0, QSize(0, fontMetrics().height() + gridUnit));
    m_catalogsItem->setExpanded(true);
    for (const auto kind : allCatalogKinds)
        addEntry(m_catalogsItem, {catalogPageId(kind), itemmodels::catalogTitle(kind), catalogIcon(kind), [this, kind] {
                                      return new CatalogPage(kind, m_workspace, m_prompts, m_settings, m_ui->pages);
                                  }});
    addEntry(nullptr,
        {u"fleets"_s, tr("Fleets"), u"fleet"_s, [this] { return new FleetPage(m_workspace, m_prompts, m_ui->pages); }});
    addEntry(nullptr,
        {u"plans"_s, tr("Plans"), u"plan"_s, [this] { return new PlanPage(m_workspace, m_prompts, m_ui->pages); }});
    addEntry(nullptr, {u"search"_s, tr("Search"), u"search"_s, [this] {
                           return new SearchPage(
                               m_workspace, m_prompts, [this] { return shownPlan(); }, m_ui->pages);
                       }});
    addEntry(nullptr, {u"sweeps"_s, tr("Sweeps"), u"sweep"_s, [this] {
                           return new SweepsPage(m_workspace, m_prompts, m_ui->pages);
                       }});
    addEntry(nullptr, {u"compare"_s, tr("Compare"), u"compare"_s, [this] {
                           auto *page = new ComparePage(
                               m_workspace, m_prompts, [this] { return shownPlan(); }, m_ui->pages);
                           connect(page, &ComparePage::recordRequested, this, &MainWindow::showRecord);
                           return page;
                       }});
    addEntry(nullptr,
        {u"validation"_s, tr("Validation"), u"validation"_s,
            [this] { return new ValidationPage(m_workspace, m_prompts, m_ui->pages); }, u"Ctrl+Shift+V"_s});
    addEntry(nullptr, {u"studies"_s, tr("Studies"), u"study"_s, [this] {
                           return new StudiesPage(m_workspace, m_prompts, m_ui->pages);
                       }});
    addEntry(nullptr, {u"ledger"_s, tr("Ledger"), u"ledger"_s, [this] {
                           return new LedgerPage(m_workspace, m_prompts, m_ui->pages);
                       }});
    addEntry(nullptr, {u"report"_s, tr("Report"), u"report"_s, [this] {
                           return new ReportPage(m_workspace, m_prompts, m_ui->pages);
                       }});

    connect(m_ui->navigation, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem *item) {
        if (item && !item->data(0, Qt::UserRole).isNull())
            showPage(item->data(0, Qt::UserRole).toString());
    });
}

void MainWindow::makeMenus()
{
    connect(m_ui->actionNewProject, &QAction::triggered, m_files, &ProjectFiles::createProject);
    connect(m_ui->actionOpenProject, &QAction::triggered, m_files, &ProjectFiles::openProject);
    connect(m_ui->actionOpenSample, &QAction::triggered, m_files, &ProjectFiles::openSample);
    connect(m_ui->actionSaveCopy, &QAction::triggered, m_files, &ProjectFiles::saveCopy);
    connect(m_ui->actionImport, &QAction::triggered, m_files, &ProjectFiles::importDocument);
    connect(m_files, &ProjectFiles::planImported, this, &MainWindow::showPlan);
    connect(m_ui->actionCalibrate, &QAction::triggered, this, &MainWindow::calibrate);
    connect(m_files, &ProjectFiles::measuredRunsImported, this, &MainWindow::calibrate);
    connect(m_files, &ProjectFiles::otherImported, this, &MainWindow::showPage);
    connect(m_ui->actionCloseProject, &QAction::triggered, m_files, &ProjectFiles::closeProject);
    connect(m_ui->actionQuit, &QAction::triggered, this, &QWidget::close);
    connect(m_ui->actionCopy, &QAction::triggered, this, &MainWindow::copy);
    connect(m_ui->actionSearch, &QAction::triggered, this, &MainWindow::search);
    connect(m_ui->actionShortcuts, &QAction::triggered, this, &MainWindow::showShortcuts);
    connect(m_ui->actionAbout, &QAction::triggered, this, &MainWindow::showAbout);

    qApp->installEventFilter(new UndoShortcuts(this));
    auto *undo = m_workspace.createUndoAction(this, tr("&Undo"));
    undo->setObjectName(u"actionUndo"_s);
    undo->setShortcut(QKeySequence(u"Ctrl+Z"_s));
    auto *redo = m_workspace.createRedoAction(this, tr("&Redo"));
    redo->setObjectName(u"actionRedo"_s);
    redo->setShortcuts({QKeySequence(u"Ctrl+Shift+Z"_s), QKeySequence(u"Ctrl+Y"_s)});
    m_ui->editMenu->insertActions(m_ui->actionCopy, {undo, redo});
    m_ui->editMenu->insertSeparator(m_ui->actionCopy);

    // One number for each entry of the first level; the catalogs share that of the first of them.
    auto *before = m_ui->viewMenu->actions().constFirst();
    int number = 1;
    for (const auto &entry : m_entries) {
        auto *action = new QAction(entry.title, this);
        action->setObjectName(u"goTo/"_s + entry.id);
        const bool numbered = entry.item->parent() != m_catalogsItem || entry.item == m_catalogsItem->child(0);
        if (!entry.keys.isEmpty())
            action->setShortcut(QKeySequence(entry.keys));
        else if (numbered && number <= 10) // the tenth is Ctrl+0; there are no more digits
            action->setShortcut(QKeySequence(u"Ctrl+%1"_s.arg(number++ % 10)));
        connect(action, &QAction::triggered, this, [this, id = entry.id] { showPage(id); });
        m_ui->viewMenu->insertAction(before, action);
    }
    m_ui->viewMenu->insertSeparator(before);

    auto *themes = new QActionGroup(this);
    for (const auto &[action, choice] :
        {std::pair(m_ui->actionThemeSystem, ThemeChoice::System), std::pair(m_ui->actionThemeLight, ThemeChoice::Light),
            std::pair(m_ui->actionThemeDark, ThemeChoice::Dark)}) {
        themes->addAction(action);
        action->setChecked(m_settings.theme() == choice);
        connect(action, &QAction::triggered, this, [this, choice = choice] { applyTheme(choice); });
    }
    forwardActions();
    fillRecentMenu();

    m_searchButton = new QToolButton(this);
    m_searchButton->setObjectName(u"searchButton"_s);
    m_searchButton->setText(tr("Search  Ctrl+K"));
    m_searchButton->setAccessibleName(tr("Search pages, plans, fleets and catalogs"));
    m_searchButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_searchButton->setAutoRaise(true);
    connect(m_searchButton, &QToolButton::clicked, this, &MainWindow::search);
    m_ui->menuBar->setCornerWidget(m_searchButton);
}

void MainWindow::forwardActions()
{
    const auto onPlans = [this](void (PlanPage::*act)()) {
        return [this, act] {
            showPage(u"plans"_s);
            if (auto *page = pageOf<PlanPage>(u"plans"_s))
                (page->*act)();
        };
    };
    connect(m_ui->actionExportPdf, &QAction::triggered, this, [this] {
        showPage(u"report"_s);
        if (auto *page = pageOf<ReportPage>(u"report"_s))
            page->exportPdf();
    });
    connect(m_ui->actionSearchLayouts, &QAction::triggered, this, [this] {
        if (!m_workspace.isOpen())
            return;
        const auto plan = shownPlan();
        if (auto *page = pageOf<SearchPage>(u"search"_s)) {
            page->searchPlan(plan);
            showPage(u"search"_s);
        }
    });
    connect(m_ui->actionComparePlan, &QAction::triggered, this, [this] { comparePlan(shownPlan()); });
    connect(m_ui->actionNewPlan, &QAction::triggered, this, onPlans(&PlanPage::newPlan));
    connect(m_ui->actionDeletePlan, &QAction::triggered, this, onPlans(&PlanPage::removePlan));
    connect(m_ui->actionExportPlan, &QAction::triggered, this, onPlans(&PlanPage::exportPlan));
    connect(m_ui->actionDuplicatePlan, &QAction::triggered, this,
        [this, duplicatePlan = onPlans(&PlanPage::duplicatePlan)] {
            if (auto *page = currentPage() == u"fleets" ? pageOf<FleetPage>(u"fleets"_s) : nullptr)
                page->duplicateFleet();
            else
                duplicatePlan();
        });
}

void MainWindow::makeStatusBar()
{
    m_readOnlyLabel->setObjectName(u"readOnlyLabel"_s);
    m_readOnlyLabel->setText(tr("read-only"));
    m_readOnlyLabel->setFrameShape(QFrame::StyledPanel);
    m_savedLabel->setObjectName(u"savedLabel"_s);
    statusBar()->addPermanentWidget(m_readOnlyLabel);
    statusBar()->addPermanentWidget(m_savedLabel);
}

void MainWindow::fillRecentMenu()
{
    m_ui->recentMenu->clear();
    const auto files = m_settings.recentFiles();
    for (const auto &path : files) {
        auto *action = m_ui->recentMenu->addAction(QFileInfo(path).completeBaseName());
        action->setToolTip(path);
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { m_files->openPath(path); });
    }
    m_ui->recentMenu->setEnabled(!files.isEmpty());
}

void MainWindow::projectChanged()
{
    const bool open = m_workspace.isOpen();
    setWindowTitle(open ? tr("Fleetwright - %1").arg(m_workspace.projectName()) : tr("Fleetwright"));
    setWindowFilePath(m_workspace.path());
    for (auto &entry : m_entries) {
        entry.item->setDisabled(!open && entry.id != u"overview");
        if (auto *action = findChild<QAction *>(u"goTo/"_s + entry.id))
            action->setEnabled(open || entry.id == u"overview");
    }
    for (auto *action : {m_ui->actionSaveCopy, m_ui->actionCloseProject})
        action->setEnabled(open);
    m_ui->actionImport->setEnabled(open && !m_workspace.isReadOnly());
    for (auto *menu : {m_ui->planMenu, m_ui->reportMenu})
        for (auto *action : menu->actions())
            action->setEnabled(open);
    m_readOnlyLabel->setVisible(m_workspace.isReadOnly());
    m_readOnlyLabel->setToolTip(m_workspace.readOnlyReason());
    if (m_workspace.isReadOnly())
        statusBar()->showMessage(tr("Read-only. %1").arg(m_workspace.readOnlyReason()));
    else
        statusBar()->clearMessage();
    m_savedLabel->clear();
    showPage(u"overview"_s);
}

MainWindow::Entry *MainWindow::find(const QString &id)
{
    const auto found = std::ranges::find(m_entries, id, &Entry::id);
    return found == m_entries.end() ? nullptr : &*found;
}

Page *MainWindow::makePage(Entry &entry)
{
    if (entry.page)
        return entry.page;
    entry.page = entry.make();
    m_ui->pages->addWidget(entry.page);
    connect(entry.page, &Page::statusMessage, this,
        [this](const QString &text) { statusBar()->showMessage(text, messageMilliseconds); });
    connect(entry.page, &Page::planRequested, this, &MainWindow::showPlan);
    connect(entry.page, &Page::fleetRequested, this, &MainWindow::showFleet);
    connect(entry.page, &Page::compareRequested, this, &MainWindow::comparePlan);
    if (auto *plans = qobject_cast<PlanPage *>(entry.page))
        connect(plans, &PlanPage::searchRequested, m_ui->actionSearchLayouts, &QAction::trigger);
    connect(entry.page, &Page::calibrationRequested, this, &MainWindow::calibrate);
    connect(entry.page, &Page::reportRequested, this, [this] { showPage(u"report"_s); });
    return entry.page;
}

void MainWindow::showPage(const QString &id)
{
    auto *entry = find(id);
    if (!entry || (!m_workspace.isOpen() && id != u"overview"))
        return;
    m_workspace.settle(); // the page shows what the one before it has accepted
    m_ui->pages->setCurrentWidget(makePage(*entry));
    m_ui->navigation->setCurrentItem(entry->item);
}

QString MainWindow::currentPage() const
{
    const auto found = std::ranges::find(m_entries, m_ui->pages->currentWidget(), &Entry::page);
    return found == m_entries.end() ? QString() : found->id;
}

void MainWindow::showPlan(qint64 id)
{
    showPage(u"plans"_s);
    if (auto *page = pageOf<PlanPage>(u"plans"_s))
        page->showPlan(id);
}

qint64 MainWindow::shownPlan()
{
    m_workspace.settle();
    const auto *entry = find(u"plans"_s);
    const auto *page = entry ? qobject_cast<const PlanPage *>(entry->page) : nullptr;
    return page ? page->currentPlan() : 0;
}

void MainWindow::comparePlan(qint64 id)
{
    if (auto *page = pageOf<ComparePage>(u"compare"_s)) {
        page->comparePlan(id);
        showPage(u"compare"_s);
    }
}

void MainWindow::showFleet(qint64 id)
{
    showPage(u"fleets"_s);
    if (auto *page = pageOf<FleetPage>(u"fleets"_s))
        page->showFleet(id);
}

void MainWindow::showRecord(CatalogKind kind, const QString &id)
{
    showPage(catalogPageId(kind));
    if (auto *page = pageOf<CatalogPage>(catalogPageId(kind)))
        page->showRecord(id.toStdString());
}

void MainWindow::search()
{
    std::vector<SearchEntry> entries;
    for (const auto &entry : m_entries)
        if (m_workspace.isOpen() || entry.id == u"overview")
            entries.push_back({entry.title, tr("page"), [this, id = entry.id] { showPage(id); }});
    for (const auto &plan : m_workspace.plans())
        entries.push_back(
            {QString::fromStdString(plan.document.name), tr("plan"), [this, id = plan.id] { showPlan(id); }});
    for (const auto &fleet : m_workspace.fleets())
        entries.push_back(
            {QString::fromStdString(fleet.document.name), tr("fleet"), [this, id = fleet.id] { showFleet(id); }});
    for (const auto &sweep : m_workspace.sweeps())
        entries.push_back({QString::fromStdString(sweep.document.name), tr("sweep"), [this, id = sweep.id] {
                               showPage(u"sweeps"_s);
                               if (auto *page = pageOf<SweepsPage>(u"sweeps"_s))
                                   page->showSweep(id);
                           }});
    const auto catalog = m_workspace.catalog();
    for (const auto kind : allCatalogKinds)
        for (const auto &record : catalog->records(kind))
            entries.push_back({QString::fromStdString(record.name), QString::fromUtf8(itemName(kind)),
                [this, kind, id = QString::fromStdString(record.id)] { showRecord(kind, id); }});
    auto *dialog = new QuickSearch(std::move(entries), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::calibrate()
{
    if (!m_workspace.isOpen())
        return;
    if (!m_calibration) {
        m_calibration = new CalibrationDialog(m_workspace, m_prompts, this);
        m_calibration->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_calibration->show();
    m_calibration->raise();
    m_calibration->activateWindow();
}

void MainWindow::applyTheme(ThemeChoice choice)
{
    m_settings.setTheme(choice);
    app::applyTheme(choice);
}

void MainWindow::updateIcons()
{
    for (const auto &entry : m_entries)
        entry.item->setIcon(0, icon(entry.icon, palette()));
    if (m_catalogsItem)
        m_catalogsItem->setIcon(0, icon(u"catalog"_s, palette()));
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
    // Whatever has the focus knows what its selection is as text: tables, text views, or the page around them.
    for (auto *widget = focusWidget(); widget && widget != this; widget = widget->parentWidget())
        if (widget->metaObject()->indexOfMethod("copy()") >= 0) {
            QMetaObject::invokeMethod(widget, "copy");
            return;
        }
}

void MainWindow::showShortcuts()
{
    std::vector<std::pair<QString, QString>> shortcuts;
    for (const auto *action : findChildren<QAction *>())
        if (!action->shortcut().isEmpty() && !action->text().isEmpty())
            shortcuts.emplace_back(action->shortcut().toString(QKeySequence::NativeText),
                QString(action->text()).remove(u'&').remove(u'…'));
    showShortcutsDialog(shortcuts, this);
}

void MainWindow::showAbout() { showAboutDialog(this); }

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_workspace.settle(); // what was typed last is an entry too
    m_settings.setWindowGeometry(saveGeometry());
    m_settings.setSplitterState(splitterName, m_ui->windowSplitter->saveState());
    QMainWindow::closeEvent(event);
}

} // namespace fleetwright::app
