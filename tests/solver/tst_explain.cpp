// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/explaintesting.h"
#include "solver/planmaker.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace explaintesting;

Q_DECLARE_METATYPE(fleetwright::Parallelism)

class ExplainTest : public QObject {
    Q_OBJECT
private slots:
    void formulasAreEvaluatedAsWritten();
    void sampleStandsInTheExplanation();
    void firstOrderFollowsFromItsInputs_data();
    void firstOrderFollowsFromItsInputs();
    void randomPlansFollowFromTheirInputs();
    void everyModelFollowsFromItsInputs_data();
    void everyModelFollowsFromItsInputs();
    void refusesAsEvaluateDoes();
};

void ExplainTest::formulasAreEvaluatedAsWritten()
{
    const auto evaluated = [](std::string formula) {
        const ExplainedFigure figure{.key = "x",
            .formula = std::move(formula),
            .inputs = {{.symbol = "a", .value = 6}, {.symbol = "b_2", .value = 4}}};
        return testing::Formula(figure).value();
    };
    QCOMPARE(evaluated("a / b_2 \u00b7 2 + 1"), 4.0);
    QCOMPARE(evaluated("max(1, floor(a / b_2)) - (b_2 - a)"), 3.0);
    QCOMPARE(evaluated("2 \u00b7 ceil(log2(a)) ^ 2"), 18.0);
    QCOMPARE(evaluated("a <= b_2"), 0.0);
    QVERIFY(std::isnan(evaluated("a / c")));
    QVERIFY(std::isnan(evaluated("a / b_2)")));
}

void ExplainTest::sampleStandsInTheExplanation()
{
    const auto answer = explained(sampleplan::plan());
    QVERIFY(answer);
    // By hand: 3 passes x 2 x 70.6e9 FLOP x 2048 tokens x 32 sequences over 32 accelerators at half of 989 TFLOP/s.
    const auto *compute = answer->find("details.roofline_compute_s");
    QVERIFY(compute);
    QVERIFY(std::abs(compute->value - 3.0 * 2 * 70.6e9 * 2048 * 32 / (989e12 * 0.5 * 32)) < 1e-9);
    QCOMPARE(
        QString::fromStdString(compute->formula), QStringLiteral("f / (R \u00b7 eta \u00b7 (t \u00b7 p \u00b7 e))"));
    const auto *dp = answer->find("dp_all_reduce_s");
    QVERIFY(dp);
    QVERIFY(dp->source.starts_with("Ring all-reduce"));
    QCOMPARE(QString::fromStdString(answer->find("details.dp_link_bytes_per_s")->source),
        QStringLiteral("The replicas span domains: the fabric"));
    const auto *peak = answer->find("peak_flops_per_s");
    QCOMPARE(QString::fromStdString(peak->inputs.front().origin),
        QStringLiteral("fleet.node.accelerator.peak_dense_tflops.fp16"));
    QCOMPARE(answer->find("step_time_s")->inputs.size(), 6UZ);
}

void ExplainTest::firstOrderFollowsFromItsInputs_data()
{
    QTest::addColumn<Parallelism>("split");
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("topology");
    const auto rows = [](const char *name, Parallelism split) {
        for (const auto *variant : {"replica", "unsharded"})
            for (const auto *topology : {"auto", "ring", "tree"})
                QTest::addRow("%s, %s, %s", name, variant, topology)
                    << split << QString::fromLatin1(variant) << QString::fromLatin1(topology);
    };
    rows("data parallel", {});
    rows("TP 8 PP 4", {.tp = 8, .pp = 4});
    rows("TP 2, hierarchical", {.tp = 2});
    rows("TP across nodes", {.tp = 16, .pp = 2, .zeroStage = 1});
    rows("experts", {.tp = 2, .pp = 2, .ep = 4, .virtualStages = 2, .zeroStage = 2});
    rows("one replica", {.tp = 8, .pp = 32, .zeroStage = 3});
}

void ExplainTest::firstOrderFollowsFromItsInputs()
{
    QFETCH(const Parallelism, split);
    QFETCH(const QString, variant);
    QFETCH(const QString, topology);
    auto plan = sampleplan::plan();
    plan.parallelism = split;
    plan.assumptions.edited["variant"] = variant.toStdString();
    plan.assumptions.edited["topology"] = topology.toStdString();
    for (const bool full : {false, true}) {
        plan.training.recompute = full ? Recompute::Full : Recompute::Selective;
        plan.assumptions.edited["overlap_comm"] = full;
        plan.assumptions.edited["straggler_factor"] = full ? 1.2 : 1.0;
        plan.training.lora = full;
        const auto answer = explained(plan);
        QVERIFY(answer);
        const auto broken = firstBroken(answer->figures);
        QVERIFY2(broken.isEmpty(), qPrintable(broken));
        const auto missing = firstUnexplained(*answer, "first-order");
        QVERIFY2(missing.isEmpty(), qPrintable(missing));
    }
}

void ExplainTest::randomPlansFollowFromTheirInputs()
{
    testing::PlanMaker make(31);
    int priced = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto plan = make.plan();
        const auto answer = explained(plan);
        if (!answer)
            continue;
        ++priced;
        const auto broken = firstBroken(answer->figures);
        QVERIFY2(broken.isEmpty(), qPrintable(QStringLiteral("plan %1: %2").arg(i).arg(broken)));
        const auto missing = firstUnexplained(*answer, "first-order");
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("plan %1: %2").arg(i).arg(missing)));
    }
    QVERIFY2(priced > 800, qPrintable(QString::number(priced)));
}

void ExplainTest::everyModelFollowsFromItsInputs_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("variant");
    QTest::newRow("searcher") << "searcher" << QString();
    QTest::newRow("strategy-calculator") << "strategy-calculator" << QString();
    for (const auto *model : {"dp-wall", "cube"})
        for (const auto *variant : {"published", "corrected"})
            QTest::addRow("%s, %s", model, variant) << QString::fromLatin1(model) << QString::fromLatin1(variant);
}

void ExplainTest::everyModelFollowsFromItsInputs()
{
    QFETCH(const QString, model);
    QFETCH(const QString, variant);
    testing::PlanMaker make(32);
    int priced = 0;
    for (int i = 0; i < 1000; ++i) {
        auto facts = make.workload();
        facts.layers = make.whole(1, 200);
        facts.hiddenSize = make.whole(1, 30000);
        facts.vocabSize = make.whole(1, 300000);
        facts.ffnHiddenSize = make.coin() ? std::optional(make.whole(1, 90000)) : std::nullopt;
        auto plan = make.plan();
        plan.workload = Workload::create(facts).value();
        plan.costModelId = model.toStdString();
        plan.assumptions.edited.clear();
        if (!variant.isEmpty())
            plan.assumptions.edited["variant"] = variant.toStdString();
        if (!plan.fleet->node->scaleUpBandwidth && !plan.fleet->node->accelerator->hostLinkBandwidth)
            continue; // refused
        const auto answer = explained(plan);
        if (!answer)
            continue;
        ++priced;
        const auto broken = firstBroken(answer->figures);
        QVERIFY2(broken.isEmpty(), qPrintable(QStringLiteral("plan %1: %2").arg(i).arg(broken)));
        const auto missing = firstUnexplained(*answer, model.toStdString());
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("plan %1: %2").arg(i).arg(missing)));
    }
    QVERIFY2(priced > 200, qPrintable(QString::number(priced)));
}

void ExplainTest::refusesAsEvaluateDoes()
{
    auto plan = sampleplan::plan();
    const auto evaluator = sampleplan::prepare(plan);
    for (const Parallelism &split : {Parallelism{.tp = 3}, Parallelism{.cp = 2}, Parallelism{.tp = 0}}) {
        const auto refused = (*evaluator)->explain(split);
        QVERIFY(!refused);
        QVERIFY(refused.error() == (*evaluator)->evaluate(split).error());
    }
}

FLEETWRIGHT_TEST(ExplainTest)
#include "tst_explain.moc"
