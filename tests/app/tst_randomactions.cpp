// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody who presses anything: nothing crashes, nothing is lost, and no action holds the window for long.
// FLEETWRIGHT_ACTIONS and FLEETWRIGHT_SEED say how many and which.
#include "app/mainwindow.h"
#include "app/theme.h"
#include "scriptedprompts.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QRandomGenerator>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <ctime>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

/// The aim is 100; what is above is named. This much would be noticed as a window that hangs.
constexpr double longestFrame_ms = 1000;

/// Processor time of the window's thread: other programs on the machine do not count.
double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

} // namespace

class TestRandomActions : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    QRandomGenerator m_random;

    template <class T> T *anyOf(const QList<T *> &all) { return all.isEmpty() ? nullptr : all[below(int(all.size()))]; }
    int below(int end) { return m_random.bounded(end); }

    /// Where keys and clicks go now: the dialog on top, or the window.
    QWidget *top() const
    {
        if (auto *menu = QApplication::activePopupWidget())
            return menu;
        if (auto *dialog = QApplication::activeModalWidget())
            return dialog;
        return m_window.get();
    }

    template <class T> QList<T *> usable() const
    {
        QList<T *> found;
        const auto all = top()->findChildren<T *>();
        for (auto *widget : all)
            if (widget->isVisible() && widget->isEnabled())
                found << widget;
        return found;
    }

    QString typed()
    {
        static const QStringList texts{u"8"_s, u"0"_s, u"-1"_s, u"1e99"_s, u"400 Gb/s"_s, u"abc"_s, u"30 days"_s,
            u"1,2,4"_s, u"32,000"_s, u""_s, u"50 %"_s, QString(300, u'9')};
        return texts[below(int(texts.size()))];
    }

    QString act()
    {
        switch (below(10)) {
        case 0: {
            const auto actions = m_window->findChildren<QAction *>();
            QList<QAction *> possible;
            for (auto *action : actions)
                if (action->isEnabled() && !action->menu() && !action->isSeparator()
                    && action->objectName() != u"actionQuit" && action->objectName() != u"actionAbout"
                    && !action->text().isEmpty())
                    possible << action;
            auto *action = anyOf(possible);
            if (!action || top() != m_window.get())
                return {};
            const QString name = u"action "_s + action->text();
            action->trigger();
            return name;
        }
        case 1: {
            QList<QAction *> pages;
            const auto actions = m_window->findChildren<QAction *>();
            for (auto *action : actions)
                if (action->objectName().startsWith(u"goTo/"))
                    pages << action;
            auto *page = anyOf(pages);
            page->trigger();
            return page->objectName();
        }
        case 2:
        case 3:
            if (auto *button = anyOf(usable<QAbstractButton>())) {
                const QString name = u"button "_s + button->objectName() + u' ' + button->text();
                QTest::mouseClick(button, Qt::LeftButton);
                return name;
            }
            return {};
        case 4:
        case 5:
            if (auto *field = anyOf(usable<QLineEdit>())) {
                const QString name = u"field "_s + field->objectName();
                field->setFocus();
                field->selectAll();
                const auto text = typed();
                QTest::keyClicks(field, text.left(20));
                if (below(2))
                    QTest::keyClick(field, below(2) ? Qt::Key_Return : Qt::Key_Tab);
                return name + u" = "_s + text.left(20);
            }
            return {};
        case 6:
            if (auto *view = anyOf(usable<QAbstractItemView>()); view && view->model()) {
                const int rows = view->model()->rowCount();
                const QString name = u"view "_s + view->objectName();
                if (rows > 0)
                    view->setCurrentIndex(view->model()->index(below(rows), 0));
                return name;
            }
            return {};
        case 7:
            if (auto *combo = anyOf(usable<QComboBox>()); combo && combo->count() > 0) {
                const QString name = u"choice "_s + combo->objectName();
                combo->setFocus();
                QTest::keyClick(combo, below(2) ? Qt::Key_Down : Qt::Key_Up);
                return name;
            }
            return {};
        case 8:
            if (auto *tabs = anyOf(usable<QTabBar>()); tabs && tabs->count() > 0) {
                const QString name = u"tabs "_s + tabs->objectName();
                tabs->setCurrentIndex(below(tabs->count()));
                return name;
            }
            return {};
        default: {
            static constexpr std::array keys{Qt::Key_Tab, Qt::Key_Escape, Qt::Key_Return, Qt::Key_Down, Qt::Key_Up,
                Qt::Key_Space, Qt::Key_Delete, Qt::Key_PageDown};
            auto *focus = QApplication::focusWidget();
            if (!focus)
                return {};
            const QString name = u"key in "_s + focus->objectName();
            if (below(3) == 0)
                QTest::keyClick(focus, below(2) ? Qt::Key_Z : Qt::Key_Y, Qt::ControlModifier);
            else
                QTest::keyClick(focus, keys[std::size_t(below(int(keys.size())))]);
            return name;
        }
        }
    }

private slots:
    void anything()
    {
        applyTheme(ThemeChoice::Light);
        const int actions = qEnvironmentVariableIntValue("FLEETWRIGHT_ACTIONS") > 0
            ? qEnvironmentVariableIntValue("FLEETWRIGHT_ACTIONS")
            : 300;
        const quint32 seed = qEnvironmentVariableIsSet("FLEETWRIGHT_SEED")
            ? quint32(qEnvironmentVariableIntValue("FLEETWRIGHT_SEED"))
            : 20261124;
        m_random.seed(seed);
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings.ini"_s));
        m_window = std::make_unique<MainWindow>(*m_settings, m_prompts);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        const auto path = m_folder.filePath(u"anything.fleetwright"_s);
        QVERIFY(m_window->workspace().createSample(path, storage::ShippedProject::Tutorial));

        // A dialog that waits for an answer gets one after a while, whatever it asks.
        QTimer impatience;
        connect(&impatience, &QTimer::timeout, this, [] {
            if (auto *popup = QApplication::activePopupWidget())
                popup->close();
            else if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget()))
                dialog->reject();
        });
        impatience.start(400);
        double longest = 0;
        QStringList slow;
        for (int i = 0; i < actions; ++i) {
            const double before = threadMilliseconds();
            const auto what = act();
            const double acted = threadMilliseconds() - before;
            QElapsedTimer patience; // until what was begun shows
            patience.start();
            double turn = 0;
            while (patience.elapsed() < 10) {
                const double from = threadMilliseconds();
                QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
                turn = std::max(turn, threadMilliseconds() - from);
            }
            const double took = std::max(acted, turn);
            longest = std::max(longest, took);
            if (took > 100)
                slow << u"%1: %2 ms, %3"_s.arg(i).arg(took, 0, 'f', 0).arg(what);
            if (!m_window->workspace().isOpen()) // closed by an action
                QVERIFY(m_window->workspace().open(path));
        }
        for (const auto &one : slow)
            qWarning().noquote() << one;
        qInfo("%d actions, seed %u: the longest held the window's thread for %.0f ms", actions, seed, longest);
        QVERIFY(longest < longestFrame_ms);
        impatience.stop();
        m_window.reset();
        // What is on the disk is a whole project.
        Workspace again;
        QVERIFY(again.open(path));
    }
};

FLEETWRIGHT_TEST(TestRandomActions)
#include "tst_randomactions.moc"
