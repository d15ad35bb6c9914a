// SPDX-License-Identifier: GPL-3.0-or-later
// The window goes on while a project is opened and read, and shows the one before until that is done.
#include "app/projectfiles.h"
#include "app/workspace/projectcontent.h"
#include "app/workspace/projectopening.h"
#include "itemmodels/planoverviewmodel.h"
#include "jobs/learntsite.h"
#include "mainwindowtesting.h"
#include "solver/samplerun.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QDir>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QThread>
#include <QTimer>
#include <QTranslator>

#ifdef __GLIBC__
#include <pthread.h>
#endif

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

/// Another language, for one sentence.
class OtherLanguage : public QTranslator {
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char *, const char *source, const char * = nullptr, int = -1) const override
    {
        return QByteArrayView(source).startsWith("The project was not opened") ? u"Not opened: %1"_s : QString();
    }
};

} // namespace

class TestProjectOpening : public QObject, MainWindowFixture {
    Q_OBJECT

    Workspace &workspace() { return m_window->workspace(); }
    /// A project that takes until the gate is opened, as a large one on a slow disk does.
    ProjectThread::Opener slow(const QString &path)
    {
        return [this, path] {
            m_openedOn = QThread::currentThread();
            m_gate.acquire();
            return storage::Project::open(path);
        };
    }
    /// When the dialog about it is seen.
    void whenShown(const std::function<void(QWidget &)> &act)
    {
        auto *look = new QTimer(this);
        connect(look, &QTimer::timeout, this, [this, look, act] {
            auto *dialog = m_window->findChild<QWidget *>(u"progressDialog"_s);
            if (!dialog || !dialog->isVisible())
                return;
            look->deleteLater();
            look->stop();
            act(*dialog);
        });
        look->start(5);
    }
    QString projectWith(const std::function<void(Workspace &)> &fill)
    {
        const auto path = newFile();
        Workspace made;
        if (!made.createProject(path))
            qFatal("no project");
        fill(made);
        return path;
    }

    QSemaphore m_gate;
    std::atomic<QThread *> m_openedOn = nullptr;

private slots:
    void init()
    {
        start();
        createProject();
        m_openedOn = nullptr;
    }
    void cleanup() { m_window.reset(); }

    void theWindowGoesOnMeanwhile()
    {
        const auto before = workspace().path();
        const auto path = projectWith([](Workspace &made) { VERIFY_OK(made.addPlan(examplePlan())); });
        QSignalSpy changed(&workspace(), &Workspace::projectChanged);
        ProjectOpening opening(slow(path));
        QSignalSpy ended(&opening, &ProjectOpening::ended);
        QTRY_VERIFY(m_openedOn.load());
        QVERIFY(m_openedOn.load() != QThread::currentThread());
        QCOMPARE(workspace().path(), before);
        VERIFY_OK(workspace().addPlan(examplePlan())); // of the one that is open
        QVERIFY(changed.isEmpty() && ended.isEmpty());
        m_gate.release();
        QTRY_COMPARE(ended.size(), 1);
        QCOMPARE(workspace().path(), before); // until it is taken
        VERIFY_OK(workspace().adopt(opening));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(workspace().path(), path);
        QCOMPARE(workspace().plans().size(), std::size_t(1));
        VERIFY_OK(workspace().addPlan(examplePlan()));
    }

    void whatTakesLongIsSaidAndCanBeCancelled()
    {
        const auto before = workspace().path();
        const auto path = projectWith([](Workspace &) {});
        bool wasWhole = false, isBlocked = false;
        whenShown([&](QWidget &dialog) {
            wasWhole = workspace().path() == before && m_window->files().isOpening();
            isBlocked = QApplication::activeModalWidget() == &dialog;
            QTest::mouseClick(dialog.findChild<QPushButton *>(u"cancelButton"_s), Qt::LeftButton);
            m_gate.release();
        });
        const auto opened = m_window->files().open(slow(path), path);
        QVERIFY(!opened && opened.error().code == ErrorCode::Cancelled);
        QVERIFY(wasWhole && isBlocked);
        QCOMPARE(workspace().path(), before);
        QVERIFY(m_prompts.errors.empty() && !m_window->files().isOpening());
        QVERIFY(!m_window->findChild<QWidget *>(u"progressDialog"_s));
        QVERIFY(m_window->files().openPath(path)); // nothing holds it
        QVERIFY(!workspace().isReadOnly());
    }

    /// Its file would be left behind.
    void whatWasMadeJustNowIsOpenedWithoutCancel()
    {
        const auto path = projectWith([](Workspace &) {});
        bool offered = true;
        whenShown([&](QWidget &dialog) {
            offered = dialog.findChild<QPushButton *>(u"cancelButton"_s)->isVisible();
            QTest::keyClick(&dialog, Qt::Key_Escape);
            m_gate.release();
        });
        VERIFY_OK(m_window->files().open(slow(path), path, ProjectFiles::Origin::MadeJustNow));
        QVERIFY(!offered);
        QCOMPARE(workspace().path(), path);
    }

    /// As at a start: whoever leaves the program meanwhile is heard, and no second sample is made.
    void leavingEndsTheOpeningOfASample()
    {
        const auto home = qgetenv("HOME");
        const auto again = qScopeGuard([&] { qputenv("HOME", home); });
        qputenv("HOME", m_folder.path().toUtf8());
        QVERIFY(QDir(m_folder.path()).mkpath(u"Documents"_s));
        const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
        QCOMPARE(documents.path(), m_folder.filePath(u"Documents"_s));
        m_window->files().openFirstSample();
        const auto sample = workspace().path();
        QCOMPARE(documents.entryList(QDir::Files), QStringList(QFileInfo(sample).fileName()));
        m_window->files().closeProject();
        m_window->begin({}, true);
        QVERIFY(!m_window->files().isOpening()); // before the program's loop runs, leaving is not heard
        QTimer::singleShot(0, this, [this] { // behind what begin() left for the loop
            QTimer::singleShot(0, this, [] { QCoreApplication::exit(); });
        });
        QCoreApplication::exec();
        QVERIFY(!workspace().isOpen() && !m_window->files().isOpening());
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(documents.entryList(QDir::Files).size(), 1);
        m_window->begin({}, true);
        QTRY_COMPARE(workspace().path(), sample);
    }

    void aThreadThatCannotBeHadIsSaid()
    {
#ifdef __GLIBC__
        pthread_attr_t usual, huge;
        QCOMPARE(pthread_getattr_default_np(&usual), 0);
        QCOMPARE(pthread_attr_init(&huge), 0);
        QCOMPARE(pthread_attr_setstacksize(&huge, std::size_t(1) << 50), 0); // more than there are addresses
        QCOMPARE(pthread_setattr_default_np(&huge), 0);
        QTest::ignoreMessage(QtCriticalMsg, QRegularExpression(u"Thread creation error"_s));
        ProjectOpening opening([]() -> Expected<std::unique_ptr<storage::Project>> { qFatal("It runs somewhere"); });
        QCOMPARE(pthread_setattr_default_np(&usual), 0);
        opening.wait();
        QVERIFY(opening.hasEnded() && !opening.outcome());
        QVERIFY(workspace().adopt(opening).error().code == ErrorCode::IoError);
        QVERIFY(workspace().isOpen());
#else
        QSKIP("Nothing here takes threads away.");
#endif
    }

    void aChangeOfAnotherIsRememberedUntilItIsRead()
    {
        const auto path = workspace().path();
        QVERIFY(workspace().isOpenForWriting(path));
        QVERIFY(QFile::copy(path, path + u".new"_s) && QFile::remove(path) && QFile::rename(path + u".new"_s, path));
        QVERIFY(!workspace().isOpenForWriting(path));
        QVERIFY(!workspace().isOpenForWriting(path)); // it was asked about, not read
        VERIFY_OK(workspace().open(path));
        QVERIFY(workspace().isOpenForWriting(path));
    }

    /// The file that is open is opened again because another program has changed it.
    void editsWhileItsOwnFileIsReadAreNotMissing()
    {
        const auto path = workspace().path();
        ProjectOpening opening([path] { return storage::Project::open(path); });
        opening.wait();
        VERIFY_OK(workspace().addPlan(examplePlan()));
        VERIFY_OK(workspace().adopt(opening));
        QCOMPARE(workspace().plans().size(), std::size_t(1));
        QVERIFY(workspace().isOpenForWriting(path));
    }

    void whatIsHandedOverMeanwhileComesAfterIt()
    {
        const auto first = projectWith([](Workspace &) {}), second = projectWith([](Workspace &) {});
        bool refused = false;
        QTimer::singleShot(0, this, [&] { // before the dialog, too
            m_window->receive({second});
            refused = !m_window->files().openPath(second);
        });
        whenShown([this](QWidget &) { m_gate.release(); });
        VERIFY_OK(m_window->files().open(slow(first), first));
        QVERIFY(refused);
        QVERIFY(m_window->isActiveWindow()); // the next key is its own
        QCOMPARE(workspace().path(), first);
        QTRY_COMPARE(workspace().path(), second);
        QVERIFY(m_prompts.errors.empty());
    }

    void whatCannotBeOpenedLeavesTheOther()
    {
        const auto before = workspace().path();
        ProjectOpening opening([]() -> Expected<std::unique_ptr<storage::Project>> { throw std::bad_alloc(); });
        opening.wait();
        QVERIFY(opening.hasEnded() && !opening.outcome());
        QVERIFY(workspace().adopt(opening).error().code == ErrorCode::IoError);
        QVERIFY(opening.outcome().error().message.starts_with("The project was not opened ("));
        OtherLanguage translator; // the sentence is one of the window
        QVERIFY(QCoreApplication::installTranslator(&translator));
        ProjectOpening translated([]() -> Expected<std::unique_ptr<storage::Project>> { throw std::bad_alloc(); });
        translated.wait();
        QCoreApplication::removeTranslator(&translator);
        QVERIFY2(translated.outcome().error().message.starts_with("Not opened: "),
            translated.outcome().error().message.c_str());
        QVERIFY(!m_window->files().openPath(m_folder.filePath(u"none.fleetwright"_s)));
        QCOMPARE(workspace().path(), before);
        VERIFY_OK(workspace().addPlan(examplePlan()));
    }

    /// What is shown stays until all of it is read, and what was read of a project that is closed is dropped.
    void whatChangedElsewhereIsReadBesideTheWindow()
    {
        const auto path = projectWith([](Workspace &) {});
        Workspace writer, reader;
        VERIFY_OK(writer.open(path));
        VERIFY_OK(reader.open(path));
        QVERIFY(reader.isReadOnly());
        VERIFY_OK(writer.addPlan(examplePlan()));
        QVERIFY(reader.changedElsewhere());
        const QSignalSpy ended(&reader, &Workspace::readAgainEnded), changed(&reader, &Workspace::projectChanged);
        reader.readAgain();
        reader.readAgain(); // which is under way
        QVERIFY(reader.isReadingAgain());
        QTRY_COMPARE(ended.size(), 1);
        QVERIFY(reader.plans().empty() && changed.empty());
        VERIFY_OK(reader.showReadAgain());
        QCOMPARE(reader.plans().size(), std::size_t(1));
        QCOMPARE(changed.size(), 1);
        QVERIFY(!reader.isReadingAgain() && !reader.changedElsewhere());
        VERIFY_OK(reader.showReadAgain()); // there is nothing more
        QCOMPARE(changed.size(), 1);
        reader.readAgain();
        reader.close();
        QVERIFY(!reader.isReadingAgain());
        QTest::qWait(20);
        QCOMPARE(ended.size(), 1);
        writer.readAgain(); // edits would be lost
        QVERIFY(!writer.isReadingAgain());
    }

    /// Learning takes seconds with many runs: it is left to those who ask on a worker.
    void theSiteIsSharedUntilItsRunsChange()
    {
        VERIFY_OK(workspace().addMeasuredRuns({samplerun::run("a", 12, 8), samplerun::run("b", 11, 4)}));
        const auto site = workspace().ownSite();
        QCOMPARE(workspace().ownSite(), site);
        QVERIFY(site->get());
        QCOMPARE(site->get(), site->get());
        VERIFY_OK(workspace().addMeasuredRuns({samplerun::run("c", 10.5, 2)}));
        QVERIFY(workspace().ownSite() != site);
        QCOMPARE(workspace().ownSite()->get()->runs().size(), std::size_t(3));
        QCOMPARE(site->get()->runs().size(), std::size_t(2)); // of whoever holds it
        VERIFY_OK(workspace().reload());
        QCOMPARE(workspace().ownSite()->get()->runs().size(), std::size_t(3));
    }

    /// Each answer is read from the file and compared with its plan.
    void manyPlansShowBeforeTheirAnswersAreRead()
    {
        constexpr int count = 90;
        const auto path = projectWith([](Workspace &made) {
            for (int i = 0; i < count; ++i) {
                auto plan = examplePlan();
                plan.name = "Plan " + std::to_string(i);
                VERIFY_OK(made.addPlan(plan));
            }
        });
        QVERIFY(m_window->files().openPath(path));
        m_window->showPage(u"overview"_s);
        const auto *table = m_window->findChild<QTableView *>(u"plansTable"_s);
        QTRY_VERIFY(workspace().result(workspace().plans().back().id));
        const auto step = [&](int row) {
            return table->model()->index(row, itemmodels::PlanOverviewModel::StepTime).data().toString();
        };
        QTRY_VERIFY(!step(count - 1).isEmpty());
        const auto known = step(count - 1);
        VERIFY_OK(workspace().reload());
        QCOMPARE(table->model()->rowCount(), count);
        QCOMPARE(step(0), known);
        QVERIFY(step(count - 1) != known); // not yet
        QVERIFY(table->model()->index(count - 1, 0).data().toString().startsWith(u"Plan "));
        QTRY_COMPARE(step(count - 1), known);
        const auto *reading = m_window->findChild<QTimer *>(u"readingTimer"_s);
        VERIFY_OK(workspace().reload());
        VERIFY_OK(workspace().removePlan(workspace().plans().back().id)); // unread
        QVERIFY(reading->isActive());
        QTRY_VERIFY(!reading->isActive());
        QCOMPARE(table->model()->rowCount(), count - 1);
    }
};

FLEETWRIGHT_TEST(TestProjectOpening)
#include "tst_projectopening.moc"
