// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/catalog/catalogpage.h"
#include "app/pages/plan/planpage.h"
#include "app/projectfiles.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/planoverviewmodel.h"
#include "itemmodels/rowtable.h"
#include "mainwindowtesting.h"
#include "testing/registry.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestMainWindow : public QObject, MainWindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { start(); }
    void cleanup() { m_window.reset(); }

    void withoutAProjectItSaysWhatToDo()
    {
        QCOMPARE(m_window->currentPage(), u"overview"_s);
        QCOMPARE(m_window->windowTitle(), u"Fleetwright"_s);
        QVERIFY(child<QPushButton>(u"sampleButton decision"_s)->isVisible());
        QVERIFY(child<QPushButton>(u"answerButton"_s)->isVisible());
        QVERIFY(!action(u"actionSaveCopy"_s)->isEnabled());
        m_window->showPage(u"catalog/nodes"_s);
        QCOMPARE(m_window->currentPage(), u"overview"_s);
    }

    void newProjectByKeyboard()
    {
        m_prompts.fileName = newFile();
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        QVERIFY(m_window->workspace().isOpen());
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(m_window->windowTitle(), u"Fleetwright - %1"_s.arg(QFileInfo(m_prompts.fileName).completeBaseName()));
        QCOMPARE(m_settings->recentFiles(), QStringList{m_prompts.fileName});
        QVERIFY(!child<QLabel>(u"readOnlyLabel"_s)->isVisible());
    }

    void searchesLayoutsOfTheShownPlan()
    {
        createProject();
        importPlan("To search");
        action(u"actionDuplicatePlan"_s)->trigger(); // the copy is shown
        QCOMPARE(m_window->workspace().plans().size(), 2U);
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(m_window->currentPage(), u"search"_s);
        const auto *view = child<QWidget>(u"layoutView"_s);
        QVERIFY(view->isVisible());
        QCOMPARE(view->findChild<QComboBox *>(u"planCombo"_s)->currentData().toLongLong(),
            m_window->workspace().plans().back().id);
        // The button of the Plans page, for another plan.
        m_window->showPlan(m_window->workspace().plans().front().id);
        QTest::mouseClick(child<QPushButton>(u"searchLayoutsButton"_s), Qt::LeftButton);
        QCOMPARE(m_window->currentPage(), u"search"_s);
        QCOMPARE(view->findChild<QComboBox *>(u"planCombo"_s)->currentData().toLongLong(),
            m_window->workspace().plans().front().id);
    }

    /// From a price to what uses it, and from a plan's entry to its prices.
    void pricesPlansAndDecisionsLeadToEachOther()
    {
        createProject();
        importPlan("70B");
        const auto prices = u"catalog/prices"_s;
        m_window->showPage(prices);
        QCOMPARE(m_window->currentPage(), prices);
        auto *page = m_window->findChild<CatalogPage *>();
        QVERIFY(page);
        const auto details = page->findChild<QTextBrowser *>(u"details"_s);
        QVERIFY2(details->toPlainText().contains(u"plan \u201870B\u2019"_s), qPrintable(details->toPlainText()));
        emit details->anchorClicked(QUrl(u"plan:1"_s));
        QCOMPARE(m_window->currentPage(), u"plans"_s);
        const auto *table = page->findChild<QTableView *>(u"table"_s);
        const auto ids = QStringList{table->model()->index(3, 0).data(itemmodels::CatalogTableModel::IdRole).toString(),
            table->model()->index(5, 0).data(itemmodels::CatalogTableModel::IdRole).toString()};
        emit m_window->findChild<PlanPage *>()->pricesRequested(ids);
        QCOMPARE(m_window->currentPage(), prices);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
        QCOMPARE(table->currentIndex().row(), 3);
        m_window->showPage(u"ledger"_s);
        QTest::mouseClick(child<QPushButton>(u"emptyDecideButton"_s), Qt::LeftButton);
        QCOMPARE(m_window->currentPage(), u"decide"_s);
    }

    void everyPageOpensFromTheNavigation()
    {
        createProject();
        auto *navigation = child<QTreeWidget>(u"navigation"_s);
        int pages = 0;
        for (QTreeWidgetItemIterator it(navigation); *it; ++it) {
            const auto id = (*it)->data(0, Qt::UserRole).toString();
            if (id.isEmpty())
                continue;
            navigation->setCurrentItem(*it);
            QCOMPARE(m_window->currentPage(), id.startsWith(u"plan/"_s) ? u"plans"_s : id);
            ++pages;
        }
        QVERIFY(pages >= 10);
        action(u"goTo/catalog/nodes"_s)->trigger();
        QCOMPARE(navigation->currentItem()->data(0, Qt::UserRole).toString(), u"catalog/nodes"_s);
    }

    /// The plans stand below "Plans": they follow edits, undo and removal, and the plan on the page is the one chosen.
    void plansAreInTheNavigation()
    {
        createProject();
        auto *tree = child<QTreeWidget>(u"navigation"_s);
        auto &workspace = m_window->workspace();
        importPlan("First");
        importPlan("Second");
        const auto *plans = tree->currentItem()->parent(); // an imported plan is shown
        QCOMPARE(plans->text(0), u"Plans"_s);
        QCOMPARE(plans->childCount(), 2);
        QCOMPARE(tree->currentItem()->text(0), u"Second"_s);
        QVERIFY(plans->child(0)->toolTip(0).contains(u"DGX H100"_s));

        m_window->showPage(u"overview"_s);
        QCOMPARE(tree->currentItem(), plans);
        const auto middle = [&](int plan) { return tree->visualItemRect(plans->child(plan)).center(); };
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, middle(0));
        QCOMPARE(m_window->currentPage(), u"plans"_s);
        QCOMPARE(child<QLabel>(u"pageTitle"_s)->text(), u"First"_s);
        m_prompts.typed = u"Renamed"_s;
        QTest::keyClick(tree, Qt::Key_F2);
        QCOMPARE(plans->child(0)->text(0), u"Renamed"_s);
        QTest::keyClick(tree, Qt::Key_Down);
        QCOMPARE(child<QLabel>(u"pageTitle"_s)->text(), u"Second"_s);
        QTest::keyClick(tree, Qt::Key_Delete);
        QCOMPARE(plans->childCount(), 1);
        QCOMPARE(tree->currentItem()->text(0), u"Renamed"_s);
        QCOMPARE(child<QLabel>(u"pageTitle"_s)->text(), u"Renamed"_s);
        workspace.undo();
        QCOMPARE(plans->childCount(), 2);
        QCOMPARE(plans->child(1)->text(0), u"Second"_s);
        m_window->showPage(u"report"_s); // what is chosen there is not a plan, so keys of plans do nothing
        QTest::keyClick(tree, Qt::Key_Delete);
        QCOMPARE(workspace.plans().size(), 2U);
        action(u"actionCloseProject"_s)->trigger();
        QCOMPARE(plans->childCount(), 0);
        QCOMPARE(plans->text(0), u"Welcome"_s);
    }

    void pagesAreMadeWhenTheyAreShown()
    {
        createProject();
        QCOMPARE(child<QStackedWidget>(u"pages"_s)->count(), 1);
        m_window->showPage(u"catalog/grids"_s);
        QCOMPARE(child<QStackedWidget>(u"pages"_s)->count(), 2);
    }

    void aBadFileShowsASentenceAndKeepsTheProject()
    {
        const auto project = createProject();
        m_window->showPage(u"catalog/nodes"_s);
        const auto bad = m_folder.filePath(u"picture.jpg"_s);
        putFile(bad, QByteArray("\xff\xd8\xff\xe0", 4) + QByteArray(5000, 'x'));
        m_prompts.fileName = bad;
        action(u"actionOpenProject"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        QVERIFY(!m_prompts.errors.front().message.empty());
        QCOMPARE(m_window->workspace().path(), project);
        QCOMPARE(m_window->currentPage(), u"catalog/nodes"_s);
        QVERIFY(!m_settings->recentFiles().contains(bad));
    }

    void aMissingRecentFileIsForgotten()
    {
        const auto first = createProject();
        createProject();
        action(u"actionCloseProject"_s)->trigger();
        QVERIFY(!m_window->workspace().isOpen());
        QVERIFY(m_settings->lastProject().isEmpty());
        QVERIFY(QFile::remove(first));
        auto *list = child<QTreeWidget>(u"recentList"_s);
        QCOMPARE(list->topLevelItemCount(), 2);
        m_window->hide(); // looked at again, it says so
        m_window->show();
        QCOMPARE(list->topLevelItem(1)->text(2), u"not found"_s);
        static const QRegularExpression day(u"^20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d$"_s);
        QVERIFY2(day.match(list->topLevelItem(0)->text(2)).hasMatch(), qPrintable(list->topLevelItem(0)->text(2)));
        list->setCurrentItem(list->topLevelItem(1));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        QCOMPARE(list->topLevelItemCount(), 1);
        QTest::mouseClick(child<QPushButton>(u"openRecentButton"_s), Qt::LeftButton);
        QVERIFY(m_window->workspace().isOpen());
    }

    void theLastProjectOpensAgain()
    {
        const auto path = createProject();
        m_window.reset();
        open();
        m_window->files().openLast();
        QCOMPARE(m_window->workspace().path(), path);
        m_window.reset();
        QVERIFY(QFile::remove(path));
        open();
        m_window->files().openLast();
        QVERIFY(!m_window->workspace().isOpen());
        QVERIFY(m_prompts.errors.empty());
    }

    void undoNamesWhatItUndoes()
    {
        createProject();
        FleetDocument fleet;
        fleet.name = "Hall 1";
        fleet.node = std::string("nvidia_dgx_h100");
        fleet.nodes = 4;
        fleet.fabric = std::string("ib_ndr");
        QVERIFY(m_window->workspace().addFleet(fleet));
        QVERIFY(action(u"actionUndo"_s)->text().contains(u"Add fleet"));
        QVERIFY(child<QLabel>(u"savedLabel"_s)->text().startsWith(u"saved "));
        QVERIFY(child<QLabel>(u"countsLabel"_s)->text().contains(u">Fleets</a> 1"_s));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_window->workspace().fleets().empty());
        QVERIFY(child<QLabel>(u"countsLabel"_s)->text().contains(u">Fleets</a> 0"_s));
    }

    void quickSearch()
    {
        createProject();
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto *dialog = child<QDialog>(u"quickSearch"_s);
        QVERIFY(dialog);
        auto *edit = dialog->findChild<QLineEdit *>(u"quickSearchEdit"_s);
        QTest::keyClicks(edit, u"gb200 node"_s);
        QVERIFY(dialog->findChild<QListView *>()->model()->rowCount() > 0);
        QTest::keyClick(edit, Qt::Key_Down);
        QTest::keyClick(edit, Qt::Key_Up);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_window->currentPage(), u"catalog/nodes"_s);
        QVERIFY(child<QTableView>(u"table"_s)->currentIndex().data().toString().contains(u"GB200"));
        QTRY_VERIFY(!child<QDialog>(u"quickSearch"_s));
    }

    /// What stands in the menus and on the page in sight, too.
    void quickSearchFindsActions()
    {
        createProject();
        const auto choose = [this](const QString &words) {
            action(u"actionSearch"_s)->trigger();
            auto *dialog = child<QDialog>(u"quickSearch"_s);
            auto *edit = dialog->findChild<QLineEdit *>(u"quickSearchEdit"_s);
            QTest::keyClicks(edit, words);
            QCOMPARE(dialog->findChild<QListView *>()->model()->rowCount(), 1);
            QTest::keyClick(edit, Qt::Key_Return);
        };
        choose(u"dark theme"_s);
        QVERIFY(action(u"actionThemeDark"_s)->isChecked());
        QTRY_VERIFY(!child<QDialog>(u"quickSearch"_s));
        choose(u"light theme"_s);
        QTRY_VERIFY(!child<QDialog>(u"quickSearch"_s));
        m_window->showPage(u"sweeps"_s);
        choose(u"new sweep page"_s);
        QCOMPARE(m_window->workspace().sweeps().size(), 1UZ);
    }

    /// Which takes Ctrl+K for deleting to its end.
    void quickSearchOpensFromAField()
    {
        createProject();
        m_window->showPage(u"plans"_s);
        QLineEdit field(u"kept"_s, m_window.get());
        field.show();
        field.setFocus();
        QTRY_VERIFY(field.hasFocus());
        field.setCursorPosition(0);
        QTest::keyClick(&field, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(child<QDialog>(u"quickSearch"_s));
        QCOMPARE(field.text(), u"kept"_s);
    }

    void historyGoesToAnyStep()
    {
        createProject();
        auto &workspace = m_window->workspace();
        FleetDocument fleet;
        fleet.node = std::string("nvidia_dgx_h100");
        fleet.fabric = std::string("ib_ndr");
        for (const auto *name : {"one", "two", "three"}) {
            fleet.name = name;
            QVERIFY(workspace.addFleet(fleet));
        }
        action(u"actionHistory"_s)->trigger();
        auto *dialog = child<QDialog>(u"historyDialog"_s);
        QVERIFY(dialog);
        auto *steps = dialog->findChild<QListWidget *>();
        QCOMPARE(steps->count(), 4);
        QVERIFY(steps->item(2)->text().contains(u"two"_s));
        QCOMPARE(steps->currentRow(), 3);
        QTest::mouseClick(steps->viewport(), Qt::LeftButton, {}, steps->visualItemRect(steps->item(1)).center());
        QTRY_COMPARE(workspace.fleets().size(), 1UZ); // step after step
        QTRY_COMPARE(steps->currentRow(), 1);
        QTest::keyClick(steps, Qt::Key_End);
        QTRY_COMPARE(workspace.fleets().size(), 3UZ);
        workspace.undo(); // elsewhere
        QCOMPARE(steps->currentRow(), 2);
        fleet.name = "four";
        QVERIFY(workspace.addFleet(fleet)); // what was undone is gone
        QCOMPARE(steps->count(), 4);
        QVERIFY(steps->item(3)->text().contains(u"four"_s));
    }

    void aLongWayInHistory_data()
    {
        QTest::addColumn<bool>("closes");
        QTest::newRow("an edit between two turns stays") << false;
        QTest::newRow("closed half-way it arrives") << true;
    }
    void aLongWayInHistory()
    {
        QFETCH(bool, closes);
        createProject();
        auto &workspace = m_window->workspace();
        FleetDocument fleet;
        fleet.node = std::string("nvidia_dgx_h100");
        fleet.fabric = std::string("ib_ndr");
        constexpr int steps = 40;
        for (int i = 0; i < steps; ++i) {
            fleet.name = "fleet " + std::to_string(i);
            QVERIFY(workspace.addFleet(fleet));
        }
        action(u"actionHistory"_s)->trigger();
        QPointer dialog = child<QDialog>(u"historyDialog"_s);
        // A turn of the list ends after the first step.
        const auto slow = connect(workspace.undoStack(), &QUndoStack::indexChanged, dialog, [] { QTest::qSleep(60); });
        dialog->findChild<QListWidget *>()->setCurrentRow(0);
        QVERIFY(workspace.undoStack()->index() > 0); // half-way
        disconnect(slow);
        if (closes) {
            dialog->close();
            QCOMPARE(workspace.undoStack()->index(), 0);
            QTRY_VERIFY(!dialog);
            QCOMPARE(workspace.undoStack()->count(), steps);
            return;
        }
        fleet.name = "in between";
        QVERIFY(workspace.addFleet(fleet));
        const int count = workspace.undoStack()->count();
        QTest::qWait(300);
        QCOMPARE(workspace.undoStack()->index(), count);
        QCOMPARE(workspace.fleets().back().document.name, std::string("in between"));
        const auto *list = dialog->findChild<QListWidget *>();
        QCOMPARE(list->count(), count + 1);
        QCOMPARE(list->currentRow(), count);
    }

    void theSampleProjectIsMadeOnceAndOpenedAgain()
    {
        QTest::mouseClick(child<QPushButton>(u"sampleButton decision"_s), Qt::LeftButton);
        QVERIFY2(m_prompts.errors.empty(), m_prompts.errors.empty() ? "" : m_prompts.errors.front().message.c_str());
        QVERIFY(!m_window->workspace().plans().empty());
        const auto *plans = child<QTableView>(u"plansTable"_s)->model();
        QVERIFY(plans->rowCount() > 0);
        const auto path = m_window->workspace().path();
        // It opens on its decision. What was never solved is solved while the overview is shown, and kept.
        QCOMPARE(m_window->currentPage(), u"decide"_s);
        m_window->showPage(u"overview"_s);
        QTRY_COMPARE(plans->index(0, itemmodels::PlanOverviewModel::Feasible).data().toString(), u"likely"_s);
        QVERIFY(m_window->workspace().result(m_window->workspace().plans().front().id));
        QCOMPARE(m_window->workspace().undoStack()->count(), 0);
        action(u"actionCloseProject"_s)->trigger();
        action(u"sample decision"_s)->trigger();
        QCOMPARE(m_window->workspace().path(), path);
        action(u"actionCloseProject"_s)->trigger();
        QVERIFY(QFile::remove(path));
    }

    void saveACopy()
    {
        createProject();
        const auto original = m_window->workspace().path();
        m_prompts.fileName = m_folder.filePath(u"copy"_s);
        action(u"actionSaveCopy"_s)->trigger();
        QVERIFY(m_prompts.errors.empty());
        QVERIFY(QFile::exists(m_folder.filePath(u"copy.fleetwright"_s)));
        QCOMPARE(m_window->workspace().path(), original);
        m_prompts.fileName = original;
        action(u"actionSaveCopy"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1UZ);
    }

    void noTwoActionsShareAShortcut()
    {
        QHash<QString, QString> owners;
        for (const auto *action : m_window->findChildren<QAction *>())
            for (const auto &keys : action->shortcuts()) {
                QVERIFY2(!owners.contains(keys.toString()),
                    qPrintable(keys.toString() + u" "_s + action->text() + u" "_s + owners.value(keys.toString())));
                owners.insert(keys.toString(), action->text());
            }
        QVERIFY(owners.contains(u"Ctrl+K"_s) && owners.contains(u"Ctrl+1"_s));
    }

    void themesChangeThePaletteAndAreRemembered()
    {
        action(u"actionThemeDark"_s)->trigger();
        QVERIFY(isDark(QApplication::palette()));
        QCOMPARE(m_settings->theme(), ThemeChoice::Dark);
        action(u"actionThemeLight"_s)->trigger();
        QVERIFY(!isDark(QApplication::palette()));
    }

    void dialogsOfTheHelpMenu()
    {
        action(u"actionAbout"_s)->trigger();
        auto *about = child<QDialog>(u"aboutDialog"_s);
        QVERIFY(about && about->isVisible());
        about->reject();
        action(u"actionShortcuts"_s)->trigger();
        QVERIFY(child<QDialog>(u"shortcutsDialog"_s));
        child<QDialog>(u"shortcutsDialog"_s)->reject();
    }

    void windowStateIsRemembered()
    {
        m_window->resize(1001, 702);
        m_window->close();
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QCOMPARE(m_window->height(), 702);
        // No wider than the screen, where its pages are not.
        QCOMPARE(m_window->width(),
            std::max(m_window->minimumSizeHint().width(), std::min(1001, m_window->screen()->availableSize().width())));
    }

    void documentsAreImportedAndPlansExported()
    {
        open();
        createProject();
        importPlan("From a file");
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(m_window->workspace().plans().size(), 1U);
        QCOMPARE(m_window->currentPage(), u"plans"_s);
        for (const auto &name : {u"again.yaml"_s, u"again.json"_s}) {
            m_prompts.fileName = m_folder.filePath(name);
            action(u"actionExportPlan"_s)->trigger();
            QVERIFY(m_prompts.errors.empty());
            action(u"actionImport"_s)->trigger();
            QVERIFY(m_prompts.errors.empty());
            auto again = m_window->workspace().plans().back().document;
            QVERIFY(std::exchange(again.name, "From a file") != "From a file"); // which is there already
            QCOMPARE(again, m_window->workspace().plans().front().document);
        }
        m_window->workspace().undo();
        QCOMPARE(m_window->workspace().plans().size(), 2U);
    }

    void aBadDocumentIsRefusedWithItsPlace()
    {
        open();
        createProject();
        const auto path = m_folder.filePath(u"bad.yaml"_s);
        putFile(path,
            "fleetwright: 1\nworkload: llama3_1_70b\nfleet: {node: nvidia_dgx_h100, nodes: -3, fabric: ib_ndr}\n"
            "training: {global_batch: 256, seq_len: 2048, precision: fp16}\n");
        m_prompts.errors.clear();
        m_prompts.fileName = path;
        action(u"actionImport"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1U);
        QCOMPARE(QString::fromStdString(m_prompts.errors.front().field), u"fleet.nodes"_s);
        QVERIFY(m_prompts.errors.front().message.find("line 3") != std::string::npos);
        QVERIFY(m_window->workspace().plans().empty());
        m_prompts.errors.clear();
        m_prompts.fileName = m_folder.filePath(u"missing.yaml"_s);
        action(u"actionImport"_s)->trigger();
        QCOMPARE(m_prompts.errors.size(), 1U);
        m_prompts.errors.clear();
    }
};

FLEETWRIGHT_TEST(TestMainWindow)
#include "tst_mainwindow.moc"
