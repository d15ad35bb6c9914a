// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectopening.h"
#include "storage/schema.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QProcess>
#include <QTemporaryDir>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// Who may write a project, and what the others are told.
class ProjectLockTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    QString fresh()
    {
        const auto path = m_folder.filePath(u"locked %1.fleetwright"_s.arg(++m_files));
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        return path;
    }

    static QByteArray noteBy(qint64 process, const QString &host)
    {
        return u"process: %1\nhost: %2\nprogram: fleetwright\nsince: 2025-11-23T14:05:00Z\n"_s.arg(process)
            .arg(host)
            .toUtf8();
    }

    static Opening onNetwork(OpenMode mode = OpenMode::ReadWrite)
    {
        Opening opening(mode);
        opening.surroundings.host = u"here"_s;
        opening.surroundings.isOnNetwork = [](const ProjectFile &) { return true; };
        return opening;
    }

    /// A process that has the project open; it says so first.
    static void startHolder(QProcess &holder, const QString &path)
    {
        holder.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"hold"_s, path});
        QVERIFY(holder.waitForReadyRead());
        QCOMPARE(holder.readLine(), QByteArray("open\n"));
    }

private slots:
    void heldByAnotherProcess()
    {
        const auto path = fresh(), link = m_folder.filePath(u"link.fleetwright"_s),
                   second = m_folder.filePath(u"second.fleetwright"_s);
        QVERIFY(QFile::link(path, link));
        QCOMPARE(::link(QFile::encodeName(path).constData(), QFile::encodeName(second).constData()), 0);
        QProcess holder;
        startHolder(holder, path);
        const auto reason = must(Project::open(path))->readOnlyReason();
        QVERIFY2(reason.contains(u"project_child, process %1 on "_s.arg(holder.processId())), qPrintable(reason));
        QVERIFY2(reason.contains(QRegularExpression(u", since [0-9]{2}:[0-9]{2}\\)"_s)), qPrintable(reason));
        QVERIFY(must(Project::open(link))->readOnlyReason().contains(QString::number(holder.processId())));
        const auto ofHardLink = must(Project::open(second))->readOnlyReason(); // the note stands beside the other name
        QVERIFY2(ofHardLink.contains(u"another program"_s), qPrintable(ofHardLink));
        const auto renamed = m_folder.filePath(u"renamed.fleetwright"_s);
        QVERIFY(QFile::rename(path, renamed));
        QVERIFY(must(Project::open(renamed))->isReadOnly());
        QVERIFY(QFile::rename(renamed, path));

        holder.kill(); // no chance to tidy up
        QVERIFY(holder.waitForFinished());
        QVERIFY(QFile::exists(ProjectLock::noteOf(path)));
        const auto project = must(Project::open(path));
        QVERIFY2(!project->isReadOnly(), qPrintable(project->readOnlyReason()));
        QVERIFY(contentOf(ProjectLock::noteOf(path)).contains(QByteArray::number(QCoreApplication::applicationPid())));
        QVERIFY(!project->mayBeTakenOver());
    }

    void theHolderEdits()
    {
        const auto path = fresh();
        QProcess holder;
        startHolder(holder, path);
        const auto reader = must(Project::open(path));
        const auto before = must(reader->plans());
        holder.write("go on\n");
        QVERIFY(holder.waitForFinished());
        QVERIFY(holder.readAllStandardOutput().contains("saved"));
        QVERIFY(reader->isReadOnly()); // it was opened so
        QVERIFY(must(reader->changedElsewhere()));
        QCOMPARE(must(reader->plans()).size(), before.size() + 1);
        QVERIFY(!must(Project::open(path))->isReadOnly());
        QVERIFY(!QFile::exists(ProjectLock::noteOf(path)));
    }

    void whateverIsLeftOver_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::newRow("nothing in it") << QByteArray();
        QTest::newRow("garbage") << QByteArray("\xff\x00\x1b[31m\n\n\n", 10);
        QTest::newRow("an earlier version's") << QByteArray("4711\nfleetwright\nelsewhere\n\n\n");
        QTest::newRow("a process that is gone") << noteBy(999'999'999, u"here"_s);
        QTest::newRow("another computer") << noteBy(1, u"elsewhere"_s);
        QTest::newRow("long") << QByteArray(10'000'000, 'x');
    }

    /// On a disk of this computer the kernel knows who is there.
    void whateverIsLeftOver()
    {
        QFETCH(QByteArray, left);
        const auto path = fresh();
        writeFile(ProjectLock::noteOf(path), left);
        {
            const auto project = must(Project::open(path));
            QVERIFY2(!project->isReadOnly(), qPrintable(project->readOnlyReason()));
            must(project->savePlan(must(project->plans()).front()));
        }
        QVERIFY(!QFile::exists(ProjectLock::noteOf(path)));
    }

    void neitherLinksNorPipesAreFollowed()
    {
        const auto path = fresh(), precious = m_folder.filePath(u"precious.txt"_s);
        writeFile(precious, "precious");
        QVERIFY(QFile::link(precious, ProjectLock::noteOf(path)));
        QVERIFY(!must(Project::open(path))->isReadOnly());
        QVERIFY(contentOf(precious) == "precious");
        QCOMPARE(::mkfifo(QFile::encodeName(ProjectLock::noteOf(path)).constData(), 0600), 0);
        QVERIFY(!must(Project::open(path))->isReadOnly()); // instead of waiting for a writer
        QVERIFY(QDir().mkpath(ProjectLock::noteOf(path) + u"/deeper"_s));
        QVERIFY(!must(Project::open(path))->isReadOnly());
    }

    void networkDrives_data()
    {
        QTest::addColumn<QByteArray>("note");
        QTest::addColumn<bool>("held");
        QTest::newRow("no note") << QByteArray() << false;
        QTest::newRow("another computer") << noteBy(4711, u"elsewhere"_s) << true;
        QTest::newRow("this computer") << noteBy(4711, u"here"_s) << false;
        QTest::newRow("garbage") << QByteArray("host: elsewhere\n") << false;
    }

    void networkDrives()
    {
        QFETCH(QByteArray, note);
        QFETCH(bool, held);
        const auto path = fresh(), notePath = ProjectLock::noteOf(path);
        if (!note.isEmpty())
            writeFile(notePath, note);
        {
            const auto opened = must(openProject(path, onNetwork(), shippedMigrations()));
            QCOMPARE(!opened.readOnlyReason.isEmpty(), held);
            QCOMPARE(opened.mayBeTakenOver, held);
            if (held) {
                QVERIFY2(opened.readOnlyReason.contains(u"process 4711 on elsewhere, since 2025-11-23"_s),
                    qPrintable(opened.readOnlyReason));
                QVERIFY(contentOf(notePath) == note);
            }
        }
        {
            const auto taken = must(openProject(path, onNetwork(OpenMode::TakeOver), shippedMigrations()));
            QVERIFY2(taken.readOnlyReason.isEmpty(), qPrintable(taken.readOnlyReason));
            QVERIFY(contentOf(notePath).contains("host: here"));
            // Taking over is no way around a lock that is seen.
            const auto again = must(openProject(path, onNetwork(OpenMode::TakeOver), shippedMigrations()));
            QVERIFY(!again.readOnlyReason.isEmpty() && !again.mayBeTakenOver);
            writeFile(notePath, note); // somebody has taken over from us
        }
        QCOMPARE(contentOf(notePath), note);
    }

    /// Closing a descriptor of a file drops all locks that SQLite holds on it in this process.
    void otherDescriptorsLeaveSqlitesLocks()
    {
        const auto path = fresh();
        const auto opened = must(openProject(path, OpenMode::ReadWrite, shippedMigrations()));
        auto transaction = must(Transaction::begin(*opened.database));
        const auto reserved = [&] {
            QProcess child;
            child.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"reserved"_s, path});
            return child.waitForFinished() ? child.readAllStandardOutput() : QByteArray("no answer");
        };
        QCOMPARE(reserved(), QByteArray("reserved\n"));
        QVERIFY(must(Project::open(path, OpenMode::ReadOnly))->isReadOnly());
        QVERIFY(must(Project::open(path))->isReadOnly());
        QCOMPARE(reserved(), QByteArray("reserved\n"));
        must(transaction.commit());
        QCOMPARE(reserved(), QByteArray("free\n"));
    }

    void waitsItsTurn()
    {
        const auto path = fresh();
        QProcess holder;
        startHolder(holder, path);
        QStringList told;
        Waiting waiting;
        waiting.forLock = std::chrono::seconds(60);
        waiting.begun = [&](const QString &by) {
            told.append(by);
            holder.write("go on\n");
            QVERIFY(holder.waitForBytesWritten());
        };
        const auto project = must(Project::open(path, OpenMode::ReadWrite, waiting));
        QVERIFY2(!project->isReadOnly(), qPrintable(project->readOnlyReason()));
        QCOMPARE(told.size(), 1);
        QVERIFY(told.front().contains(QString::number(holder.processId())));
        QVERIFY(holder.waitForFinished());

        waiting.forLock = std::chrono::milliseconds(1);
        waiting.begun = {};
        QVERIFY(must(Project::open(path, OpenMode::ReadWrite, waiting))->isReadOnly());
    }

    /// What another program locks in the file stops a window for a moment only.
    void aWindowDoesNotStandStill()
    {
        const auto path = fresh();
        const auto project = must(Project::open(path));
        const auto plan = must(project->plans()).front();
        const auto other = must(Database::open(path, Database::Access::ReadWrite));
        must(other->execute(u"BEGIN EXCLUSIVE"_s));
        QElapsedTimer timer;
        timer.start();
        const auto saved = project->savePlan(plan);
        QVERIFY2(timer.elapsed() < 2500, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(!saved);
        QVERIFY2(saved.error().message.contains("in use by another program"), saved.error().message.c_str());
        must(other->execute(u"COMMIT"_s));
        must(project->savePlan(plan));
    }

    void changesOfOthersAreNoticed()
    {
        const auto path = fresh();
        const auto writer = must(Project::open(path));
        const auto reader = must(Project::open(path));
        auto plan = must(writer->plans()).front();
        QVERIFY(!must(reader->changedElsewhere()));
        for (const auto *name : {"first", "second"}) {
            plan.document.name = name;
            must(writer->savePlan(plan));
            QVERIFY(!must(writer->changedElsewhere())); // its own
            QVERIFY(must(reader->changedElsewhere()));
            QVERIFY(!must(reader->changedElsewhere()));
            QVERIFY(!reader->isCopy() && must(reader->plans()).front().document.name == name);
        }
        QVERIFY(QFile::copy(path, path + u".new"_s));
        QVERIFY(QFile::remove(path));
        QVERIFY(must(reader->changedElsewhere()));
        QVERIFY(!must(reader->changedElsewhere()));
        QVERIFY(QFile::rename(path + u".new"_s, path));
        QVERIFY(must(reader->changedElsewhere()));
        QVERIFY(must(writer->changedElsewhere()));
    }
};

FLEETWRIGHT_TEST(ProjectLockTest)
#include "tst_projectlock.moc"
