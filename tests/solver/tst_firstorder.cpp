// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/firstorder/firstordermodel.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <set>

using namespace fleetwright;

namespace {

Estimate estimate(const PlanFacts &plan)
{
    const auto evaluator = sampleplan::prepare(plan);
    if (!evaluator)
        qFatal("%s", evaluator.error().message.c_str());
    const auto answer = (*evaluator)->evaluate(plan.parallelism);
    if (!answer)
        qFatal("%s", answer.error().message.c_str());
    return *answer;
}

std::optional<Error> refusal(const PlanFacts &plan)
{
    const auto evaluator = sampleplan::prepare(plan);
    if (!evaluator)
        return evaluator.error();
    const auto answer = (*evaluator)->evaluate(plan.parallelism);
    return answer ? std::nullopt : std::optional(answer.error());
}

void compareClosely(double computed, double expected, double tolerance = 1e-9)
{
    QVERIFY2(std::abs(computed - expected) <= tolerance * std::abs(expected),
        qPrintable(QStringLiteral("computed %1, expected %2").arg(computed, 0, 'g', 17).arg(expected, 0, 'g', 17)));
}

/// A workload without hidden size and layers that is not a transformer.
WorkloadFacts plainWorkload()
{
    auto facts = sampleplan::workload();
    facts.family = WorkloadFamily::Other;
    facts.layers = std::nullopt;
    facts.hiddenSize = std::nullopt;
    return facts;
}

WorkloadFacts expertWorkload()
{
    auto facts = sampleplan::workload();
    facts.family = WorkloadFamily::MixtureOfExperts;
    facts.activeParameters = facts.parameters / 4;
    facts.experts = 8;
    facts.expertsPerToken = 2;
    return facts;
}

} // namespace

class FirstOrderTest : public QObject {
    Q_OBJECT
private slots:
    void reproducesPublishedCase();
    void mapsThePlan();
    void everyAssumptionTakesEffect_data();
    void everyAssumptionTakesEffect();
    void describesItselfConsistently();
    void refuses_data();
    void refuses();
    void refusesMissingHeads();
    void refusesWithoutPeak();
    void notices();
};

/// Case replica-0001 of the published cases, stated as a plan.
void FirstOrderTest::reproducesPublishedCase()
{
    auto fabric = sampleplan::fabric();
    fabric.portBandwidth = 12.5 * gigabytePerSecond;
    fabric.latency = 50.0 * microsecond;
    auto workload = sampleplan::workload();
    workload.parameters = workload.activeParameters = 8.03e9;
    workload.layers = 32;
    workload.hiddenSize = 4096;
    workload.attentionHeads = 32;
    auto plan = sampleplan::plan(sampleplan::fleet(sampleplan::node(), fabric), workload);
    plan.training.globalBatch = 1024;
    plan.parallelism.zeroStage = 1;
    plan.assumptions.edited["efficiency"] = 0.45;
    const auto answer = estimate(plan);
    QCOMPARE(answer.dp, 8);
    compareClosely(answer.stepTime->value(), 1.3927097363320573);
    compareClosely(answer.computeTime->value(), 0.8868454330974048);
    compareClosely(answer.overheadTime->value(), 0.00097);
    compareClosely(answer.dpCommTime->value(), 0.07096250000000001);
    compareClosely(answer.tpCommTime->value(), 0.2674664095288889);
    compareClosely(answer.bubbleTime->value(), 0.1664653937057634);
    compareClosely(*answer.bubbleFraction, 0.15789473684210525);
    compareClosely(*answer.scalingEfficiency, 0.6374734159866081);
    compareClosely(*answer.mfu, 0.2865496194094828);
    compareClosely(*answer.samplesPerSecond, 735.2572996989894);
    compareClosely(*answer.tokensPerSecond, 735.2572996989894 * 2048);
    compareClosely(answer.flopsPerAccelerator->value(), 0.2865496194094828 * 989e12);
    compareClosely(answer.memory->total.value(), 11605797328.0);
    QVERIFY(answer.fits.value());

    plan.assumptions.edited["variant"] = std::string("unsharded");
    plan.training.recompute = Recompute::None;
    const auto unsharded = estimate(plan); // unsharded-0001
    compareClosely(unsharded.stepTime->value(), 5.088519845717895);
    compareClosely(unsharded.memory->total.value(), 3961175173952.0);
    QVERIFY(!unsharded.fits.value());
    QVERIFY(!unsharded.mfu);
}

void FirstOrderTest::mapsThePlan()
{
    auto plan = sampleplan::plan();
    const auto base = estimate(plan);

    // Half the NICs are half the fabric.
    auto node = sampleplan::node();
    node.nicCount = 4;
    plan = sampleplan::plan(sampleplan::fleet(node));
    compareClosely(estimate(plan).details[11], base.details[11] / 2); // dp_link_bytes_per_s

    // A scale-up domain larger than the node carries TP and the gradients of the replicas that it holds.
    node = sampleplan::node();
    node.acceleratorsPerNode = 4;
    node.scaleUpDomainSize = 72;
    plan = sampleplan::plan(sampleplan::fleet(node, sampleplan::fabric(), 18));
    plan.parallelism = {.tp = 72};
    compareClosely(estimate(plan).details[13], 450e9); // tp_link_bytes_per_s

    // Microbatches by size: ceil(local batch / size).
    plan = sampleplan::plan();
    plan.training.microbatchCount = std::nullopt;
    plan.training.microbatchSize = 5;
    compareClosely(estimate(plan).details[9], 7); // 32 sequences in microbatches of 5

    // FLOP per sequence of 128 tokens are FLOP per token times 128.
    auto encoder = sampleplan::workload();
    encoder.forwardFlops = 128 * 1e9 * flop;
    encoder.forwardFlopsUnit = "flop_per_sequence_of_128_tokens";
    auto perToken = encoder;
    perToken.forwardFlops = 1e9 * flop;
    perToken.forwardFlopsUnit = "flop_per_token";
    compareClosely(estimate(sampleplan::plan(sampleplan::fleet(), encoder)).stepTime->value(),
        estimate(sampleplan::plan(sampleplan::fleet(), perToken)).stepTime->value());
    // A workload of another family states its FLOP per token just as well.
    auto stateSpace = perToken;
    stateSpace.family = WorkloadFamily::Other;
    compareClosely(estimate(sampleplan::plan(sampleplan::fleet(), stateSpace)).details[2],
        estimate(sampleplan::plan(sampleplan::fleet(), perToken)).details[2]); // roofline_compute_s

    // Without a scale-up link the host link carries what stays in the node.
    node = sampleplan::node();
    node.scaleUpBandwidth = std::nullopt;
    plan = sampleplan::plan(sampleplan::fleet(node));
    const auto slow = estimate(plan);
    compareClosely(slow.details[13], 64e9);
    QVERIFY(slow.notices.has(Notice::ScaleUpAssumed));
}

void FirstOrderTest::everyAssumptionTakesEffect_data()
{
    QTest::addColumn<std::size_t>("index");
    const auto descriptors = findCostModel("first-order").value()->assumptions();
    for (std::size_t i = 0; i < descriptors.size(); ++i)
        QTest::newRow(descriptors[i].key.c_str()) << i;
}

/// Changing an assumption must change the estimate of at least one plan; each plan uses what some assumptions are
/// about.
void FirstOrderTest::everyAssumptionTakesEffect()
{
    QFETCH(const std::size_t, index);
    const auto &descriptor = findCostModel("first-order").value()->assumptions()[index];

    auto accelerator = sampleplan::accelerator();
    accelerator.hostLinkBandwidth = std::nullopt;
    accelerator.dispatchTime = std::nullopt;
    auto node = sampleplan::node(accelerator);
    auto fabric = sampleplan::fabric();
    fabric.latency = std::nullopt;
    const auto bare = sampleplan::fleet(node, fabric);
    std::vector<PlanFacts> plans{
        sampleplan::plan(bare), sampleplan::plan(bare, expertWorkload()), sampleplan::plan(bare, plainWorkload())};
    plans[0].assumptions.edited["overlap_comm"] = true;
    plans[1].parallelism = {.tp = 1, .ep = 4};
    plans[1].training.lora = true;
    plans[2].training.lora = true;
    plans.push_back(plans[0]);
    plans.back().parallelism = {.tp = 1}; // does not fit
    plans.back().training.lora = true;
    plans.push_back(plans[2]);
    plans.back().training.lora = false;
    plans.back().parallelism = {.tp = 2};

    AssumptionValue changed = descriptor.defaultValue;
    if (auto *flag = std::get_if<bool>(&changed))
        *flag = !*flag;
    else if (auto *text = std::get_if<std::string>(&changed))
        *text = descriptor.choices.back();
    else if (auto *number = std::get_if<double>(&changed))
        *number = *number * 2 <= descriptor.maximum ? *number * 2 : *number / 2;
    QVERIFY(changed != descriptor.defaultValue);

    bool differs = false;
    for (auto plan : plans) {
        plan.assumptions.edited[descriptor.key] = descriptor.defaultValue;
        const auto before = estimate(plan);
        plan.assumptions.edited[descriptor.key] = changed;
        const auto after = estimate(plan);
        const auto energy = [](const Estimate &e) { return e.details[7]; };
        differs = differs || before.stepTime != after.stepTime || before.memory != after.memory
            || energy(before) != energy(after);
    }
    QVERIFY(differs);
}

void FirstOrderTest::describesItselfConsistently()
{
    const auto &model = firstorder::costModel();
    QCOMPARE(model.id(), std::string_view("first-order"));
    QVERIFY(findCostModel("no-such-model").error().field == "cost_model");
    QVERIFY(!model.limitations().empty());
    std::set<std::string_view> keys;
    for (const auto &detail : model.details()) {
        QVERIFY2(keys.insert(detail.key).second, std::string(detail.key).c_str());
        QVERIFY(!detail.label.empty() && !detail.formula.empty());
    }
    keys.clear();
    Assumptions defaults;
    for (const auto &assumption : model.assumptions()) {
        QVERIFY2(keys.insert(assumption.key).second, assumption.key.c_str());
        QVERIFY2(!assumption.label.empty() && !assumption.description.empty() && !assumption.source.empty()
                && !assumption.group.empty(),
            assumption.key.c_str());
        QVERIFY2(units::findUnit(assumption.unit, assumption.dimension).has_value(), assumption.key.c_str());
        defaults.edited[assumption.key] = assumption.defaultValue;
    }
    QVERIFY(check(defaults, model.assumptions()).has_value());
    auto plan = sampleplan::plan();
    const auto implicit = estimate(plan);
    plan.assumptions = defaults;
    QCOMPARE(estimate(plan).stepTime->value(), implicit.stepTime->value());
}

void FirstOrderTest::refuses_data()
{
    QTest::addColumn<std::function<void(PlanFacts &)>>("change");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("field");
    int number = 0;
    const auto row = [&number](const char *field, const char *code, std::function<void(PlanFacts &)> change) {
        QTest::addRow("%d %s", ++number, field)
            << std::move(change) << QString::fromUtf8(code) << QString::fromUtf8(field);
    };
    row("parallelism.tp", "out_of_range", [](PlanFacts &p) { p.parallelism.tp = 0; });
    row("parallelism.pp", "out_of_range", [](PlanFacts &p) { p.parallelism.pp = -1; });
    row("parallelism.ep", "out_of_range", [](PlanFacts &p) { p.parallelism.ep = 0; });
    row("parallelism.cp", "unsupported_value", [](PlanFacts &p) { p.parallelism.cp = 2; });
    row("parallelism.cp", "out_of_range", [](PlanFacts &p) { p.parallelism.cp = 0; });
    row("parallelism.virtual_stages", "out_of_range", [](PlanFacts &p) { p.parallelism.virtualStages = 0; });
    row("parallelism.zero_stage", "out_of_range", [](PlanFacts &p) { p.parallelism.zeroStage = 4; });
    row("parallelism", "infeasible_parallelism", [](PlanFacts &p) { p.parallelism.tp = 3; });
    row("parallelism", "infeasible_parallelism", [](PlanFacts &p) { p.parallelism = {.tp = 64, .pp = 8}; });
    row("parallelism", "infeasible_parallelism",
        [](PlanFacts &p) { p.parallelism = {.tp = 1000000, .pp = 1000000, .ep = 1000000}; });
    row("training.global_batch", "out_of_range", [](PlanFacts &p) { p.training.globalBatch = 0; });
    row("training.microbatch_count", "out_of_range", [](PlanFacts &p) { p.training.microbatchCount = 0; });
    row("training.accumulation_steps", "out_of_range", [](PlanFacts &p) { p.training.accumulationSteps = 0; });
    row("training.seq_len", "out_of_range", [](PlanFacts &p) { p.training.sequenceLength = 0; });
    for (const auto *key :
        {"efficiency", "overlap_efficiency", "congestion_factor", "straggler_factor", "moe_imbalance_factor"})
        for (const double value : {-1.0, std::nan(""), HUGE_VAL})
            row((std::string("assumptions.") + key).c_str(), "out_of_range",
                [key, value](PlanFacts &p) { p.assumptions.edited[key] = value; });
    row("assumptions.efficiency", "out_of_range", [](PlanFacts &p) { p.assumptions.edited["efficiency"] = 0.0; });
    row("assumptions.congestion_factor", "out_of_range",
        [](PlanFacts &p) { p.assumptions.edited["congestion_factor"] = 0.9; });
    row("assumptions.straggler_factor", "out_of_range",
        [](PlanFacts &p) { p.assumptions.edited["straggler_factor"] = 0.9; });
    row("assumptions.topology", "unsupported_value",
        [](PlanFacts &p) { p.assumptions.edited["topology"] = std::string("star"); });
    row("assumptions.no_such_key", "unknown_reference",
        [](PlanFacts &p) { p.assumptions.edited["no_such_key"] = 1.0; });
    row("cost_model", "unknown_reference", [](PlanFacts &p) { p.costModelId = "astrology"; });
}

void FirstOrderTest::refuses()
{
    QFETCH(const std::function<void(PlanFacts &)>, change);
    QFETCH(const QString, code);
    QFETCH(const QString, field);
    auto plan = sampleplan::plan();
    QVERIFY(!refusal(plan));
    change(plan);
    const auto error = refusal(plan);
    QVERIFY(error.has_value());
    QCOMPARE(std::string(toString(error->code)), code.toStdString());
    QCOMPARE(error->field, field.toStdString());
    QVERIFY(error->message.ends_with('.'));
}

void FirstOrderTest::refusesMissingHeads()
{
    auto workload = sampleplan::workload();
    workload.attentionHeads = workload.kvHeads = std::nullopt;
    auto plan = sampleplan::plan(sampleplan::fleet(), workload);
    QVERIFY(!refusal(plan)); // the replica variant never keeps all activations
    plan.assumptions.edited["variant"] = std::string("unsharded");
    const auto error = refusal(plan);
    QVERIFY(error && error->code == ErrorCode::MissingField);
    QCOMPARE(error->field, std::string("workload"));
    plan.training.recompute = Recompute::Full;
    QVERIFY(!refusal(plan));
}

void FirstOrderTest::refusesWithoutPeak()
{
    AcceleratorFacts facts = sampleplan::accelerator();
    facts.peaks = {};
    sampleplan::setPeak(facts, Precision::Int8, 100.0 * teraflopPerSecond);
    auto plan = sampleplan::plan(sampleplan::fleet(sampleplan::node(facts)));
    const auto error = refusal(plan);
    QVERIFY(error && error->code == ErrorCode::UnsupportedValue);
    QCOMPARE(error->field, std::string("training.precision"));
    plan.training.precision = Precision::Int8;
    QVERIFY(!refusal(plan));
}

void FirstOrderTest::notices()
{
    auto plan = sampleplan::plan();
    QVERIFY(estimate(plan).notices.empty());

    plan.training.recompute = Recompute::None;
    QVERIFY(estimate(plan).notices.has(Notice::RecomputeApproximated));
    plan.assumptions.edited["variant"] = std::string("unsharded");
    QVERIFY(!estimate(plan).notices.has(Notice::RecomputeApproximated));
    QVERIFY(estimate(plan).notices.has(Notice::SpillsToHost));

    plan = sampleplan::plan();
    plan.training.globalBatch = 4;
    QVERIFY(estimate(plan).notices.has(Notice::IdleRanks));
    plan.training.globalBatch = 257;
    QVERIFY(estimate(plan).notices.has(Notice::BatchRemainderDropped));
    plan = sampleplan::plan();
    plan.parallelism = {.tp = 1, .pp = 128};
    QVERIFY(estimate(plan).notices.has(Notice::StagesExceedLayers));
    plan = sampleplan::plan();
    plan.training.precision = Precision::Fp32;
    QVERIFY(estimate(plan).notices.has(Notice::PrecisionFallback));
    auto node = sampleplan::node();
    node.nicCount = std::nullopt;
    QVERIFY(estimate(sampleplan::plan(sampleplan::fleet(node))).notices.has(Notice::NicCountAssumed));
    QVERIFY(estimate(sampleplan::plan(sampleplan::fleet(), plainWorkload())).notices.has(Notice::LayersAssumed));
    QVERIFY(estimate(sampleplan::plan(sampleplan::fleet(), plainWorkload())).notices.has(Notice::HiddenSizeAssumed));
}

FLEETWRIGHT_TEST(FirstOrderTest)
#include "tst_firstorder.moc"
