// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/page.h"
#include "app/pagetabs.h"
#include "app/plannamedelegate.h"
#include "app/projectfiles.h"
#include "mainwindowtesting.h"
#include "testing/registry.h"

#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QSet>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTreeWidget>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

/// The tree on the left, and Ctrl+K, which leads to what it leads to.
class TestNavigation : public QObject, MainWindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { start(); }
    void cleanup() { m_window.reset(); }

    /// What begins with what was typed, commands before places; no two rows alike, and none that has to be scrolled to.
    void quickSearchPutsTheNearestFirst()
    {
        createProject();
        m_window->showPage(u"sweeps"_s);
        action(u"actionSearch"_s)->trigger();
        auto *dialog = child<QDialog>(u"quickSearch"_s);
        auto *list = dialog->findChild<QListView *>();
        const auto row = [list](int i) { return list->model()->index(i, 0).data().toString(); };
        QSet<QString> all;
        for (int i = 0; i < list->model()->rowCount(); ++i)
            all.insert(row(i));
        QCOMPARE(int(all.size()), list->model()->rowCount());
        QVERIFY(!list->horizontalScrollBar()->isVisible());
        QCOMPARE(list->horizontalScrollBar()->maximum(), 0);
        QTest::keyClicks(dialog->findChild<QLineEdit *>(), u"new s"_s);
        QVERIFY2(row(0).startsWith(u"New sweep "_s), qPrintable(row(0)));
        auto *edit = dialog->findChild<QLineEdit *>();
        edit->clear();
        QTest::keyClicks(edit, u"sea"_s); // names, and what has it elsewhere
        QVERIFY2(row(0).startsWith(u"Sea"_s), qPrintable(row(0)));
        bool begins = true;
        for (int i = 0; i < list->model()->rowCount(); ++i) {
            const bool does = row(i).startsWith(u"sea"_s, Qt::CaseInsensitive);
            QVERIFY2(begins || !does, qPrintable(row(i)));
            begins = does;
        }
        dialog->reject();
    }

    void quickSearchFindsTabsAndSaysWhereThereIsNothing()
    {
        createProject();
        QVERIFY(!m_window->findChild<Page *>(u"ValidationPage"_s)); // it is made when it is gone to
        action(u"actionSearch"_s)->trigger();
        QVERIFY(!m_window->findChild<Page *>(u"ValidationPage"_s));
        auto *dialog = child<QDialog>(u"quickSearch"_s);
        auto *edit = dialog->findChild<QLineEdit *>(u"quickSearchEdit"_s);
        auto *nothing = dialog->findChild<QLabel *>(u"quickSearchNothing"_s);
        QVERIFY(!nothing->isVisible());
        QTest::keyClicks(edit, u"xyzzy"_s);
        QVERIFY(nothing->isVisible() && nothing->text().contains(u"xyzzy"_s));
        QVERIFY(!dialog->findChild<QListView *>()->isVisible());
        edit->clear();
        QVERIFY(!nothing->isVisible());
        QTest::keyClicks(edit, u"validation costs"_s);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_window->currentPage(), u"validation"_s);
        const auto bars = m_window->findChild<Page *>(u"ValidationPage"_s)->findChildren<QTabBar *>();
        QVERIFY(std::ranges::any_of(
            bars, [](const QTabBar *bar) { return bar->tabText(bar->currentIndex()) == u"Costs"_s; }));
    }

    /// By each of its names, to where it is explained.
    void quickSearchLeadsToTheCostOfElectricity()
    {
        createProject();
        importPlan("First");
        for (const auto &words : {u"electric"_s, u"electricity"_s, u"energy cost"_s, u"power cost"_s}) {
            action(u"actionSearch"_s)->trigger();
            auto *dialog = child<QDialog>(u"quickSearch"_s);
            auto *list = dialog->findChild<QListView *>(u"quickSearchList"_s);
            QTest::keyClicks(dialog->findChild<QLineEdit *>(u"quickSearchEdit"_s), words);
            QVERIFY2(list->currentIndex().data().toString().startsWith(u"Electricity of the run"_s), qPrintable(words));
            QTest::keyClick(dialog->findChild<QLineEdit *>(u"quickSearchEdit"_s), Qt::Key_Return);
            QTRY_VERIFY(!child<QDialog>(u"quickSearch"_s));
            QCOMPARE(m_window->currentPage(), u"plans"_s);
            QTRY_VERIFY(child<QDialog>(u"ExplainDialog"_s));
            auto *explain = child<QDialog>(u"ExplainDialog"_s);
            const auto *tree = explain->findChild<QTreeView *>(u"workingTree"_s);
            QTRY_VERIFY(tree->model()->rowCount() > 0);
            QTRY_VERIFY(
                tree->currentIndex().siblingAtColumn(0).data().toString().startsWith(u"Electricity of the run"_s));
            QVERIFY(tree->isExpanded(tree->currentIndex().siblingAtColumn(0)));
            explain->close();
            QTRY_VERIFY(!child<QDialog>(u"ExplainDialog"_s));
        }
    }

    /// The tree keeps its width on every page, as its user left it, and gets it back where a small window took it.
    void theTreeKeepsItsWidth()
    {
        QVERIFY(m_window->workspace().createSample(newFile(), storage::ShippedProject::Decision));
        m_window->resize(1280, 760);
        auto *tree = child<QTreeWidget>(u"navigation"_s);
        const auto *pages = child<QStackedWidget>(u"pages"_s);
        const auto walk = [&](int width) {
            for (const auto *id :
                {"decide", "overview", "search", "sweeps", "compare", "validation", "studies", "ledger", "fleets",
                    "offers", "report", "catalog/prices", "catalog/accelerators", "catalog/calibration_constants"}) {
                m_window->showPage(QString::fromLatin1(id));
                QCOMPARE(m_window->currentPage(), QString::fromLatin1(id));
                QCoreApplication::processEvents();
                QVERIFY2(tree->width() == width,
                    qPrintable(u"%1: %2, the page needs %3"_s.arg(QLatin1StringView(id))
                                   .arg(tree->width())
                                   .arg(pages->currentWidget()->minimumSizeHint().width())));
            }
        };
        QTRY_COMPARE(m_window->width(), 1280);
        QCOMPARE(tree->width(), 216);
        walk(216);
        auto *splitter = child<QSplitter>(u"windowSplitter"_s);
        const auto *handle = splitter->handle(1);
        const QPoint middle = handle->rect().center();
        QTest::mousePress(splitter->handle(1), Qt::LeftButton, {}, middle);
        QTest::mouseMove(splitter->handle(1), middle - QPoint(30, 0));
        QTest::mouseRelease(splitter->handle(1), Qt::LeftButton, {}, middle - QPoint(30, 0));
        const int chosen = tree->width();
        m_window->showPage(u"catalog/prices"_s);
        walk(chosen);
        pages->currentWidget()->setMinimumWidth(1400); // as long words do
        m_window->showPage(u"decide"_s);
        walk(chosen);
        pages->currentWidget()->setMinimumWidth(0);
        m_window->resize(m_window->minimumSizeHint().width(), 760);
        QCoreApplication::processEvents();
        m_window->resize(1280, 760);
        QTRY_COMPARE(tree->width(), chosen);
    }

    /// Another project begins where a project begins, not on the tab that the one before was left on.
    void anotherProjectBeginsOnFirstTabs()
    {
        QVERIFY(m_window->workspace().createSample(newFile(), storage::ShippedProject::Tutorial));
        m_window->showPage(u"overview"_s);
        const auto tabs = std::ranges::find(pageTabs(), u"overview"_s, &PageTabs::page);
        QVERIFY(tabs != pageTabs().end());
        auto *page = child<QStackedWidget>(u"pages"_s)->currentWidget();
        showTab(*page, *tabs, 1);
        QCOMPARE(findTabBar(*page, tabs->bar)->currentIndex(), 1);
        QVERIFY(m_window->workspace().createSample(newFile(), storage::ShippedProject::Tutorial));
        m_window->showPage(u"overview"_s);
        QCOMPARE(findTabBar(*page, tabs->bar)->currentIndex(), 0);
    }

    /// The list of tabs is that of the pages: of each bar, in its order, and of every bar that there is.
    void quickSearchKnowsEveryTab()
    {
        QVERIFY(m_window->workspace().createSample(newFile(), storage::ShippedProject::Tutorial));
        QSet<const QTabBar *> known;
        for (const auto &tabs : pageTabs()) {
            m_window->showPage(tabs.page);
            const auto *page = child<QStackedWidget>(u"pages"_s)->currentWidget();
            const auto *bar = findTabBar(*page, tabs.bar);
            QVERIFY2(bar, qPrintable(tabs.page + u' ' + tabs.bar));
            known.insert(bar);
            QCOMPARE(bar->count(), int(tabs.titles.size()));
            for (int tab = 0; tab < bar->count(); ++tab) {
                const auto shown = bar->tabText(tab).remove(u'&');
                QVERIFY2(shown == tabs.titles[tab] || shown.startsWith(tabs.titles[tab] + u" ("_s),
                    qPrintable(shown + u" is listed as "_s + tabs.titles[tab]));
            }
        }
        for (const auto *action : m_window->findChildren<QAction *>())
            if (action->objectName().startsWith(u"goTo/"_s))
                m_window->showPage(action->objectName().sliced(5));
        for (const auto *bar : child<QStackedWidget>(u"pages"_s)->findChildren<QTabBar *>())
            QVERIFY2(bar->count() == 0 || known.contains(bar),
                qPrintable(bar->objectName() + u' ' + bar->parent()->objectName() + u' ' + bar->tabText(0)));
    }

    /// Also a tab within a tab of a page that nobody has been to.
    void quickSearchGoesToATabWithinATab()
    {
        createProject();
        action(u"actionSearch"_s)->trigger();
        auto *edit = child<QDialog>(u"quickSearch"_s)->findChild<QLineEdit *>(u"quickSearchEdit"_s);
        QTest::keyClicks(edit, u"validation not scored"_s);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_window->currentPage(), u"validation"_s);
        const auto *page = m_window->findChild<Page *>(u"ValidationPage"_s);
        const auto *bar = findTabBar(*page, u"costTabs"_s);
        QVERIFY(bar && bar->isVisible());
        QCOMPARE(bar->currentIndex(), 1);
    }

    /// What its user folded stays so while plans come, and in the next session.
    void foldedBranchesStayFolded()
    {
        createProject();
        importPlan("First");
        auto *tree = child<QTreeWidget>(u"navigation"_s);
        auto *plans = tree->findItems(u"Plans"_s, Qt::MatchExactly).value(0);
        auto *evidence = tree->findItems(u"Evidence"_s, Qt::MatchExactly).value(0);
        QVERIFY(plans && evidence && plans->isExpanded());
        tree->setFocus();
        tree->setCurrentItem(plans);
        QTest::keyClick(tree, Qt::Key_Left);
        QVERIFY(!plans->isExpanded());
        QTest::mouseClick(
            tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(evidence).center()); // the whole line folds
        QVERIFY(!evidence->isExpanded());
        importPlan("Second");
        QCOMPARE(plans->childCount(), 2);
        QVERIFY(!plans->isExpanded());
        QCOMPARE(tree->currentItem(), plans); // which stands for the plan that is shown
        QCOMPARE(m_window->currentPage(), u"plans"_s);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(plans).center());
        QCOMPARE(m_window->currentPage(), u"overview"_s);
        const auto project = m_window->workspace().path();
        m_window.reset();
        open();
        QVERIFY(m_window->files().openPath(project));
        tree = child<QTreeWidget>(u"navigation"_s);
        plans = tree->findItems(u"Plans"_s, Qt::MatchExactly).value(0);
        QVERIFY(!plans->isExpanded());
        QVERIFY(!tree->findItems(u"Evidence"_s, Qt::MatchExactly).value(0)->isExpanded());
        tree->setFocus();
        tree->setCurrentItem(plans);
        QTest::keyClick(tree, Qt::Key_Right);
        QVERIFY(plans->isExpanded());
    }

    void welcomeIsFirst()
    {
        auto *tree = child<QTreeWidget>(u"navigation"_s);
        QCOMPARE(tree->topLevelItem(0)->text(0), u"Welcome"_s);
        createProject();
        QCOMPARE(tree->topLevelItem(0)->text(0), u"Decide"_s);
        QCOMPARE(tree->topLevelItem(1)->text(0), u"Plans"_s);
        action(u"actionCloseProject"_s)->trigger();
        QCOMPARE(tree->topLevelItem(0)->text(0), u"Welcome"_s);
        QCOMPARE(tree->currentItem(), tree->topLevelItem(0));
    }

    /// What tells plans apart is at the end of their names: it stands in a second line, and a wider tree has it in one.
    void longNamesOfPlansHaveTwoLines()
    {
        createProject();
        importPlan("512 DGX B200, reserved for 3 years, InfiniBand NDR");
        importPlan("512 DGX B200, reserved for 3 years, InfiniBand XDR");
        auto *tree = child<QTreeWidget>(u"navigation"_s);
        const auto *plans = tree->findItems(u"Plans"_s, Qt::MatchExactly).value(0);
        const auto heightOf = [&](int plan) { return tree->visualItemRect(plans->child(plan)).height(); };
        const int line = tree->fontMetrics().lineSpacing(), single = tree->visualItemRect(plans).height();
        QTRY_COMPARE(heightOf(0), single + line);
        QCOMPARE(heightOf(1), single + line);
        const QStringList names{plans->child(0)->text(0), plans->child(1)->text(0)};
        QStringList seconds;
        for (const auto &name : names) {
            const auto lines = distinctLines(name, names, tree->fontMetrics(), 160);
            QCOMPARE(lines.size(), 2);
            seconds << lines[1];
            for (const auto &each : lines)
                QVERIFY(tree->fontMetrics().horizontalAdvance(each) <= 160);
        }
        QVERIFY2(seconds[0] != seconds[1], qPrintable(seconds.join(u'|'))); // the plans are told apart
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Tab);
        QVERIFY(!tree->hasFocus()); // who draws the names keeps no keys
    }

    void namesOfPlansStayDistinct()
    {
        const QStringList names{u"TP 8, PP 4, M 16 on InfiniBand NDR"_s, u"TP 8, PP 4, M 16 on InfiniBand HDR"_s,
            u"PP 1, M 4 on InfiniBand NDR"_s, u"PP 1, M 16 on InfiniBand NDR"_s, u"PP 1, M 1 on InfiniBand NDR"_s};
        const QFontMetrics metrics(QApplication::font());
        const int width = metrics.horizontalAdvance(u"PP 1, M 16 on Infini"_s);
        QStringList shown;
        for (const auto &name : names) {
            shown << distinctName(name, names, metrics, width);
            QVERIFY(metrics.horizontalAdvance(shown.back()) <= width);
        }
        QCOMPARE(QSet<QString>(shown.begin(), shown.end()).size(), names.size());
        QVERIFY(shown[0].endsWith(u"NDR"_s) && shown[0].startsWith(u"TP 8, PP"_s));
        QVERIFY(shown[3].startsWith(u"PP 1, M 16 on"_s)); // its beginning tells it from the others
        QCOMPARE(distinctName(u"Short"_s, names, metrics, width), u"Short"_s);
        QVERIFY(distinctName(QString(200, u'x'), {}, metrics, width).endsWith(QChar(0x2026)));
    }
};

FLEETWRIGHT_TEST(TestNavigation)
#include "tst_navigation.moc"
