// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/samplerun.h"
#include "storage/damagedproject.h"
#include "storage/projectlock.h"
#include "storage/support.h"
#include "storage/versions.h"
#include "testing/registry.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// Earlier states are kept before large changes, in order and in number, and come back whole.
class VersionsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    QString sample()
    {
        const auto path = m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files));
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        return path;
    }

    static QStringList reasons(const QString &path)
    {
        QStringList all;
        for (const auto &version : versionsOf(path))
            all.append(version.reason);
        return all;
    }

    static QDateTime at(const QString &text) { return QDateTime::fromString(text, Qt::ISODate); }

    /// Not what they mean to whoever runs the test.
    static QFile::Permissions modeOf(const QString &path)
    {
        return QFile::permissions(path) & ~(QFile::ReadUser | QFile::WriteUser | QFile::ExeUser);
    }

    /// Kept earlier, with the project as it stands.
    static QString keptAt(Database &project, int number)
    {
        const auto reason = u"number %1"_s.arg(number);
        return must(keepVersion(project, reason, at(u"2025-12-%1T00:00:00Z"_s.arg(28 - number))));
    }

private slots:
    void namesSortByAge()
    {
        const auto path = sample();
        const auto database = must(Database::open(path, Database::Access::ReadWrite));
        const auto folder = versionsFolder(path);
        QCOMPARE(folder, path.chopped(12) + u".versions"_s);
        const auto name = [&](const QString &reason, const QString &time) {
            const auto file = must(keepVersion(*database, reason, at(time)));
            must(database->execute(u"UPDATE project SET created_at = created_at || 'x'"_s)); // the same is kept once
            return QFileInfo(file).fileName();
        };
        QCOMPARE(
            name(u"before import"_s, u"2026-11-23T14:05:33Z"_s), u"2026-11-23T14-05-33Z before-import.fleetwright"_s);
        QCOMPARE(name(u"before import"_s, u"2026-11-23T14:05:33Z"_s),
            u"2026-11-23T14-05-33Z.001 before-import.fleetwright"_s);
        // The clock goes back: later copies stay later.
        QCOMPARE(name(u"before restore"_s, u"2020-01-01T00:00:00Z"_s),
            u"2026-11-23T14-05-33Z.002 before-restore.fleetwright"_s);
        QCOMPARE(name(u"../../Evil/\u00e9"_s, u"2026-11-23T14:05:34Z"_s), u"2026-11-23T14-05-34Z evil.fleetwright"_s);
        QCOMPARE(reasons(path), (QStringList{u"evil"_s, u"before restore"_s, u"before import"_s, u"before import"_s}));
        const auto versions = versionsOf(path);
        QCOMPARE(versions.back().savedAt, at(u"2026-11-23T14:05:33Z"_s));
        QVERIFY(versions.front().bytes > 100000);
        QVERIFY(must(must(Project::open(versions.back().path, OpenMode::ReadOnly))->check()).empty());
    }

    void tenStay()
    {
        const auto path = sample();
        const auto database = must(Database::open(path, Database::Access::ReadWrite));
        const QDir folder(versionsFolder(path));
        must(keepVersion(*database, u"first"_s, at(u"2026-01-01T00:00:00Z"_s)));
        const QStringList others{u"2020-01-01T00-00-00Z.fleetwright"_s, u"mine.fleetwright"_s, u"a note.txt"_s,
            u"2020-01-01T00-00-00Z Mine.fleetwright"_s};
        for (const auto &name : others)
            writeFile(folder.filePath(name), "not ours");
        const auto unfinished = u".fleetwright-0123456789abcdef0123456789abcdef.tmp"_s;
        writeFile(folder.filePath(unfinished), "of a writer that was killed");
        for (int i = 1; i <= 12; ++i) { // by a clock that runs backwards
            keptAt(*database, i);
            pruneVersions(*database);
        }
        QStringList expected;
        for (int i = 12; i > 2; --i)
            expected.append(u"number %1"_s.arg(i));
        QCOMPARE(reasons(path), expected);
        for (const auto &name : others)
            QVERIFY2(QFile::exists(folder.filePath(name)), qPrintable(name));
        QVERIFY(!QFile::exists(folder.filePath(unfinished)));
    }

    void bulkChangesKeepOne()
    {
        const auto path = sample();
        const auto project = must(Project::open(path));
        const auto plan = must(project->plans()).front();
        must(project->savePlan(plan));
        must(project->addDocuments({plan.document}));
        auto fabric = userCopy(must(project->catalog()), CatalogKind::Fabric, "ib_ndr", "mine");
        must(project->saveRecord(fabric));
        QCOMPARE(reasons(path), QStringList());
        must(project->addDocuments(twoPlans(*project)));
        QCOMPARE(reasons(path), QStringList{u"before import"_s});
        auto other = fabric;
        other.id = "other";
        must(project->replaceItems({}, {{fabric, other}, {}}));
        must(project->replaceRecords({fabric, other}, {}));
        QCOMPARE(reasons(path), (QStringList{u"before calibration"_s, u"before catalog change"_s, u"before import"_s}));
        const std::vector<SavedMeasuredRun> few(20, SavedMeasuredRun{0, samplerun::run("a", 9)});
        const auto ids = must(project->saveMeasuredRuns(few));
        QCOMPARE(reasons(path).size(), 3);
        const std::vector<SavedMeasuredRun> many(21, SavedMeasuredRun{0, samplerun::run("a", 9)});
        const auto more = must(project->saveMeasuredRuns(many));
        must(project->removeMeasuredRuns(ids));
        QCOMPARE(reasons(path).size(), 4);
        must(project->removeMeasuredRuns(more));
        QCOMPARE(reasons(path).size(), 5);
    }

    void noChangeWithoutItsVersion()
    {
        const auto path = sample();
        writeFile(versionsFolder(path), "in the way");
        const auto project = must(Project::open(path));
        const auto before = must(project->plans()).size();
        const auto refused = project->addDocuments(twoPlans(*project));
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.contains("could not be kept")
                && refused.error().message.contains("nothing was changed"),
            refused.error().message.c_str());
        QCOMPARE(must(project->plans()).size(), before);
        must(project->savePlan(must(project->plans()).front())); // single edits go on
    }

    void restored()
    {
        const auto path = sample();
        const auto project = must(Project::open(path));
        const auto before = must(project->plans());
        const auto version = versionBeforeImport(*project);
        for (const auto &plan : must(project->plans()))
            must(project->removePlan(plan.id));
        must(project->restoreVersion(version));
        QVERIFY(must(project->plans()) == before);
        QCOMPARE(reasons(path), (QStringList{u"before restore"_s, u"before import"_s}));
        must(project->savePlan(before.front())); // digests are still kept
        QVERIFY(must(project->check()).empty());
        must(project->restoreVersion(versionsOf(path).front().path)); // and back
        QVERIFY(must(project->plans()).empty());
        QVERIFY(must(must(Project::open(path, OpenMode::ReadOnly))->check()).empty());
    }

    void olderFormatIsRestored()
    {
        const auto path = sample();
        const auto old = m_folder.filePath(u"version-8.fleetwright"_s);
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-8.fleetwright"), old);
        const auto bytes = contentOf(old);
        {
            const auto project = must(Project::open(path));
            must(project->restoreVersion(old));
            QCOMPARE(must(project->decisions()).front().document.name, std::string("Asked in version 8"));
            must(project->saveDecision(must(project->decisions()).front()));
        }
        QVERIFY(contentOf(old) == bytes);
        QVERIFY(must(must(Project::open(path))->check()).empty());
    }

    void damagedVersionIsRefused_data()
    {
        QTest::addColumn<QString>("kind");
        for (const auto *kind : {"missing", "no project", "cut", "unreadable", "newer"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }

    void damagedVersionIsRefused()
    {
        QFETCH(QString, kind);
        const auto path = sample();
        const auto project = must(Project::open(path));
        const auto version = unprotected(versionBeforeImport(*project));
        if (kind == "missing"_L1)
            QFile::remove(version);
        else if (kind == "no project"_L1)
            writeFile(version, "Dear project,\n");
        else if (kind == "cut"_L1)
            writeFile(version, contentOf(version).first(300'000));
        else
            must(must(Database::open(version, Database::Access::ReadWrite))
                     ->execute(
                         kind == "newer"_L1 ? u"PRAGMA user_version = 99"_s : u"UPDATE plan SET document = '{}'"_s));
        const auto before = contentOf(path);
        const auto refused = project->restoreVersion(version);
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.contains("was not restored"), refused.error().message.c_str());
        QVERIFY(contentOf(path) == before);
    }

    void alteredVersionIsRestoredAndTold()
    {
        const auto project = must(Project::open(sample()));
        const auto version = unprotected(versionBeforeImport(*project));
        must(must(Database::open(version, Database::Access::ReadWrite))
                 ->execute(u"UPDATE plan SET name = 'Altered' WHERE id = 1"_s));
        must(project->restoreVersion(version));
        QCOMPARE(project->alteredItems().size(), 1UZ);
    }

    /// However often a change is undone and done again, the other versions stay.
    void undoAndRedoKeepTwoStates()
    {
        const auto path = sample();
        const auto project = must(Project::open(path));
        must(project->addDocuments(twoPlans(*project)));
        const auto one = userCopy(must(project->catalog()), CatalogKind::Fabric, "ib_ndr", "one");
        auto two = one;
        two.id = "two";
        for (int i = 0; i < 8; ++i) {
            must(project->replaceRecords({}, {one, two}));
            must(project->replaceRecords({one, two}, {}));
        }
        QCOMPARE(reasons(path), (QStringList{u"before calibration"_s, u"before calibration"_s, u"before import"_s}));
    }

    void asPrivateAsTheProject()
    {
        const auto path = sample();
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        const auto version = versionBeforeImport(*must(Project::open(path)));
        QCOMPARE(modeOf(version), QFile::Permissions(QFile::ReadOwner));
        QVERIFY(!(QFile::permissions(versionsFolder(path)) & (QFile::ReadOther | QFile::ExeOther | QFile::ReadGroup)));
    }

    /// Nothing is kept beside a file that has gone.
    void aProjectThatHasGoneKeepsNone()
    {
        const auto path = sample();
        const auto project = must(Project::open(path));
        QVERIFY(QFile::rename(path, path + u".away"_s));
        QVERIFY(!project->addDocuments(twoPlans(*project)));
        QVERIFY(!QFileInfo::exists(versionsFolder(path)));
        QVERIFY(versionsFolder(u"/a/fleet"_s) != versionsFolder(u"/a/fleet.fleetwright"_s));
    }

    void damagedProjectGivesWay()
    {
        const auto path = sample();
        QString version;
        std::vector<SavedPlan> plans;
        {
            const auto project = must(Project::open(path));
            plans = must(project->plans());
            version = versionBeforeImport(*project);
            QVERIFY(!restoreDamaged(path, version)); // it is open for writing
        }
        const auto damaged = contentOf(path).first(200'000);
        writeFile(path, damaged);
        const auto broken = m_folder.filePath(u"broken.fleetwright"_s);
        writeFile(broken, damaged);
        QVERIFY(!restoreDamaged(path, broken)); // a version that is no better
        QVERIFY(contentOf(path) == damaged);
        {
            const auto file = must(ProjectFile::open(path, ProjectFile::Access::Write));
            ProjectLock writer(path, *file, LockSurroundings::ofThisComputer());
            QVERIFY(writer.take() == ProjectLock::State::Taken);
            QVERIFY(!restoreDamaged(path, version));
        }
        QVERIFY(contentOf(path) == damaged);
        const auto aside = must(restoreDamaged(path, version));
        QVERIFY(contentOf(aside) == damaged);
        QVERIFY2(QFileInfo(aside).fileName().startsWith(QFileInfo(path).completeBaseName() + u" damaged 20"_s),
            qPrintable(aside));
        const auto project = must(Project::open(path));
        QVERIFY(!project->isReadOnly() && must(project->check()).empty());
        QVERIFY(must(project->plans()) == plans);
    }

    void readersRestoreNothing()
    {
        const auto path = sample();
        const auto version = versionBeforeImport(*must(Project::open(path)));
        const auto project = must(Project::open(path, OpenMode::ReadOnly));
        QCOMPARE(int(project->restoreVersion(version).error().code), int(ErrorCode::ReadOnly));
        QCOMPARE(int(project->addDocuments(twoPlans(*project)).error().code), int(ErrorCode::ReadOnly));
        QCOMPARE(versionsOf(path).size(), 1UZ);
    }

    /// Only a change that was made lets the oldest version go.
    void aRefusedChangeCostsNoVersion()
    {
        const auto path = sample();
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            for (int i = 10; i > 0; --i)
                keptAt(*database, i);
        }
        const auto project = must(Project::open(path));
        auto documents = twoPlans(*project);
        std::get<PlanDocument>(documents.back()).name = std::string(301, 'x');
        for (int tries = 0; tries < 3; ++tries) // what is kept for each holds the same
            QVERIFY(!project->addDocuments(documents));
        QStringList expected{u"before import"_s};
        for (int i = 1; i <= 10; ++i)
            expected.append(u"number %1"_s.arg(i));
        QCOMPARE(reasons(path), expected);
        must(project->addDocuments(twoPlans(*project)));
        expected.removeLast();
        QCOMPARE(reasons(path), expected);
    }

    void writeProtected()
    {
        const auto path = sample();
        const auto version = versionBeforeImport(*must(Project::open(path)));
        QVERIFY(modeOf(version) & QFile::ReadOwner);
        QVERIFY(!(modeOf(version) & (QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther)));
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly, OpenMode::TakeOver}) {
            const auto opened = must(Project::open(unprotected(version), mode)); // modes do not bind everybody
            QVERIFY(opened->isReadOnly());
            QCOMPARE(opened->readOnlyReason(), u"It is a kept version of a project; save a copy to make changes."_s);
        }
        const auto copy = m_folder.filePath(u"copy of a version.fleetwright"_s);
        must(must(Project::open(version))->saveCopy(copy));
        QVERIFY(QFile::permissions(copy) & QFile::WriteOwner);
        QVERIFY(!must(Project::open(copy))->isReadOnly());
    }

    /// Nobody loses what is being looked at.
    void anOpenVersionStays()
    {
        const auto path = sample();
        const auto database = must(Database::open(path, Database::Access::ReadWrite));
        for (int i = 12; i > 0; --i)
            keptAt(*database, i);
        auto reader = must(Project::open(versionsOf(path).back().path));
        pruneVersions(*database);
        QCOMPARE(reasons(path).size(), 11);
        QCOMPARE(reasons(path).back(), u"number 12"_s);
        QCOMPARE(reasons(path).at(9), u"number 10"_s);
        reader.reset();
        pruneVersions(*database);
        QCOMPARE(reasons(path).size(), 10);
        // Nor is it the one of two with the same content that goes.
        must(keepVersion(*database, u"before import"_s));
        reader = must(Project::open(versionsOf(path).front().path));
        must(keepVersion(*database, u"before import"_s));
        QCOMPARE(reasons(path).count(u"before import"_s), 2);
    }

    void anotherProjectOfThatName()
    {
        const auto path = sample();
        QString former;
        {
            const auto project = must(Project::open(path));
            former = versionBeforeImport(*project);
        }
        QVERIFY(QFile::remove(path));
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        QVERIFY(versionsOf(path).front().ofAnother);
        const auto project = must(Project::open(path));
        const auto before = contentOf(path);
        const auto refused = project->restoreVersion(former);
        QVERIFY(!refused && refused.error().message.contains("of another project of that name"));
        QVERIFY(contentOf(path) == before);
        const auto database = must(Database::open(path, Database::Access::ReadWrite));
        for (int i = 0; i < 12; ++i)
            must(keepVersion(*database, u"own"_s));
        const auto unreadable = versionsFolder(path) + u"/2020-01-01T00-00-00Z before-import.fleetwright"_s;
        writeFile(unreadable, "nobody's");
        pruneVersions(*database);
        QCOMPARE(reasons(path).size(), 12);
        QVERIFY(QFile::exists(former) && QFile::exists(unreadable));
        for (const auto &version : versionsOf(path))
            QCOMPARE(version.ofAnother, version.path == former);
        // In another folder it is a project as any, and this one stays what it is.
        const auto elsewhere = m_folder.filePath(u"former.fleetwright"_s);
        QVERIFY(QFile::copy(former, elsewhere));
        must(project->restoreVersion(elsewhere));
        QVERIFY(project->alteredItems().empty() && must(project->check()).empty());
        QVERIFY(!versionsOf(path).front().ofAnother && versionsOf(path).back().path == unreadable);
        QCOMPARE(std::ranges::count(versionsOf(path), true, &Version::ofAnother), 1);
    }

    void whatComputesIsNotAsked()
    {
        const auto path = sample();
        const auto version = unprotected(versionBeforeImport(*must(Project::open(path))));
        const auto database = must(Database::open(version, Database::Access::ReadWrite));
        must(database->executeAll({u"ALTER TABLE project RENAME TO hidden"_s,
            u"CREATE VIEW project AS WITH RECURSIVE n(id, created_at) AS (VALUES (1, 'a') UNION ALL SELECT id + 1, 'a' "
            "FROM n) SELECT * FROM n"_s}));
        QVERIFY(!identityOf(*database));
        QCOMPARE(versionsOf(path).size(), 1UZ);
    }

    /// Another program that reads the project all the while.
    void whatCannotBeWrittenIsNotCalledRestored()
    {
        const auto path = sample();
        const auto project = must(Project::open(path));
        const auto version = versionBeforeImport(*project);
        const auto plans = must(project->plans());
        {
            const auto other = must(Database::open(path, Database::Access::ReadOnly));
            must(other->execute(u"BEGIN"_s));
            must(other->integer(u"SELECT count(*) FROM plan"_s));
            const auto refused = project->restoreVersion(version);
            QVERIFY(!refused && refused.error().message.contains("is in use by another program"));
            QVERIFY(must(project->plans()) == plans);
        }
        must(project->restoreVersion(version));
    }
};

FLEETWRIGHT_TEST(VersionsTest)
#include "tst_versions.moc"
