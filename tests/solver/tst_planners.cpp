// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/searcher/searchermodel.h"
#include "solver/models/strategycalculator/strategycalculatormodel.h"
#include "solver/nearly.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace fleetwright;

namespace {

Expected<Estimate> estimateOf(PlanFacts plan, const char *model, const Parallelism &split)
{
    plan.costModelId = model;
    plan.parallelism = split;
    const auto evaluator = sampleplan::prepare(plan);
    if (!evaluator)
        return std::unexpected(evaluator.error());
    return (*evaluator)->evaluate(split);
}

PlanFacts samplePlan()
{
    auto workload = sampleplan::workload();
    workload.vocabSize = 128256;
    workload.ffnHiddenSize = 28672;
    return sampleplan::plan(sampleplan::fleet(), workload);
}

constexpr const char *models[] = {"searcher", "strategy-calculator", "dp-wall", "cube"};

} // namespace

/// The published planners: the calculator's table and the four cost models over plans. Their published cases run in
/// tst_nativemodels, their explanations in tst_explain and the search in tst_searcher.
class PlannersTest : public QObject {
    Q_OBJECT
private slots:
    void calculatorDefault();
    void calculatorWhenNothingFits();
    void calculatorExperts();
    void calculatorRefuses();
    void calculatorSlowVersionOfTheRule();
    void modelsAreRegistered();
    void partsAddUpToTheStep();
    void moreBandwidthAndComputeAreNeverSlower();
    void searcherInputsByHand();
    void strategyInputsByHand();
    void wallIgnoresTheSplitAndSaysSo();
    void wallVariants();
    void cubeStepFollowsFromTheMfu();
    void modelsRefuse_data();
    void modelsRefuse();
    void missingArchitectureIsNamed();
    void ignoredSettingsAreSaid();
};

void PlannersTest::calculatorDefault()
{
    const strategycalculator::Inputs inputs;
    const auto table = strategycalculator::calculate(inputs);
    QVERIFY(table.has_value());
    QCOMPARE(table->model.count, 65473085440.0);
    QCOMPARE(table->rows.size(), std::size_t(19));
    QCOMPARE(std::ranges::count(table->rows, true, &strategycalculator::Row::fits), 11);
    const auto &best = table->rows[table->recommended.value()];
    QCOMPARE(std::tuple(best.tp, best.pp, best.dp), (std::tuple<std::int64_t, std::int64_t, std::int64_t>(2, 16, 2)));
    COMPARE_NEAR(best.memory.value(), 43.21181696e9);
    COMPARE_NEAR(best.bubble.value(), 15.0 / 23);
    QVERIFY(!table->rows.front().bubble);
    QCOMPARE(table->reasons.size(), std::size_t(4));
    QVERIFY(table->reasons[0].starts_with("TP 2 stays inside a node of 8"));
    QVERIFY(table->reasons[1].starts_with("PP 16 gives each stage 5 layers"));
    QVERIFY(table->reasons[2].starts_with("DP 2"));
    QVERIFY(table->countWarning && table->countWarning->find("65.5") != std::string::npos);
    QVERIFY(table->expertAdvice.empty());
    auto agreeing = inputs;
    agreeing.parameters = 65.4e9;
    QVERIFY(!strategycalculator::calculate(agreeing)->countWarning);
}

void PlannersTest::calculatorWhenNothingFits()
{
    strategycalculator::Inputs inputs;
    inputs.capacity = 1.0 * gigabyte;
    const auto table = strategycalculator::calculate(inputs);
    QVERIFY(table.has_value() && !table->recommended);
    QCOMPARE(table->reasons.size(), std::size_t(2));
    QVERIFY(table->reasons[0].starts_with("No row fits"));
    QVERIFY(table->reasons[1].starts_with("Try more accelerators"));
}

void PlannersTest::calculatorExperts()
{
    strategycalculator::Inputs inputs{.mixtureOfExperts = true, .experts = 64, .capacity = 10000.0 * gigabyte};
    const auto many = strategycalculator::calculate(inputs);
    QCOMPARE(many->expertAdvice.size(), std::size_t(4));
    QVERIFY(many->expertAdvice[0].find("holds 8 of the 64 experts") != std::string::npos);
    QVERIFY(many->expertAdvice[1].find("two all-to-alls") != std::string::npos);
    QVERIFY(many->expertAdvice[3].starts_with("Prefer EP"));
    inputs.experts = 2;
    QVERIFY(strategycalculator::calculate(inputs)->expertAdvice[3].starts_with("EP gains little"));
    QVERIFY(strategycalculator::calculate(inputs)->model.count < many->model.count);
}

void PlannersTest::calculatorRefuses()
{
    strategycalculator::Inputs inputs;
    inputs.batch = 8; // smaller than PP 16
    const auto table = strategycalculator::calculate(inputs);
    QVERIFY(!table && table.error().code == ErrorCode::OutOfRange);
    QCOMPARE(table.error().field, std::string("batch"));
    inputs.accelerators = 8; // now PP 16 is not in the table
    QVERIFY(strategycalculator::calculate(inputs).has_value());
    for (const auto &[change, field] :
        std::initializer_list<std::pair<void (*)(strategycalculator::Inputs &), const char *>>{
            {[](strategycalculator::Inputs &in) { in.hidden = 0; }, "hidden"},
            {[](strategycalculator::Inputs &in) { in.parameters = -1; }, "params_billions"},
            {[](strategycalculator::Inputs &in) { in.ffnRatio = std::nan(""); }, "ffn_ratio"},
            {[](strategycalculator::Inputs &in) { in.capacity = Bytes{}; }, "gpu_memory_gb"},
            {[](strategycalculator::Inputs &in) { in.accelerators = 0; }, "gpus"},
            {[](strategycalculator::Inputs &in) { in.microbatches = 0; }, "microbatches"},
            {[](strategycalculator::Inputs &in) { in.mixtureOfExperts = true, in.experts = 0; }, "experts"}}) {
        strategycalculator::Inputs changed;
        change(changed);
        const auto refused = strategycalculator::calculate(changed);
        QVERIFY(!refused);
        QCOMPARE(refused.error().field, std::string(field));
    }
    QCOMPARE(strategycalculator::price({}, 64, 16).error().field, std::string("tp"));
}

void PlannersTest::calculatorSlowVersionOfTheRule()
{
    for (const std::int64_t batch : {16, 64, 512})
        for (const double gigabytes : {16.0, 24.0, 40.0, 80.0, 192.0}) {
            strategycalculator::Inputs inputs;
            inputs.batch = batch;
            inputs.capacity = gigabytes * gigabyte;
            const auto table = strategycalculator::calculate(inputs);
            QVERIFY(table.has_value());
            const strategycalculator::Row *best = nullptr;
            for (const auto &row : table->rows)
                if (row.fits && (!best || row.volume < best->volume))
                    best = &row;
            QCOMPARE(best == nullptr, !table->recommended.has_value());
            QVERIFY(!best || best == &table->rows[*table->recommended]);
        }
}

void PlannersTest::modelsAreRegistered()
{
    for (const auto *id : models) {
        const auto model = findCostModel(id);
        QVERIFY2(model.has_value(), id);
        QVERIFY(!(*model)->title().empty() && !(*model)->literature().empty() && (*model)->limitations().size() >= 6);
        for (const auto &assumption : (*model)->assumptions())
            QVERIFY2(!assumption.source.empty() && !assumption.description.empty(), assumption.key.c_str());
        for (const auto &detail : (*model)->details())
            QVERIFY(!detail.label.empty() && !detail.formula.empty());
    }
}

void PlannersTest::partsAddUpToTheStep()
{
    for (const auto *id : {"searcher", "dp-wall", "cube"})
        for (const int tp : {1, 2, 8, 16})
            for (const int pp : {1, 2, 4, 16}) {
                auto plan = samplePlan();
                plan.costModelId = id;
                const auto evaluator = sampleplan::prepare(plan);
                QVERIFY(evaluator.has_value());
                const auto estimate = (*evaluator)->evaluate({.tp = tp, .pp = pp});
                QVERIFY2(estimate.has_value(), estimate ? "" : estimate.error().message.c_str());
                const auto parts = (*evaluator)->breakdown(*estimate);
                const auto sum = parts.compute + parts.tp + parts.pp + parts.cp + parts.ep + parts.dp + parts.bubble
                    + parts.optimizer + parts.overhead + parts.other;
                COMPARE_NEAR(sum.value(), estimate->stepTime->value());
                for (const auto &part : {parts.compute, parts.tp, parts.pp, parts.dp, parts.bubble, parts.other})
                    QVERIFY(part.value() >= 0);
                QCOMPARE(estimate->mfu.has_value(), id != std::string("dp-wall")); // the lab's own is a detail
                QVERIFY(!estimate->mfu || (*estimate->mfu > 0 && *estimate->mfu <= 1));
            }
}

void PlannersTest::moreBandwidthAndComputeAreNeverSlower()
{
    for (const auto *id : {"searcher", "dp-wall"}) {
        auto node = sampleplan::node();
        auto fabric = sampleplan::fabric();
        double before = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 6; ++i) {
            auto plan = samplePlan();
            plan.fleet = Fleet::create(sampleplan::fleet(node, fabric)).value();
            if (id == std::string("dp-wall"))
                plan.assumptions.edited["variant"] = std::string("corrected");
            const auto estimate = estimateOf(plan, id, {.tp = 4, .pp = 2});
            QVERIFY(estimate.has_value());
            QVERIFY(estimate->stepTime->value() <= before);
            before = estimate->stepTime->value();
            if (i % 2)
                *node.scaleUpBandwidth *= 2.0;
            else
                fabric.portBandwidth *= 2.0;
        }
        auto accelerator = sampleplan::accelerator();
        sampleplan::setPeak(accelerator, Precision::Fp16, 3000.0 * teraflopPerSecond);
        auto plan = samplePlan();
        plan.fleet = Fleet::create(sampleplan::fleet(sampleplan::node(accelerator))).value();
        QVERIFY(estimateOf(plan, id, {.tp = 4, .pp = 2})->stepTime
            <= estimateOf(samplePlan(), id, {.tp = 4, .pp = 2})->stepTime);
    }
}

void PlannersTest::searcherInputsByHand()
{
    const auto plan = samplePlan();
    const auto facts = planners::Facts::create(plan.workload, plan.fleet, plan.training);
    QVERIFY(facts.has_value());
    const auto inputs = searcher::inputsFrom(*facts, {});
    QVERIFY(inputs.has_value());
    const auto list = searcher::nativeInputs(*facts, *inputs);
    const std::vector<std::pair<const char *, double>> expected{{"n_node", 32}, {"n_gpu_per_node", 8},
        {"gpu_gflops", 989000}, {"bw_gpu_to_gpu", 450e9 / 1.024e9}, {"bw_inter_node", 50e9 / 1.024e9},
        {"num_layers", 80}, {"layer_tflops", 2 * 70.6e9 / 80 * 256 * 2048 / 1e12},
        {"layer_activation_MB", 256.0 * 2048 * 8192 * 2 / 1e6},
        {"tp_comm_sum_MB", 4.0 * 256 * 2048 * 8192 * 2 * 80 / 1e6}, {"dp_sum_gradient_MB", 70.6e9 * 2 / 1e6}};
    QCOMPARE(list.size(), expected.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        QCOMPARE(list[i].name, std::string(expected[i].first));
        COMPARE_NEAR(list[i].value, expected[i].second);
        QVERIFY(!list[i].figure.formula.empty() && !list[i].figure.source.empty());
    }
    // The estimate is the row of the search.
    const auto row = searcher::price(*inputs, 8, 8, 4);
    const auto estimate = estimateOf(plan, "searcher", {.tp = 8, .pp = 4});
    QCOMPARE(estimate->stepTime->value(), row.total.value());
    COMPARE_NEAR(*estimate->mfu, 6 * 70.6e9 * 256 * 2048 / (row.total.value() * 256 * 989e12));
    COMPARE_NEAR(*estimate->tokensPerSecond, 256 * 2048 / row.total.value());
    QVERIFY(!estimate->memory && !estimate->fits);
    // Oversubscription slows the link between nodes.
    auto fabric = sampleplan::fabric();
    fabric.oversubscription = 4;
    const auto slow = Fleet::create(sampleplan::fleet(sampleplan::node(), fabric)).value();
    COMPARE_NEAR(
        searcher::inputsFrom(planners::Facts::create(plan.workload, slow, plan.training).value(), {})->scaleOut.value(),
        12.5e9);
}

void PlannersTest::strategyInputsByHand()
{
    const auto plan = samplePlan();
    const auto facts = planners::Facts::create(plan.workload, plan.fleet, plan.training);
    const auto inputs = strategycalculator::inputsFrom(*facts, {});
    QVERIFY(inputs.has_value());
    const auto list = strategycalculator::nativeInputs(*facts, *inputs);
    const std::vector<std::pair<const char *, double>> expected{{"params_billions", 70.6}, {"hidden", 8192},
        {"layers", 80}, {"vocab", 128256}, {"ffn_ratio", 3.5}, {"gpus", 256}, {"gpu_memory_gb", 80 * 1.073741824},
        {"gpus_per_node", 8}, {"batch", 256}, {"seq", 2048}, {"bytes_per_element", 2}};
    QCOMPARE(list.size(), expected.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        QCOMPARE(list[i].name, std::string(expected[i].first));
        COMPARE_NEAR(list[i].value, expected[i].second);
    }
    const auto estimate = estimateOf(plan, "strategy-calculator", {.tp = 8, .pp = 4});
    QVERIFY(estimate.has_value() && !estimate->stepTime && !estimate->mfu);
    const auto row = strategycalculator::price(*inputs, 8, 4).value();
    QCOMPARE(estimate->memory->total.value(), row.memory.value());
    COMPARE_NEAR((*estimate->memory->weights + *estimate->memory->gradients + *estimate->memory->optimizer
                     + *estimate->memory->activations)
                     .value(),
        row.memory.value());
    COMPARE_NEAR(*estimate->bubbleFraction, 3.0 / 19);
    QVERIFY(estimate->notices.has(Notice::ParameterCountsDiffer));
    auto sized = plan;
    sized.training.microbatchCount = std::nullopt;
    sized.training.microbatchSize = 4;
    COMPARE_NEAR(*estimateOf(sized, "strategy-calculator", {.tp = 8, .pp = 4})->bubbleFraction,
        3.0 / (3 + 8)); // 32 sequences in microbatches of 4
    // Without an FFN size the assumption serves, and a notice says so.
    auto workload = *samplePlan().workload;
    workload.ffnHiddenSize = std::nullopt;
    auto bare = sampleplan::plan(sampleplan::fleet(), workload);
    bare.assumptions.edited["ffn_ratio"] = 3.5;
    const auto same = estimateOf(bare, "strategy-calculator", {.tp = 8, .pp = 4});
    QVERIFY(same.has_value() && same->notices.has(Notice::FfnRatioAssumed));
    QCOMPARE(same->memory->total.value(), row.memory.value());
    // A product that does not divide the fleet leaves accelerators idle, as published.
    const auto idle = estimateOf(plan, "strategy-calculator", {.tp = 3, .pp = 2});
    QVERIFY(idle.has_value() && idle->notices.has(Notice::AcceleratorsIdle));
    QCOMPARE(idle->dp, 42);
}

void PlannersTest::wallIgnoresTheSplitAndSaysSo()
{
    const auto alone = estimateOf(samplePlan(), "dp-wall", {});
    const auto split = estimateOf(samplePlan(), "dp-wall", {.tp = 8, .pp = 4, .cp = 2, .ep = 2});
    QVERIFY(alone.has_value() && split.has_value());
    QVERIFY(!alone->notices.has(Notice::SplitIgnored));
    QVERIFY(split->notices.has(Notice::SplitIgnored));
    QCOMPARE(split->stepTime->value(), alone->stepTime->value());
    QCOMPARE(split->dp, 256);
}

void PlannersTest::wallVariants()
{
    auto plan = samplePlan();
    const auto published = estimateOf(plan, "dp-wall", {});
    COMPARE_NEAR(published->computeTime->value(), 6 * 70.6e9 / (1979e12 * 0.52));
    COMPARE_NEAR(published->dpCommTime->value(), 2 * 70.6e9 * 2 * 255 / 256 / 400e9);
    QVERIFY(!published->tokensPerSecond); // no sequence length enters
    plan.assumptions.edited["variant"] = std::string("corrected");
    const auto corrected = estimateOf(plan, "dp-wall", {});
    COMPARE_NEAR(corrected->computeTime->value(), 6 * 70.6e9 * 2048 / (989e12 * 0.52));
    COMPARE_NEAR(corrected->dpCommTime->value(), 2 * 70.6e9 * 2 * 255 / 256 / 50e9);
    COMPARE_NEAR(corrected->exposedCommTime->value(),
        corrected->dpCommTime->value()
            - std::min(0.7 * corrected->dpCommTime->value(), 2.0 / 3 * corrected->computeTime->value()));
    COMPARE_NEAR(*corrected->tokensPerSecond, 256 * 2048 / corrected->stepTime->value());
    QVERIFY(!published->mfu);
    COMPARE_NEAR(*corrected->mfu, 6 * 70.6e9 * *corrected->tokensPerSecond / (256 * 989e12));
    plan.training.globalBatch = 100;
    const auto idle = estimateOf(plan, "dp-wall", {});
    QVERIFY(idle->notices.has(Notice::IdleRanks));
    COMPARE_NEAR(*idle->mfu, 6 * 70.6e9 * *idle->tokensPerSecond / (256 * 989e12)); // idle accelerators count
    plan.training.globalBatch = 300;
    QVERIFY(estimateOf(plan, "dp-wall", {})->notices.has(Notice::BatchRemainderDropped));
}

void PlannersTest::cubeStepFollowsFromTheMfu()
{
    auto plan = samplePlan();
    const auto estimate = estimateOf(plan, "cube", {.tp = 8, .pp = 4});
    const double mfu = 0.52 * (1 - 0.05 * 3) * (1 - 3.0 / 64) * (1 - 0.02 * 3);
    COMPARE_NEAR(*estimate->mfu, mfu);
    COMPARE_NEAR(estimate->stepTime->value(), 6 * 70.6e9 * 256 * 2048 / (256 * 989e12 * mfu));
    COMPARE_NEAR(estimate->memory->activations->value(), 64e9);
    QVERIFY(!estimate->bubbleFraction); // another convention: a detail
    COMPARE_NEAR(estimate->details[0], 3.0 / 64);
    plan.assumptions.edited["variant"] = std::string("corrected");
    const auto corrected = estimateOf(plan, "cube", {.tp = 8, .pp = 4});
    COMPARE_NEAR(corrected->memory->activations->value(), 1e9);
    QCOMPARE(corrected->stepTime->value(), estimate->stepTime->value());
    QVERIFY(corrected->fits.value() && !estimate->fits.value());
    plan.training.microbatchCount = std::nullopt;
    plan.training.microbatchSize = 4;
    COMPARE_NEAR(
        estimateOf(plan, "cube", {.tp = 8, .pp = 4})->details[0], 3.0 / (4 * 8)); // 32 sequences in microbatches of 4
}

void PlannersTest::modelsRefuse_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("tp");
    QTest::addColumn<int>("pp");
    QTest::addColumn<int>("cp");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("field");
    for (const auto *id : {"searcher", "strategy-calculator", "cube"}) {
        const auto row = [&](const char *name, int tp, int pp, int cp, const char *code, const char *field) {
            QTest::addRow("%s %s", id, name)
                << QString::fromLatin1(id) << tp << pp << cp << QString::fromLatin1(code) << QString::fromLatin1(field);
        };
        row("TP 0", 0, 1, 1, "out_of_range", "parallelism.tp");
        row("PP -1", 1, -1, 1, "out_of_range", "parallelism.pp");
        row("CP 2", 1, 1, 2, "unsupported_value", "parallelism.cp");
        row("too many", 512, 4, 1, "infeasible_parallelism", "parallelism");
        row("product of no integer", 1000000, 1000000, 1, "infeasible_parallelism", "parallelism");
        if (id != std::string("strategy-calculator"))
            row("remainder", 3, 1, 1, "infeasible_parallelism", "parallelism");
    }
    QTest::newRow("more stages than layers") << "searcher" << 1 << 128 << 1 << "infeasible_parallelism"
                                             << "parallelism.pp";
    QTest::newRow("wall TP 0") << "dp-wall" << 0 << 1 << 1 << "out_of_range"
                               << "parallelism.tp";
    QTest::newRow("no MFU left") << "cube" << 256 << 1 << 1 << "out_of_range"
                                 << "parallelism";
}

void PlannersTest::modelsRefuse()
{
    QFETCH(const QString, model);
    QFETCH(const int, tp);
    QFETCH(const int, pp);
    QFETCH(const int, cp);
    QFETCH(const QString, code);
    QFETCH(const QString, field);
    auto plan = samplePlan();
    if (model == QStringLiteral("cube"))
        plan.assumptions.edited["tp_loss"] = 0.1;
    const auto estimate = estimateOf(plan, model.toLatin1().constData(), {.tp = tp, .pp = pp, .cp = cp});
    QVERIFY(!estimate);
    QCOMPARE(QString::fromUtf8(toString(estimate.error().code).data()), code);
    QCOMPARE(QString::fromStdString(estimate.error().field), field);
    QVERIFY(!estimate.error().message.empty());
}

void PlannersTest::missingArchitectureIsNamed()
{
    for (const auto *id : {"searcher", "strategy-calculator"}) {
        auto workload = *samplePlan().workload;
        workload.layers = std::nullopt;
        const auto refused = estimateOf(sampleplan::plan(sampleplan::fleet(), workload), id, {});
        QVERIFY(!refused && refused.error().code == ErrorCode::MissingField);
        QCOMPARE(refused.error().field, std::string("workload"));
        QVERIFY(refused.error().message.find("layers") != std::string::npos);
    }
    auto node = sampleplan::node();
    node.scaleUpBandwidth = std::nullopt;
    auto plan = sampleplan::plan(sampleplan::fleet(node), *samplePlan().workload);
    QVERIFY(estimateOf(plan, "searcher", {})->notices.has(Notice::ScaleUpAssumed));
    auto accelerator = sampleplan::accelerator();
    accelerator.hostLinkBandwidth = std::nullopt;
    node.accelerator = Accelerator::create(accelerator).value();
    plan.fleet = Fleet::create(sampleplan::fleet(node)).value();
    QCOMPARE(estimateOf(plan, "searcher", {}).error().field, std::string("fleet.node"));
    auto unknown = samplePlan();
    unknown.assumptions.edited["efficiency"] = 0.5;
    for (const auto *id : models)
        QVERIFY(estimateOf(unknown, id, {}).error().code == ErrorCode::UnknownReference);
}

void PlannersTest::ignoredSettingsAreSaid()
{
    for (const auto *id : models) {
        auto plan = samplePlan();
        plan.training.recompute = Recompute::None;
        QVERIFY2(!estimateOf(plan, id, {.tp = 8})->notices.has(Notice::SettingsIgnored), id);
        QVERIFY2(estimateOf(plan, id, {.tp = 8, .virtualStages = 2})->notices.has(Notice::SettingsIgnored), id);
        QVERIFY2(estimateOf(plan, id, {.tp = 8, .zeroStage = 1})->notices.has(Notice::SettingsIgnored), id);
        plan.training.recompute = Recompute::Full;
        QVERIFY2(estimateOf(plan, id, {.tp = 8})->notices.has(Notice::SettingsIgnored), id);
        if (id != std::string("dp-wall"))
            QVERIFY2(estimateOf(plan, id, {.tp = 8, .ep = 2})->notices.has(Notice::ExpertParallelismIgnored), id);
    }
}

FLEETWRIGHT_TEST(PlannersTest)
#include "tst_planners.moc"
