// SPDX-License-Identifier: GPL-3.0-or-later
// Items of the catalog in an open project: saved, shared as snapshots, and kept while something needs them.
#include "domain/catalogupdate.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestCatalogEdits : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    int m_files = 0;

private slots:
    void init()
    {
        m_workspace = std::make_unique<Workspace>();
        VERIFY_OK(m_workspace->createProject(m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files))));
    }

    void catalogItemsOfASweepStay()
    {
        VERIFY_OK(m_workspace->saveRecord(ownFabric()));
        SweepDocument sweep;
        sweep.name = "Fabrics";
        sweep.plan = examplePlan();
        sweep.axes = {{"",
            {{"", {{"fleet.fabric", std::string("ib_ndr")}}}, {"", {{"fleet.fabric", std::string("my_fabric")}}}}}};
        VERIFY_OK(m_workspace->addSweep(sweep));
        const auto refused = m_workspace->removeRecord(CatalogKind::Fabric, "my_fabric");
        QVERIFY(!refused);
        QVERIFY(message(refused).contains(u"Fabrics"_s));
    }

    void catalogSnapshotsDoNotChange()
    {
        const auto before = m_workspace->catalog();
        QSignalSpy changed(m_workspace.get(), &Workspace::catalogChanged);
        VERIFY_OK(m_workspace->saveRecord(ownFabric()));
        QCOMPARE(changed.size(), 1);
        QVERIFY(!before->find(CatalogKind::Fabric, "my_fabric"));
        QVERIFY(m_workspace->catalog()->find(CatalogKind::Fabric, "my_fabric"));
        VERIFY_OK(m_workspace->saveRecord(ownFabric()));
        QCOMPARE(changed.size(), 1);
        m_workspace->undo();
        QVERIFY(!m_workspace->catalog()->find(CatalogKind::Fabric, "my_fabric"));
    }

    void shippedItemsAreReadOnly()
    {
        auto record = *m_workspace->catalog()->find(CatalogKind::Fabric, "ib_ndr");
        record.name = "Renamed";
        const auto saved = m_workspace->saveRecord(record);
        QVERIFY(!saved);
        QVERIFY(saved.error().code == ErrorCode::ReadOnly);
        QVERIFY(!m_workspace->removeRecord(CatalogKind::Fabric, "ib_ndr"));
        QCOMPARE(m_workspace->undoStack()->count(), 0);
    }

    /// As version 3 of the format let people copy: it takes the place of nothing, which a later rule refuses.
    void undoBringsBackWhatRulesHaveComeAfter()
    {
        const auto path = m_workspace->path();
        auto old = *m_workspace->catalog()->find(CatalogKind::PlanningDefault, "mttf_gpu");
        old.shipped = false;
        old.id = "my_mttf";
        old.attributions.clear();
        m_workspace->close();
        {
            auto project = storage::Project::open(path);
            QVERIFY(project);
            VERIFY_OK((*project)->saveRecord(old, storage::RecordRules::AsItStood));
        }
        VERIFY_OK(m_workspace->open(path));
        QSignalSpy failed(m_workspace.get(), &Workspace::failed);
        const auto inFile = [&] { return m_workspace->catalog()->find(CatalogKind::PlanningDefault, "my_mttf"); };
        VERIFY_OK(m_workspace->removeRecord(CatalogKind::PlanningDefault, "my_mttf"));
        QVERIFY(!inFile());
        m_workspace->undo();
        QVERIFY2(failed.isEmpty(), "the deletion could not be undone");
        QVERIFY(inFile() && *inFile() == old);
        auto repaired = old;
        repaired.values["replaces"] = std::string("mttf_gpu");
        VERIFY_OK(m_workspace->saveRecord(repaired));
        m_workspace->undo();
        QVERIFY(failed.isEmpty() && *inFile() == old);
        QVERIFY(!m_workspace->saveRecord([&] {
            auto edited = old;
            edited.values["value"] = 1000.0;
            return edited;
        }())); // an edit is judged
        m_workspace->close();
        VERIFY_OK(m_workspace->open(path));
        QVERIFY(*inFile() == old);
    }

    /// An update of many items is one step, there and back, and the answers of plans are stale in between.
    void anUpdateIsOneStep()
    {
        const auto path = m_folder.filePath(u"former %1.fleetwright"_s.arg(m_files));
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-5.fleetwright"), path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        VERIFY_OK(m_workspace->open(path));
        const auto before = m_workspace->catalog();
        const auto shipped = storage::shippedCatalog();
        QVERIFY(shipped);
        std::vector<ItemId> items;
        for (const auto &update : compareWithShipped(*before, *shipped))
            if (update.isApplicable())
                items.push_back(update.item);
        const auto edit = updateTo(*before, *shipped, items);
        QVERIFY(edit);
        QSignalSpy changed(m_workspace.get(), &Workspace::catalogChanged);
        VERIFY_OK(m_workspace->applyCatalogEdit(*edit));
        QVERIFY(changed.size() > 3 && changed.size() <= int(allCatalogKinds.size()));
        QCOMPARE(m_workspace->undoStack()->count(), 1);
        QVERIFY2(m_workspace->undoStack()->undoText().startsWith(u"Update "_s),
            qPrintable(m_workspace->undoStack()->undoText()));
        QCOMPARE(m_workspace->catalog()->records(CatalogKind::Currency).size(),
            shipped->records(CatalogKind::Currency).size());
        QSignalSpy failed(m_workspace.get(), &Workspace::failed);
        for (int times = 0; times < 2; ++times) {
            m_workspace->undo();
            for (const auto kind : allCatalogKinds)
                QVERIFY(std::ranges::equal(m_workspace->catalog()->records(kind), before->records(kind)));
            m_workspace->redo();
            QVERIFY(compareWithShipped(*m_workspace->catalog(), *shipped).size() < items.size() / 10);
        }
        QVERIFY(failed.isEmpty());
        m_workspace->close();
        VERIFY_OK(m_workspace->open(path));
        QCOMPARE(m_workspace->catalog()->records(CatalogKind::Currency).size(),
            shipped->records(CatalogKind::Currency).size());
    }

    void anItemThatNamesAMissingOneIsRefused()
    {
        CatalogRecord node = *m_workspace->catalog()->find(CatalogKind::Node, "nvidia_dgx_h100");
        node.shipped = false;
        node.id = "my_node";
        node.attributions.clear();
        node.values["accelerator_id"] = std::string("no_such_accelerator");
        const auto saved = m_workspace->saveRecord(node);
        QVERIFY(!saved);
        QVERIFY(saved.error().code == ErrorCode::UnknownReference);
        QVERIFY(!m_workspace->catalog()->find(CatalogKind::Node, "my_node"));
    }

    void anItemInUseIsNotRemoved()
    {
        VERIFY_OK(m_workspace->saveRecord(ownFabric()));
        auto plan = examplePlan();
        plan.fleet.fabric = std::string("my_fabric");
        const auto id = m_workspace->addPlan(plan);
        QVERIFY(id);
        const auto removed = m_workspace->removeRecord(CatalogKind::Fabric, "my_fabric");
        QVERIFY(!removed);
        QVERIFY2(message(removed).contains(u"70B on 32 nodes"_s), qPrintable(message(removed)));
        VERIFY_OK(m_workspace->removePlan(*id));
        VERIFY_OK(m_workspace->removeRecord(CatalogKind::Fabric, "my_fabric"));
    }
};

FLEETWRIGHT_TEST(TestCatalogEdits)
#include "tst_catalogedits.moc"
