// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict of many plans at a time is that of each one's own page.
#include "exchange/exchangetesting.h"
#include "exchange/rangedsolution.h"
#include "solver/answer/figures.h"
#include "solver/sweep/sweep.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using exchangetesting::shipped;

class TestRangedSolution : public QObject {
    Q_OBJECT

    static PlanDocument document()
    {
        PlanDocument plan;
        plan.name = "70B";
        plan.workload = "llama3_1_70b";
        plan.fleet.node = "nvidia_dgx_h100";
        plan.fleet.nodes = 32;
        plan.fleet.fabric = "ib_ndr";
        plan.parallelism.tp = 8;
        plan.parallelism.pp = 4;
        plan.training.globalBatch = 256;
        plan.training.microbatchCount.reset();
        plan.training.microbatchSize = 1;
        plan.training.sequenceLength = 2048;
        plan.training.precision = Precision::Bf16;
        plan.training.tokenBudget = 1e12;
        plan.costModelId = "detailed";
        return plan;
    }

private slots:
    void sameVerdict()
    {
        auto asked = document();
        const auto free = exchange::solveForVerdict(resolve(asked, shipped()).value()).value();
        QVERIFY(!free.range && free.feasible); // no limit has a range, so none is looked up
        const double likely = *figureOf(free, "run_time_s");
        std::vector<std::string> verdicts;
        for (const double times : {0.9, 1.01, 1.05, 3.0}) {
            asked.constraints.deadline = times * likely * second;
            const auto plan = resolve(asked, shipped()).value();
            const auto verdict = exchange::solveForVerdict(plan).value(),
                       whole = exchange::solveWithRange(plan).value();
            QCOMPARE(verdict.feasible, whole.feasible);
            if (whole.feasible) // of others the cost model's own trace says which limits they break
                QVERIFY(verdict.trace == whole.trace);
            QCOMPARE(verdictInWords(verdict), verdictInWords(whole));
            for (const auto &figure : allFigures())
                QVERIFY2(figure.value(verdict) == figure.value(whole), figure.key.data());
            verdicts.emplace_back(verdictInWords(verdict));
        }
        QVERIFY(verdicts == (std::vector<std::string>{"no", "likely", "likely", "yes"}));
    }

    /// A sweep that is asked so has the verdict of each cell's plan.
    void cellsOfSweeps()
    {
        SweepDocument sweep;
        sweep.name = "Nodes";
        sweep.plan = document();
        sweep.plan.constraints.deadline = 1.02 * second
            * *figureOf(solve(resolve(sweep.plan, shipped()).value()).value(), "run_time_s");
        sweep.axes = {axisOf("fleet.nodes", {16.0, 32.0, 64.0, 128.0})};
        const auto result = runSweep(sweep, shipped(), {.solver = exchange::solveForVerdict}).value();
        std::vector<std::string> verdicts;
        for (const auto &cell : result.cells) {
            auto plan = sweep.plan;
            plan.fleet.nodes = std::vector{16, 32, 64, 128}[cell.row];
            const auto whole = exchange::solveWithRange(resolve(plan, shipped()).value()).value();
            verdicts.emplace_back(inWords(cell.feasibility(), cell.onlyLikely));
            QCOMPARE(verdicts.back(), std::string(verdictInWords(whole)));
        }
        QVERIFY(verdicts == (std::vector<std::string>{"no", "likely", "yes", "yes"}));
    }
};

FLEETWRIGHT_TEST(TestRangedSolution)
#include "tst_rangedsolution.moc"
