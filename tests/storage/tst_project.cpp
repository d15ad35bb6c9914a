// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/support.h"
#include "testing/putfile.h"
#include "testing/registry.h"

#include <QtTest>

#include <QFileInfo>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

class ProjectTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;
    QString freshPath()
    {
        return m_folder.filePath(u"project %1 #ü?.fleetwright"_s.arg(++m_files));
    } // characters that a URI must escape

private slots:
    void createHoldsTheShippedCatalogs()
    {
        const auto path = freshPath();
        const auto project = must(Project::create(path));
        QVERIFY(QFileInfo::exists(path));
        QCOMPARE(project->path(), path);
        QVERIFY(!project->isReadOnly());
        QVERIFY(project->readOnlyReason().isEmpty());
        QVERIFY(must(project->plans()).empty());
        QVERIFY(must(project->fleets()).empty());
        const auto catalog = must(project->catalog());
        const auto shipped = must(shippedCatalog());
        for (const auto kind : allCatalogKinds) {
            QVERIFY(std::ranges::equal(catalog.records(kind), shipped.records(kind)));
            QVERIFY(std::ranges::equal(catalog.sources(kind), shipped.sources(kind)));
        }
        QVERIFY(must(project->check()).empty());
    }

    void createRefusesToOverwrite()
    {
        const auto path = freshPath();
        must(Project::create(path)).reset();
        const auto before = contentOf(path);
        const auto again = Project::create(path);
        QVERIFY(!again);
        QVERIFY(again.error().message.contains("already exists"));
        QVERIFY(!Project::createSample(path, storage::ShippedProject::Tutorial));
        QVERIFY(contentOf(path) == before);
        const auto nowhere = Project::create(m_folder.filePath(u"missing/project.fleetwright"_s));
        QVERIFY(!nowhere);
        QVERIFY(nowhere.error().message.contains("does not exist"));
    }

    void editsAreThereAfterReopening()
    {
        const auto path = freshPath();
        auto project = must(Project::createSample(path, storage::ShippedProject::Tutorial));
        auto plans = must(project->plans());
        QVERIFY(plans.size() > 5);
        QCOMPARE(plans.front().document.parallelism.tp, 8);
        auto edited = plans.front();
        edited.document.fleet.nodes = 64;
        edited.document.name = "Twice the nodes \u2013 \u00fc";
        QCOMPARE(must(project->savePlan(edited)), edited.id);
        const auto added = must(project->savePlan({0, plans.back().document}));
        QVERIFY(added > plans.back().id);
        must(project->removePlan(plans[1].id));
        auto fleet = must(project->fleets()).front();
        fleet.document.name = "renamed";
        must(project->saveFleet(fleet));
        const SavedResult result{
            u"first-order"_s, u"1.0"_s, u"ab12"_s, u"2026-11-21T10:00:00Z"_s, u"{\"step_time_s\":1.5}"_s};
        must(project->saveResult(edited.id, result));
        project.reset();

        project = must(Project::open(path));
        const auto reopened = must(project->plans());
        QCOMPARE(reopened.size(), plans.size());
        QVERIFY(reopened.front() == edited);
        QVERIFY(reopened.back() == (SavedPlan{added, plans.back().document}));
        QVERIFY(must(project->fleets()).front() == fleet);
        QVERIFY(must(project->result(edited.id)) == std::optional(result));
        QVERIFY(must(project->result(added)) == std::nullopt);
    }

    void removedRowsReturnToTheirPlace()
    {
        auto project = must(Project::createSample(freshPath(), storage::ShippedProject::Tutorial));
        const auto plans = must(project->plans());
        must(project->removePlan(plans[3].id));
        QCOMPARE(must(project->plans()).size(), plans.size() - 1);
        QCOMPARE(must(project->savePlan(plans[3])), plans[3].id);
        QVERIFY(must(project->plans()) == plans);
        const auto fleets = must(project->fleets());
        must(project->removeFleet(fleets[0].id));
        QCOMPARE(must(project->saveFleet(fleets[0])), fleets[0].id);
        QVERIFY(must(project->fleets()) == fleets);
        const auto twice = project->removePlan(4711);
        QVERIFY(!twice);
        QCOMPARE(int(twice.error().code), int(ErrorCode::UnknownReference));
        // The number of a removed row is never given to another, or undo would overwrite it.
        must(project->removePlan(plans.back().id));
        QVERIFY(must(project->savePlan({0, plans[0].document})) > plans.back().id);
    }

    void resultsBelongToPlans()
    {
        auto project = must(Project::createSample(freshPath(), storage::ShippedProject::Tutorial));
        const auto plan = must(project->plans()).front();
        const SavedResult result{u"first-order"_s, u"1.0"_s, u"ab12"_s, u"2026-11-21T10:00:00Z"_s, u"{}"_s};
        const auto ofNone = project->saveResult(4711, result);
        QVERIFY(!ofNone && ofNone.error().code == ErrorCode::UnknownReference); // not the database's own refusal
        QCOMPARE(ofNone.error().field, std::string("plan"));
        auto noJson = result;
        noJson.estimateJson = u"{"_s;
        QVERIFY(!project->saveResult(plan.id, noJson));
        must(project->saveResult(plan.id, result));
        auto second = result;
        second.inputHash = u"cd34"_s;
        must(project->saveResult(plan.id, second));
        QVERIFY(must(project->result(plan.id)) == std::optional(second));
        must(project->savePlan(plan)); // an edit keeps the last result, which then shows as stale
        QVERIFY(must(project->result(plan.id)) == std::optional(second));
        must(project->removePlan(plan.id));
        QVERIFY(must(project->result(plan.id)) == std::nullopt);
    }

    void aPlanAndItsAnswerAreOneTransaction()
    {
        auto project = must(Project::createSample(freshPath(), storage::ShippedProject::Tutorial));
        const auto before = must(project->plans()).front();
        auto plan = before;
        plan.document.fleet.nodes = 64;
        SavedResult result{u"first-order"_s, u"1.0"_s, u"ab12"_s, u"2026-11-21T10:00:00Z"_s, u"{"_s};
        QVERIFY(!project->savePlan(plan, result)); // the answer cannot be kept, so the plan is not either
        QVERIFY(must(project->plans()).front() == before);
        result.estimateJson = u"{}"_s;
        QCOMPARE(must(project->savePlan(plan, result)), plan.id);
        QVERIFY(must(project->plans()).front() == plan);
        QVERIFY(must(project->result(plan.id)) == std::optional(result));
        const auto added = must(project->savePlan({0, plan.document}, result));
        QVERIFY(must(project->result(added)) == std::optional(result));
    }

    void refusesPlansThatCouldNotBeReadBack()
    {
        auto project = must(Project::createSample(freshPath(), storage::ShippedProject::Tutorial));
        const auto plans = must(project->plans());
        auto broken = plans.front();
        broken.document.parallelism.tp = -3;
        const auto saved = project->savePlan(broken);
        QVERIFY(!saved);
        QVERIFY(saved.error().field == "parallelism.tp");
        broken = plans.front();
        broken.document.constraints.maxMemoryShare = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!project->savePlan(broken));
        broken = plans.front();
        broken.document.name = "\xff\xfe not text";
        QVERIFY(!project->savePlan(broken));
        QVERIFY(must(project->plans()) == plans);
    }

    void userItems()
    {
        const auto path = freshPath();
        auto project = must(Project::create(path));
        const auto catalog = must(project->catalog());
        auto mine = userCopy(catalog, CatalogKind::Accelerator, "nvidia_h100_sxm5_80gb", "my_accelerator");
        mine.name = "My \u201caccelerator\u201d";
        mine.notes = "two\nlines";
        mine.knownConfusions = {"a [list, \"with\"] everything", ""};
        mine.values["tdp_w"] = 712.5;
        mine.values["purchase_price_usd_low"] = 0.1 + 0.2;
        must(project->saveRecord(mine));
        auto node = userCopy(catalog, CatalogKind::Node, "nvidia_dgx_h100", "my_node");
        node.values["accelerator_id"] = std::string("my_accelerator");
        must(project->saveRecord(node));
        project.reset();
        project = must(Project::open(path));
        auto stored = must(project->catalog());
        QVERIFY(*stored.find(CatalogKind::Accelerator, "my_accelerator") == mine);
        QVERIFY(*stored.find(CatalogKind::Node, "my_node") == node);
        QVERIFY(must(project->check()).empty());

        const auto used = project->removeRecord(CatalogKind::Accelerator, "my_accelerator");
        QVERIFY(!used);
        QVERIFY(used.error().message.contains("my_node"));
        mine.values["tdp_w"] = 800.0;
        mine.attributions.clear();
        must(project->saveRecord(mine));
        must(project->removeRecord(CatalogKind::Node, "my_node"));
        stored = must(project->catalog());
        QVERIFY(*stored.find(CatalogKind::Accelerator, "my_accelerator") == mine);
        QVERIFY(stored.find(CatalogKind::Node, "my_node") == nullptr);
        must(project->removeRecord(CatalogKind::Accelerator, "my_accelerator"));
        QVERIFY(std::ranges::equal(
            must(project->catalog()).records(CatalogKind::Accelerator), catalog.records(CatalogKind::Accelerator)));
    }

    void itemsOfPlansStay()
    {
        auto project = must(Project::createSample(freshPath(), storage::ShippedProject::Tutorial));
        const auto catalog = must(project->catalog());
        must(project->saveRecord(userCopy(catalog, CatalogKind::Workload, "llama3_1_70b", "my_model")));
        auto plan = must(project->plans()).front();
        plan.document.workload = std::string("my_model");
        must(project->savePlan(plan));
        const auto removed = project->removeRecord(CatalogKind::Workload, "my_model");
        QVERIFY(!removed);
        QCOMPARE(int(removed.error().code), int(ErrorCode::ConstraintViolated));
        QVERIFY(QString::fromStdString(removed.error().message).contains(QString::fromStdString(plan.document.name)));
    }

    void shippedItemsStayAsTheyAre()
    {
        auto project = must(Project::create(freshPath()));
        const auto catalog = must(project->catalog());
        auto record = *catalog.find(CatalogKind::Fabric, "ib_ndr");
        for (const bool claimsToBeShipped : {true, false}) {
            record.shipped = claimsToBeShipped;
            const auto saved = project->saveRecord(record);
            QVERIFY(!saved);
            QCOMPARE(int(saved.error().code), int(ErrorCode::ReadOnly));
        }
        const auto removed = project->removeRecord(CatalogKind::Fabric, "ib_ndr");
        QVERIFY(!removed);
        QCOMPARE(int(removed.error().code), int(ErrorCode::ReadOnly));
        QVERIFY(!project->removeRecord(CatalogKind::Fabric, "no_such_fabric"));
    }

    void refusedItems_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("number");
        QTest::newRow("missing accelerator") << u"accelerator_id"_s << u"no_such_accelerator"_s << 0.0;
        QTest::newRow("range") << u"max_power_kw"_s << QString() << -1.0;
        QTest::newRow("not a number") << u"max_power_kw"_s << QString() << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("fraction of a thing") << u"rack_units"_s << QString() << 2.5;
        QTest::newRow("more than SQL holds exactly") << u"rack_units"_s << QString() << 1e18;
        QTest::newRow("wrong type") << u"rack_units"_s << u"ten"_s << 0.0;
        QTest::newRow("not JSON") << u"mlsysim"_s << u"{"_s << 0.0;
        QTest::newRow("unknown field") << u"colour"_s << u"green"_s << 0.0;
    }

    void refusedItems()
    {
        QFETCH(QString, key);
        QFETCH(QString, text);
        QFETCH(double, number);
        auto project = must(Project::create(freshPath()));
        const auto catalog = must(project->catalog());
        auto record = userCopy(catalog, CatalogKind::Node, "nvidia_dgx_h100", "my_node");
        record.values[key.toStdString()] = text.isEmpty() ? FieldValue(number) : FieldValue(text.toStdString());
        const auto saved = project->saveRecord(record);
        QVERIFY(!saved);
        QCOMPARE(QString::fromStdString(saved.error().field), key);
        QVERIFY(!saved.error().message.empty());
        QVERIFY(must(project->catalog()).find(CatalogKind::Node, "my_node") == nullptr);
    }

    void saveCopy()
    {
        auto project = must(Project::createSample(freshPath(), storage::ShippedProject::Tutorial));
        auto plan = must(project->plans()).front();
        plan.document.name = "in the copy";
        must(project->savePlan(plan));
        const auto copyPath = freshPath();
        must(project->saveCopy(copyPath));
        plan.document.name = "after the copy";
        must(project->savePlan(plan));
        {
            const auto copy = must(Project::open(copyPath));
            QVERIFY(!copy->isReadOnly());
            QVERIFY(must(copy->plans()).front().document.name == "in the copy");
            QVERIFY(must(copy->check()).empty());
            const auto openElsewhere = project->saveCopy(copyPath);
            QVERIFY(!openElsewhere);
            QVERIFY(openElsewhere.error().message.contains("it is a project"));
        }
        const auto link = freshPath();
        QVERIFY(QFile::link(copyPath, link));
        for (const auto &name : {copyPath, link}) { // no project is lost, also when nobody has it open
            const auto refused = project->saveCopy(name);
            QVERIFY(!refused && refused.error().message.contains("it is a project"));
        }
        QVERIFY(must(must(Project::open(copyPath))->plans()).front().document.name == "in the copy");

        const auto onItself = project->saveCopy(project->path());
        QVERIFY(!onItself);
        QVERIFY(!project->saveCopy(m_folder.path()));
        const auto nowhere = project->saveCopy(m_folder.filePath(u"missing/copy.fleetwright"_s));
        QVERIFY(!nowhere);
        QVERIFY(nowhere.error().message.contains("does not exist"));
        QVERIFY(must(project->plans()).front().document.name == "after the copy");
        const auto leftovers = QDir(m_folder.path()).entryList({u".*"_s}, QDir::Files | QDir::Hidden);
        for (const auto &name : leftovers)
            QVERIFY2(name.endsWith(u".lock"_s), qPrintable(name));
    }

    void copyReplacesAForeignFileOnlyWhenComplete()
    {
        auto project = must(Project::createSample(freshPath(), storage::ShippedProject::Tutorial));
        const auto target = freshPath();
        putFile(target, "something else");
        must(project->saveCopy(target));
        QVERIFY(must(must(Project::open(target))->check()).empty());
    }

    void secondWindowReads()
    {
        const auto path = freshPath();
        auto first = must(Project::createSample(path, storage::ShippedProject::Tutorial));
        const auto plans = must(first->plans());
        auto second = must(Project::open(path));
        QVERIFY(second->isReadOnly());
        QVERIFY(second->readOnlyReason().contains(u"another window or program"_s));
        QVERIFY(must(second->plans()) == plans);
        const auto refused = second->savePlan(plans.front());
        QVERIFY(!refused);
        QCOMPARE(int(refused.error().code), int(ErrorCode::ReadOnly));
        QVERIFY(!second->removePlan(plans.front().id));
        QVERIFY(!second->saveRecord(userCopy(must(second->catalog()), CatalogKind::Fabric, "ib_ndr", "mine")));
        must(first->removePlan(plans.front().id)); // a reader does not keep the writer from writing
        QCOMPARE(must(second->plans()).size(), plans.size() - 1);
        const auto link = m_folder.filePath(u"link.fleetwright"_s);
        QVERIFY(QFile::link(path, link));
        QVERIFY(must(Project::open(link))->isReadOnly());
        first.reset();
        second = must(Project::open(path));
        QVERIFY(!second->isReadOnly());
    }

    void readOnlyOnRequest()
    {
        const auto path = freshPath();
        must(Project::createSample(path, storage::ShippedProject::Tutorial)).reset();
        const auto before = contentOf(path);
        {
            const auto reader = must(Project::open(path, OpenMode::ReadOnly));
            QVERIFY(reader->isReadOnly());
            QVERIFY(!reader->removePlan(1));
            QVERIFY(!must(Project::open(path))->isReadOnly()); // and leaves the right to write to others
        }
        QVERIFY(contentOf(path) == before);
    }
};

FLEETWRIGHT_TEST(ProjectTest)
#include "tst_project.moc"
