// SPDX-License-Identifier: GPL-3.0-or-later
// The explanations of the detailed model: every branch of it, and random plans of every family, stack and layout.
#include "solver/explaintesting.h"
#include "solver/planmaker.h"
#include "testing/registry.h"

#include <QTest>

#include <functional>

using namespace fleetwright;
using namespace explaintesting;

namespace {

/// A dense transformer with everything stated on 16 nodes of 8 H100.
PlanFacts detailedPlan(
    Parallelism split = {.tp = 4, .pp = 4, .virtualStages = 2, .zeroStage = 1, .sequenceParallel = true})
{
    auto facts = sampleplan::workload();
    facts.vocabSize = 128256;
    facts.ffnHiddenSize = 28672;
    facts.headDim = 128;
    facts.gatedFfn = true;
    facts.tiedEmbeddings = false;
    auto node = sampleplan::accelerator();
    node.architecture = "Hopper";
    auto plan = sampleplan::plan(sampleplan::fleet(sampleplan::node(node), sampleplan::fabric(), 16), facts);
    plan.costModelId = "detailed";
    plan.parallelism = split;
    plan.training.precision = Precision::Bf16;
    plan.training.microbatchCount = std::nullopt;
    plan.training.microbatchSize = 1;
    plan.training.recompute = Recompute::None;
    return plan;
}

/// DeepSeek-V3.
WorkloadFacts expertWorkload()
{
    auto facts = sampleplan::workload();
    facts.family = WorkloadFamily::MixtureOfExperts;
    facts.parameters = 671e9;
    facts.activeParameters = 37e9;
    facts.layers = 61;
    facts.hiddenSize = 7168;
    facts.attentionHeads = facts.kvHeads = 128;
    facts.headDim = 128;
    facts.ffnHiddenSize = 18432;
    facts.vocabSize = 129280;
    facts.gatedFfn = true;
    facts.tiedEmbeddings = false;
    facts.attentionType = "mla";
    facts.kvLoraRank = 512;
    facts.queryLoraRank = 1536;
    facts.experts = 256;
    facts.expertsPerToken = 8;
    facts.expertFfnHiddenSize = 2048;
    facts.sharedExperts = 1;
    facts.firstDenseLayers = 3;
    return facts;
}

/// Any plan of the detailed model: every family, stack, precision, layout and switch; not all of them legal.
PlanFacts anyDetailedPlan(testing::PlanMaker &make)
{
    const auto oneOf = [&make](auto... values) {
        return std::array{values...}[std::size_t(make.whole(0, int(sizeof...(values)) - 1))];
    };
    auto facts = make.coin() ? expertWorkload() : sampleplan::workload();
    facts.family = facts.experts ? WorkloadFamily::MixtureOfExperts : WorkloadFamily::Transformer;
    facts.layers = oneOf(2, 13, 24, 61);
    facts.hiddenSize = oneOf(512, 4096, 7168);
    facts.attentionHeads = oneOf(16, 32, 128);
    facts.kvHeads = make.coin() ? std::optional(oneOf(1, 8, 16)) : std::nullopt;
    facts.headDim = make.coin() ? std::optional(oneOf(64, 100, 128)) : std::nullopt;
    facts.ffnHiddenSize = make.coin() ? std::optional(oneOf(2048, 28672)) : std::nullopt;
    facts.vocabSize = oneOf(1000, 51200, 128256);
    facts.gatedFfn = make.coin() ? std::optional(make.coin()) : std::nullopt;
    facts.tiedEmbeddings = make.coin() ? std::optional(make.coin()) : std::nullopt;
    facts.attentionType = make.coin() ? "mla" : "gqa";
    facts.kvLoraRank = std::nullopt;
    facts.hybrid = make.whole(0, 9) == 0;
    if (facts.experts) {
        facts.experts = oneOf(8, 256);
        facts.expertsPerToken = oneOf(1, 2, 8);
        facts.expertFfnHiddenSize = facts.ffnHiddenSize && make.coin() ? std::nullopt
                                                                       : std::optional(oneOf(1536, 2048));
        facts.sharedExperts = make.coin() ? std::optional(make.whole(0, 2)) : std::nullopt;
        facts.firstDenseLayers = make.coin() ? std::optional(make.whole(0, 3)) : std::nullopt;
        facts.expertLayerInterval = make.coin() ? std::optional(make.whole(1, 2)) : std::nullopt;
    }
    auto accelerator = sampleplan::accelerator();
    accelerator.architecture = oneOf(
        "Volta", "Ampere", "Hopper", "Blackwell", "Blackwell Ultra", "TPU v5", "TPU v6e", "CDNA 3");
    if (make.coin())
        accelerator.peaks[std::size_t(Precision::Fp8)] = std::nullopt;
    if (make.coin())
        accelerator.peaks[std::size_t(Precision::Bf16)] = std::nullopt;
    auto node = sampleplan::node(accelerator);
    node.scaleUpDomainSize = oneOf(8, 72, 256);
    node.scaleUpBandwidth = make.coin() ? std::optional(make.scale(1e9, 1e12) * bytePerSecond) : std::nullopt;
    node.nicCount = make.coin() ? std::optional(make.whole(1, 8)) : std::nullopt;
    auto fabric = sampleplan::fabric();
    fabric.portBandwidth = make.scale(1e8, 1e11) * bytePerSecond;
    auto plan = sampleplan::plan(sampleplan::fleet(node, fabric, oneOf(1, 3, 16, 64)), facts);
    plan.costModelId = "detailed";
    auto &split = plan.parallelism;
    split = {.tp = oneOf(1, 1, 2, 4, 8),
        .pp = oneOf(1, 1, 2, 3, 4, 8),
        .cp = oneOf(1, 1, 2, 4),
        .ep = facts.experts ? oneOf(1, 2, 8, 32) : 1,
        .zeroStage = make.whole(0, 3),
        .sequenceParallel = make.coin()};
    split.virtualStages = split.pp > 1 ? oneOf(1, 1, 2, 3) : 1;
    auto &training = plan.training;
    training.globalBatch = split.pp * oneOf(64, 512, 1536)
        + (split.virtualStages == 1 && make.whole(0, 5) == 0 ? 1 : 0);
    training.microbatchCount = training.microbatchSize = std::nullopt;
    (make.whole(0, 3) == 0 ? training.microbatchCount : training.microbatchSize) = make.powerOfTwo(2);
    training.accumulationSteps = make.powerOfTwo(1);
    training.sequenceLength = oneOf(64, 2048, 8192);
    training.precision = oneOf(Precision::Bf16, Precision::Fp16, Precision::Fp8, Precision::Int8, Precision::Fp4);
    training.recompute = oneOf(Recompute::None, Recompute::Selective, Recompute::Full);
    training.lora = make.whole(0, 4) == 0;
    auto &edited = plan.assumptions.edited;
    edited["software_class"] = std::string(oneOf("auto", "tuned", "framework", "research"));
    edited["software_stack"] = std::string(
        oneOf("auto", "megatron_v2", "megatron_ds", "megatron_core", "fsdp", "fsdp_compile", "xla", "research"));
    edited["attention_kernel"] = std::string(oneOf("auto", "none", "1", "2", "3"));
    edited["gradient_precision"] = std::string(oneOf("auto", "2 bytes", "4 bytes"));
    for (const auto *key : {"dp_overlap", "tp_overlap", "pp_overlap", "ep_overlap", "dropout"})
        edited[key] = std::string(oneOf("auto", "on", "off"));
    edited["pipeline_schedule"] = std::string(oneOf("1f1b", "1f1b", "zero_bubble_1p", "zero_bubble_2p"));
    edited["expert_tensor_parallel"] = oneOf(0.0, 0.0, 1.0, 2.0);
    edited["shard_group"] = oneOf(0.0, 0.0, 2.0, 8.0);
    edited["recompute_share"] = make.coin() ? 0.0 : make.real(0, 1);
    edited["causal_attention"] = make.coin();
    edited["cuda_graphs"] = make.whole(0, 4) == 0;
    edited["lora_base_4bit"] = make.coin();
    edited["mix"] = make.coin() ? 0.0 : make.real(0, 0.33);
    edited["straggler_factor"] = make.coin() ? 1.0 : make.real(1, 2);
    edited["moe_imbalance_factor"] = make.real(1, 2);
    edited["hbm"] = make.real(0.3, 1);
    edited["interf"] = make.real(0, 1);
    edited["compiled_loss"] = edited["dropout"]; // any of the same choices
    return plan;
}

} // namespace

Q_DECLARE_METATYPE(fleetwright::PlanFacts)

class ExplainDetailedTest : public QObject {
    Q_OBJECT
private slots:
    void detailedFollowsFromItsInputs_data();
    void detailedFollowsFromItsInputs();
    void detailedChoosesTheFormulaOfTheBranch();
    void randomDetailedPlansFollowFromTheirInputs();
};

void ExplainDetailedTest::detailedFollowsFromItsInputs_data()
{
    QTest::addColumn<PlanFacts>("plan");
    const auto row = [](const char *name, PlanFacts plan, const std::function<void(PlanFacts &)> &change) {
        change(plan);
        QTest::newRow(name) << plan;
    };
    const auto experts = [](Parallelism split) {
        auto plan = detailedPlan(split);
        plan.workload = Workload::create(expertWorkload()).value();
        return plan;
    };
    row("dense, TP, sequence parallel, interleaved", detailedPlan(), [](PlanFacts &) {});
    row("one accelerator per replica", detailedPlan({}),
        [](PlanFacts &plan) { plan.training.recompute = Recompute::Full; });
    row("layers that do not divide", detailedPlan({.tp = 2, .pp = 3, .zeroStage = 2}), [](PlanFacts &plan) {
        plan.fleet = Fleet::create(sampleplan::fleet(sampleplan::node(), sampleplan::fabric(), 12)).value();
    });
    row("experts within a domain, MLA", experts({.pp = 8, .ep = 8, .zeroStage = 1}), [](PlanFacts &) {});
    row("experts across domains, MLA, expert TP",
        experts({.tp = 2, .pp = 2, .ep = 32, .zeroStage = 1, .sequenceParallel = true}), [](PlanFacts &plan) {
            plan.training.recompute = Recompute::Full;
            plan.assumptions.edited["moe_imbalance_factor"] = 1.4;
        });
    row("context parallel", detailedPlan({.tp = 2, .cp = 8, .zeroStage = 1}),
        [](PlanFacts &plan) { plan.training.sequenceLength = 32768; });
    row("FSDP, full recomputation", detailedPlan({.zeroStage = 3}), [](PlanFacts &plan) {
        plan.training.recompute = Recompute::Full;
        plan.assumptions.edited["software_stack"] = std::string("fsdp");
    });
    row("hybrid sharding", detailedPlan({.zeroStage = 3}), [](PlanFacts &plan) {
        plan.training.recompute = Recompute::Selective;
        plan.assumptions.edited["software_stack"] = std::string("fsdp_compile");
        plan.assumptions.edited["shard_group"] = 8.0;
    });
    row("FSDP in a pipeline", detailedPlan({.tp = 2, .pp = 4, .zeroStage = 3}), [](PlanFacts &plan) {
        plan.training.precision = Precision::Fp8;
        plan.assumptions.edited["software_stack"] = std::string("fsdp_compile");
    });
    row("research code, TP in a pipeline, part recomputed", detailedPlan({.tp = 4, .pp = 4}), [](PlanFacts &plan) {
        plan.training.recompute = Recompute::Full;
        plan.assumptions.edited["software_stack"] = std::string("research");
        plan.assumptions.edited["recompute_share"] = 0.4;
    });
    row("LoRA", detailedPlan({.tp = 2, .pp = 2}), [](PlanFacts &plan) { plan.training.lora = true; });
    row("old Megatron, attention not fused", detailedPlan({.tp = 8, .pp = 4}), [](PlanFacts &plan) {
        plan.assumptions.edited["software_stack"] = std::string("megatron_v2");
        plan.assumptions.edited["attention_kernel"] = std::string("none");
        plan.training.recompute = Recompute::Selective;
    });
    row("Megatron-DeepSpeed, ZeRO 3", detailedPlan({.tp = 4, .zeroStage = 3}),
        [](PlanFacts &plan) { plan.assumptions.edited["software_stack"] = std::string("megatron_ds"); });
    row("stragglers, zero bubble", detailedPlan({.tp = 4, .pp = 8}), [](PlanFacts &plan) {
        plan.assumptions.edited["straggler_factor"] = 1.2;
        plan.assumptions.edited["pipeline_schedule"] = std::string("zero_bubble_1p");
    });
    row("framework software", detailedPlan(),
        [](PlanFacts &plan) { plan.assumptions.edited["software_class"] = std::string("framework"); });
    row("nearest families, 8 bits", detailedPlan(), [](PlanFacts &plan) {
        auto chip = sampleplan::accelerator();
        chip.architecture = "Ascend 910";
        sampleplan::setPeak(chip, Precision::Fp8, 2e15 * flopPerSecond);
        plan.fleet = Fleet::create(sampleplan::fleet(sampleplan::node(chip), sampleplan::fabric(), 16)).value();
        plan.training.precision = Precision::Fp8;
    });
    row("8 bits", detailedPlan({.tp = 4, .pp = 2, .zeroStage = 1, .sequenceParallel = true}),
        [](PlanFacts &plan) { plan.training.precision = Precision::Fp8; });
}

void ExplainDetailedTest::detailedFollowsFromItsInputs()
{
    QFETCH(const PlanFacts, plan);
    const auto answer = explained(plan);
    QVERIFY(answer);
    const auto broken = firstBroken(answer->figures);
    QVERIFY2(broken.isEmpty(), qPrintable(broken));
    const auto missing = firstUnexplained(*answer, "detailed");
    QVERIFY2(missing.isEmpty(), qPrintable(missing));
}

void ExplainDetailedTest::detailedChoosesTheFormulaOfTheBranch()
{
    const auto formula = [](const PlanFacts &plan, std::string_view key) {
        const auto answer = explained(plan);
        const auto *figure = answer ? answer->find(key) : nullptr;
        return figure ? QString::fromStdString(figure->formula) : QString();
    };
    auto plan = detailedPlan();
    plan.assumptions.edited["software_class"] = std::string("tuned"); // TP and PP overlap
    QCOMPARE(
        formula(plan, "dense.tp_forward_s"), QStringLiteral("4 \u00b7 Y")); // an all-gather and a reduce-scatter twice
    QCOMPARE(formula(plan, "dense.tp_forward_exposed_s"), QStringLiteral("max(y \u00b7 z, y - (1 - z) \u00b7 w)"));
    QCOMPARE(formula(plan, "exposed_pp_comm_time_s"), QStringLiteral("2 \u00b7 y \u00b7 (p - 1)"));
    QCOMPARE(formula(plan, "tp.bus_bytes_per_s"), QStringLiteral("B_u"));
    QCOMPARE(formula(plan, "dp.bus_bytes_per_s"), QStringLiteral("min(B_u, B_o \u00b7 n_l)"));
    const auto answer = explained(plan);
    QVERIFY(answer);
    // By hand: 2 FLOP for each of 70.6e9 weights but the embedding, and half of the scores, three times, for every
    // token.
    const double weights = 80.0 * (8192.0 * 10240 + 8192.0 * 8192 + 3 * 8192.0 * 28672) + 128256.0 * 8192;
    const double scores = 80.0 * 2048 * 8192;
    const auto *work = answer->find("details.model_flops");
    QVERIFY(work);
    QVERIFY(std::abs(work->value / (6 * (weights + scores) * 256 * 2048) - 1) < 1e-12);
    const auto *rate = answer->find("product_rate_flops_per_s");
    QVERIFY(rate);
    QCOMPARE(QString::fromStdString(rate->inputs.front().origin), QStringLiteral("assumptions.gemm_Hopper"));

    plan.parallelism.sequenceParallel = false;
    QCOMPARE(formula(plan, "dense.tp_forward_s"), QStringLiteral("2 \u00b7 Y"));
    plan.assumptions.edited["tp_overlap"] = std::string("off");
    plan.assumptions.edited["pp_overlap"] = std::string("off");
    QCOMPARE(formula(plan, "dense.tp_forward_exposed_s"), QStringLiteral("y"));
    QCOMPARE(formula(plan, "exposed_pp_comm_time_s"),
        QStringLiteral("2 \u00b7 y \u00b7 v \u00b7 m + 2 \u00b7 y \u00b7 (p - 1)"));
    plan.assumptions.edited["attention_kernel"] = std::string("none");
    QCOMPARE(formula(plan, "dense.attention_forward_s"), QStringLiteral("F / R_16 + Y / beta"));
    plan.training.lora = true;
    QCOMPARE(formula(plan, "exposed_dp_comm_time_s"), QStringLiteral("0"));
    QCOMPARE(formula(plan, "dense.query_key_value.weight_s"), QString());
}

void ExplainDetailedTest::randomDetailedPlansFollowFromTheirInputs()
{
    testing::PlanMaker make(33);
    int priced = 0, withExperts = 0, sharded = 0, spread = 0;
    for (int i = 0; i < 2500; ++i) {
        const auto plan = anyDetailedPlan(make);
        const auto answer = explained(plan);
        if (!answer)
            continue;
        ++priced;
        withExperts += answer->find("expert.forward_s") ? 1 : 0;
        sharded += answer->find("shard.once_s") ? 1 : 0;
        spread += answer->find("ep.one_s") && answer->find("ep.domains")->value > 1 ? 1 : 0;
        const auto broken = firstBroken(answer->figures);
        QVERIFY2(broken.isEmpty(), qPrintable(QStringLiteral("plan %1: %2").arg(i).arg(broken)));
        const auto missing = firstUnexplained(*answer, "detailed");
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("plan %1: %2").arg(i).arg(missing)));
    }
    const auto counts = QStringLiteral("%1 %2 %3 %4").arg(priced).arg(withExperts).arg(sharded).arg(spread);
    QVERIFY2(priced > 800 && withExperts > 250 && sharded > 150 && spread > 10, qPrintable(counts));
    qInfo("%s", qPrintable(counts));
}

FLEETWRIGHT_TEST(ExplainDetailedTest)
#include "tst_explaindetailed.moc"
