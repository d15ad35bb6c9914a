// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/digests.h"
#include "storage/schema.h"
#include "storage/support.h"
#include "testing/processortime.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

#include <random>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// No value of a project changes without being noticed and named.
class DigestsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    QString sample()
    {
        const auto path = m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files));
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        return path;
    }

    /// A project with a row in every table that a user fills.
    QString everything()
    {
        const auto path = sample();
        const auto project = must(Project::open(path));
        const auto plan = must(project->plans()).front();
        must(project->saveResult(plan.id, {u"first-order"_s, u"1"_s, u"hash"_s, u"2026-01-01T00:00:00Z"_s, u"{}"_s}));
        const auto sweep = must(project->sweeps()).front();
        must(project->saveSweepResult(sweep.id, {u"hash"_s, u"2026-01-01T00:00:00Z"_s, u"{}"_s}));
        auto fabric = userCopy(must(project->catalog()), CatalogKind::Fabric, "ib_ndr", "mine");
        must(project->saveRecord(fabric));
        return path;
    }

    static void plant(const QString &path, const QStringList &statements)
    {
        const auto database = must(Database::open(path, Database::Access::ReadWrite));
        must(database->execute(u"PRAGMA foreign_keys = OFF"_s));
        must(database->executeAll(statements));
    }

    static std::vector<std::string> sentences(const std::vector<Error> &errors)
    {
        std::vector<std::string> all;
        for (const auto &error : errors)
            all.push_back(error.field + ": " + error.message);
        return all;
    }

    /// Everything that can be read of a project, but digests: by table.
    static QByteArray contentIn(const Database &database)
    {
        QByteArray content;
        const auto names = must(database.texts(
            u"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'digest' "
            u"ORDER BY name"_s));
        for (const auto &name : names) {
            const auto columns = must(database.texts(u"SELECT name FROM pragma_table_info('%1')"_s.arg(name)));
            const auto rows = must(database.texts(
                u"SELECT row_digest(%1) FROM %2"_s.arg(u"\"%1\""_s.arg(columns.join(u"\", \""_s)), name)));
            content += (name + u' ' + columns.join(u' ') + u'\n' + rows.join(u'\n') + u'\n').toUtf8();
        }
        return content;
    }

private slots:
    void writersKeepThem()
    {
        const auto path = everything();
        {
            const auto project = must(Project::open(path));
            QVERIFY(project->alteredItems().empty());
            auto plans = must(project->plans());
            plans[0].document.name = "Renamed";
            must(project->savePlan(plans[0]));
            must(project->removePlan(plans[1].id));
            must(project->savePlan(plans[1])); // as undo does
            must(project->removePlan(plans[2].id));
            auto fabric = *must(project->catalog()).find(CatalogKind::Fabric, "mine");
            fabric.notes = "Ours.";
            must(project->saveRecord(fabric));
            QCOMPARE(sentences(must(project->check())), std::vector<std::string>());
            must(project->removePlan(plans[0].id)); // its answer goes with it
            must(project->removeRecord(CatalogKind::Fabric, "mine"));
            QCOMPARE(sentences(must(project->check())), std::vector<std::string>());
        }
        QVERIFY(must(Project::open(path))->alteredItems().empty());
        const auto database = must(Database::open(path, Database::Access::ReadOnly));
        QCOMPARE(must(database->integer(u"SELECT count(*) FROM digest WHERE item = 'result'"_s)), 0);
        QVERIFY(must(database->integer(u"SELECT count(*) FROM digest"_s)) > 4000);
    }

    void named_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("field");
        QTest::newRow("plan") << u"UPDATE plan SET document = replace(document, '\"nodes\":32', '\"nodes\":33') WHERE "
                                 u"id = 1"_s
                              << u"The plan \u201cTP 8, PP 4, M 16 on InfiniBand NDR\u201d was changed"_s
                              << u"plans/TP 8, PP 4, M 16 on InfiniBand NDR"_s;
        QTest::newRow("position") << u"UPDATE fleet SET position = 9 WHERE id = 1"_s
                                  << u"The fleet \u201c32 DGX H100, InfiniBand NDR\u201d was changed"_s << u"fleets/"_s;
        QTest::newRow("number") << u"UPDATE node SET max_power_kw = max_power_kw + 1e-9 WHERE id = 'nvidia_dgx_h100'"_s
                                << u"The node \u201c"_s << u"nodes/"_s;
        QTest::newRow("number instead of none") << u"UPDATE workload SET ssm_state_size = 0 WHERE id = 'llama3_1_70b'"_s
                                                << u"The workload \u201c"_s << u"workloads/"_s;
        QTest::newRow("source") << u"UPDATE source SET url = url || 'x' WHERE position = 3"_s << u"The source \u201c"_s
                                << u"sources/"_s;
        QTest::newRow("attribution") << u"UPDATE attribution SET confidence = 'estimate' WHERE item_id = 'ib_ndr'"_s
                                     << u"What the sources of \u201cib_ndr\u201d say"_s << u"sources/ib_ndr"_s;
        QTest::newRow("answer") << u"UPDATE result SET input_hash = 'other'"_s << u"The answer of the plan \u201c"_s
                                << u"plans/"_s;
        QTest::newRow("answer of a sweep")
            << u"UPDATE sweep_result SET result = '{ }'"_s << u"The answer of the sweep \u201c"_s << u"sweeps/"_s;
        QTest::newRow("project") << u"UPDATE project SET created_at = NULL"_s << u"The project\u2019s own entry"_s
                                 << u"project/"_s;
        QTest::newRow("gone") << u"DELETE FROM sweep WHERE id = 2"_s << u"A sweep (number 2) is missing"_s
                              << u"sweeps/2"_s;
        QTest::newRow("added") << u"INSERT INTO plan (position, name, document) VALUES (99, 'Added', '{}')"_s
                               << u"The plan \u201cAdded\u201d was changed"_s << u"plans/Added"_s;
        QTest::newRow("digest") << u"DELETE FROM digest WHERE item = 'fleet' AND key = '2'"_s
                                << u"The fleet \u201c32 DGX H100, InfiniBand HDR\u201d was changed"_s << u"fleets/"_s;
    }

    void named()
    {
        QFETCH(QString, statement);
        QFETCH(QString, says);
        QFETCH(QString, field);
        const auto path = everything();
        plant(path, {statement});
        const auto project = must(Project::open(path));
        QVERIFY(!project->alteredItems().empty());
        const auto &first = project->alteredItems().front();
        QVERIFY2(QString::fromStdString(first.message).startsWith(says), first.message.c_str());
        QVERIFY2(QString::fromStdString(first.field).startsWith(field), first.field.c_str());
        const auto found = sentences(must(project->check()));
        QVERIFY(std::ranges::find(found, first.field + ": " + first.message) != found.end());
        must(project->acceptAlteredItems());
        QVERIFY(
            project->alteredItems().empty() && must(Project::open(path, OpenMode::ReadOnly))->alteredItems().empty());
    }

    void savingAgainAccepts()
    {
        const auto path = sample();
        plant(path, {u"UPDATE plan SET document = replace(document, '\"nodes\":32', '\"nodes\":33') WHERE id = 1"_s});
        const auto project = must(Project::open(path));
        QCOMPARE(project->alteredItems().size(), 1UZ);
        must(project->savePlan(must(project->plans()).front()));
        QVERIFY(must(project->check()).empty());
    }

    /// Bits all over the file, by a fixed seed: whatever is read differently is either found or keeps the project from
    /// opening.
    void singleBits()
    {
        constexpr int tries = 400;
        const auto path = everything();
        const auto sound = contentOf(path);
        const auto content = contentIn(*must(Database::open(path, Database::Access::ReadOnly)));
        std::mt19937_64 random(16);
        int refused = 0, found = 0, harmless = 0;
        QStringList unnoticed;
        const auto flipped = m_folder.filePath(u"flipped.fleetwright"_s);
        for (int i = 0; i < tries; ++i) {
            auto bytes = sound;
            const auto bit = qsizetype(random() % (quint64(bytes.size()) * 8));
            bytes[bit / 8] = char(bytes[bit / 8] ^ (1 << (bit % 8)));
            writeFile(flipped, bytes);
            const auto project = Project::open(flipped, OpenMode::ReadOnly);
            if (!project)
                ++refused;
            else if (!(*project)->alteredItems().empty())
                ++found;
            else if (contentIn(*must(Database::open(flipped, Database::Access::ReadOnly))) == content)
                ++harmless;
            else
                unnoticed.append(QString::number(bit));
        }
        qInfo("%d bits: %d keep the project from opening, %d found, %d harmless, %lld unnoticed", tries, refused, found,
            harmless, static_cast<long long>(unnoticed.size()));
        QCOMPARE(unnoticed, QStringList());
        QVERIFY(found > tries / 4);
    }

    void largeProjectOpensQuickly()
    {
        constexpr int plans = 500, sweeps = 50;
        const auto path = sample();
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            auto transaction = must(Transaction::begin(*database));
            must(database->execute(
                u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO plan "
                u"(position, name, document) SELECT 100 + i, 'Plan ' || i, document FROM n, plan WHERE plan.id = 1"_s,
                {plans}));
            must(database->execute(u"INSERT INTO result SELECT id, 'detailed', '1', 'hash', '2026', '{\"a\":' || ? || "
                                   u"'}' FROM plan"_s,
                {QString(8000, u'1')}));
            must(database->execute(
                u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO sweep "
                u"(position, name, document) SELECT 100 + i, 'Sweep ' || i, document FROM n, sweep "
                u"WHERE sweep.id = 1"_s,
                {sweeps}));
            must(database->execute(
                u"INSERT INTO sweep_result SELECT id, 'hash', '2026', '{\"a\":' || ? || '}' FROM sweep"_s,
                {QString(250000, u'1')})); // a hundred answers each
            must(renewDigests(*database));
            must(transaction.commit());
        }
        const double before = testing::processorSeconds();
        const auto project = must(Project::open(path));
        const double took = testing::processorSeconds() - before;
        qInfo("%lld MB opened in %.3f s", QFileInfo(path).size() >> 20, took);
        QVERIFY(project->alteredItems().empty());
        QVERIFY2(took < 3 * testing::sanitizerSlowdown, "a second is promised of an idle machine");
    }
};

FLEETWRIGHT_TEST(DigestsTest)
#include "tst_digests.moc"
