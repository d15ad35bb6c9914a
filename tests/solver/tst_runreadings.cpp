// SPDX-License-Identifier: GPL-3.0-or-later
// How the words of a run are read since version 2.0 of the rules (resources/handbook/validation.md), on rows written by
// hand.
#include "solver/measuredrow.h"
#include "solver/models/detailed/prepared.h"
#include "testing/registry.h"

using namespace Qt::StringLiterals;
using detailed::Software;

class TestRunReadings : public QObject {
    Q_OBJECT

private slots:
    void rulesSinceTheSecondVersion();
    void recomputation_data();
    void recomputation();
    void recomputationThatMustBe();
    void whatMemoryDependsOn();
};

void TestRunReadings::rulesSinceTheSecondVersion()
{
    const auto both = [](const Edit &edit) {
        const auto run = edited(edit);
        const auto before = configurationFrom(run, Rules::Version2), now = configurationFrom(run);
        return std::pair{before, now};
    };
    // float8 is 8 bits.
    const auto float8 = both([](MeasuredRun &run) {
        run.framework = "torchtitan";
        run.accelerator = "H100-SXM-80GB";
        run.precision = "float8 rowwise";
        run.overlap["async_tp"] = true;
    });
    QCOMPARE(float8.first->setting.precisionBits, 16);
    QCOMPARE(float8.second->setting.precisionBits, 8);
    QVERIFY(!float8.first->setting.stack.tpOverlap && float8.second->setting.stack.tpOverlap);
    QCOMPARE(int(float8.second->meter), int(MemoryMeter::None));
    // A framework without a known name is research code whatever its layout, unless it shards or is NVIDIA's.
    for (const int pp : {1, 2}) {
        const auto homegrown = both([pp](MeasuredRun &run) {
            run.framework = "homegrown";
            run.accelerator = "H100-SXM-80GB";
            run.pp = pp;
            run.dp = 8 / pp;
        });
        const auto &stack = homegrown.second->setting.stack;
        QVERIFY(homegrown.first->setting.stack.software != Software::Research);
        QVERIFY(stack == detailed::defaultsOf(Software::Research));
        QVERIFY(!stack.dpOverlap && !stack.tpOverlap && !stack.ppOverlap && stack.gradientBytes == 4);
        QVERIFY(!homegrown.second->readings.empty());
    }
    QCOMPARE(int(configurationOf([](MeasuredRun &run) {
        run.framework = "homegrown";
        run.submitter = "NVIDIA";
        run.accelerator = "H100-SXM-80GB";
        run.pp = 2;
        run.dp = 4;
    }).setting.stack.software),
        int(Software::MegatronCore));
    // Software that knows no 8 bits ran in 16 where nothing is stated.
    const auto planner = both([](MeasuredRun &run) {
        run.framework = "Sailor (Megatron-DeepSpeed)";
        run.accelerator = "GH200-96GB";
        run.precision = {};
    });
    QVERIFY(!planner.first && planner.second && planner.second->setting.precisionBits == 16);
    // The recipes that MLPerf 6.0 ran.
    const auto round = [&](const char *key) {
        const auto pair = both([key](MeasuredRun &run) {
            run.source.key = key;
            run.framework = "NVIDIA NeMo / Megatron-Bridge";
            run.model.experts = 8;
        });
        return pair.second->setting.stack;
    };
    QVERIFY(round("mlperf-v6.0").graphs && round("mlperf-v6.0").epOverlap && round("mlperf-v10.1").graphs);
    QVERIFY(!round("mlperf-v5.1").graphs && !round("together-dgxc").epOverlap);
    // Pax fuses attention through Transformer Engine only.
    const auto kernel = [](const char *framework, const char *notes, std::optional<bool> fused) {
        return configurationOf([&](MeasuredRun &run) {
            run.framework = framework;
            run.notes = notes;
            run.model.name = "GPT 126M (Pax)";
            run.flashAttention = fused;
        }).setting.attentionKernel;
    };
    const char *engine = "Pax (JAX/XLA) with Transformer Engine", *none = "126M without flash attention (stated)";
    QCOMPARE(kernel("Pax (JAX/XLA)", "", std::nullopt), 0);
    QCOMPARE(kernel("Pax (JAX/XLA)", "", true), 3);
    QCOMPARE(kernel(engine, "", std::nullopt), 3);
    QCOMPARE(kernel(engine, none, std::nullopt), 0);
    QCOMPARE(kernel(engine, "5B without flash attention", std::nullopt), 3);
}

void TestRunReadings::recomputation_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("recompute");
    QTest::addColumn<double>("share"); // -1: what the kind means
    const auto row = [](const char *text, Recompute recompute, double share) {
        QTest::newRow(text) << QString::fromUtf8(text) << int(recompute) << share;
    };
    constexpr double usual = -1;
    row("full", Recompute::Full, usual);
    row("full, block granularity, 21 of 80 layers", Recompute::Full, 21.0 / 80);
    row("full, 90 of 80 layers", Recompute::Full, usual);
    row("selective", Recompute::Selective, usual);
    row("selective (per op)", Recompute::Selective, usual);
    row("selective: core_attn", Recompute::Selective, usual);
    row("Selective: layernorm, moe", Recompute::Selective, 0.6);
    row("selective: moe_act, layernorm", Recompute::Selective, 0.12);
    row("selective: norm, act", Recompute::Selective, 0.12);
    row("selective: mlp", Recompute::Selective, 0.5);
    row("none", Recompute::None, usual);
    row("minimal", Recompute::None, usual);
    row("custom: query_proj, key_proj, value_proj recomputed", Recompute::None, usual);
    row("custom: decoder_layer_input offloaded to the host", Recompute::Full, 1);
    row("custom: decoder_layer_input, query_proj, key_proj, value_proj offloaded to the host", Recompute::Full, 0.78);
    row("custom: decoder_layer_input, out_proj, query_proj offloaded to the host", Recompute::Full, 0.7);
    row("qkv_proj_offloaded", Recompute::Full, 0.78);
}

void TestRunReadings::recomputation()
{
    QFETCH(QString, text);
    const auto run = edited([&](MeasuredRun &edit) { edit.recompute = text.toStdString(); });
    const auto now = configurationFrom(run), before = configurationFrom(run, Rules::Version2);
    QTEST(int(now->layout.recompute), "recompute");
    QTEST(now->layout.recomputeShare.value_or(-1), "share");
    QVERIFY(!before->layout.recomputeShare);
    QCOMPARE(now->readings.empty(), !now->layout.recomputeShare);
}

void TestRunReadings::recomputationThatMustBe()
{
    // Without recomputation several times the memory of a TPU v6e or an H100.
    const auto with = [](const char *framework, std::int64_t sequences, const char *recompute) {
        return configurationOf([&](MeasuredRun &run) {
            run.framework = framework;
            run.accelerator = run.framework.contains("JAX") ? "TPU-v6e" : "H100-SXM-80GB";
            run.accelerators = 256;
            run.tp = 1;
            run.pp = 1;
            run.dp = 256;
            run.zeroStage = 3;
            run.globalBatch = 256 * sequences;
            run.microbatch = sequences;
            run.recompute = recompute;
        }).layout.recompute;
    };
    QCOMPARE(int(with("MaxText (JAX/XLA)", 16, "")), int(Recompute::Full));
    QCOMPARE(int(with("MaxText (JAX/XLA)", 1, "")), int(Recompute::None));
    QCOMPARE(int(with("MaxText (JAX/XLA)", 16, "none")), int(Recompute::None));
    QCOMPARE(int(with("torchtitan", 32, "")), int(Recompute::Full));
    QCOMPARE(int(with("torchtitan", 16, "none")), int(Recompute::None));
    QCOMPARE(int(with("Megatron-Core", 32, "")), int(Recompute::None)); // it has other means to save memory
    // Where it is enough, the default of the framework.
    QCOMPARE(int(with("torchtitan", 1, "")), int(Recompute::Selective));
    QCOMPARE(int(with("Composer (PyTorch FSDP)", 1, "")), int(Recompute::None));
}

void TestRunReadings::whatMemoryDependsOn()
{
    // torchtitan compiles its loss since 2025: the year of the date, else of the source.
    const auto compiled = [](const char *key, const char *date, const char *framework) {
        return configurationOf([&](MeasuredRun &run) {
            run.framework = framework;
            run.accelerator = "H100-SXM-80GB";
            run.source.key = key;
            run.source.date = date;
        }).setting.stack.compiledLoss;
    };
    QVERIFY(!compiled("torchtitan-2024-12", "", "torchtitan") && compiled("torchtitan-2025-06", "", "torchtitan"));
    QVERIFY(compiled("torchtitan-2024-12", "2025-03-01", "torchtitan") && !compiled("x", "2024-11", "torchtitan"));
    QVERIFY(compiled("elsewhere", "", "torchtitan") && !compiled("elsewhere", "", "PyTorch FSDP"));
    QVERIFY(!compiled("torchtitan-2025-06", "", "torchtitan, eager"));
    // LitGPT under FSDP recomputes blocks, and builds the model whole: 13B in 16 bits, half of it again as shards.
    const auto sharded = [](int zeroStage) {
        return configurationOf([zeroStage](MeasuredRun &run) {
            run.framework = "LitGPT";
            run.kind = "finetune-lora";
            run.accelerators = 2;
            run.dp = 2;
            run.tp = 1;
            run.pp = 1;
            run.recompute = {};
            run.zeroStage = zeroStage;
            run.globalBatch = 2;
            run.microbatch = 1;
            run.measured.peakMemory = 20;
        });
    };
    const auto two = sharded(3), one = sharded(0);
    const double parameters = detailed::parametersOf(two.setting.architecture);
    const double embedding = double(two.setting.architecture.vocabulary * two.setting.architecture.hidden);
    COMPARE_NUMBER(two.heldAtStart.value(), 2 * (1.5 * parameters + embedding));
    QVERIFY(one.heldAtStart == Bytes());
    QCOMPARE(int(two.layout.recompute), int(Recompute::Full));
    QCOMPARE(int(one.layout.recompute), int(Recompute::None));
    // Sailor's models do not fuse attention.
    const auto kernel = [](std::optional<bool> fused) {
        return configurationOf([fused](MeasuredRun &run) {
            run.framework = "Sailor (Megatron-DeepSpeed)";
            run.flashAttention = fused;
        }).setting.attentionKernel;
    };
    QCOMPARE(kernel(std::nullopt), 0);
    QCOMPARE(kernel(true), 2);
}

FLEETWRIGHT_TEST(TestRunReadings)
#include "tst_runreadings.moc"
