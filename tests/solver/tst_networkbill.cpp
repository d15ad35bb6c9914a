// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/networkbom.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;

namespace {

/// Calls `use` with inputs and bill of fabrics of every wiring, small and large, that the tiers connect.
template <class Use> void forEachFabric(Use use)
{
    struct Wiring {
        std::optional<std::int64_t> rails, leafGroupNodes, unitGroups;
    };
    const Wiring wirings[]{{}, {1}, {8}, {4, 4}, {8, 8, 6}, {std::nullopt, 2, 8}};
    for (const auto &wiring : wirings) {
        for (const double oversubscription : {1.0, 1.5, 2.0, 3.0, 7.0}) {
            for (const std::int64_t planes : {1, 2}) {
                for (std::int64_t nodes = 1; nodes < 8000; nodes = nodes * 5 / 4 + 1) {
                    const NetworkBillInputs inputs{.nodes = nodes,
                        .portsPerNode = 8,
                        .oversubscription = oversubscription,
                        .planes = planes,
                        .rails = wiring.rails,
                        .leafGroupNodes = wiring.leafGroupNodes,
                        .unitGroups = wiring.unitGroups,
                        .ufmPorts = nodes % 3,
                        .switchPortsPerCage = planes};
                    if (const auto bill = networkBill(inputs))
                        use(inputs, *bill);
                }
            }
        }
    }
}

} // namespace

class NetworkBillTest : public QObject {
    Q_OBJECT
private slots:
    void networkOfTheReference_data();
    void networkOfTheReference();
    void networkIsBuildable();
    void networkGrowsWithNodes();
    void networkOfUnits();
    void refusalNamesTheLargest();
    void networkRefuses();
};

void NetworkBillTest::networkOfTheReference_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("leaves");
    QTest::addColumn<int>("spines");
    QTest::addColumn<int>("cores");
    // Whole groups of 32 nodes, 8 ports each, switches of 64: three quarters of a divisor step leave the spines with
    // free ports.
    QTest::newRow("one group") << 32 << 8 << 4 << 0;
    QTest::newRow("two groups") << 64 << 16 << 8 << 0;
    QTest::newRow("three groups") << 96 << 24 << 16 << 0;
    QTest::newRow("four groups") << 128 << 32 << 16 << 0;
    QTest::newRow("largest of two tiers") << 256 << 64 << 32 << 0;
    QTest::newRow("three tiers") << 512 << 128 << 128 << 64;
    QTest::newRow("2048 nodes") << 2048 << 512 << 512 << 256;
    QTest::newRow("one switch") << 8 << 1 << 0 << 0;
}

void NetworkBillTest::networkOfTheReference()
{
    QFETCH(const int, nodes);
    const auto bill = networkBill({.nodes = nodes, .portsPerNode = 8}).value();
    QTEST(int(bill.leafSwitches), "leaves");
    QTEST(int(bill.spineSwitches), "spines");
    QTEST(int(bill.coreSwitches), "cores");
    QCOMPARE(bill.nodeLeafCables, std::int64_t{nodes} * 8);
}

void NetworkBillTest::networkIsBuildable()
{
    int checked = 0;
    forEachFabric([&](const NetworkBillInputs &inputs, const NetworkBill &bill) {
        const auto radix = inputs.switchRadix;
        const auto places = (inputs.nodes + (inputs.ufmPorts > 0)) * inputs.portsPerNode;
        // No tier has more cables than ports; leaf-spine and spine-core cables are of one tree, switches of all.
        QVERIFY(inputs.planes * (places + bill.leafSpineCables) <= radix * bill.leafSwitches);
        QVERIFY(inputs.planes * (bill.leafSpineCables + bill.spineCoreCables) <= radix * bill.spineSwitches);
        QVERIFY(inputs.planes * bill.spineCoreCables <= radix * bill.coreSwitches);
        if (bill.spineSwitches > 0)
            QVERIFY(double(places) <= inputs.oversubscription * double(bill.leafSpineCables) * (1 + 1e-12));
        QVERIFY(bill.spineCoreCables == 0 || bill.spineCoreCables == bill.leafSpineCables);
        QCOMPARE(bill.leafSwitches % inputs.planes, std::int64_t{0});
        QCOMPARE(bill.cables(),
            inputs.nodes * inputs.portsPerNode + bill.leafSpineCables + bill.spineCoreCables + inputs.ufmPorts);
        // A port in use has a transceiver, several share one where a cage has several.
        const auto ports = inputs.planes * (places + 2 * bill.leafSpineCables + 2 * bill.spineCoreCables);
        QVERIFY(bill.switchTransceivers * inputs.switchPortsPerCage >= ports);
        QVERIFY((bill.switchTransceivers - 1) * inputs.switchPortsPerCage < ports);
        ++checked;
    });
    QVERIFY2(checked > 500, QByteArray::number(checked));
}

/// One node more never needs less, and a copper tier takes exactly its transceivers away.
void NetworkBillTest::networkGrowsWithNodes()
{
    NetworkBillInputs inputs{.portsPerNode = 8, .rails = 8, .ufmPorts = 4, .switchPortsPerCage = 2};
    NetworkBill last;
    for (inputs.nodes = 1; inputs.nodes < 1500; ++inputs.nodes) {
        const auto bill = networkBill(inputs).value();
        QVERIFY(bill.leafSwitches >= last.leafSwitches && bill.cables() > last.cables());
        last = bill;
    }
    inputs.nodes = 127;
    const auto optical = networkBill(inputs).value();
    inputs.leafSpineCopper = true;
    QCOMPARE(optical.switchTransceivers - networkBill(inputs)->switchTransceivers, optical.leafSpineCables);
    inputs.leafSpineCopper = false;
    inputs.nodeLeafCopper = true;
    QCOMPARE(optical.switchTransceivers - networkBill(inputs)->switchTransceivers, std::int64_t{128 * 8 / 2});
    QCOMPARE(networkBill(inputs)->nodeTransceivers, std::int64_t{0});
}

/// GB200 NVL72: 18 trays a rack, 4 rails, 8 racks a unit; 16 units as the reference architecture prints them.
void NetworkBillTest::networkOfUnits()
{
    NetworkBillInputs inputs{
        .nodes = 16 * 8 * 18, .portsPerNode = 4, .rails = 4, .leafGroupNodes = 18, .unitGroups = 8};
    const auto bill = networkBill(inputs).value();
    QCOMPARE(bill.leafSwitches, std::int64_t{512});
    QCOMPARE(bill.spineSwitches, std::int64_t{384});
    QCOMPARE(bill.coreSwitches, std::int64_t{144});
    inputs.nodes += 1;
    QCOMPARE(networkBill(inputs).error().field, std::string("nodes"));
    QVERIFY(networkBill(inputs).error().message.contains("at most 2304 nodes"));
}

/// The number in a refusal is the largest that is accepted.
void NetworkBillTest::refusalNamesTheLargest()
{
    const auto check = [](NetworkBillInputs inputs) {
        inputs.nodes = 1'000'000;
        const auto refused = networkBill(inputs);
        QVERIFY(!refused.has_value());
        const auto &message = refused.error().message;
        const auto place = message.find("at most ");
        QVERIFY2(place != std::string::npos, message.c_str());
        inputs.nodes = std::stoll(message.substr(place + 8));
        QVERIFY(networkBill(inputs).has_value());
        ++inputs.nodes;
        QCOMPARE(networkBill(inputs).error().field, std::string("nodes"));
    };
    check({.portsPerNode = 8});
    check({.portsPerNode = 8, .oversubscription = 2.5, .rails = 4, .ufmPorts = 1});
    check({.portsPerNode = 4, .planes = 2, .rails = 4, .leafGroupNodes = 18});
    check({.portsPerNode = 4, .rails = 4, .leafGroupNodes = 18, .unitGroups = 8, .ufmPorts = 2});
    // Eight rails of switches with two ports: not even one node.
    const auto none = networkBill({.portsPerNode = 8, .switchRadix = 2, .rails = 8});
    QVERIFY(none.error().message.contains("connect no nodes"));
}

void NetworkBillTest::networkRefuses()
{
    const auto torus = networkBill({.nodes = 64, .portsPerNode = 8, .topology = "torus_3d"});
    QCOMPARE(int(torus.error().code), int(ErrorCode::UnsupportedValue));
    QCOMPARE(torus.error().field, std::string("topology"));
    QCOMPARE(networkBill({.nodes = 0, .portsPerNode = 8}).error().field, std::string("nodes"));
    QCOMPARE(networkBill({.nodes = 8, .portsPerNode = 0}).error().field, std::string("ports_per_node"));
    QCOMPARE(
        networkBill({.nodes = 8, .portsPerNode = 8, .switchRadix = 63}).error().field, std::string("switch_radix"));
    QCOMPARE(networkBill({.nodes = 8, .portsPerNode = 8, .oversubscription = 0.5}).error().field,
        std::string("oversubscription"));
    QVERIFY(networkBill({.nodes = 65536 / 8, .portsPerNode = 8}).has_value());
    QCOMPARE(networkBill({.nodes = 8, .portsPerNode = 8, .rails = 3}).error().field, std::string("rails"));
    QCOMPARE(networkBill({.nodes = 8, .portsPerNode = 8, .rails = 16}).error().field, std::string("rails"));
    const auto ungrouped = networkBill({.nodes = 8, .portsPerNode = 8, .unitGroups = 2});
    QVERIFY(ungrouped.error().code == ErrorCode::MissingField);
    QCOMPARE(ungrouped.error().field, std::string("leaf_group_nodes"));
    QCOMPARE(networkBill({.nodes = 8, .portsPerNode = 8, .leafGroupNodes = 5}).error().field,
        std::string("leaf_group_nodes"));
    QCOMPARE(networkBill({.nodes = 8, .portsPerNode = 1, .ufmPorts = 2}).error().field, std::string("ufm_ports"));
    QCOMPARE(networkBill({.nodes = 65536 / 8 + 1, .portsPerNode = 8}).error().field, std::string("nodes"));
}

FLEETWRIGHT_TEST(NetworkBillTest)
#include "tst_networkbill.moc"
