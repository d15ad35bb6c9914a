// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/projectopening.h"
#include "storage/schema.h"
#include "storage/support.h"
#include "storage/versions.h"
#include "testing/registry.h"

#include <QtTest>

#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// An edit that was cut off is undone, by readers too; a file that has gone takes no edits; what the disk or the system
/// refuses is called by its name.
class RecoveryTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_interrupted; ///< a project whose writer was killed in the middle of a commit, with its journal
    std::vector<SavedPlan> m_plans; ///< before that edit
    int m_files = 0;

    QString next() { return m_folder.filePath(u"recovered %1.fleetwright"_s.arg(++m_files)); }

    QString sample()
    {
        const auto path = next();
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        return path;
    }

    QString interrupted()
    {
        const auto path = next();
        writeFile(path, contentOf(m_interrupted));
        writeFile(path + u"-journal"_s, contentOf(m_interrupted + u"-journal"_s));
        return path;
    }

    static QStringList beside(const QString &path)
    {
        const QFileInfo info(path);
        return info.dir().entryList({u"*"_s + info.fileName() + u"*"_s}, QDir::Files | QDir::Hidden, QDir::Name);
    }

private slots:
    void initTestCase()
    {
        const auto path = sample();
        m_plans = must(must(Project::open(path))->plans());
        m_interrupted = next();
        const auto database = must(Database::open(path, Database::Access::ReadWrite));
        must(database->execute(u"PRAGMA cache_size = 1"_s)); // changed pages must reach the file before the commit
        const auto transaction = must(Transaction::begin(*database));
        must(database->execute(u"UPDATE plan SET name = 'half done'"_s));
        must(database->execute(u"UPDATE accelerator SET notes = notes || hex(zeroblob(2000))"_s));
        QVERIFY(QFile::exists(path + u"-journal"_s));
        writeFile(m_interrupted, contentOf(path));
        writeFile(m_interrupted + u"-journal"_s, contentOf(path + u"-journal"_s));
        QVERIFY(!m_plans.empty());
    }

    void aReaderUndoesTheEdit()
    {
        const auto path = interrupted();
        const auto reader = must(Project::open(path, OpenMode::ReadOnly));
        QVERIFY(reader->isReadOnly() && !reader->isCopy());
        QVERIFY(must(reader->plans()) == m_plans);
        QVERIFY(must(reader->check()).empty());
        QCOMPARE(beside(path), QStringList{QFileInfo(path).fileName()}); // neither journal nor note of a holder
        QVERIFY(!must(Project::open(path))->isReadOnly());
    }

    void throughALink()
    {
        const auto path = interrupted(), link = m_folder.filePath(u"elsewhere.fleetwright"_s);
        QVERIFY(QFile::link(path, link));
        QVERIFY(must(must(Project::open(link, OpenMode::ReadOnly))->plans()) == m_plans);
        QVERIFY(!QFile::exists(path + u"-journal"_s));
    }

    void aWriterUndoesTheEdit()
    {
        const auto path = interrupted();
        const auto project = must(Project::open(path));
        QVERIFY(must(project->check()).empty());
        QVERIFY(must(project->plans()) == m_plans);
    }

    /// Somebody else has the right to write, or nobody may: the file stays as it is.
    void whoMayNotWriteReadsACopy()
    {
        const auto path = interrupted();
        const auto content = contentOf(path), journal = contentOf(path + u"-journal"_s);
        const auto file = must(ProjectFile::open(path, ProjectFile::Access::Write));
        const auto temporaryBefore = QDir(QDir::tempPath()).entryList({u"tests-storage-*"_s}, QDir::Dirs);
        std::unique_ptr<Project> reader;
        {
            ProjectLock writer(path, *file, LockSurroundings::ofThisComputer());
            QVERIFY(writer.take() == ProjectLock::State::Taken);
            for (const auto mode : {OpenMode::ReadOnly, OpenMode::ReadWrite}) {
                reader = must(Project::open(path, mode));
                QVERIFY(reader->isReadOnly() && reader->isCopy());
                QVERIFY(must(reader->plans()) == m_plans);
                QVERIFY(must(reader->check()).empty());
                QCOMPARE(reader->path(), path);
                const auto copy = next();
                must(reader->saveCopy(copy));
                QVERIFY(must(must(Project::open(copy))->plans()) == m_plans);
            }
            QVERIFY(contentOf(path) == content && contentOf(path + u"-journal"_s) == journal);
            QVERIFY(!must(reader->changedElsewhere()));
        }
        QCOMPARE(QDir(QDir::tempPath()).entryList({u"tests-storage-*"_s}, QDir::Dirs), temporaryBefore);
        must(Project::open(path)).reset();
        QVERIFY(must(reader->changedElsewhere()));
    }

    /// SQLite deletes the file that such a journal names.
    void aJournalNamesNoOtherFile()
    {
        const auto path = interrupted(), precious = m_folder.filePath(u"precious.txt"_s);
        writeFile(precious, "precious");
        const auto journal = journalNaming(contentOf(path + u"-journal"_s), precious);
        writeFile(path + u"-journal"_s, journal);
        const auto content = contentOf(path);
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
            const auto opened = Project::open(path, mode);
            QVERIFY(!opened);
            QVERIFY2(opened.error().message.contains("names further files"), opened.error().message.c_str());
            QVERIFY(contentOf(precious) == "precious");
            QVERIFY(contentOf(path) == content && contentOf(path + u"-journal"_s) == journal);
        }
    }

    void aFileThatHasGone_data()
    {
        QTest::addColumn<QString>("how");
        for (const auto &how : {u"deleted"_s, u"renamed"_s, u"replaced"_s})
            QTest::newRow(qPrintable(how)) << how;
    }

    /// An edit that nobody would find again is refused; what is shown can be kept.
    void aFileThatHasGone()
    {
        QFETCH(QString, how);
        const auto path = sample();
        const auto project = must(Project::open(path));
        const auto plan = must(project->plans()).front();
        const auto otherContent = contentOf(sample());
        if (how == u"deleted"_s)
            QVERIFY(QFile::remove(path));
        else
            QVERIFY(QFile::rename(path, path + u".away"_s));
        if (how == u"replaced"_s)
            writeFile(path, otherContent);
        for (int attempt = 0; attempt < 2; ++attempt) {
            const auto saved = project->savePlan(plan);
            QVERIFY(!saved);
            QVERIFY2(saved.error().message.contains("was moved, deleted or replaced"), saved.error().message.c_str());
            QVERIFY(saved.error().message.contains("Save a copy"));
            QCOMPARE(QString::fromStdString(saved.error().field), path);
        }
        // Nor is a version kept beside what may be somebody else's by now.
        auto others = std::vector{plan.document, plan.document};
        others[0].name = "One more";
        others[1].name = "And another";
        const auto added = project->addDocuments({others[0], others[1]});
        QVERIFY(!added);
        QVERIFY2(added.error().message.contains("was moved, deleted or replaced"), added.error().message.c_str());
        QVERIFY(!QFile::exists(versionsFolder(path)));
        QVERIFY(!QFile::exists(path + u"-journal"_s));
        if (how == u"replaced"_s)
            QVERIFY(contentOf(path) == otherContent);
        const auto copy = next();
        must(project->saveCopy(copy));
        QVERIFY(must(must(Project::open(copy))->plans()) == must(project->plans()));
        if (how == u"renamed"_s) { // and back again
            QVERIFY(QFile::rename(path + u".away"_s, path));
            must(project->savePlan(plan));
        }
    }

    /// Also where the file goes between two statements of one edit.
    void aFileThatGoesDuringAnEdit()
    {
        const auto path = sample();
        const auto database = must(Database::open(path, Database::Access::ReadWrite));
        const auto transaction = must(Transaction::begin(*database));
        QVERIFY(QFile::rename(path, path + u".away"_s));
        const auto written = database->execute(u"UPDATE plan SET name = 'x'"_s);
        QVERIFY(!written);
        QVERIFY2(written.error().message.contains("was moved, deleted or replaced"), written.error().message.c_str());
    }

    void aFolderThatBecomesProtected()
    {
        QTemporaryDir folder; // root may write everywhere, so a child that is nobody tries
        const auto path = folder.filePath(u"project.fleetwright"_s);
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        constexpr auto all = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadOther
            | QFile::WriteOther | QFile::ExeOther;
        QVERIFY(
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther | QFile::WriteOther));
        QVERIFY(QFile::setPermissions(folder.path(), all));
        QProcess child;
        child.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"nobody-later"_s, path});
        QVERIFY(child.waitForReadyRead());
        QCOMPARE(child.readLine(), QByteArray("open\n"));
        QVERIFY(QFile::setPermissions(folder.path(), all & ~(QFile::WriteOwner | QFile::WriteOther)));
        child.write("go on\n");
        QVERIFY(child.waitForFinished());
        const auto answer = QString::fromUtf8(child.readAllStandardOutput());
        QVERIFY(QFile::setPermissions(folder.path(), all));
        QVERIFY2(answer.startsWith(u"read-only: \n"_s), qPrintable(answer));
        QVERIFY2(answer.contains(u"because its folder is write-protected"_s), qPrintable(answer));
    }

    void aFullDisk()
    {
        QTemporaryDir folder;
        QProcess child;
        child.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"fill"_s, folder.path()});
        QVERIFY(child.waitForFinished());
        constexpr int cannotMount = 77;
        if (child.exitCode() == cannotMount)
            QSKIP("A small disk can be mounted neither by root nor in a namespace here.");
        const auto answer = QString::fromUtf8(child.readAllStandardOutput());
        QVERIFY2(child.exitCode() == 0, qPrintable(answer));
        const auto lines = answer.split(u'\n');
        QVERIFY2(lines[0].contains(u"because the disk is full"_s), qPrintable(answer));
        QCOMPARE(lines[1], u"writable"_s);
        QCOMPARE(lines[2], u"1"_s);
    }
};

FLEETWRIGHT_TEST(RecoveryTest)
#include "tst_recovery.moc"
