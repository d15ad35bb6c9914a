// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/schemaversion.h"
#include "storage/database.h"
#include "storage/digests.h"
#include "storage/salvage.h"
#include "storage/support.h"
#include "testing/processortime.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>
#include <QtEndian>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// Of a damaged project everything comes back that was not hit, and the rest is named.
class SalvageTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_sound;
    int m_files = 0;

    QString next(const QString &name) { return m_folder.filePath(u"%1 %2.fleetwright"_s.arg(name).arg(++m_files)); }

    /// A project with documents, answers and an item of the user's own.
    QString damagedCopy()
    {
        if (m_sound.isEmpty()) {
            m_sound = m_folder.filePath(u"sound.fleetwright"_s);
            const auto project = must(Project::createSample(m_sound, ShippedProject::Tutorial));
            for (const auto &plan : must(project->plans()))
                must(project->saveResult(
                    plan.id, {u"first-order"_s, u"1"_s, u"hash"_s, u"2026-01-01T00:00:00Z"_s, u"{}"_s}));
            auto fabric = userCopy(must(project->catalog()), CatalogKind::Fabric, "ib_ndr", "mine");
            must(project->saveRecord(fabric));
        }
        const auto copy = next(u"damaged"_s);
        QFile::copy(m_sound, copy);
        return copy;
    }

    static void plant(const QString &file, const QStringList &statements)
    {
        const auto database = must(Database::open(file, Database::Access::ReadWrite));
        must(database->execute(u"PRAGMA foreign_keys = OFF"_s));
        must(database->executeAll(statements));
    }

    static qsizetype pageOf(const QString &file, const QString &table)
    {
        const auto database = must(Database::open(file, Database::Access::ReadOnly));
        return must(database->integer(u"SELECT rootpage FROM sqlite_schema WHERE name = ?"_s, {table}));
    }

    static void overwrite(const QString &file, qsizetype from, const QByteArray &with)
    {
        auto content = contentOf(file);
        content.replace(from, with.size(), with);
        writeFile(file, content);
    }

    struct Result {
        SalvageReport report;
        std::unique_ptr<Project> project;
    };
    Result salvaged(const QString &damaged)
    {
        const auto before = contentOf(damaged);
        const auto path = next(u"new"_s);
        Result result{must(salvageProject(damaged, path)), must(Project::open(path))};
        if (contentOf(damaged) != before)
            throw std::runtime_error("the damaged file was changed");
        if (!result.project->alteredItems().empty())
            throw std::runtime_error("the new project is not sound");
        return result;
    }

    static std::size_t lost(const SalvageReport &report, const std::string &what)
    {
        const auto found = std::ranges::find(report.kinds, what, &SalvageReport::Kind::what);
        return found == report.kinds.end() ? 0 : found->lost;
    }

    static bool says(const SalvageReport &report, const std::string &text)
    {
        return std::ranges::any_of(
            report.sentences, [&](const std::string &sentence) { return sentence.find(text) != std::string::npos; });
    }

    void compareWithSound(const Project &project)
    {
        const auto sound = must(Project::open(m_sound, OpenMode::ReadOnly));
        QVERIFY(must(project.plans()) == must(sound->plans()));
        QVERIFY(must(project.sweeps()) == must(sound->sweeps()));
        QVERIFY(must(project.fleets()) == must(sound->fleets()));
        for (const auto &plan : must(sound->plans()))
            QVERIFY(must(project.result(plan.id)) == must(sound->result(plan.id)));
        const auto one = must(project.catalog()), other = must(sound->catalog());
        for (const auto kind : allCatalogKinds)
            QVERIFY(std::ranges::equal(one.records(kind), other.records(kind)));
    }

private slots:
    void soundProject()
    {
        const auto result = salvaged(damagedCopy());
        QVERIFY2(result.report.complete(), result.report.sentences.empty() ? "" : result.report.sentences[0].c_str());
        compareWithSound(*result.project);
    }

    /// Damage that hits nothing of the content: all of it comes back.
    void nothingLost_data()
    {
        QTest::addColumn<qsizetype>("from");
        QTest::addColumn<QByteArray>("with");
        QTest::newRow("magic") << qsizetype(0) << QByteArray("JUNK JUNK JUNK J");
        QTest::newRow("page size") << qsizetype(16) << QByteArray::fromHex("0200");
        QTest::newRow("page size that is none") << qsizetype(16) << QByteArray::fromHex("1235");
        QTest::newRow("reserved bytes") << qsizetype(20) << QByteArray::fromHex("40");
        QTest::newRow("pages counted") << qsizetype(28) << QByteArray::fromHex("ffffffff");
        QTest::newRow("free pages") << qsizetype(32) << QByteArray::fromHex("00000005000000ff");
        QTest::newRow("text encoding") << qsizetype(56) << QByteArray::fromHex("00000002");
        QTest::newRow("version") << qsizetype(60) << QByteArray::fromHex("00000000");
        QTest::newRow("an older version") << qsizetype(60) << QByteArray::fromHex("00000007");
        QTest::newRow("application id") << qsizetype(68) << QByteArray::fromHex("01020304");
        QTest::newRow("whole header") << qsizetype(0) << QByteArray(100, '\xff');
        QTest::newRow("first page") << qsizetype(0) << QByteArray(4096, '\0');
    }

    void nothingLost()
    {
        QFETCH(qsizetype, from);
        QFETCH(QByteArray, with);
        const auto damaged = damagedCopy();
        overwrite(damaged, from, with);
        const auto result = salvaged(damaged);
        compareWithSound(*result.project);
        QCOMPARE(lost(result.report, "plans"), 0UZ);
    }

    void missingIndexAndRoots_data()
    {
        QTest::addColumn<QString>("table");
        for (const auto *table :
            {"plan", "result", "fabric", "source", "digest", "attribution", "sqlite_autoindex_node_1"})
            QTest::newRow(table) << QString::fromLatin1(table);
    }

    /// The first page of a table leads to the others, which are found without it.
    void missingIndexAndRoots()
    {
        QFETCH(QString, table);
        const auto damaged = damagedCopy();
        overwrite(damaged, (pageOf(damaged, table) - 1) * 4096, QByteArray(4096, '\0'));
        const auto result = salvaged(damaged);
        if (table == "result"_L1 || table == "plan"_L1)
            QVERIFY(must(result.project->plans()).size() + lost(result.report, "plans") == 20);
        else if (table == "attribution"_L1) // of which the first page holds rows
            QVERIFY(lost(result.report, "plans") == 0 && !result.report.complete());
        else
            compareWithSound(*result.project);
    }

    void leafPage()
    {
        const auto damaged = damagedCopy();
        const auto database = must(Database::open(damaged, Database::Access::ReadOnly));
        auto content = contentOf(damaged);
        const auto at = content.indexOf("\"name\":\"TP 8, PP 4, M 16 on InfiniBand NDR\"");
        QVERIFY(at > 0);
        overwrite(damaged, at / 4096 * 4096, QByteArray(4096, '\0'));
        const auto result = salvaged(damaged);
        const auto saved = must(result.project->plans()).size();
        QVERIFY(saved < 20 && saved > 5);
        QCOMPARE(lost(result.report, "plans"), 20 - saved);
        QVERIFY(says(result.report, "lost"));
        QVERIFY(must(result.project->catalog()).find(CatalogKind::Fabric, "mine"));
    }

    /// The page that leads to all the others of a table is gone: each row is found by itself, in a time that grows with
    /// their number and not with its square.
    void manyRowsFoundOneByOne()
    {
        constexpr int runs = 100'000;
        const auto damaged = damagedCopy();
        plant(damaged,
            {u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) INSERT INTO measured_run "
             "(id, position, name, document) SELECT i, i, 'run ' || i, '{\"id\":\"run ' || i || '\"}' FROM n"_s.arg(
                 runs)});
        must(renewDigests(*must(Database::open(damaged, Database::Access::ReadWrite))));
        overwrite(damaged, (pageOf(damaged, u"measured_run"_s) - 1) * 4096, QByteArray(4096, '\0'));
        const double before = testing::processorSeconds();
        const auto report = must(salvageProject(damaged, next(u"new"_s)));
        const double seconds = testing::processorSeconds() - before;
        QCOMPARE(lost(report, "measured runs"), 0UZ);
        QVERIFY(must(Project::open(m_folder.filePath(u"new %1.fleetwright"_s.arg(m_files))))->check().has_value());
        qInfo("%d rows in %.1f s", runs, seconds);
        QVERIFY2(seconds < 60 * testing::sanitizerSlowdown, qPrintable(QString::number(seconds)));
    }

    void cutInHalf()
    {
        const auto damaged = damagedCopy();
        const auto content = contentOf(damaged);
        writeFile(damaged, content.first(content.size() / 2 + 700));
        const auto result = salvaged(damaged);
        QVERIFY(!result.report.complete());
        const auto catalog = must(result.project->catalog()), shipped = must(shippedCatalog());
        for (const auto kind : allCatalogKinds)
            QVERIFY(catalog.records(kind).size() >= shipped.records(kind).size());
        QVERIFY(must(result.project->check()).empty());
    }

    void rows_data()
    {
        QTest::addColumn<QStringList>("statements");
        QTest::addColumn<int>("plans");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("table dropped") << QStringList{u"DROP TABLE sweep_result"_s, u"DROP TABLE result"_s} << 20
                                       << QString();
        QTest::newRow("column dropped") << QStringList{u"ALTER TABLE node DROP COLUMN rack_units"_s} << 20
                                        << u"as this version ships it"_s;
        QTest::newRow("notes dropped") << QStringList{u"ALTER TABLE fabric DROP COLUMN notes"_s} << 20
                                       << u"The fabric \u201c"_s;
        QTest::newRow("broken JSON") << QStringList{u"UPDATE plan SET document = '{broken}' WHERE id = 3"_s} << 19
                                     << u"Lost: The saved plan"_s;
        QTest::newRow("changed") << QStringList{u"UPDATE plan SET document = replace(document, '\"nodes\":32', "
                                                u"'\"nodes\":33') WHERE id = 3"_s}
                                 << 20 << u"was saved, but may have changed; check it"_s;
        QTest::newRow("orphans") << QStringList{u"DELETE FROM source"_s} << 20 << QString();
        QTest::newRow("answers without plans")
            << QStringList{u"DELETE FROM plan WHERE id < 4"_s} << 17 << u"3 plans are lost"_s;
        QTest::newRow("removed and digest removed") << QStringList{u"DELETE FROM plan WHERE id = 4"_s,
            u"DELETE FROM digest WHERE item = 'plan' AND key = '4'"_s}
                                                    << 19 << QString();
        QTest::newRow("shipped item changed")
            << QStringList{u"UPDATE node SET max_power_kw = 1 WHERE id = 'nvidia_dgx_h100'"_s} << 20
            << u"as this version ships it"_s;
        QTest::newRow("own item changed")
            << QStringList{u"UPDATE fabric SET notes = 'x' WHERE id = 'mine'"_s} << 20 << u"The fabric \u201c"_s;
        QTest::newRow("trigger, view and table")
            << QStringList{u"CREATE TRIGGER t AFTER INSERT ON plan BEGIN DELETE FROM fleet; END"_s,
                   u"CREATE VIEW v AS SELECT * FROM plan"_s, u"CREATE TABLE extra (a)"_s}
            << 20 << QString();
    }

    void rows()
    {
        QFETCH(QStringList, statements);
        QFETCH(int, plans);
        QFETCH(QString, sentence);
        const auto damaged = damagedCopy();
        plant(damaged, statements);
        const auto result = salvaged(damaged);
        QCOMPARE(int(must(result.project->plans()).size()), plans);
        QVERIFY2(sentence.isEmpty() || says(result.report, sentence.toStdString()),
            result.report.sentences.empty() ? "nothing is said" : result.report.sentences.front().c_str());
        const auto catalog = must(result.project->catalog());
        QVERIFY(catalog.find(CatalogKind::Fabric, "mine"));
        QCOMPARE(catalog.find(CatalogKind::Node, "nvidia_dgx_h100")->number("max_power_kw"), std::optional(10.2));
        QVERIFY(catalog.find(CatalogKind::Node, "nvidia_dgx_h100")->number("rack_units"));
    }

    /// The index that keeps ids apart is gone, and two rows have one: the right one stays.
    void twiceTheSameId()
    {
        const auto damaged = damagedCopy();
        {
            const auto database = must(Database::open(damaged, Database::Access::ReadWrite));
            must(database->executeAll({u"CREATE TABLE plain AS SELECT * FROM node"_s, u"DROP TABLE node"_s,
                u"ALTER TABLE plain RENAME TO node"_s,
                u"INSERT INTO node SELECT * FROM node WHERE id = 'nvidia_dgx_h100'"_s,
                u"UPDATE node SET max_power_kw = 99, position = 9999 WHERE rowid = (SELECT max(rowid) FROM node)"_s}));
        }
        const auto result = salvaged(damaged);
        QCOMPARE(must(result.project->catalog()).find(CatalogKind::Node, "nvidia_dgx_h100")->number("max_power_kw"),
            std::optional(10.2));
    }

    void blobs()
    {
        const auto damaged = damagedCopy();
        const auto content = contentOf(damaged);
        { // past the table's own rules
            const auto database = must(Database::open(damaged, Database::Access::ReadWrite));
            must(database->executeAll({u"CREATE TABLE loose (id INTEGER PRIMARY KEY, position, name, document)"_s,
                u"INSERT INTO loose SELECT * FROM fleet"_s, u"DROP TABLE fleet"_s,
                u"ALTER TABLE loose RENAME TO fleet"_s,
                u"UPDATE fleet SET document = CAST(document AS BLOB) WHERE id = 1"_s,
                u"UPDATE fleet SET document = x'ff00ff' WHERE id = 2"_s}));
        }
        const auto result = salvaged(damaged);
        QCOMPARE(must(result.project->fleets()).size(), 2UZ); // one bit away from a text: taken as one
        QCOMPARE(lost(result.report, "fleets"), 1UZ);
        QVERIFY(says(result.report, "The fleet \u201c32 DGX H100, InfiniBand NDR\u201d was saved, but may"));
    }

    void olderVersions_data()
    {
        QTest::addColumn<int>("version");
        QTest::addColumn<bool>("header");
        for (int version = 1; version < projectSchemaVersion; ++version)
            for (const bool header : {true, false})
                QTest::addRow("%d%s", version, header ? "" : ", first page gone") << version << header;
    }

    void olderVersions()
    {
        QFETCH(int, version);
        QFETCH(bool, header);
        const auto damaged = next(u"old"_s);
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-%1.fleetwright").arg(version), damaged);
        QFile::setPermissions(damaged, QFile::ReadOwner | QFile::WriteOwner);
        const auto whole = next(u"migrated"_s);
        QFile::copy(damaged, whole);
        if (!header)
            overwrite(damaged, 0, QByteArray(100, '\0'));
        const auto result = salvaged(damaged);
        const auto migrated = must(Project::open(whole));
        if (header || version != 4) // without a header versions 4 and 5 look alike
            QVERIFY(must(result.project->plans()) == must(migrated->plans()));
        QVERIFY(must(result.project->fleets()) == must(migrated->fleets()));
        QVERIFY(must(result.project->decisions()) == must(migrated->decisions()));
        QVERIFY(must(result.project->ledger()) == must(migrated->ledger()));
        QVERIFY(must(result.project->outputSets()) == must(migrated->outputSets()));
        const auto catalog = must(migrated->catalog()), found = must(result.project->catalog());
        for (const auto kind : allCatalogKinds)
            for (const auto &record : catalog.records(kind)) {
                const auto *kept = found.find(kind, record.id);
                QVERIFY2(kept && kept->values == record.values, record.id.c_str());
            }
    }

    void interruptedEdit()
    {
        const auto damaged = damagedCopy();
        const auto interrupted = next(u"interrupted"_s);
        {
            const auto database = must(Database::open(damaged, Database::Access::ReadWrite));
            must(database->execute(u"PRAGMA cache_size = 1"_s));
            auto transaction = must(Transaction::begin(*database));
            must(database->execute(u"UPDATE plan SET name = 'half done'"_s));
            must(database->execute(u"UPDATE accelerator SET notes = notes || hex(zeroblob(2000))"_s));
            writeFile(interrupted, contentOf(damaged));
            writeFile(interrupted + u"-journal"_s, contentOf(damaged + u"-journal"_s));
        }
        const auto journal = contentOf(interrupted + u"-journal"_s);
        const auto result = salvaged(interrupted);
        compareWithSound(*result.project);
        const auto precious = m_folder.filePath(u"precious.txt"_s); // as RecoveryTest::aJournalNamesNoOtherFile
        writeFile(precious, "precious");
        writeFile(interrupted + u"-journal"_s, journalNaming(journal, precious));
        QVERIFY(!salvaged(interrupted).report.kinds.empty());
        QVERIFY(contentOf(precious) == "precious");
    }

    /// At any moment, and nothing is left behind.
    void cancelled()
    {
        const auto damaged = damagedCopy();
        std::vector<int> told;
        const auto path = next(u"new"_s);
        must(salvageProject(damaged, path, {.progress = [&](int percent) { told.push_back(percent); }}));
        QVERIFY(told.size() > 10 && std::ranges::is_sorted(told) && told.front() <= 5 && told.back() > 90
            && told.back() <= 100);
        QVERIFY(std::ranges::adjacent_find(told) == told.end());
        QVERIFY(QFile::remove(path));
        const auto hidden = QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot;
        const auto before = QDir(m_folder.path()).entryList(hidden);
        for (std::size_t back = 1; back <= told.size(); back += 20) { // the last moment, too
            const int at = told[told.size() - back];
            std::stop_source stop;
            const auto refused = salvageProject(damaged, path, {.stop = stop.get_token(), .progress = [&](int percent) {
                                                                    if (percent == at)
                                                                        stop.request_stop();
                                                                }});
            QVERIFY(!refused);
            QCOMPARE(int(refused.error().code), int(ErrorCode::Cancelled));
            QCOMPARE(QDir(m_folder.path()).entryList(hidden), before);
        }
    }

    /// So that it finds its versions when it takes the damaged one's place.
    void itIsTheSameProject()
    {
        const auto damaged = damagedCopy();
        const auto path = next(u"new"_s);
        must(salvageProject(damaged, path));
        const auto made = identityOf(*must(Database::open(m_sound, Database::Access::ReadOnly)));
        QVERIFY(made && !made->isEmpty());
        QCOMPARE(identityOf(*must(Database::open(path, Database::Access::ReadOnly))), made);
    }

    void nothingToFind()
    {
        const auto path = next(u"new"_s);
        for (const auto &content : {QByteArray(), QByteArray("Dear project,\n"), QByteArray(50000, '\x5a'),
                 QByteArray("SQLite format 3\0", 16), QByteArray(4096 * 3, '\0')}) {
            const auto damaged = next(u"nothing"_s);
            writeFile(damaged, content);
            const auto refused = salvageProject(damaged, path);
            QVERIFY(!refused);
            QVERIFY2(
                refused.error().message.contains("Nothing of a Fleetwright project"), refused.error().message.c_str());
            QVERIFY(!QFile::exists(path));
        }
        QVERIFY(!salvageProject(m_folder.filePath(u"missing"_s), path));
        QVERIFY(!salvageProject(damagedCopy(), m_sound)); // never over a file
    }
};

FLEETWRIGHT_TEST(SalvageTest)
#include "tst_salvage.moc"
