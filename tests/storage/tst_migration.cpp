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

class MigrationTest : public QObject, MigrationFixture {
    Q_OBJECT

    /// What was kept of the project before its migration.
    static QString versionOf(const QString &path, std::size_t count)
    {
        const auto versions = versionsOf(path);
        return versions.size() == count ? versions.front().path : QString();
    }
    static bool sameContent(const QString &one, const QString &other)
    {
        const auto first = must(Project::open(one, OpenMode::ReadOnly));
        const auto second = must(Project::open(other, OpenMode::ReadOnly));
        const auto catalog = must(first->catalog()), otherCatalog = must(second->catalog());
        return must(first->plans()) == must(second->plans())
            && std::ranges::equal(catalog.records(CatalogKind::Node), otherCatalog.records(CatalogKind::Node));
    }

    static void compareWithFresh(const QString &path)
    {
        const auto schema = must(schemaOf(*must(Database::open(path, Database::Access::ReadOnly))));
        const auto freshTables = must(freshSchema());
        for (const auto &[table, parts] : freshTables)
            QVERIFY2(schema.contains(table) && schema.at(table) == parts, qPrintable(table));
        QCOMPARE(schema.size(), freshTables.size());
    }

    static qint64 versionOf(const QString &path)
    {
        return must(must(Database::open(path, Database::Access::ReadOnly))->integer(u"PRAGMA user_version"_s));
    }

private slots:
    void statementsAreCutAtTheMarks()
    {
        const auto statements = statementsOf(
            u"-- licence\n\nCREATE TABLE a (x); -- cut here? no\n-- cut\n-- cut\nCREATE TRIGGER t AFTER INSERT ON "
            u"a BEGIN\n  DELETE FROM a; DELETE FROM a;\nEND;\n  -- cut  \n-- the end\n"_s);
        QCOMPARE(statements.size(), 2);
        QVERIFY(statements[0].contains(u"cut here? no"_s));
        QVERIFY(statements[1].trimmed().endsWith(u"END;"_s));
        QVERIFY(statementsOf(QString()).isEmpty());
    }

    void everyVersionHasItsStep() { QCOMPARE(int(shippedMigrations().size()) + 1, projectSchemaVersion); }

    void columnsAreTheFieldsOfTheCatalog()
    {
        const auto schema = must(freshSchema());
        const auto columnStart = u"the column \u201c"_s;
        for (const auto kind : allCatalogKinds) {
            const QString table = tableName(kind);
            QSet<QString> inTable;
            for (const auto &part : schema.at(table))
                if (part.startsWith(columnStart))
                    inTable.insert(part.mid(columnStart.size()).section(u'\u201d', 0, 0));
            QSet<QString> inDomain{u"position"_s, u"id"_s, u"name"_s, u"shipped"_s, u"known_confusions"_s, u"notes"_s};
            for (const auto &field : fields(kind))
                inDomain.insert(columnName(field.key));
            QCOMPARE(inTable - inDomain, QSet<QString>());
            QCOMPARE(inDomain - inTable, QSet<QString>());
        }
    }

    void firstVersionOpens()
    {
        const auto path = fixture(u"version-1.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(!project->isReadOnly());
            const auto plans = must(project->plans());
            QCOMPARE(plans.size(), 1);
            QCOMPARE(plans[0].document.parallelism.tp, 8);
            QCOMPARE(must(project->fleets()).size(), 1);
            QVERIFY(must(project->result(plans[0].id)).has_value());
            const auto catalog = must(project->catalog());
            QCOMPARE(catalog.find(CatalogKind::Accelerator, "nvidia_h100_sxm5_80gb")->number("peak_dense_tflops.bf16"),
                std::optional(989.4));
            QVERIFY(must(project->check()).empty());
        }
        compareWithFresh(path);
    }

    void secondVersionOpens()
    {
        const auto path = fixture(u"version-2.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(!project->isReadOnly());
            QCOMPARE(must(project->plans()).size(), 1);
            QCOMPARE(must(project->sweeps()).size(), 1);
            QCOMPARE(must(project->studies()).size(), 1);
            QCOMPARE(must(project->ledger()).size(), 1);
            QVERIFY(must(project->check()).empty());
            // The constants of the cost model come with the program, so an older project has them too, and may hold the
            // user's own.
            const auto catalog = must(project->catalog());
            const auto shipped = must(shippedCatalog());
            const auto kind = CatalogKind::CalibrationConstant;
            QVERIFY(!catalog.records(kind).empty() && std::ranges::equal(catalog.records(kind), shipped.records(kind)));
            auto own = userCopy(catalog, kind, catalog.records(kind).front().id, "mine");
            own.values["value"] = 0.5;
            must(project->saveRecord(own));
            QVERIFY(*must(project->catalog()).find(kind, "mine") == own);
            QVERIFY(must(project->check()).empty());
        }
        compareWithFresh(path);
    }

    /// A planning default that a user copied when nothing read it stays without effect, and the check says so.
    void thirdVersionOpens()
    {
        const auto path = fixture(u"version-3.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(!project->isReadOnly());
            QCOMPARE(must(project->measuredRuns()).size(), 1);
            const auto plans = must(project->plans());
            QCOMPARE(plans.size(), 1);
            auto catalog = must(project->catalog());
            const auto *old = catalog.find(CatalogKind::PlanningDefault, "my_mttf");
            QVERIFY(old && !old->find("replaces"));
            const auto plan = resolve(plans[0].document, catalog);
            QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
            QCOMPARE((*plan)->assumptions.planning.at("mttf_gpu"), 50000.0);
            const auto faults = must(project->check());
            QCOMPARE(faults.size(), 1);
            QCOMPARE(faults[0].field, std::string("economics_reliability_defaults/my_mttf.replaces"));
            auto own = *old;
            own.values["replaces"] = std::string("mttf_gpu");
            must(project->saveRecord(own));
            catalog = must(project->catalog());
            QCOMPARE((*resolve(plans[0].document, catalog))->assumptions.planning.at("mttf_gpu"), 25000.0);
            QVERIFY(must(project->check()).empty());
        }
        compareWithFresh(path);
    }

    /// What the cost model assumed of the software until version 5 is said by the plans and sweeps themselves.
    void fourthVersionOpens()
    {
        const auto path = fixture(u"version-4.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            const auto plans = must(project->plans());
            QCOMPARE(plans.size(), 3);
            QVERIFY(plans[0].document.assumptions.edited.empty()); // priced by first-order
            const auto edited = [](const PlanDocument &document) { return document.assumptions.edited; };
            using Edits = decltype(Assumptions::edited);
            QCOMPARE(edited(plans[1].document), (Edits{{"software_class", std::string("tuned")}}));
            QCOMPARE(edited(plans[2].document), (Edits{{"hbm", 0.85}, {"software_stack", std::string("fsdp")}}));
            QCOMPARE(plans[1].document.training.tokenBudget, std::optional(1.5e13));
            const auto sweeps = must(project->sweeps());
            QCOMPARE(sweeps.size(), 2);
            QVERIFY(edited(sweeps[0].document.plan).empty());
            QCOMPARE(edited(sweeps[1].document.plan), (Edits{{"hbm", 0.8}, {"software_class", std::string("tuned")}}));
            const auto catalog = must(project->catalog());
            const auto reading = solve(*resolve(plans[1].document, catalog))->reading;
            QCOMPARE(reading.softwareStack, std::string("megatron_core"));
        }
        compareWithFresh(path);
    }

    /// Facts about cost: new fields are unknown, new catalogs empty, and the user's own price is as it was.
    void fifthVersionOpens()
    {
        const auto path = fixture(u"version-5.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(must(project->check()).empty());
            auto catalog = must(project->catalog());
            const auto *own = catalog.find(CatalogKind::Price, "my_offer");
            QVERIFY(own && !own->find("vendor") && !own->find("valid_until"));
            QCOMPARE(own->number("typical"), std::optional(301000.0));
            QCOMPARE(own->text("item_ref"), std::optional<std::string>("nvidia_dgx_h100"));
            QVERIFY(
                catalog.records(CatalogKind::NetworkGear).empty() && catalog.records(CatalogKind::Currency).empty());
            const auto *node = catalog.find(CatalogKind::Node, "nvidia_dgx_h100");
            QVERIFY(node && node->number("max_power_kw") == 10.2 && !node->find("max_power_high_kw"));
            auto gear = *must(shippedCatalog()).find(CatalogKind::NetworkGear, "sw_nvidia_qm9700");
            gear.id = "my_switch";
            gear.shipped = false;
            gear.attributions.clear();
            must(project->saveRecord(gear));
            QVERIFY(*must(project->catalog()).find(CatalogKind::NetworkGear, "my_switch") == gear);
        }
        compareWithFresh(path);
    }

    void sixthVersionOpens()
    {
        const auto path = fixture(u"version-6.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QCOMPARE(must(project->plans()).size(), 1);
            QVERIFY(must(project->offers()).empty());
            OfferDocument offer;
            offer.name = "An offer";
            offer.vendor = "A vendor";
            offer.fleet = must(project->fleets()).front().document;
            offer.lines.push_back(
                {.item = "nodes", .part = {}, .quantity = double(offer.fleet.nodes), .unitPrice = 1e5});
            must(project->saveOffer({0, offer}));
            QVERIFY(must(project->offers()).front().document == offer);
            QVERIFY(must(project->check()).empty());
        }
        compareWithFresh(path);
    }

    void seventhVersionOpens()
    {
        const auto path = fixture(u"version-7.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(must(project->check()).empty());
            QVERIFY(must(project->decisions()).empty() && must(project->approvals()).empty());
            const auto plans = must(project->plans());
            QCOMPARE(plans.size(), 2);
            QVERIFY(plans[1].document.fleet.costs.entries.contains("node_usd"));
            QCOMPARE(plans[1].document.constraints.runCost->value(), 2e7);
        }
        compareWithFresh(path);
    }

    void eighthVersionOpens()
    {
        const auto path = fixture(u"version-8.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(must(project->outputSets()).empty());
            const auto decisions = must(project->decisions());
            QCOMPARE(decisions.size(), 1);
            QCOMPARE(decisions[0].document.name, std::string("Asked in version 8"));
            const OutputSet set{.name = "Board paper", .files = {"board.pdf"}};
            must(project->saveOutputSet({0, set}));
            QVERIFY(must(project->outputSets()).front().document == set);
            QVERIFY(must(project->check()).empty());
        }
        compareWithFresh(path);
    }

    /// A document that is no JSON is the reader's business; the rest of the project is brought up to date.
    void brokenDocumentsDoNotStopTheStep()
    {
        const auto path = fixture(u"version-4.fleetwright"_s);
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            must(database->execute(u"UPDATE plan SET document = '{broken}' WHERE id = 1"_s));
        }
        must(openProject(path, OpenMode::ReadWrite, shippedMigrations()));
        QCOMPARE(versionOf(path), projectSchemaVersion);
        const auto database = must(Database::open(path, Database::Access::ReadOnly));
        QCOMPARE(must(database->texts(u"SELECT json_extract(document, '$.assumptions.software_class') FROM plan WHERE "
                                      u"id = 2"_s)),
            QStringList{u"tuned"_s});
    }

    void shippedConstantsAreThoseOfTheProgram()
    {
        const auto path = sample();
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            must(database->execute(
                u"UPDATE calibration_constant SET value = 0.123, name = 'Old'"_s)); // as a program of another version
                                                                                    // wrote them
            must(database->execute(
                u"INSERT INTO calibration_constant (id, name, shipped, known_confusions, notes) VALUES ('gone', "
                u"'Gone', 1, '[]', '')"_s));
            must(renewDigests(*database));
        }
        const auto project = must(Project::open(path, OpenMode::ReadOnly));
        const auto catalog = must(project->catalog()), shipped = must(shippedCatalog());
        QVERIFY(std::ranges::equal(
            catalog.records(CatalogKind::CalibrationConstant), shipped.records(CatalogKind::CalibrationConstant)));
        QVERIFY(must(project->check()).empty());
    }

    void migratesAfterABackup()
    {
        const auto path = sample();
        const auto before = path + u".before"_s;
        QFile::copy(path, before);
        const auto steps = later({{u"ALTER TABLE plan ADD COLUMN colour TEXT"_s, u"UPDATE plan SET colour = 'blue'"_s},
            {u"CREATE TABLE extra (x INTEGER) STRICT"_s}});
        {
            const auto project = must(openProject(path, OpenMode::ReadWrite, steps));
            QCOMPARE(must(project.database->integer(u"SELECT count(*) FROM plan WHERE colour = 'blue'"_s)),
                must(project.database->integer(u"SELECT count(*) FROM plan"_s)));
            QCOMPARE(must(project.database->integer(u"PRAGMA foreign_keys"_s)), 1);
        }
        QCOMPARE(versionOf(path), projectSchemaVersion + 2);
        const auto kept = versionOf(path, 1);
        QVERIFY(sameContent(kept, before));
        QVERIFY(must(must(Project::open(kept, OpenMode::ReadOnly))->check()).empty());
        const auto opened = Project::open(path); // by a program that does not know those steps
        QVERIFY(!opened);
        QCOMPARE(int(opened.error().code), int(ErrorCode::NewerFile));
    }

    void failingStepLeavesTheFile_data()
    {
        QTest::addColumn<QStringList>("step");
        QTest::addColumn<QString>("says");
        QTest::newRow("statement") << QStringList{u"ALTER TABLE plan ADD COLUMN colour TEXT"_s,
            u"UPDATE plan SET no_such = 1"_s}
                                   << u"no_such"_s;
        QTest::newRow("orphans") << QStringList{u"DELETE FROM source"_s} << u"would lose what they refer to"_s;
    }

    void failingStepLeavesTheFile()
    {
        QFETCH(QStringList, step);
        QFETCH(QString, says);
        const auto path = sample();
        const auto before = contentOf(path);
        for (int attempt = 0; attempt < 2; ++attempt) {
            const auto opened = openProject(path, OpenMode::ReadWrite, later({step}));
            QVERIFY(!opened);
            const auto message = QString::fromStdString(opened.error().message);
            QVERIFY2(message.contains(says), qPrintable(message));
            QCOMPARE(versionOf(path), projectSchemaVersion);
            QVERIFY(contentOf(path) == before);
            QVERIFY(versionsOf(path).empty()); // it failed on a copy
        }
        QVERIFY(!must(Project::open(path))->isReadOnly());
    }

    void noMigrationWithoutItsVersion()
    {
        const auto path = sample();
        writeFile(versionsFolder(path), "in the way");
        const auto before = contentOf(path);
        const auto opened = openProject(path, OpenMode::ReadWrite, later({{u"CREATE TABLE extra (x)"_s}}));
        QVERIFY(!opened);
        QVERIFY2(opened.error().message.contains("could not be kept"), opened.error().message.c_str());
        QVERIFY(contentOf(path) == before);
    }

    void ninthVersionOpens()
    {
        const auto path = fixture(u"version-9.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(project->alteredItems().empty());
            QCOMPARE(must(project->outputSets()).front().document.name, std::string("Kept in version 9"));
            QVERIFY(must(project->check()).empty());
        }
        compareWithFresh(path);
        QCOMPARE(versionsOf(path).size(), 1UZ);
        QCOMPARE(versionsOf(path).front().reason, u"before format 11"_s);
    }

    /// Of before signatures were kept: the note, in which one may stand, is as it was.
    void tenthVersionOpens()
    {
        const auto path = fixture(u"version-10.fleetwright"_s);
        {
            const auto project = must(Project::open(path));
            QVERIFY(project->alteredItems().empty());
            auto approvals = must(project->approvals());
            QCOMPARE(approvals.size(), 1UZ);
            QCOMPARE(approvals[0].document.note, std::string("Ann Roe, CFO: if the quote holds"));
            QCOMPARE(approvals[0].document.actuals.days, std::optional(26.5));
            QVERIFY(approvals[0].document.signature == Signature());
            approvals[0].id = 0;
            approvals[0].document.signature = {.by = "Ben", .role = "CTO", .condition = "as above"};
            must(project->saveApproval(approvals[0]));
            QVERIFY(must(project->approvals()).back().document == approvals[0].document);
            QVERIFY(must(project->check()).empty());
        }
        compareWithFresh(path);
        QCOMPARE(versionOf(path), projectSchemaVersion);
    }

    /// A step writes all digests again, so what was altered before it has to be carried over.
    void alteredRowsStayFindings()
    {
        const auto path = sample();
        {
            const auto database = must(Database::open(path, Database::Access::ReadWrite));
            must(database->execute(u"UPDATE plan SET name = 'Altered' WHERE id = 2"_s));
            must(database->execute(u"DELETE FROM plan WHERE id = 3"_s));
        }
        const auto steps = later({{u"ALTER TABLE plan ADD COLUMN colour TEXT"_s}});
        const auto opened = must(openProject(path, OpenMode::ReadWrite, steps));
        const auto rows = must(alteredRows(*opened.database));
        QCOMPARE(rows.size(), 2UZ);
        QCOMPARE(rows[0].name, u"Altered"_s);
        QVERIFY(rows[1].missing && rows[1].key == "3"_L1);
    }
};

FLEETWRIGHT_TEST(MigrationTest)
#include "tst_migration.moc"
