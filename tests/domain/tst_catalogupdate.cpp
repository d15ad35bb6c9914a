// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/catalogupdate.h"
#include "domain/catalogusage.h"
#include "domain/samples.h"
#include "testing/registry.h"

#include <QtTest>

using namespace fleetwright;

namespace {

CatalogRecord shippedRecord(CatalogRecord record)
{
    record.shipped = true;
    return record;
}

CatalogRecord shippedPrice(const std::string &id, const std::string &node, const std::string &currency)
{
    return shippedRecord(samples::record(CatalogKind::Price, id,
        {{"category", std::string("purchase")}, {"item_type", std::string("nodes")}, {"item_ref", node},
            {"unit", (currency == "SEK" ? "sek" : "usd") + std::string("_per_node")}, {"currency", currency},
            {"typical", 290e3}, {"confidence", std::string("market")}}));
}

CatalogRecord krona()
{
    return shippedRecord(samples::record(CatalogKind::Currency, "sek",
        {{"code", std::string("SEK")}, {"units_per_usd", 9.4}, {"period", std::string("2026-06")}}));
}

/// What the program shipped once, and ships today.
Catalog shippedFormerly()
{
    Catalog catalog;
    for (const auto &record : {samples::accelerator(), samples::node(), samples::fabric(), samples::workload()})
        catalog.insert(shippedRecord(record));
    catalog.insert(shippedPrice("dropped", "test_node", "USD"));
    return catalog;
}

Catalog shippedToday()
{
    Catalog catalog;
    auto accelerator = shippedRecord(samples::accelerator());
    accelerator.values["tdp_w"] = 750.0;
    accelerator.values.erase("launch_year");
    accelerator.notes = "corrected";
    catalog.insert(accelerator);
    for (const auto &record : {samples::node(), samples::fabric(), samples::workload()})
        catalog.insert(shippedRecord(record));
    auto newer = shippedRecord(samples::node());
    newer.id = "newer_node";
    newer.values["accelerator_id"] = std::string("newer_gpu");
    catalog.insert(newer);
    auto further = shippedRecord(samples::accelerator());
    further.id = "newer_gpu";
    catalog.insert(further);
    catalog.insert(krona());
    auto quoted = shippedPrice("quote", "newer_node", "SEK");
    quoted.attributions = {{"list", {"*"}, Confidence::Market, Verification::Read}};
    catalog.insert(quoted);
    catalog.insert(CatalogKind::Price, {"list", "A price list", "", "", "2026", "", ""});
    return catalog;
}

std::string changeOf(const std::vector<ItemUpdate> &updates, const ItemId &item)
{
    const auto found = std::ranges::find(updates, item, &ItemUpdate::item);
    return found == updates.end() ? "none" : std::string(toString(found->change));
}

const ItemId newQuote{CatalogKind::Price, "quote"}, kronaItem{CatalogKind::Currency, "sek"},
    droppedPrice{CatalogKind::Price, "dropped"}, newerNode{CatalogKind::Node, "newer_node"},
    newerGpu{CatalogKind::Accelerator, "newer_gpu"}, changedGpu{CatalogKind::Accelerator, "test_gpu"};

} // namespace

class CatalogUpdateTest : public QObject {
    Q_OBJECT
private slots:
    void differencesFieldByField()
    {
        const auto updates = compareWithShipped(shippedFormerly(), shippedToday());
        QCOMPARE(updates.size(), 6);
        QCOMPARE(changeOf(updates, changedGpu), std::string("changed"));
        QCOMPARE(changeOf(updates, droppedPrice), std::string("no longer shipped"));
        for (const auto &item : {newQuote, kronaItem, newerNode, newerGpu})
            QCOMPARE(changeOf(updates, item), std::string("new"));
        const auto &fields = std::ranges::find(updates, changedGpu, &ItemUpdate::item)->fields;
        QCOMPARE(fields.size(), 3);
        QCOMPARE(fields[0].key, std::string_view("launch_year"));
        QVERIFY(fields[0].before == FieldValue(2024.0) && fields[0].after == FieldValue());
        QCOMPARE(valueText(changedGpu.kind, fields[1].key, fields[1].before), std::string("700\u00a0W"));
        QCOMPARE(valueText(changedGpu.kind, fields[1].key, fields[1].after), std::string("750\u00a0W"));
        QCOMPARE(valueText(changedGpu.kind, fields[0].key, fields[0].after), std::string("unknown"));
        QCOMPARE(fields[2].key, std::string_view("notes"));
        QVERIFY(compareWithShipped(shippedToday(), shippedToday()).empty());
    }

    /// A source that was corrected is a change of the items that cite it, although they are the same.
    void correctedSourcesCount()
    {
        auto later = shippedToday();
        later.insert(CatalogKind::Price, {"list", "A price list, second edition", "", "", "2026", "", ""});
        const auto updates = compareWithShipped(shippedToday(), later);
        QCOMPARE(updates.size(), 1);
        QCOMPARE(updates[0].fields.size(), 1);
        QCOMPARE(updates[0].fields[0].key, std::string_view("sources"));
        const auto edit = updateTo(shippedToday(), later, std::array{newQuote});
        QVERIFY(edit);
        QCOMPARE(edit->before.sources.size(), 1);
        QCOMPARE(edit->after.sources[0].source.title, std::string("A price list, second edition"));
    }

    /// Items of the user and calibration constants are none of the update's business.
    void ownItemsAreLeftAlone()
    {
        auto project = shippedFormerly();
        auto own = samples::fabric();
        own.id = "mine";
        project.insert(own);
        own.kind = CatalogKind::CalibrationConstant;
        own.shipped = true;
        project.insert(own);
        QVERIFY(compareWithShipped(project, shippedToday()) == compareWithShipped(shippedFormerly(), shippedToday()));
    }

    /// An own item under the id of a shipped one, and what would refer to the wrong one of the two.
    void takenIdsBlock()
    {
        auto project = shippedFormerly();
        auto own = samples::node();
        own.id = "newer_node";
        project.insert(own);
        const auto updates = compareWithShipped(project, shippedToday());
        QCOMPARE(changeOf(updates, newerNode), std::string("blocked"));
        QCOMPARE(changeOf(updates, newQuote), std::string("blocked"));
        QCOMPARE(changeOf(updates, kronaItem), std::string("new"));
        for (const auto &item : {newerNode, newQuote}) {
            const auto refused = updateTo(project, shippedToday(), std::array{item, kronaItem});
            QVERIFY(!refused);
            QVERIFY(refused.error().code == ErrorCode::ConstraintViolated);
            QCOMPARE(refused.error().field, toString(item));
            QVERIFY2(refused.error().message.contains("newer_node"), refused.error().message.c_str());
        }
        QVERIFY(afterUpdate(project, shippedToday(), updates).find(CatalogKind::Node, "newer_node")->shipped == false);
    }

    void whatIsNewBringsWhatItNeeds()
    {
        const auto refused = updateTo(shippedFormerly(), shippedToday(), std::array{newQuote});
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::ConstraintViolated);
        QVERIFY2(refused.error().message.contains("newer_node"), refused.error().message.c_str());
        const auto needed = alsoNeeded(shippedFormerly(), shippedToday(), std::array{newQuote});
        QVERIFY((needed == std::vector<ItemId>{newerGpu, newerNode, kronaItem})); // the accelerator through the node
        const std::array all{newQuote, kronaItem, newerNode, newerGpu};
        QVERIFY(alsoNeeded(shippedFormerly(), shippedToday(), all).empty());
        const auto edit = updateTo(shippedFormerly(), shippedToday(), all);
        QVERIFY(edit);
        QVERIFY(edit->before == CatalogItems());
        QCOMPARE(edit->after.records.size(), 4);
        QCOMPARE(edit->after.sources.size(), 1);
    }

    void appliedAndTakenBack()
    {
        const auto start = shippedFormerly();
        auto project = start;
        const auto edit = updateTo(project, shippedToday(), std::array{changedGpu, kronaItem});
        QVERIFY(edit);
        apply(project, edit->before, edit->after);
        QVERIFY(*project.find(changedGpu.kind, changedGpu.id) == *shippedToday().find(changedGpu.kind, changedGpu.id));
        QVERIFY(project.find(kronaItem.kind, kronaItem.id) && !project.find(newQuote.kind, newQuote.id));
        QCOMPARE(changeOf(compareWithShipped(project, shippedToday()), changedGpu), std::string("none"));
        apply(project, edit->after, edit->before);
        for (const auto kind : allCatalogKinds) {
            QVERIFY(std::ranges::equal(project.records(kind), start.records(kind)));
            QVERIFY(std::ranges::equal(project.sources(kind), start.sources(kind)));
        }
    }

    void refusals()
    {
        const auto codeOf = [](const ItemId &item) {
            return updateTo(shippedFormerly(), shippedToday(), std::array{item}).error().code;
        };
        QVERIFY(codeOf({CatalogKind::Node, "none_such"}) == ErrorCode::UnknownReference);
        QVERIFY(codeOf({CatalogKind::Node, "test_node"}) == ErrorCode::UnsupportedValue); // the same already
        QVERIFY(codeOf(droppedPrice) == ErrorCode::UnsupportedValue);
    }

    /// A price in a currency keeps the currency from being deleted, too.
    void pricesNameTheirCurrency()
    {
        QCOMPARE(shippedToday().usersOf(CatalogKind::Currency, "sek"), std::vector<std::string>{"quote"});
        QVERIFY(shippedFormerly().usersOf(CatalogKind::Currency, "usd").empty());
    }

    void usersOfItems()
    {
        auto catalog = shippedToday();
        auto gear = samples::record(CatalogKind::NetworkGear, "leaf",
            {{"vendor", std::string("generic")}, {"kind", std::string("switch")},
                {"fabric_ids", std::vector<std::string>{"test_fabric"}}});
        catalog.insert(gear);
        auto trained = *catalog.find(CatalogKind::Workload, "test_model");
        trained.values["training_accelerator_id"] = std::string("another_gpu");
        catalog.insert(trained);
        auto plan = samples::plan();
        plan.fleet.node = "newer_node";
        FleetDocument fleet = samples::plan().fleet;
        fleet.name = "Lab";
        CatalogUsers users;
        users.add(plan, catalog);
        users.add(fleet, catalog);
        const std::vector<std::string> both{"plan \u2018Test plan\u2019", "fleet \u2018Lab\u2019"}, one{both.front()},
            none{};
        QCOMPARE(users.of(changedGpu), std::vector<std::string>{both.back()}); // by its node
        QCOMPARE(users.of(newerGpu), one);
        QCOMPARE(users.of({CatalogKind::NetworkGear, "leaf"}), both); // by their fabric
        QCOMPARE(users.of(newerNode), one);
        QCOMPARE(users.of(newQuote), one); // a price of the node
        QCOMPARE(users.of(kronaItem), one);
        QCOMPARE(users.of({CatalogKind::Workload, "test_model"}), one);
        QCOMPARE(users.of({CatalogKind::Accelerator, "another_gpu"}), none);
        QCOMPARE(users.of({CatalogKind::PlanningDefault, "mttf_gpu"}), one);
    }
};

FLEETWRIGHT_TEST(CatalogUpdateTest)
#include "tst_catalogupdate.moc"
