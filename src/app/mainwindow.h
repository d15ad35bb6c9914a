// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings.h"
#include "app/singleinstance.h"
#include "app/workspace/workspace.h"

#include <QMainWindow>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

class QLabel;
class QToolButton;

namespace Ui {
class MainWindow;
}

namespace fleetwright::app {

class Activity;
class CalibrationDialog;
class HandbookHelp;
class HistoryDialog;
class MessagesDialog;
class Navigation;
class NoticeBar;
class Page;
class Panes;
class PlanBranch;
class ProjectFiles;
class Prompts;
struct SearchEntry;

/// The window: navigation, menus, status bar. Pages are made when they are first shown; what an action does is in the
/// pages and in ProjectFiles.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Settings &settings, Prompts &prompts, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workspace &workspace() { return m_workspace; }
    [[nodiscard]] ProjectFiles &files() { return *m_files; }
    [[nodiscard]] NoticeBar &notices() { return *m_notices; }

    /// "decide", "overview", "plans", "search", "sweeps", "compare", "validation", "studies", "ledger", "fleets",
    /// "offers", "catalog/nodes", "report", or "plan/" and the id of a plan. Pages other than the overview need an open
    /// project.
    void showPage(const QString &id);
    [[nodiscard]] QString currentPage() const;
    void showPlan(qint64 id);
    void showFleet(qint64 id);
    void showPrices(const QStringList &ids);
    /// And what was approved of it, or 0.
    void showDecision(qint64 id, qint64 approval);
    /// Shows the Compare page with this plan among the chosen ones; 0: as it is.
    void comparePlan(qint64 id);
    void showRecord(CatalogKind kind, const QString &id);
    void showRecords(CatalogKind kind, const QStringList &ids);
    /// What a start of the program asks for, or else the project of the last session, once the event loop runs: it can
    /// be left while a project is opened.
    void begin(const QStringList &files, bool sample);
    /// Opens and imports files from outside; waits while a question or a menu is open.
    void receive(const QStringList &files, bool sample = false);

public slots:
    /// What another start of the program asks: receive(), and to the front.
    void takeOver(const fleetwright::app::HandOver &request);
    void search();
    void undo(); ///< asks before it takes back an approval
    void redo();
    /// Opens "Calibrate to my runs", or brings it to the front.
    void calibrate();
    /// Opens "Update from shipped catalog".
    void updateCatalogs();
    /// Opens "History", or brings it to the front.
    void showHistory();
    /// Opens "Messages", or brings it to the front.
    void showMessages();
    /// Opens "Versions".
    void showVersions();

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] static QString catalogPageId(CatalogKind kind);
    void makeNavigation();
    void makePlanBranch();
    void makeMenus();
    void makeStatusBar();
    void forwardActions();
    void makePaneKeys();
    void fillRecentMenu();
    void projectChanged();
    void setUpFollowing();
    void keepNavigationWidth();
    void applyTheme(ThemeChoice choice);
    void makeLanguageMenu();
    void updateIcons();
    void copy();
    void paste(); ///< into the field with the focus, else into the project
    void addActions(std::vector<SearchEntry> &entries);
    void addTabs(std::vector<SearchEntry> &entries);
    void addFigures(std::vector<SearchEntry> &entries);
    void addWithdrawals(std::vector<SearchEntry> &entries);
    void say(const QString &text); ///< in the status bar, for a while
    void tellRemoved(const QString &name);
    /// say() what the signal says.
    template <class Sender, class Signal> void tell(Sender *sender, Signal signal)
    {
        connect(sender, signal, this, &MainWindow::say);
    }
    void showShortcuts();
    void showAbout();
    [[nodiscard]] qint64 shownPlan(); ///< 0: none
    void showFollowed(const std::function<Expected<void>()> &show);
    void follow(); ///< shows what another program made of a project that is read-only here
    void pageMade(Page *page, const QString &id, const QString &title);
    void receiveWaiting();

    std::unique_ptr<Ui::MainWindow> m_ui;
    Settings &m_settings;
    Prompts &m_prompts;
    Workspace m_workspace;
    ProjectFiles *m_files;
    Navigation *m_navigation = nullptr;
    HandbookHelp *m_help = nullptr;
    PlanBranch *m_plans = nullptr;
    QToolButton *m_searchButton = nullptr;
    QPointer<CalibrationDialog> m_calibration;
    QPointer<HistoryDialog> m_history;
    QPointer<MessagesDialog> m_messages;
    NoticeBar *m_notices;
    std::unique_ptr<Panes> m_panes;
    Activity *m_activity;
    std::vector<HandOver> m_waiting; ///< each is opened by itself, as it was asked for
    QTimer m_receiving; ///< runs while files wait
    QTimer m_following; ///< runs while the project is read-only
    bool m_toldAtClosing = false; ///< that the last entry could not be saved
    static constexpr QLatin1StringView removedNotice{"removed"};
    int m_navigationWidth = 0; ///< as its user wants it
    bool m_isFollowing = false; ///< the project is being read again
    QLabel *m_savedLabel;
    QLabel *m_readOnlyLabel;
};

} // namespace fleetwright::app
