// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalog.h"
#include "testing/registry.h"

#include <QtTest>

#include <set>

using namespace fleetwright;

namespace {

CatalogRecord fabric(const std::string &id)
{
    return {.kind = CatalogKind::Fabric,
        .id = id,
        .name = id,
        .shipped = false,
        .values = {{"scope", std::string("scale_out")}, {"family", std::string("x")},
            {"status", std::string("shipping")}},
        .knownConfusions = {},
        .notes = {},
        .attributions = {}};
}

} // namespace

class CatalogTest : public QObject {
    Q_OBJECT

private slots:
    void fieldTablesAreSound()
    {
        for (const auto kind : allCatalogKinds) {
            std::set<std::string_view> keys;
            std::set<std::string_view> labels;
            for (const auto &field : fields(kind)) {
                const std::string name(field.key);
                QVERIFY2(keys.insert(field.key).second, name.c_str());
                QVERIFY2(!field.label.empty() && labels.insert(field.label).second, name.c_str());
                QVERIFY2(!field.description.empty(), name.c_str());
                QVERIFY2(units::findUnit(field.unit, field.dimension).has_value(), name.c_str());
                QVERIFY2(!field.minimum || !field.maximum || *field.minimum < *field.maximum, name.c_str());
                QVERIFY2(!field.reference || field.type == FieldType::Text || field.type == FieldType::TextList,
                    name.c_str());
                QCOMPARE(findField(kind, field.key), &field);
            }
            QVERIFY(std::ranges::any_of(fields(kind), &FieldDescriptor::column));
            QVERIFY(parseCatalogKind(toString(kind)) == kind);
        }
    }

    void insertReplacesAndRemoveKeepsOrder()
    {
        Catalog catalog;
        for (const char *id : {"a", "b", "c"})
            catalog.insert(fabric(id));
        auto changed = fabric("b");
        changed.name = "changed";
        catalog.insert(changed);
        QCOMPARE(catalog.records(CatalogKind::Fabric).size(), 3UZ);
        QVERIFY(*catalog.find(CatalogKind::Fabric, "b") == changed);
        catalog.remove(CatalogKind::Fabric, "a");
        catalog.remove(CatalogKind::Fabric, "never there");
        QVERIFY(catalog.find(CatalogKind::Fabric, "a") == nullptr);
        QVERIFY(catalog.find(CatalogKind::Fabric, "c")->id == "c");
        QVERIFY(catalog.records(CatalogKind::Fabric).front().id == "b");
    }

    void missingItemsAreNamedWithTheNearest()
    {
        Catalog catalog;
        catalog.insert(fabric("ib_ndr"));
        const auto found = catalog.require(CatalogKind::Fabric, "ib_nrd", "fleet.fabric");
        QVERIFY(!found);
        QVERIFY(found.error().field == "fleet.fabric");
        QVERIFY(found.error().message.contains("did you mean \u201cib_ndr\u201d"));
        const auto far = catalog.require(CatalogKind::Fabric, std::string(5000, 'x'), "fleet.fabric");
        QVERIFY(!far && far.error().message.size() < 300);
    }

    void referencesAreCheckedAndFound()
    {
        Catalog catalog;
        catalog.insert(fabric("mine"));
        CatalogRecord node{.kind = CatalogKind::Node,
            .id = "box",
            .name = "Box",
            .shipped = false,
            .values = {{"vendor", std::string("x")}, {"kind", std::string("server")}, {"launch_year", 2024.0},
                {"status", std::string("shipping")}, {"accelerators_per_node", 8.0}, {"scale_up_domain_size", 8.0},
                {"scale_out_fabric_id", std::string("mine")}},
            .knownConfusions = {},
            .notes = {},
            .attributions = {}};
        QVERIFY(catalog.check(node).has_value());
        catalog.insert(node);
        QVERIFY(catalog.usersOf(CatalogKind::Fabric, "mine") == std::vector<std::string>{"box"});
        node.values["accelerator_id"] = std::string("gone");
        catalog.insert(node);
        const auto faults = catalog.checkAll();
        QCOMPARE(faults.size(), 1UZ);
        QVERIFY(faults[0].field == "nodes/box.accelerator_id");
        QVERIFY(faults[0].message.contains("gone"));
    }
};

FLEETWRIGHT_TEST(CatalogTest)
#include "tst_catalog.moc"
