// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/solve.h"
#include "storage/catalogtables.h"
#include "storage/digests.h"
#include "storage/migrationtesting.h"
#include "storage/projectopening.h"
#include "storage/schema.h"
#include "storage/support.h"
#include "storage/versions.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// Projects of earlier versions are read without being changed, and damaged ones left as they are.
class ReadingFormerTest : public QObject, MigrationFixture {
    Q_OBJECT

private slots:
    void earlierVersionsAreRead_data()
    {
        QTest::addColumn<QString>("name");
        const auto names = QDir(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects")).entryList(QDir::Files);
        for (const auto &name : names)
            QTest::newRow(qPrintable(name)) << name;
    }

    /// From a copy in memory, by whoever may not write: the file stays as it is.
    void earlierVersionsAreRead()
    {
        QFETCH(QString, name);
        const auto path = fixture(name);
        const auto before = contentOf(path);
        const auto file = must(ProjectFile::open(path, ProjectFile::Access::Write));
        ProjectLock writer(path, *file, LockSurroundings::ofThisComputer());
        QVERIFY(writer.take() == ProjectLock::State::Taken);
        std::vector<SavedPlan> plans;
        for (const auto mode : {OpenMode::ReadOnly, OpenMode::ReadWrite}) {
            const auto project = must(Project::open(path, mode));
            QVERIFY(project->isReadOnly() && project->isCopy() && !project->upgraded());
            QCOMPARE(project->path(), path);
            QVERIFY2(project->readOnlyReason().contains(u"an older version"_s), qPrintable(project->readOnlyReason()));
            plans = must(project->plans());
            QVERIFY(!plans.empty());
            QVERIFY(!project->savePlan(plans.front()));
            QVERIFY(!must(project->changedElsewhere()));
            const auto copy = path + u".copy"_s;
            must(project->saveCopy(copy));
            QVERIFY(must(must(Project::open(copy, OpenMode::ReadOnly))->plans()) == plans);
            QVERIFY(QFile::remove(copy));
        }
        QVERIFY(contentOf(path) == before);
        const auto beside = QFileInfo(path).dir().entryList(QDir::Files | QDir::Hidden);
        QCOMPARE(beside, (QStringList{u'.' + name + u".lock"_s, name})); // and the writer's note
    }

    void theCopyOfAReaderIsOutOfDate()
    {
        const auto path = fixture(u"version-7.fleetwright"_s);
        const auto reader = must(Project::open(path, OpenMode::ReadOnly));
        QVERIFY(!must(reader->changedElsewhere()));
        const auto upgraded = must(Project::open(path))->upgraded();
        QVERIFY(upgraded);
        QCOMPARE(upgraded->from, 7);
        QCOMPARE(upgraded->to, projectSchemaVersion);
        QVERIFY(QFile::exists(upgraded->backup));
        QVERIFY(must(reader->changedElsewhere()));
        QVERIFY(!must(reader->changedElsewhere()));
        QVERIFY(!must(Project::open(path, OpenMode::ReadOnly))->isCopy());
    }

    void damagedEarlierVersions_data()
    {
        QTest::addColumn<QStringList>("damage");
        QTest::newRow("rows without what they refer to") << QStringList{u"DELETE FROM source"_s};
        QTest::newRow("a table too many") << QStringList{u"CREATE TABLE songs (title TEXT)"_s};
        QTest::newRow("a column too many") << QStringList{u"ALTER TABLE plan ADD COLUMN colour TEXT"_s};
        QTest::newRow("a table of a later version") << QStringList{u"CREATE TABLE offer (title TEXT)"_s};
        QTest::newRow("no project") << QStringList{u"DELETE FROM project"_s};
    }

    /// What is wrong is found before anything is changed.
    void damagedEarlierVersions()
    {
        QFETCH(QStringList, damage);
        const auto name = u"version-4.fleetwright"_s, path = fixture(name);
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            must(database->execute(u"PRAGMA foreign_keys = OFF"_s));
            must(database->executeAll(damage));
        }
        const auto before = contentOf(path);
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
            const auto opened = Project::open(path, mode);
            QVERIFY(!opened);
            QVERIFY2(QString::fromStdString(opened.error().message).contains(path), opened.error().message.c_str());
            QVERIFY(contentOf(path) == before);
        }
        QCOMPARE(QFileInfo(path).dir().entryList(QDir::Files | QDir::Hidden), QStringList{name});
    }

    /// A step may heal what it goes over; that a value was lost must be known all the same.
    void aStepDoesNotHideDamage()
    {
        const auto path = sample();
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            must(database->executeAll(
                {u"PRAGMA ignore_check_constraints = ON"_s, u"UPDATE plan SET document = 'gone' WHERE id = 1"_s}));
        }
        const auto before = contentOf(path);
        const auto steps = later({{u"UPDATE plan SET document = '{}' WHERE document NOT LIKE '{%}'"_s}});
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
            const auto opened = openProject(path, mode, steps);
            QVERIFY(!opened);
            QVERIFY2(opened.error().message.contains("was left as it is"), opened.error().message.c_str());
            QVERIFY(contentOf(path) == before);
            QVERIFY(versionsOf(path).empty());
        }
    }
};

FLEETWRIGHT_TEST(ReadingFormerTest)
#include "tst_readingformer.moc"
