// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/exchangetesting.h"
#include "exchange/fleetdocuments.h"
#include "testing/registry.h"

#include <cmath>

using namespace fleetwright;
using namespace fleetwright::exchange;

/// Fleets of the shipped catalog.
class FleetDocumentsTest : public QObject {
    Q_OBJECT
private slots:
    void everyNodeHasABillThatAddsUp();
    void fleetsAreReadFromBoth();
    void settingsAreTyped();
};

void FleetDocumentsTest::everyNodeHasABillThatAddsUp()
{
    const auto &catalog = exchangetesting::shipped();
    int priced = 0, billed = 0;
    for (const auto &node : catalog.records(CatalogKind::Node))
        for (const char *fabric : {"ib_ndr", "eth_400g_roce", "ib_hdr"}) {
            FleetDocument document;
            document.node = node.id;
            document.nodes = 96;
            document.fabric = std::string(fabric);
            const auto fleet = resolve(document, catalog);
            if (!fleet)
                continue; // no accelerator, no port rate...
            const auto sheet = fleetCost(*fleet);
            if (!sheet && sheet.error().field == "nodes" && (*fleet)->node->acceleratorsPerNode >= 256)
                continue; // whole pods: no fat tree connects 96 of them
            QVERIFY2(sheet, (node.id + ": " + (sheet ? "" : sheet.error().field + sheet.error().message)).c_str());
            double sum = 0;
            const auto lines = billOfMaterials(*fleet, *sheet);
            for (const auto &line : lines)
                sum += line.isTotal ? 0 : line.amount.value_or(0);
            const auto capital = sheet->value("capital_usd");
            if (!capital) { // a node without a price: the line says so
                QVERIFY2(!lines.back().amount && lines.back().note.size() > 10, node.id.c_str());
                continue;
            }
            ++priced;
            billed += sheet->sheet().flag("network_is_priced") ? 1 : 0;
            QVERIFY2(std::abs(sum - *capital) < 0.005, node.id.c_str());
        }
    QVERIFY(priced > 60 && billed > 30);
}

void FleetDocumentsTest::fleetsAreReadFromBoth()
{
    const auto plan = fleetFromText(exchangetesting::samplePlan);
    QVERIFY(plan && plan->nodes == 32);
    const auto alone = fleetFromText("{node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}");
    QVERIFY(alone && *alone == *plan);
    const auto wrong = fleetFromText("{node: nvidia_dgx_h100, nodes: none, fabric: ib_ndr}");
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().field, std::string("nodes"));
    QCOMPARE(fleetFromText("fleet: {node: a, nodes: 0, fabric: b}").error().field, std::string("fleet.nodes"));
}

void FleetDocumentsTest::settingsAreTyped()
{
    FleetDocument document;
    document.node = std::string("nvidia_dgx_h100");
    document.fabric = std::string("ib_ndr");
    const auto entry = [&](const char *key, const char *value) {
        const auto changed = withCost(document, key, value);
        return changed ? changed->costs.entries.at(key) : CostEntry{.value = std::string("refused")};
    };
    QVERIFY(entry("node_usd", "3e5") == CostEntry{.value = 3e5});
    QVERIFY((entry("node_usd", "2e5..3e5..4e5") == CostEntry{.value = 3e5, .low = 2e5, .high = 4e5}));
    QVERIFY(entry("node_usd", "price_x") == CostEntry{.value = std::string("price_x")});
    QVERIFY(entry("cooling", "liquid") == CostEntry{.value = std::string("liquid")});
    QVERIFY(entry("colocation_includes_energy", "true") == CostEntry{.value = true});
    QVERIFY(entry("colocation_includes_energy", "no") == CostEntry{.value = false});
    QVERIFY(withCost(document, "rent_term", "reserved-3y")->costs.rentTerm == RentTerm::Reserved3y);
    QCOMPARE(withCost(document, "rent_term", "sometimes").error().field, std::string("fleet.costs.rent_term"));
    QCOMPARE(withCost(document, "node_usd", "").error().field, std::string("fleet.costs.node_usd"));
}

FLEETWRIGHT_TEST(FleetDocumentsTest)
#include "tst_fleetdocuments.moc"
