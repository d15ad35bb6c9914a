// SPDX-License-Identifier: GPL-3.0-or-later
// New plans on the fleets that people have.
#include "exchange/exchangetesting.h"
#include "solver/answer/solve.h"
#include "solver/search/bestlayout.h"
#include "solver/search/startingbatch.h"
#include "testing/registry.h"

#include <QtTest>

using namespace fleetwright;

class StartingBatchTest : public QObject {
    Q_OBJECT
private slots:
    void newPlansAreValid_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("batch");
        const auto row = [](const char *node, int nodes, int batch) {
            QTest::addRow("%d %s", nodes, node) << QString::fromLatin1(node) << nodes << batch;
        };
        for (const int nodes : {4, 16, 32, 96}) // 96: PP takes the factor of three
            row("nvidia_dgx_h100", nodes, 256);
        for (const int racks : {1, 16}) // and that of nine
            row("nvidia_gb200_nvl72", racks, 256);
        row("amd_mi300x_8gpu", 3, 256);
        row("nvidia_dgx_b200", 7, 256);
        row("nvidia_dgx_h100", 500, 500); // 125 x 4: only DP can take 125
        row("nvidia_gb200_nvl72", 59, 531); // 59 x 9
    }

    /// The layout that every new plan had does not divide racks of 72, nor seven nodes.
    void newPlansAreValid()
    {
        QFETCH(QString, node);
        QFETCH(int, nodes);
        QFETCH(int, batch);
        const auto &catalog = exchangetesting::shipped();
        for (const char *model : {"first-order", "detailed"}) {
            PlanDocument plan;
            plan.name = "New";
            plan.fleet.node = node.toStdString();
            plan.fleet.nodes = nodes;
            plan.fleet.fabric = std::string("ib_ndr");
            plan.workload = std::string("llama3_1_70b");
            plan.training.globalBatch = 256;
            plan.costModelId = model;
            const auto started = layoutsearch::withStartingBatch(withBestLayout(plan), catalog);
            const auto decided = layoutsearch::resolveWithBestLayout(started, catalog);
            QVERIFY2(decided, decided ? "" : decided.error().message.c_str());
            const auto solution = solve(decided->plan);
            QVERIFY2(solution && feasibility(*solution).value_or(false), model);
            const auto &memory = solution->estimate.memory;
            QVERIFY(memory && memory->total / memory->capacity <= layoutsearch::defaultMemoryShare);
            QCOMPARE(started.training.globalBatch, batch);
        }
    }

    void whatFitsNowhereStaysAsItIs()
    {
        PlanDocument plan;
        plan.name = "New";
        plan.fleet.node = std::string("nvidia_dgx_h100");
        plan.fleet.nodes = 1;
        plan.fleet.fabric = std::string("ib_ndr");
        plan.workload = std::string("llama3_1_405b");
        plan.training.globalBatch = 256;
        plan.costModelId = "detailed";
        QVERIFY(layoutsearch::withStartingBatch(plan, exchangetesting::shipped()) == plan);
        plan.fleet.node = std::string("nobody");
        QVERIFY(layoutsearch::withStartingBatch(plan, exchangetesting::shipped()) == plan);
    }
};

FLEETWRIGHT_TEST(StartingBatchTest)
#include "tst_startingbatch.moc"
