// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogimport.h"
#include "domain/samples.h"
#include "testing/registry.h"

#include <QtTest>

using namespace fleetwright;

namespace {

/// The small catalog, shipped, with a fabric of the user's own and a source.
Catalog importTarget()
{
    Catalog catalog;
    for (auto record : {samples::accelerator(), samples::node(), samples::fabric()}) {
        record.shipped = true;
        catalog.insert(std::move(record));
    }
    auto own = samples::fabric();
    own.id = "mine";
    catalog.insert(own);
    catalog.insert(CatalogKind::Fabric, {"sheet", "A datasheet", "", "", "", "", ""});
    return catalog;
}

CatalogRecord fileNode(const std::string &id, const std::string &accelerator)
{
    auto node = samples::node();
    node.id = id;
    node.values["accelerator_id"] = accelerator;
    return node;
}

CatalogImport imported(CatalogItems items, ExistingItems existing = ExistingItems::Refuse)
{
    return importInto(importTarget(), std::move(items), {}, existing);
}

} // namespace

class CatalogImportTest : public QObject {
    Q_OBJECT
private slots:
    void itemsMayReferToEachOther()
    {
        auto accelerator = samples::accelerator();
        accelerator.id = "new_gpu";
        accelerator.shipped = true; // what a file says of that is nothing
        const auto result = imported({{fileNode("new_node", "new_gpu"), accelerator}, {}});
        QVERIFY(result.refused.empty());
        QCOMPARE(result.added.size(), 2UZ);
        for (const auto &record : result.edit.after.records)
            QVERIFY(!record.shipped);
        QVERIFY(result.edit.before == CatalogItems());
    }

    /// A node whose accelerator is refused goes with it, and the rest stays.
    void refusalsSpread()
    {
        auto broken = samples::accelerator();
        broken.id = "broken_gpu";
        broken.values.erase("vendor");
        const auto result = imported(
            {{fileNode("node_of_it", "broken_gpu"), broken, fileNode("good", "test_gpu")}, {}});
        QCOMPARE(result.added.size(), 1UZ);
        QCOMPARE(result.added.front().id, std::string("good"));
        QCOMPARE(result.refused.size(), 2UZ);
        QCOMPARE(result.refused[0].item.id, std::string("broken_gpu"));
        QCOMPARE(result.refused[0].error.field, std::string("vendor"));
        QCOMPARE(result.refused[1].error.field, std::string("accelerator_id"));
        QVERIFY(result.refused[1].error.code == ErrorCode::UnknownReference);
    }

    void whatTheProjectHas()
    {
        auto mine = samples::fabric();
        mine.id = "mine";
        const auto same = imported({{mine, samples::fabric()}, {}});
        QCOMPARE(same.unchanged.size(), 2UZ); // own and shipped
        QVERIFY(same.edit.after == CatalogItems());
        auto shipped = samples::fabric();
        mine.values["latency_us"] = shipped.values["latency_us"] = 7.0;
        const auto refused = imported({{mine, shipped}, {}});
        QCOMPARE(refused.refused.size(), 2UZ);
        QVERIFY(refused.refused[0].error.code == ErrorCode::ConstraintViolated);
        QVERIFY(refused.refused[1].error.code == ErrorCode::ReadOnly);
        const auto replaced = imported({{mine, shipped}, {}}, ExistingItems::Replace);
        QCOMPARE(replaced.replaced.size(), 1UZ);
        QCOMPARE(replaced.refused.size(), 1UZ); // shipped items never
        QCOMPARE(replaced.edit.before.records.size(), 1UZ);
        const auto twice = imported({{fileNode("a", "test_gpu"), fileNode("a", "test_gpu")}, {}});
        QCOMPARE(twice.added.size(), 1UZ);
        QVERIFY(twice.refused.front().error.message.contains("twice"));
    }

    /// Two files may call different sources by one id; those of the project stay what they are.
    void sourcesKeepTheirMeaning()
    {
        auto fabric = samples::fabric();
        fabric.id = "new_fabric";
        fabric.attributions = {{"sheet", {"*"}, Confidence::VendorSpec, Verification::Read}};
        const auto with = [&](const std::string &title) {
            return imported({{fabric},
                {{CatalogKind::Fabric, {"sheet", title, "", "", "", "", ""}},
                    {CatalogKind::Fabric, {"unused", "Unused", "", "", "", "", ""}}}});
        };
        QVERIFY(with("A datasheet").edit.after.sources.empty());
        const auto other = with("Another datasheet");
        QCOMPARE(other.edit.after.sources.size(), 1UZ);
        QCOMPARE(other.edit.after.sources[0].source.id, std::string("sheet_2"));
        QCOMPARE(other.edit.after.records[0].attributions[0].sourceId, std::string("sheet_2"));
        // The file has a "sheet_2" of its own, which an item cites.
        auto second = fabric;
        second.id = "second_fabric";
        second.attributions[0].sourceId = "sheet_2";
        const auto both = imported({{fabric, second},
            {{CatalogKind::Fabric, {"sheet", "Another datasheet", "", "", "", "", ""}},
                {CatalogKind::Fabric, {"sheet_2", "The second", "", "", "", "", ""}}}});
        std::map<std::string, std::string> cited;
        for (const auto &record : both.edit.after.records)
            for (const auto &[kind, source] : both.edit.after.sources)
                if (source.id == record.attributions[0].sourceId)
                    cited[record.id] = source.title;
        QCOMPARE(cited["new_fabric"], std::string("Another datasheet"));
        QCOMPARE(cited["second_fabric"], std::string("The second"));
        fabric.attributions[0].sourceId = "nowhere";
        QCOMPARE(with("A datasheet").refused.front().error.field, std::string("sources"));
    }
};

FLEETWRIGHT_TEST(CatalogImportTest)
#include "tst_catalogimport.moc"
