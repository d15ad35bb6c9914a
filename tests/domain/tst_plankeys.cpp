// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of a plan document is read as it was set, and leaves no trace when it is cleared.
#include "domain/plankeys.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;

class TestPlanKeys : public QObject {
    Q_OBJECT

    static PlanDocument plan()
    {
        PlanDocument document;
        document.name = "Plan";
        document.workload = "llama3_1_70b";
        document.fleet = {.node = "nvidia_dgx_h100", .nodes = 32, .fabric = "ib_ndr"};
        return document;
    }

private slots:
    void aNumberIsReadAsItWasSet()
    {
        auto document = plan();
        QVERIFY(stateValue(document, {"fleet.nodes", 48.0}).value_or(false));
        QCOMPARE(document.fleet.nodes, 48);
        QCOMPARE(std::get<double>(*statedValue(document, "fleet.nodes")), 48.0);
    }

    void aLimitIsInTheUnitOfItsKey()
    {
        auto document = plan();
        QVERIFY(!statedValue(document, "constraints.deadline_days"));
        QVERIFY(stateValue(document, {"constraints.deadline_days", 30.0}).value_or(false));
        QCOMPARE(document.constraints.deadline->value(), 30 * 86400.0);
        QCOMPARE(std::get<double>(*statedValue(document, "constraints.deadline_days")), 30.0);
        QVERIFY(clearValue(document, "constraints.deadline_days"));
        QCOMPARE(document, plan());
    }

    void whatIsAlwaysStatedCannotBeLeftOut()
    {
        auto document = plan();
        const auto cleared = clearValue(document, "fleet.nodes");
        QVERIFY(!cleared);
        QVERIFY(cleared.error().code == ErrorCode::UnsupportedValue);
        QCOMPARE(cleared.error().field, std::string("fleet.nodes"));
        QCOMPARE(document, plan());
    }

    /// Keys of catalog items are somebody else's.
    void otherKeysAreNotTouched()
    {
        auto document = plan();
        for (const auto *key : {"node.accelerators", "accelerator.memory_capacity", "no.such.key", ""}) {
            QVERIFY2(!isPlanKey(key), key);
            QVERIFY(!statedValue(document, key));
            QVERIFY(!stateValue(document, {key, 1.0}).value_or(true));
        }
        QCOMPARE(document, plan());
    }

    /// Whatever a plan states is read and set again without a change, key by key.
    void settingWhatIsStatedChangesNothing()
    {
        const auto document = plan();
        int stated = 0;
        for (const auto &key : sweepKeys()) {
            if (!isPlanKey(key.key))
                continue;
            const auto value = statedValue(document, key.key);
            if (!value)
                continue;
            ++stated;
            auto again = document;
            QVERIFY2(stateValue(again, {key.key, *value}).value_or(false), key.key.c_str());
            QVERIFY2(again == document, key.key.c_str());
        }
        QVERIFY(stated > 5);
    }
};

FLEETWRIGHT_TEST(TestPlanKeys)
#include "tst_plankeys.moc"
