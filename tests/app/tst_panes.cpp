// SPDX-License-Identifier: GPL-3.0-or-later
// The window by the keyboard alone, on every page: where Ctrl+F, F6, the keys of the pages and Tab lead.
#include "app/pages/page.h"
#include "mainwindowtesting.h"
#include "pagewalk.h"
#include "testing/registry.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTreeWidget>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPanes : public QObject, MainWindowFixture {
    Q_OBJECT

    /// To whatever has the keyboard.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget *focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : m_window.get(), key, modifiers);
    }
    QWidget *page() const { return shownPage(*m_window); }
    QTreeWidget *tree() const { return child<QTreeWidget>(u"navigation"_s); }
    QStringList pages() const
    {
        QStringList ids;
        for (const auto *each : m_window->findChildren<QAction *>())
            if (each->objectName().startsWith(u"goTo/"))
                ids << each->objectName().sliced(5);
        return ids;
    }
    void goTo(const QString &id)
    {
        tree()->setFocus();
        m_window->showPage(id);
        QTest::qWait(300); // what is worked out beside the window takes its place
        QCoreApplication::processEvents();
    }
    static QString nameOf(const QWidget *widget)
    {
        return widget ? u"%1 %2 in %3"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                   widget->objectName(), widget->parentWidget() ? widget->parentWidget()->objectName() : QString())
                      : u"nothing"_s;
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init()
    {
        start();
        m_window->resize(1280, 800);
        action(u"sample decision"_s)->trigger();
        QTRY_VERIFY(m_window->workspace().isOpen());
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    /// What is typed after it filters, and does not go through the navigation.
    void findFromTheNavigation_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("field");
        QTest::newRow("plans") << u"overview"_s << u"plansFilter"_s;
        QTest::newRow("search") << u"search"_s << u"filterEdit"_s;
        QTest::newRow("validation") << u"validation"_s << u"filterEdit"_s;
        for (const auto kind : allCatalogKinds) {
            const auto page = u"catalog/%1"_s.arg(QString::fromUtf8(toString(kind)));
            QTest::newRow(qPrintable(page)) << page << u"filterEdit"_s;
        }
    }
    void findFromTheNavigation()
    {
        QFETCH(QString, page);
        QFETCH(QString, field);
        goTo(page);
        QVERIFY(tree()->hasFocus());
        QTRY_VERIFY(std::ranges::any_of(this->page()->findChildren<QLineEdit *>(field), [](const QLineEdit *each) {
            return each->isVisible() && each->isEnabled();
        })); // of an answer that is being worked out
        QTest::keyClick(tree(), Qt::Key_F, Qt::ControlModifier);
        auto *edit = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY2(edit && edit->objectName() == field, qPrintable(nameOf(QApplication::focusWidget())));
        QVERIFY(this->page()->isAncestorOf(edit));
        QTest::keyClicks(edit, u"nv"_s);
        QCOMPARE(edit->text(), u"nv"_s);
        QCOMPARE(m_window->currentPage(), page);
    }

    void findSaysWhereThereIsNothingToFilter()
    {
        goTo(u"report"_s);
        QTest::keyClick(tree(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(m_window->statusBar()->currentMessage().contains(u"filtered"_s));
        QCOMPARE(m_window->currentPage(), u"report"_s);
    }

    /// F6 leads from the navigation through the page and back to it, Shift+F6 the same way back.
    void panesOfEveryPage()
    {
        QStringList faults;
        for (const auto &id : pages()) {
            goTo(id);
            QList<QWidget *> way{QApplication::focusWidget()};
            for (int i = 0; i < 20; ++i) {
                press(Qt::Key_F6);
                auto *focus = QApplication::focusWidget();
                if (!focus || !focus->isVisible() || (focus != tree() && !page()->isAncestorOf(focus)))
                    faults << id + u": F6 leads to "_s + nameOf(focus);
                if (focus == tree())
                    break;
                if (way.contains(focus)) {
                    faults << id + u": F6 comes twice to "_s + nameOf(focus);
                    break;
                }
                way << focus;
            }
            if (way.size() < 2 || QApplication::focusWidget() != tree())
                faults << id + u": F6 leads through %1 parts"_s.arg(way.size());
            for (auto i = way.size() - 1; i >= 0; --i) {
                press(Qt::Key_F6, Qt::ShiftModifier);
                if (QApplication::focusWidget() != way[i])
                    faults << id + u": Shift+F6 leads to "_s + nameOf(QApplication::focusWidget());
            }
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void keysOfPagesBringTheKeyboardThere()
    {
        QStringList faults;
        for (const auto &id : pages()) {
            auto *go = action(u"goTo/"_s + id);
            if (go->shortcut().isEmpty())
                continue;
            const bool isEmpty = id == u"fleets" || id == u"offers" || id == u"sweeps"; // in this sample
            goTo(id == u"overview" ? u"report"_s : u"overview"_s);
            const auto keys = go->shortcut()[0];
            QTest::keyClick(tree(), keys.key(), keys.keyboardModifiers());
            const auto *focus = QApplication::focusWidget();
            const bool isEntry = qobject_cast<const QAbstractItemView *>(focus)
                || qobject_cast<const QLineEdit *>(focus) || qobject_cast<const QComboBox *>(focus);
            if (m_window->currentPage() != id || !focus || !page()->isAncestorOf(focus)
                || (!isEntry && page()->findChild<QAbstractItemView *>() && !isEmpty))
                faults << id + u": "_s + nameOf(focus);
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }
};

FLEETWRIGHT_TEST(TestPanes)
#include "tst_panes.moc"
