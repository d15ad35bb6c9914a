// SPDX-License-Identifier: GPL-3.0-or-later
// F1: every page, tab and dialog has its place in the handbook, by the key itself.
#include "app/handbook/handbookwindow.h"
#include "app/handbook/helptopics.h"
#include "app/pagetabs.h"
#include "mainwindowtesting.h"
#include "pagewalk.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"

#include <QLineEdit>
#include <QTabBar>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestHelpDesk : public QObject, MainWindowFixture {
    Q_OBJECT

    static HandbookWindow *handbook()
    {
        for (auto *widget : QApplication::topLevelWidgets())
            if (auto *window = qobject_cast<HandbookWindow *>(widget); window && window->isVisible())
                return window;
        return nullptr;
    }

    /// Presses the key where the focus is, or on the window.
    static HandbookPlace help(QWidget &window)
    {
        auto *at = window.focusWidget() ? window.focusWidget() : &window;
        QTest::keyClick(at, Qt::Key_F1);
        return handbook() ? handbook()->current() : HandbookPlace();
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { start(); }
    void cleanup() { m_window.reset(); }

    void everyTopicLeadsToAPlaceThatThereIs()
    {
        for (const auto &topic : helpTopics()) {
            QVERIFY2(Handbook::shipped().has(HandbookPlace::of(topic.target)), qPrintable(topic.target));
            if (topic.bar.isEmpty() || topic.where == u"ExplainDialog"_s)
                continue;
            const auto &all = pageTabs(); // a tab that there is not would never be asked
            QVERIFY2(std::ranges::any_of(all,
                         [&](const PageTabs &tabs) {
                             return tabs.page == topic.where && tabs.bar == topic.bar && topic.tab < tabs.titles.size();
                         }),
                qPrintable(topic.where + u' ' + topic.bar));
        }
    }

    void everyPageAndTabHasOne()
    {
        QCOMPARE(help(*m_window), HandbookPlace::of(u"welcome"_s));
        QVERIFY(m_window->workspace().createSample(newFile(), storage::ShippedProject::Decision));
        QStringList pages;
        walkPages(*m_window, [&](const QString &name, QWidget &) {
            const auto page = m_window->currentPage();
            const auto target = helpFor(page, shownPage(*m_window));
            QVERIFY2(Handbook::shipped().has(HandbookPlace::of(target)), qPrintable(name));
            if (pages.contains(page))
                return;
            pages << page;
            QCOMPARE(help(*m_window), HandbookPlace::of(target));
        });
        QVERIFY(pages.size() > 20);
        m_window->showPage(u"decide"_s);
        const auto &page = *shownPage(*m_window);
        for (const auto &tabs : pageTabs())
            if (tabs.page == u"decide"_s)
                for (int tab = 0; tab < tabs.titles.size(); ++tab) {
                    showTab(page, tabs, tab);
                    const bool sure = tabs.titles[tab] == u"How sure"_s;
                    QCOMPARE(help(*m_window).page == u"uncertainty"_s, sure);
                }
    }

    void everyDialogHasOne()
    {
        QVERIFY(m_window->workspace().createSample(newFile(), storage::ShippedProject::Decision));
        QSet<QString> dialogs;
        walkDialogs(*m_window, [&](const QString &name, QWidget &dialog) {
            if (dialogs.contains(dialog.objectName()))
                return;
            dialogs << dialog.objectName();
            const auto target = helpFor(dialog.objectName(), &dialog);
            QVERIFY2(!target.isEmpty(), qPrintable(name + u": "_s + dialog.objectName()));
            QCOMPARE(help(dialog), HandbookPlace::of(target));
            QVERIFY(handbook()->findChild<QLineEdit *>(u"handbookSearchEdit"_s)->isEnabled());
            handbook()->close();
        });
        QVERIFY(dialogs.size() >= 15);
    }

    /// A dialog that everything waits for leaves the handbook usable, and leaves it behind.
    void outlivesTheDialogThatAsked()
    {
        QDialog dialog(m_window.get());
        dialog.setObjectName(u"VersionsDialog"_s);
        QTimer::singleShot(50, &dialog, [&] {
            QCOMPARE(help(dialog), HandbookPlace::of(u"projects#versions"_s));
            QCOMPARE(handbook()->parentWidget(), &dialog);
            dialog.reject();
        });
        dialog.exec();
        QVERIFY(handbook());
        QVERIFY(!handbook()->parentWidget());
        QCOMPARE(handbook()->current().page, u"projects"_s);
    }

    /// There is one, and it goes with the window.
    void closesWithTheWindow()
    {
        (void)help(*m_window);
        const auto *first = handbook();
        QVERIFY(first && !first->isModal());
        action(u"actionHandbook"_s)->trigger();
        QCOMPARE(handbook(), first);
        QCOMPARE(handbook()->current(), HandbookPlace::of(u"introduction"_s));
        QCOMPARE(help(*handbook()), HandbookPlace::of(u"introduction#this-handbook"_s));
        m_window->close();
        QVERIFY(!handbook());
    }

    void shortcutsHaveAnotherKey()
    {
        QCOMPARE(action(u"actionHelp"_s)->shortcut(), QKeySequence(Qt::Key_F1));
        QTest::keyClick(m_window.get(), Qt::Key_F1, Qt::ControlModifier);
        QVERIFY(child<QDialog>(u"shortcutsDialog"_s));
        child<QDialog>(u"shortcutsDialog"_s)->reject();
    }

    void quickSearchLeadsToPagesAndHeadings()
    {
        createProject();
        action(u"actionSearch"_s)->trigger();
        auto *edit = child<QDialog>(u"quickSearch"_s)->findChild<QLineEdit *>(u"quickSearchEdit"_s);
        QTest::keyClicks(edit, u"handbook seek a value"_s);
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(handbook());
        QCOMPARE(handbook()->current(), HandbookPlace::of(u"plan-inputs#seek-a-value"_s));
    }
};

FLEETWRIGHT_TEST(TestHelpDesk)
#include "tst_helpdesk.moc"
