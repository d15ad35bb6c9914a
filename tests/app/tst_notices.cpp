// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/activity.h"
#include "app/dialogs/messagesdialog.h"
#include "app/dialogs/windowprompts.h"
#include "app/noticebar.h"
#include "mainwindowtesting.h"
#include "testing/registry.h"

#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>

#include <utility>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

/// A page whose work is what the test says.
class WorkingPage : public Page {
public:
    WorkingPage() : m_bar(new QProgressBar(this)), m_cancel(new QPushButton(u"Cancel"_s, this))
    {
        m_bar->setAccessibleName(u"Progress of the trial"_s);
        m_bar->hide();
    }
    std::vector<PageWork> work() const override { return {{m_bar, m_cancel, m_bar}}; }

    QProgressBar *m_bar;
    QPushButton *m_cancel;
};

} // namespace

/// What the window says without stopping anybody, and what goes on out of sight.
class TestNotices : public QObject, protected MainWindowFixture {
    Q_OBJECT

    QString shown() const
    {
        const auto *label = child<QLabel>(u"noticeLabel"_s);
        return label->isVisible() ? label->text() : QString();
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { start(); }
    void cleanup() { m_window.reset(); }

    void whatIsDeletedComesBackByOneClick()
    {
        createProject();
        importPlan("Kept <b>&");
        auto &workspace = m_window->workspace();
        const auto id = workspace.plans().front().id;
        QCOMPARE(shown(), QString());
        m_window->showPlan(id);
        action(u"actionDeletePlan"_s)->trigger();
        QVERIFY(workspace.plans().empty());
        QVERIFY2(shown().contains(u"Kept &lt;b&gt;&amp;"_s), qPrintable(shown())); // as it was typed
        QTest::mouseClick(child<QPushButton>(u"noticeActionButton"_s), Qt::LeftButton);
        QCOMPARE(workspace.plans().size(), 1UZ);
        QCOMPARE(shown(), QString());
    }

    /// Undo on the notice would take back the step after it.
    void theNoticeGoesWithTheNextStep()
    {
        createProject();
        importPlan("One");
        importPlan("Two");
        auto &workspace = m_window->workspace();
        action(u"actionDeletePlan"_s)->trigger();
        QVERIFY(!shown().isEmpty());
        auto renamed = workspace.plans().front().document;
        renamed.name = "Renamed";
        QVERIFY(workspace.editPlan(workspace.plans().front().id, renamed));
        QCOMPARE(shown(), QString());
    }

    /// What is typed into a plan meanwhile is a step of its own: Undo on the notice takes back no other than it says.
    void undoOnTheNoticeTakesBackNothingElse()
    {
        createProject();
        importPlan("One");
        importPlan("Two");
        auto &workspace = m_window->workspace();
        action(u"actionDeletePlan"_s)->trigger();
        const auto kept = workspace.plans().front().id;
        // A form that hands something in when it is asked to, as the plan's does while it solves.
        connect(&workspace, &Workspace::settleRequested, this, [&, done = false]() mutable {
            if (std::exchange(done, true))
                return;
            auto renamed = workspace.plans().front().document;
            renamed.name = "Typed";
            QVERIFY(workspace.editPlan(kept, renamed));
        });
        QTest::mouseClick(child<QPushButton>(u"noticeActionButton"_s), Qt::LeftButton);
        QCOMPARE(workspace.plan(kept)->document.name, std::string("Typed"));
        disconnect(&workspace, &Workspace::settleRequested, this, nullptr);
    }

    /// The field that is being typed into keeps the keys when a notice leaves.
    void aLeavingNoticeTakesNoFocus()
    {
        createProject();
        importPlan("One");
        auto *notices = child<NoticeBar>(u"notices"_s);
        notices->tell({.title = u"First"_s, .key = u"first"_s});
        auto *close = child<QToolButton>(u"closeNoticeButton"_s);
        close->setFocus();
        QTest::mouseClick(close, Qt::LeftButton);
        notices->tell({.title = u"Second"_s, .key = u"second"_s});
        auto *tree = child<QTreeWidget>(u"navigation"_s);
        tree->setFocus();
        notices->dismiss(u"second"_s);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(tree));
    }

    /// A refusal opens no box, stays until it is closed, and the one before it comes to light again.
    void aRefusalStopsNobody()
    {
        WindowPrompts prompts;
        auto *page = m_window->findChild<QWidget *>(u"pages"_s);
        prompts.showError(page, u"The first was refused"_s, {ErrorCode::IoError, {}, "The disk is full."});
        prompts.showError(page, u"The second was refused"_s, {ErrorCode::IoError, {}, "The folder is gone."});
        QVERIFY(!QApplication::activeModalWidget());
        QVERIFY(shown().contains(u"second"_s) && shown().contains(u"The folder is gone."_s));
        QCOMPARE(child<QLabel>(u"moreNoticesLabel"_s)->text(), u"and 1 more"_s);
        auto *close = child<QToolButton>(u"closeNoticeButton"_s);
        QTest::mouseClick(close, Qt::LeftButton);
        QVERIFY(shown().contains(u"The disk is full."_s));
        close->setFocus();
        QTest::keyClick(close, Qt::Key_Space);
        QCOMPARE(shown(), QString());
        QVERIFY(QApplication::focusWidget() && QApplication::focusWidget()->isVisible());
    }

    /// What was typed last and could not be saved is said before the window goes.
    void closingSaysWhatWasNotSaved()
    {
        WindowPrompts prompts;
        MainWindow window(*m_settings, prompts);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto path = newFile();
        QVERIFY(window.workspace().createSample(path, storage::ShippedProject::Tutorial));
        window.showPlan(window.workspace().plans().front().id);
        auto *nodes = window.findChild<QLineEdit *>(u"nodesEditText"_s);
        QVERIFY(nodes);
        nodes->setFocus();
        nodes->selectAll();
        QTest::keyClicks(nodes, u"48"_s);
        QVERIFY(QFile::remove(path));
        QVERIFY(!window.close());
        QVERIFY(window.isVisible());
        const auto *said = window.findChild<QLabel *>(u"noticeLabel"_s);
        QVERIFY2(said->isVisible() && said->text().contains(u"was not saved"_s), qPrintable(said->text()));
        QVERIFY(window.close()); // nobody is held back
    }

    void nothingAboveMoves()
    {
        createProject();
        importPlan("One");
        auto *tree = child<QTreeWidget>(u"navigation"_s);
        const auto place = tree->mapToGlobal(QPoint());
        const auto *bar = child<QWidget>(u"notices"_s);
        const int height = tree->height();
        action(u"actionDeletePlan"_s)->trigger();
        QTRY_VERIFY(bar->height() > 0 && tree->height() < height); // laid out
        QCOMPARE(tree->mapToGlobal(QPoint()), place);
    }

    void aNewerOneOfItsKindTakesItsPlace()
    {
        NoticeBar notices;
        notices.tell({.title = u"At 10:00"_s, .key = u"change"_s});
        notices.tell({.title = u"At 10:01"_s, .key = u"change"_s});
        QCOMPARE(notices.open(), 1);
        notices.dismiss(u"other"_s);
        QCOMPARE(notices.open(), 1);
        notices.dismiss(u"change"_s);
        QCOMPARE(notices.open(), 0);
        QCOMPARE(notices.said().size(), 2);
    }

    void everythingSaidCanBeReadAgain()
    {
        createProject();
        importPlan("One");
        action(u"actionDeletePlan"_s)->trigger();
        action(u"actionMessages"_s)->trigger();
        auto *dialog = m_window->findChild<MessagesDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        const auto text = dialog->findChild<QPlainTextEdit *>()->toPlainText();
        QVERIFY2(text.contains(u"Deleted “One”"_s), qPrintable(text));
    }

    void workOutOfSightIsShownAndCancelled()
    {
        QWidget window;
        auto *layout = new QHBoxLayout(&window);
        auto *activity = new Activity(&window);
        auto *page = new WorkingPage;
        layout->addWidget(page);
        layout->addWidget(activity);
        activity->add(page, u"trial"_s, u"Trial"_s);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        page->m_bar->show();
        QTest::qWait(700);
        QVERIFY(!activity->isVisible()); // the page shows it itself
        page->hide();
        QTRY_VERIFY(activity->isVisible());
        page->m_bar->setValue(40);
        QCOMPARE(activity->findChild<QProgressBar *>()->value(), 40);
        QSignalSpy cancelled(page->m_cancel, &QPushButton::clicked), requested(activity, &Activity::pageRequested);
        QTest::mouseClick(activity->findChild<QToolButton *>(u"activityPageButton"_s), Qt::LeftButton);
        QCOMPARE(requested.value(0).value(0).toString(), u"trial"_s);
        QTest::mouseClick(activity->findChild<QToolButton *>(u"activityCancelButton"_s), Qt::LeftButton);
        QCOMPARE(cancelled.size(), 1);
        page->m_bar->hide();
        QTRY_VERIFY(!activity->isVisible());
        // What is over in a moment is not shown.
        page->m_bar->show();
        page->m_bar->hide();
        QTest::qWait(700);
        QVERIFY(!activity->isVisible());
        delete page;
        QTest::qWait(10);
    }

    /// The pages of a whole project are left at once, whatever they are working on.
    void workEndsOutOfSight()
    {
        m_window.reset();
        open();
        QVERIFY(m_window->workspace().createSample(newFile(), storage::ShippedProject::Tutorial));
        for (const auto *page : {"decide", "search", "sweeps", "validation", "report"}) {
            const QString id = QString::fromLatin1(page);
            m_window->showPage(id);
            QCOMPARE(m_window->currentPage(), id);
        }
        m_window->showPage(u"overview"_s);
        const auto working = [&] {
            for (const auto *page : m_window->findChildren<Page *>())
                for (const auto &work : page->work())
                    if (!work.shown->isHidden())
                        return true;
            return false;
        };
        QVERIFY(working()); // the cost models are scored, which takes longest
        QTRY_VERIFY(child<Activity>(u"activity"_s)->isVisible() || !working());
        QTRY_VERIFY(!working());
        QTRY_VERIFY(!child<Activity>(u"activity"_s)->isVisible());
    }
};

FLEETWRIGHT_TEST(TestNotices)
#include "tst_notices.moc"
