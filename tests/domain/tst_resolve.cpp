// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;

class TestResolve : public QObject {
    Q_OBJECT
private slots:
    void resolves()
    {
        const auto plan = resolve(samples::plan(), samples::catalog());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
        QCOMPARE((*plan)->fleet->accelerators(), 32);
        QCOMPARE((*plan)->tokenBudget(), std::optional(1e12));
    }

    void inlineItems()
    {
        auto document = samples::plan();
        auto node = samples::node();
        node.id = "my_node";
        node.values["accelerators_per_node"] = 4.0;
        document.fleet.node = node;
        const auto plan = resolve(document, samples::catalog());
        QVERIFY(plan.has_value());
        QCOMPARE((*plan)->fleet->accelerators(), 16);
    }

    void ownOversubscription()
    {
        auto document = samples::plan();
        document.fleet.oversubscription = 4;
        QCOMPARE((*resolve(document, samples::catalog()))->fleet->fabric->oversubscription, 4.0);
        document.fleet.oversubscription = 0.5;
        QCOMPARE(resolve(document, samples::catalog()).error().field, std::string("fleet.oversubscription"));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("field");
        QTest::addColumn<int>("code");
        const auto row = [](const char *what, const char *field, ErrorCode code) {
            QTest::newRow(what) << QString::fromLatin1(what) << QString::fromLatin1(field) << int(code);
        };
        row("unknown workload", "workload", ErrorCode::UnknownReference);
        row("no workload", "workload", ErrorCode::MissingField);
        row("unknown node", "fleet.node", ErrorCode::UnknownReference);
        row("unknown fabric", "fleet.fabric", ErrorCode::UnknownReference);
        row("zero nodes", "fleet.nodes", ErrorCode::OutOfRange);
        row("negative nodes", "fleet.nodes", ErrorCode::OutOfRange);
        row("unknown grid", "fleet.grid", ErrorCode::UnknownReference);
        row("unknown facility", "fleet.facility", ErrorCode::UnknownReference);
        row("node names a missing accelerator", "fleet.node", ErrorCode::UnknownReference);
        row("node without accelerator", "fleet.node", ErrorCode::MissingField);
        row("empty name", "name", ErrorCode::MissingField);
        row("zero batch", "training.global_batch", ErrorCode::OutOfRange);
        row("zero tp", "parallelism.tp", ErrorCode::OutOfRange);
    }
    void refusals()
    {
        QFETCH(QString, what);
        QFETCH(QString, field);
        QFETCH(int, code);
        auto document = samples::plan();
        auto catalog = samples::catalog();
        if (what == QLatin1String("unknown workload"))
            document.workload = "test_modle";
        else if (what == QLatin1String("no workload"))
            document.workload = "";
        else if (what == QLatin1String("unknown node"))
            document.fleet.node = "nothing_like_it_at_all";
        else if (what == QLatin1String("unknown fabric"))
            document.fleet.fabric = "x";
        else if (what == QLatin1String("zero nodes"))
            document.fleet.nodes = 0;
        else if (what == QLatin1String("negative nodes"))
            document.fleet.nodes = -3;
        else if (what == QLatin1String("unknown grid"))
            document.fleet.grid = "x";
        else if (what == QLatin1String("unknown facility"))
            document.fleet.facility = "x";
        else if (what == QLatin1String("node names a missing accelerator"))
            catalog.remove(CatalogKind::Accelerator, "test_gpu");
        else if (what == QLatin1String("node without accelerator")) {
            auto node = samples::node();
            node.values.erase("accelerator_id");
            catalog.insert(node);
        } else if (what == QLatin1String("empty name"))
            document.name = "";
        else if (what == QLatin1String("zero batch"))
            document.training.globalBatch = 0;
        else
            document.parallelism.tp = 0;
        const auto plan = resolve(document, catalog);
        QVERIFY(!plan);
        QCOMPARE(QString::fromStdString(plan.error().field), field);
        QCOMPARE(int(plan.error().code), code);
        QVERIFY(plan.error().message.ends_with('.') || plan.error().message.ends_with('?')
            || plan.error().message.ends_with(')'));
    }

    void nearMissIsSuggested()
    {
        auto document = samples::plan();
        document.workload = "test_modle";
        QVERIFY(resolve(document, samples::catalog()).error().message.contains("test_model"));
    }

    void catalogFindsOrphans()
    {
        auto catalog = samples::catalog();
        QVERIFY(catalog.checkAll().empty());
        QCOMPARE(catalog.usersOf(CatalogKind::Accelerator, "test_gpu"), std::vector<std::string>{"test_node"});
        catalog.remove(CatalogKind::Accelerator, "test_gpu");
        const auto faults = catalog.checkAll();
        QCOMPARE(faults.size(), 1UZ);
        QCOMPARE(faults.front().field, std::string("nodes/test_node.accelerator_id"));
    }

    void replacingKeepsOrderAndRemovingKeepsTheRest()
    {
        Catalog catalog;
        for (const char *id : {"a", "b", "c"})
            catalog.insert(samples::record(CatalogKind::Grid, id, {}));
        auto changed = samples::record(CatalogKind::Grid, "b", {});
        changed.name = "changed";
        catalog.insert(changed);
        QCOMPARE(catalog.records(CatalogKind::Grid)[1].name, std::string("changed"));
        catalog.remove(CatalogKind::Grid, "a");
        QVERIFY(!catalog.find(CatalogKind::Grid, "a"));
        QCOMPARE(catalog.find(CatalogKind::Grid, "c")->id, std::string("c"));
        QCOMPARE(catalog.records(CatalogKind::Grid).size(), 2UZ);
    }
};

FLEETWRIGHT_TEST(TestResolve)
#include "tst_resolve.moc"
