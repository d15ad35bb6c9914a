// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"

#include "app/dialogs/historydialog.h"
#include "app/handbook/handbookhelp.h"
#include "app/handbook/handbooktopics.h"
#include "app/navigation.h"
#include "app/pages/fleet/fleetpage.h"
#include "app/pages/page.h"
#include "app/pages/plan/planpage.h"
#include "app/pages/report/reportpage.h"
#include "app/pages/search/searchpage.h"
#include "app/panes.h"
#include "app/projectfiles.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/savedfilters.h"
#include "app/widgets/tablecolumns.h"
#include "app/windowshortcuts.h"
#include "app/workspace/prompts.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_mainwindow.h"

#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QShortcut>
#include <QToolButton>

#include <utility>

using namespace Qt::StringLiterals;

/// The menus of the main window.
namespace fleetwright::app {

void MainWindow::makeMenus()
{
    for (const auto &[action, act] : {std::pair(m_ui->actionNewProject, &ProjectFiles::createProject),
             std::pair(m_ui->actionOpenProject, &ProjectFiles::openProject),
             std::pair(m_ui->actionSaveCopy, &ProjectFiles::saveCopy),
             std::pair(m_ui->actionImport, &ProjectFiles::importDocument),
             std::pair(m_ui->actionCloseProject, &ProjectFiles::closeProject)})
        connect(action, &QAction::triggered, m_files, act);
    for (const auto &sample : storage::samples()) {
        auto *action = m_ui->sampleMenu->addAction(localized(sample.title));
        connect(action, &QAction::triggered, m_files, [this, sample] { m_files->openSample(sample); });
        action->setObjectName(u"sample "_s + utf8(sample.name));
        action->setStatusTip(localized(sample.about));
    }
    for (const auto &[action, act] : {std::pair(m_ui->actionCalibrate, &MainWindow::calibrate),
             std::pair(m_ui->actionHistory, &MainWindow::showHistory),
             std::pair(m_ui->actionMessages, &MainWindow::showMessages),
             std::pair(m_ui->actionVersions, &MainWindow::showVersions),
             std::pair(m_ui->actionUpdateCatalogs, &MainWindow::updateCatalogs),
             std::pair(m_ui->actionCopy, &MainWindow::copy), std::pair(m_ui->actionPaste, &MainWindow::paste),
             std::pair(m_ui->actionSearch, &MainWindow::search),
             std::pair(m_ui->actionShortcuts, &MainWindow::showShortcuts),
             std::pair(m_ui->actionAbout, &MainWindow::showAbout)})
        connect(action, &QAction::triggered, this, act);
    m_help = new HandbookHelp(
        m_settings,
        [this](const QWidget *focus) {
            const auto page = m_workspace.isOpen() ? currentPage() : u"welcome"_s;
            return topicOf(focus, page, m_ui->pages->currentWidget());
        },
        this);
    connect(m_ui->actionHere, &QAction::triggered, m_help, &HandbookHelp::showHere);
    connect(m_ui->actionHandbook, &QAction::triggered, m_help, [this] { m_help->open({u"introduction"_s, {}}); });
    connect(m_ui->actionQuit, &QAction::triggered, this, &QWidget::close);
    connect(m_files, &ProjectFiles::planImported, this, &MainWindow::showPlan);
    connect(m_files, &ProjectFiles::measuredRunsImported, this, &MainWindow::calibrate);
    connect(m_files, &ProjectFiles::otherImported, this, &MainWindow::showPage);
    connect(m_files, &ProjectFiles::itemsImported, this,
        [this](CatalogKind kind, const QStringList &ids, const QString &told) {
            showRecords(kind, ids);
            say(told);
        });

    qApp->installEventFilter(new WindowShortcuts(this));
    tell(new Copying(m_prompts, this), &Copying::copied);
    new TableMemory(m_settings, this);
    new FilterMemory(m_settings, this);
    auto *undo = m_workspace.createUndoAction(this, tr("&Undo"));
    undo->setObjectName(u"actionUndo"_s);
    undo->setShortcut(QKeySequence(u"Ctrl+Z"_s));
    undo->disconnect(&m_workspace);
    connect(undo, &QAction::triggered, this, &MainWindow::undo);
    auto *redo = m_workspace.createRedoAction(this, tr("&Redo"));
    redo->setObjectName(u"actionRedo"_s);
    redo->disconnect(&m_workspace);
    connect(redo, &QAction::triggered, this, &MainWindow::redo);
    redo->setShortcuts({QKeySequence(u"Ctrl+Shift+Z"_s), QKeySequence(u"Ctrl+Y"_s)});
    m_ui->editMenu->insertActions(m_ui->actionCopy, {undo, redo, m_ui->actionHistory});
    m_ui->editMenu->insertSeparator(m_ui->actionCopy);

    m_navigation->fillMenu(m_ui->viewMenu);
    makePaneKeys();

    auto *themes = new QActionGroup(this);
    for (const auto &[action, choice] :
        {std::pair(m_ui->actionThemeSystem, ThemeChoice::System), std::pair(m_ui->actionThemeLight, ThemeChoice::Light),
            std::pair(m_ui->actionThemeDark, ThemeChoice::Dark)}) {
        themes->addAction(action);
        action->setChecked(m_settings.theme() == choice);
        connect(action, &QAction::triggered, this, [this, choice = choice] { applyTheme(choice); });
    }
    makeLanguageMenu();
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

void MainWindow::makeLanguageMenu()
{
    auto *languages = new QActionGroup(this);
    for (const auto &[action, choice] : {std::pair(m_ui->actionLanguageSystem, std::optional<Language>()),
             std::pair(m_ui->actionLanguageEnglish, std::optional(Language::English)),
             std::pair(m_ui->actionLanguageGerman, std::optional(Language::German))}) {
        languages->addAction(action);
        action->setChecked(m_settings.language() == choice);
        connect(action, &QAction::triggered, this, [this, choice = choice] {
            m_settings.setLanguage(choice);
            m_notices->dismiss(u"language"_s);
            if (languageAtStart(m_settings) != language())
                m_notices->tell(
                    {.title = tr("The language changes when Fleetwright is started again."), .key = u"language"_s});
        });
    }
}

void MainWindow::makePaneKeys()
{
    connect(m_ui->actionNextPane, &QAction::triggered, this, [this] { m_panes->next(); });
    connect(m_ui->actionPreviousPane, &QAction::triggered, this, [this] { m_panes->previous(); });
    connect(m_navigation, &Navigation::entered, this, [this](const QString &id) {
        const bool isThere = currentPage() == id && m_panes->isInPage();
        showPage(id);
        if (!isThere)
            m_panes->enterPage();
    });
    // Inside a page its own key does it.
    auto *find = new QShortcut(QKeySequence::Find, m_ui->navigation, nullptr, nullptr, Qt::WidgetShortcut);
    connect(find, &QShortcut::activated, this, [this] {
        if (auto *page = qobject_cast<Page *>(m_ui->pages->currentWidget()))
            page->find();
    });
}

void MainWindow::undo()
{
    m_workspace.settle(); // an entry that is still being typed is the step to undo
    if (auto *page = qobject_cast<Page *>(m_ui->pages->currentWidget()); page && page->takeBackRefused()) {
        say(tr("Undone: entries that were not saved")); // the last step is another one, and not in sight
        return;
    }
    const auto *stack = m_workspace.undoStack();
    if (!mayUndoTo(stack->index() - 1, m_workspace, m_prompts, this)) {
        say(tr("The approval stays."));
        return;
    }
    const auto text = stack->undoText();
    m_workspace.undo();
    if (!text.isEmpty() && stack->redoText() == text)
        say(tr("Undone: %1").arg(text)); // what was said of the step itself holds no longer
}

void MainWindow::redo()
{
    m_workspace.settle();
    const auto *stack = m_workspace.undoStack();
    const auto text = stack->redoText();
    m_workspace.redo();
    if (!text.isEmpty() && stack->undoText() == text)
        say(tr("Redone: %1").arg(text));
}

void MainWindow::forwardActions()
{
    const auto onPlans = [this](void (PlanPage::*act)()) {
        showPage(u"plans"_s);
        if (auto *page = m_navigation->pageAs<PlanPage>(u"plans"_s))
            (page->*act)();
    };
    for (const auto &[action, act] :
        {std::pair(m_ui->actionNewPlan, &PlanPage::newPlan), std::pair(m_ui->actionDeletePlan, &PlanPage::removePlan),
            std::pair(m_ui->actionExportPlan, &PlanPage::exportPlan),
            std::pair(m_ui->actionExportLaunch, &PlanPage::exportLaunch),
            std::pair(m_ui->actionSeekValue, &PlanPage::seekValue)})
        connect(action, &QAction::triggered, this, [onPlans, act = act] { onPlans(act); });
    connect(m_ui->actionExportPdf, &QAction::triggered, this, [this] {
        showPage(u"report"_s);
        if (auto *page = m_navigation->pageAs<ReportPage>(u"report"_s))
            page->exportPdf();
    });
    connect(m_ui->actionSearchLayouts, &QAction::triggered, this, [this] {
        if (!m_workspace.isOpen())
            return;
        const auto plan = shownPlan();
        if (auto *page = m_navigation->pageAs<SearchPage>(u"search"_s)) {
            page->searchPlan(plan);
            showPage(u"search"_s);
        }
    });
    connect(m_ui->actionComparePlan, &QAction::triggered, this, [this] { comparePlan(shownPlan()); });
    connect(m_ui->actionDuplicatePlan, &QAction::triggered, this, [this, onPlans] {
        if (auto *page = currentPage() == u"fleets" ? m_navigation->pageAs<FleetPage>(u"fleets"_s) : nullptr)
            page->duplicateFleet();
        else
            onPlans(&PlanPage::duplicatePlan);
    });
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

} // namespace fleetwright::app
