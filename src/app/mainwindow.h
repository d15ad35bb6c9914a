// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/settings.h"
#include "app/workspace/workspace.h"

#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <memory>
#include <vector>

class QLabel;
class QToolButton;
class QTreeWidgetItem;

namespace Ui {
class MainWindow;
}

namespace fleetwright::app {

class CalibrationDialog;
class CatalogPage;
class PlanPage;
class ProjectFiles;
class Prompts;

/// The window: navigation, menus, status bar. Pages are made when they are first shown; what an action does is in the
/// pages and in ProjectFiles.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Settings &settings, Prompts &prompts, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workspace &workspace() { return m_workspace; }
    [[nodiscard]] ProjectFiles &files() { return *m_files; }

    /// "overview", "catalog/nodes", "fleets", "plans", "search", "sweeps", "compare", "validation", "studies",
    /// "ledger", "report". Pages other than the overview need an open project.
    void showPage(const QString &id);
    [[nodiscard]] QString currentPage() const;
    void showPlan(qint64 id);
    void showFleet(qint64 id);
    /// Shows the Compare page with this plan among the chosen ones; 0: as it is.
    void comparePlan(qint64 id);
    void showRecord(CatalogKind kind, const QString &id);

public slots:
    void search();
    /// Opens "Calibrate to my runs", or brings it to the front.
    void calibrate();

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Entry {
        QString id;
        QString title;
        QString icon;
        std::function<Page *()> make;
        QString keys{}; ///< shortcut; empty: the next digit
        QTreeWidgetItem *item = nullptr;
        Page *page = nullptr;
    };

    void addEntry(QTreeWidgetItem *parent, Entry entry);
    void makeNavigation();
    void makeMenus();
    void makeStatusBar();
    void forwardActions();
    void fillRecentMenu();
    void projectChanged();
    void applyTheme(ThemeChoice choice);
    void updateIcons();
    void copy();
    void showShortcuts();
    void showAbout();
    [[nodiscard]] qint64 shownPlan(); ///< 0: none
    [[nodiscard]] Entry *find(const QString &id);
    Page *makePage(Entry &entry);
    template <class T> T *pageOf(const QString &id);

    std::unique_ptr<Ui::MainWindow> m_ui;
    Settings &m_settings;
    Prompts &m_prompts;
    Workspace m_workspace;
    ProjectFiles *m_files;
    std::vector<Entry> m_entries;
    QTreeWidgetItem *m_catalogsItem = nullptr;
    QToolButton *m_searchButton = nullptr;
    QPointer<CalibrationDialog> m_calibration;
    QLabel *m_savedLabel;
    QLabel *m_readOnlyLabel;
};

} // namespace fleetwright::app
