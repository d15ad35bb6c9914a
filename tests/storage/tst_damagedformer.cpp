// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/migrationtesting.h"
#include "storage/projectopening.h"
#include "storage/schema.h"
#include "storage/support.h"
#include "storage/versions.h"
#include "testing/registry.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <QtEndian>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// A damaged project of an earlier version is refused before anything is changed, and a copy meets what stands in its
/// way.
class DamagedFormerTest : public QObject, MigrationFixture {
    Q_OBJECT

    static QByteArray former(int version)
    {
        return contentOf(
            u"%1/projects/version-%2.fleetwright"_s.arg(QStringLiteral(FLEETWRIGHT_TEST_DATA)).arg(version));
    }

private slots:
    void aPageTooMany_data()
    {
        QTest::addColumn<int>("version");
        for (const int version : {1, 4, 8})
            QTest::addRow("version %d", version) << version;
    }

    /// Damage that no step of a migration would trip over: only looking for it finds it.
    void aPageTooMany()
    {
        QFETCH(int, version);
        auto content = former(version);
        const auto page = qFromBigEndian<quint16>(content.constData() + 16);
        constexpr int pagesAt = 28;
        const auto pages = qFromBigEndian<quint32>(content.constData() + pagesAt);
        qToBigEndian(pages + 1, content.data() + pagesAt);
        content.append(QByteArray(page, '\x5a'));
        const auto path = m_folder.filePath(u"former %1.fleetwright"_s.arg(version));
        writeFile(path, content);
        const auto opened = Project::open(path);
        QVERIFY(!opened);
        QVERIFY2(opened.error().message.contains("damaged"), opened.error().message.c_str());
        QVERIFY(contentOf(path) == content);
        const auto beside =
            QDir(m_folder.path()).entryList({u"former %1*"_s.arg(version)}, QDir::AllEntries | QDir::Hidden);
        QCOMPARE(beside.size(), 1); // no backup of what will not be changed
    }

    /// A step that writes a table anew heals its pages, so the damage is looked for before the first one.
    void damageThatAStepWouldHeal()
    {
        const auto path = sample();
        const auto root = must(must(Database::open(path, Database::Access::ReadOnly))
                                   ->integer(u"SELECT rootpage FROM sqlite_schema WHERE name = 'currency'"_s));
        auto content = contentOf(path);
        const auto pageSize = qFromBigEndian<quint16>(content.constData() + 16);
        const auto page = content.data() + (root - 1) * pageSize;
        constexpr char leafOfTable = 13;
        QCOMPARE(page[0], leafOfTable);
        constexpr int fragmentsAt = 7;
        page[fragmentsAt] = char(page[fragmentsAt] + 3);
        writeFile(path, content);
        const auto steps = later({{u"CREATE TABLE aside AS SELECT * FROM currency"_s, u"DELETE FROM currency"_s,
            u"INSERT INTO currency SELECT * FROM aside"_s, u"DROP TABLE aside"_s}});
        for (const auto mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
            const auto opened = openProject(path, mode, steps);
            QVERIFY(!opened);
            QVERIFY2(opened.error().message.contains("Fragmentation"), opened.error().message.c_str());
            QVERIFY(contentOf(path) == content);
        }
        QVERIFY(versionsOf(path).empty());
    }

    /// The journal would be played back into the copy when that is opened.
    void aCopyBesideAJournal()
    {
        const auto path = m_folder.filePath(u"source.fleetwright"_s);
        const auto target = m_folder.filePath(u"target"_s);
        const auto project = must(Project::create(path));
        writeFile(target, "old");
        writeFile(target + u"-journal"_s, QByteArray(3000, 'x'));
        const auto copied = project->saveCopy(target);
        QVERIFY(!copied);
        QVERIFY(copied.error().message.contains("-journal"));
        QVERIFY(contentOf(target) == "old");
        QVERIFY(QFile::remove(target + u"-journal"_s));
        must(project->saveCopy(target));
        QVERIFY(must(must(Project::open(target))->check()).empty());
    }
};

FLEETWRIGHT_TEST(DamagedFormerTest)
#include "tst_damagedformer.moc"
