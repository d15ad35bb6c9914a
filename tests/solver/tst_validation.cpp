// SPDX-License-Identifier: GPL-3.0-or-later
// How a run becomes a configuration (doc/models/detailed.md, section 16), and the statistics, on rows written by hand.
#include "solver/validation/predictionrange.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::validation;
using detailed::Software;

namespace {

/// A complete row: GPT of 18 B on 64 A100 with TP 8.
MeasuredRun completeRun()
{
    MeasuredRun run;
    run.id = "row";
    run.source = {.key = "somebody", .date = "2023-06-01"};
    run.kind = "benchmark";
    run.accelerator = "A100-SXM-80GB";
    run.accelerators = 64;
    run.acceleratorsPerNode = 8;
    run.framework = "NeMo / Megatron-Core";
    run.model.name = "GPT 18B";
    run.model.layers = 40;
    run.model.hidden = 6144;
    run.model.heads = 48;
    run.model.gated = false;
    run.sequenceLength = 2048;
    run.globalBatch = 512;
    run.microbatch = 4;
    run.tp = 8;
    run.pp = 1;
    run.cp = 1;
    run.dp = 8;
    run.precision = "bf16";
    run.recompute = "full";
    run.flashAttention = true;
    run.measured.stepTime = 10.0 * second;
    return run;
}

using Edit = std::function<void(MeasuredRun &)>;

MeasuredRun edited(const Edit &edit)
{
    auto run = completeRun();
    edit(run);
    return run;
}

RunConfiguration configurationOf(const Edit &edit)
{
    const auto configuration = configurationFrom(edited(edit));
    if (!configuration)
        qFatal("%s", configuration.error().message.c_str());
    return *configuration;
}

bool nearly(double value, double expected, double tolerance = 1e-12) { return std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected)); }
#define COMPARE_NUMBER(value, expected) QVERIFY2(nearly(value, expected), qPrintable(QStringLiteral("%1, not %2").arg(double(value), 0, 'g', 15).arg(double(expected), 0, 'g', 15)))

ReferenceRun reference(std::string source, double error, detailed::Family family = detailed::Family::A100)
{
    return {.source = std::move(source), .family = family, .accelerator = "A100-SXM-80GB", .parallelism = "TP + DP", .size = "10-30 B", .tensorParallel = true, .accelerators = 64, .sequenceLength = 2048,
        .parameters = 18e9, .error = error};
}

} // namespace

class TestValidation : public QObject {
    Q_OBJECT

private slots:
    void notScored_data();
    void notScored();
    void software_data();
    void software();
    void attentionKernel_data();
    void attentionKernel();
    void precision_data();
    void precision();
    void network_data();
    void network();
    void domains();
    void missingSizesAreFilled();
    void expertLayersFollowThePublishedCount();
    void stageOfZero_data();
    void stageOfZero();
    void overlapAndGradients();
    void rulesSinceTheSpecification();
    void stepTime_data();
    void stepTime();
    void memoryMeters();
    void plansForOtherModels();
    void tau_data();
    void tau();
    void scores();
    void groupsRankLayouts();
    void repeatedIdsCountOnce();
    void anyModelCanBeScored();
    void cancelled();
    void ranges();
    void rangesLoosenTheirConditions();
    void outsideOfWhatWasValidated_data();
    void outsideOfWhatWasValidated();
    void explanations();
};

void TestValidation::notScored_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *reason, const Edit &edit) { QTest::newRow(reason) << edit << QString::fromUtf8(reason); };
    row("inconsistent", [](MeasuredRun &run) { run.inconsistent = "tp*pp*cp*dp = 32, n_gpus = 16"; });
    row("whole-run average", [](MeasuredRun &run) { run.kind = "full_run"; });
    row("unknown accelerator", [](MeasuredRun &run) { run.accelerator = "Gaudi2"; });
    row("no batch", [](MeasuredRun &run) { run.globalBatch.reset(); });
    row("no sequence length", [](MeasuredRun &run) { run.sequenceLength = 0; });
    row("model dimensions", [](MeasuredRun &run) { run.model.heads.reset(); });
    row("TP or PP not stated", [](MeasuredRun &run) { run.pp.reset(); });
    row("no accelerator count", [](MeasuredRun &run) { run.accelerators.reset(); });
    row("precision not stated", [](MeasuredRun &run) {
        run.accelerator = "H100-SXM-80GB";
        run.precision.clear();
    });
    row("virtual stages not stated", [](MeasuredRun &run) {
        run.source.key = "mlperf-v4.0";
        run.pp = 2;
        run.dp = 4;
    });
    row("t*p*c*r differs from n", [](MeasuredRun &run) { run.dp = 7; });
    row("b*r > G", [](MeasuredRun &run) { run.globalBatch = 16; });
    row("unknown ZeRO stage", [](MeasuredRun &run) { run.zeroStage = 4; });
    row("no step time", [](MeasuredRun &run) { run.measured = {}; });
}

void TestValidation::notScored()
{
    QFETCH(Edit, edit);
    QFETCH(QString, reason);
    const auto configuration = configurationFrom(edited(edit));
    QVERIFY(!configuration);
    QCOMPARE(int(configuration.error().code), int(ErrorCode::UnsupportedValue));
    QCOMPARE(QString::fromStdString(configuration.error().message), reason);
}

void TestValidation::software_data()
{
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("accelerator");
    QTest::addColumn<QString>("date");
    QTest::addColumn<int>("zeroStage");
    QTest::addColumn<int>("software");
    const auto row = [](const char *framework, const char *accelerator, const char *date, int zero, Software software) {
        QTest::addRow("%s %s %s %d", framework, accelerator, date, zero) << QString::fromUtf8(framework) << QString::fromUtf8(accelerator) << QString::fromUtf8(date) << zero << int(software);
    };
    const char *a100 = "A100-SXM-80GB", *h100 = "H100-SXM-80GB";
    row("MaxText (JAX/XLA)", "TPU-v5p", "2024", 3, Software::Xla);
    row("PaxML (JAX)", h100, "2024", 0, Software::Xla);
    row("torchtitan", h100, "2025", 3, Software::FsdpCompiled);
    row("Composer + PyTorch FSDP", a100, "2024", 3, Software::Fsdp);
    row("NeMo 24.07 / Megatron-Core", h100, "2024", 0, Software::MegatronCore);
    row("NeMo / Megatron-Bridge", h100, "2026", 0, Software::MegatronCore);
    row("MegaScale", a100, "2024", 0, Software::MegatronCore);
    row("Sailor (Megatron-DeepSpeed)", "GH200-96GB", "2025", 0, Software::MegatronDeepSpeed);
    row("Megatron-LM", a100, "2023-01", 0, Software::MegatronCore);
    row("Megatron-LM", a100, "2022-12", 0, Software::MegatronV2);
    row("Megatron-DeepSpeed", a100, "2022", 1, Software::MegatronDeepSpeed);
    row("Megatron-LM / DeepSpeed ZeRO-3", a100, "2021", 0, Software::MegatronV2);
    row("Megatron-LM / DeepSpeed ZeRO-3", a100, "2021", 3, Software::MegatronDeepSpeed);
    row("Megatron-LM style GPT (1F1B)", a100, "2024", 0, Software::MegatronV2);
    row("OneFlow", "V100-SXM2-16GB", "2021", 0, Software::MegatronV2);
    row("InternEvo", a100, "2024", 1, Software::Fsdp);
    row("", a100, "2024", 0, Software::Fsdp);
}

void TestValidation::software()
{
    QFETCH(QString, framework);
    QFETCH(QString, accelerator);
    QFETCH(QString, date);
    QFETCH(int, zeroStage);
    const auto configuration = configurationOf([&](MeasuredRun &run) {
        run.framework = framework.toStdString();
        run.accelerator = accelerator.toStdString();
        run.source.date = date.toStdString();
        run.zeroStage = zeroStage;
    });
    QTEST(int(configuration.setting.stack.software), "software");
}

void TestValidation::attentionKernel_data()
{
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("date");
    QTest::addColumn<int>("flash"); ///< -1 not stated
    QTest::addColumn<int>("kernel");
    QTest::newRow("Composer uses the first") << u"Composer + PyTorch FSDP"_s << u"2024"_s << 1 << 1;
    QTest::newRow("FSDP the second") << u"PyTorch FSDP"_s << u"2024"_s << 1 << 2;
    QTest::newRow("older Megatron the second") << u"Megatron-LM"_s << u"2022"_s << 1 << 2;
    QTest::newRow("Megatron-Core the third") << u"Megatron-Core"_s << u"2024"_s << 1 << 3;
    QTest::newRow("not stated, Megatron-Core") << u"Megatron-Core"_s << u"2023"_s << -1 << 3;
    QTest::newRow("not stated, Megatron-LM of 2023") << u"Megatron-LM"_s << u"2023-11-30"_s << -1 << 0;
    QTest::newRow("not stated, Megatron-LM of 2024") << u"Megatron-LM"_s << u"2024-02-01"_s << -1 << 3;
    QTest::newRow("not stated, older stack") << u"Megatron-DeepSpeed"_s << u"2022"_s << -1 << 0;
    QTest::newRow("not stated, FSDP") << u"PyTorch FSDP"_s << u"2022"_s << -1 << 2;
    QTest::newRow("denied") << u"Megatron-Core"_s << u"2025"_s << 0 << 0;
}

void TestValidation::attentionKernel()
{
    QFETCH(QString, framework);
    QFETCH(QString, date);
    QFETCH(int, flash);
    const auto configuration = configurationOf([&](MeasuredRun &run) {
        run.framework = framework.toStdString();
        run.source.date = date.toStdString();
        run.flashAttention = flash < 0 ? std::nullopt : std::optional(flash == 1);
    });
    QTEST(configuration.setting.attentionKernel, "kernel");
}

void TestValidation::precision_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("bits");
    for (const auto *text : {"bf16", "FP16", "bf16 (amp), FSDP mixed_precision=DEFAULT", "bf16-true"})
        QTest::newRow(text) << QString::fromUtf8(text) << 16;
    for (const auto *text : {"fp8", "MXFP8", "FP8-CS", "fp8 (MX)", "int8 quantised matmuls (bf16 elsewhere)"})
        QTest::newRow(text) << QString::fromUtf8(text) << 8;
    for (const auto *text : {"NVFP4", "nvfp4 linear layers (fp8/bf16 elsewhere)"})
        QTest::newRow(text) << QString::fromUtf8(text) << 4;
}

void TestValidation::precision()
{
    QFETCH(QString, text);
    QTEST(configurationOf([&](MeasuredRun &run) { run.precision = text.toStdString(); }).setting.precisionBits, "bits");
}

void TestValidation::network_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("gigabitsPerNode");
    QTest::newRow("ports") << u"8x 400 Gb/s InfiniBand per node"_s << 3200.0;
    QTest::newRow("named ports") << u"4x 100 Gb/s Omni-Path per node (Jean Zay)"_s << 400.0;
    QTest::newRow("compute among others") << u"Storage: 2x ConnectX-7 IB NDR 400Gb/s, Compute: 8x ConnectX-7 IB NDR 400Gb/s, Management: 100Gb/s Ethernet NIC"_s << 3200.0;
    QTest::newRow("whole node") << u"1600 Gb/s per node RoCE"_s << 1600.0;
    QTest::newRow("one port") << u"100 Gb/s EDR InfiniBand, one port per node"_s << 100.0;
    QTest::newRow("no rate") << u"Ethernet, Infiniband"_s << 8 * 200.0; // 25 GB/s: the default of an A100
    QTest::newRow("nothing") << QString() << 8 * 200.0;
}

void TestValidation::network()
{
    QFETCH(QString, text);
    QFETCH(double, gigabitsPerNode);
    const auto configuration = configurationOf([&](MeasuredRun &run) { run.scaleOutText = text.toStdString(); });
    COMPARE_NUMBER(configuration.setting.machine.scaleOut.value(), gigabitsPerNode * 1e9 / 8 / 8);
}

void TestValidation::domains()
{
    QCOMPARE(configurationOf([](MeasuredRun &) {}).setting.machine.domain, 8);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.acceleratorsPerNode = 4; }).setting.machine.domain, 4);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.acceleratorsPerNode = 16; }).setting.machine.domain, 8);
    const auto rack = configurationOf([](MeasuredRun &run) {
        run.accelerator = "GB200-NVL72";
        run.acceleratorsPerNode = 4;
        run.scaleOutText = "4x 800 Gb/s";
    });
    QCOMPARE(rack.setting.machine.domain, 72);
    COMPARE_NUMBER(rack.setting.machine.scaleOut.value(), 50e9);
    QCOMPARE(configurationOf([](MeasuredRun &run) {
        run.accelerator = "TPU-v5e";
        run.measured.slices = 4;
    }).setting.machine.domain,
        16);
    QVERIFY(!configurationOf([](MeasuredRun &) {}).singleNode);
}

void TestValidation::missingSizesAreFilled()
{
    const auto plain = configurationOf([](MeasuredRun &) {});
    const auto &model = plain.setting.architecture;
    QCOMPARE(model.kvHeads, 48);
    QCOMPARE(model.headDim, 128);
    QCOMPARE(model.ffn, 4 * 6144);
    QCOMPARE(model.vocabulary, 51200);
    QVERIFY(model.tiedEmbeddings);
    QVERIFY(plain.layout.sequenceParallel); // Megatron-Core with TP
    QCOMPARE(plain.layout.expertTp, 8);
    const auto gated = configurationOf([](MeasuredRun &run) { run.model.gated = true; }).setting.architecture;
    QCOMPARE(gated.ffn, 16384); // 8 x 6144 / 3
    QVERIFY(!gated.tiedEmbeddings);
    QCOMPARE(configurationOf([](MeasuredRun &run) {
        run.model.gated = true;
        run.model.hidden = 5120;
        run.model.heads = 40;
    }).setting.architecture.ffn,
        13824); // 13653.3 rounded up to 256
    QVERIFY(!configurationOf([](MeasuredRun &run) { run.model.name = "Nemotron-4 15B"; }).setting.architecture.tiedEmbeddings);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.microbatch.reset(); }).layout.microbatch, 64); // no accumulation
    QCOMPARE(configurationOf([](MeasuredRun &run) {
        run.microbatch.reset();
        run.pp = 2;
        run.dp = 4;
    }).layout.microbatch,
        1);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.dp.reset(); }).layout.dp, 8);
    const auto hybrid = configurationOf([](MeasuredRun &run) {
        run.model.hybrid = true;
        run.model.parameters = 9e9;
    });
    const double computed = 40.0 * (6144.0 * 3 * 6144 + 6144.0 * 6144 + 2 * 6144 + 2 * 6144.0 * 4 * 6144) + 51200.0 * 6144;
    COMPARE_NUMBER(hybrid.setting.architecture.workScale, 9e9 / computed);
}

void TestValidation::expertLayersFollowThePublishedCount()
{
    const auto experts = [](const Edit &edit) {
        return configurationOf([&](MeasuredRun &run) {
            run.model.gated = true;
            run.model.experts = 8;
            run.model.expertsPerToken = 2;
            run.model.ffn = 16384;
            edit(run);
        });
    };
    const auto all = experts([](MeasuredRun &) {});
    QCOMPARE(all.setting.architecture.expertLayers, 40);
    QCOMPARE(all.setting.architecture.expertFfn, 16384);
    QCOMPARE(experts([](MeasuredRun &run) { run.model.denseLayers = 3; }).setting.architecture.expertLayers, 37);
    // 20 dense and 20 expert layers: attention 4h^2 + 2h, a network of 3 x 6144 x 16384, a router of 8h.
    const double h = 6144, attention = 4 * h * h + 2 * h, network = 3 * h * 16384;
    const double half = 20 * (attention + network) + 20 * (attention + 8 * network + 8 * h) + 2 * 51200 * h;
    QCOMPARE(experts([&](MeasuredRun &run) { run.model.parameters = half; }).setting.architecture.expertLayers, 20);
    QCOMPARE(experts([](MeasuredRun &run) { run.model.parameters = 1e9; }).setting.architecture.expertLayers, 1);
    QCOMPARE(experts([](MeasuredRun &run) { run.ep = 4; }).layout.expertTp, 1);
}

void TestValidation::stageOfZero_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("group");
    const auto row = [](const char *name, int stage, int group, const Edit &edit) { QTest::newRow(name) << edit << stage << group; };
    row("Megatron-Core", 1, 0, [](MeasuredRun &) {});
    row("stated", 2, 0, [](MeasuredRun &run) { run.zeroStage = 2; });
    const auto fsdp = [](MeasuredRun &run, const char *text) {
        run.framework = "PyTorch FSDP";
        run.fsdp = text;
    };
    row("FSDP", 3, 0, [=](MeasuredRun &run) { fsdp(run, "FULL_SHARD"); });
    row("DDP", 0, 0, [=](MeasuredRun &run) { fsdp(run, "no (DDP)"); });
    row("nothing said", 0, 0, [=](MeasuredRun &run) { fsdp(run, ""); });
    row("group", 3, 4, [=](MeasuredRun &run) { fsdp(run, "FSDP group 4"); });
    row("slice", 3, 4, [=](MeasuredRun &run) { fsdp(run, "FSDP over 4 chips in a slice, DP=2 over DCN"); });
    row("equals sign", 3, 2, [=](MeasuredRun &run) { fsdp(run, "FSDP=2, DP=4"); });
    row("all ranks", 3, 8, [=](MeasuredRun &run) { fsdp(run, "FSDP 8 in a node, DP=1 across nodes"); });
    row("more than all ranks", 3, 0, [=](MeasuredRun &run) { fsdp(run, "FSDP=64"); });
    row("a version is no group", 3, 0, [=](MeasuredRun &run) { fsdp(run, "FSDP2"); });
}

void TestValidation::stageOfZero()
{
    QFETCH(Edit, edit);
    const auto layout = configurationOf(edit).layout;
    QTEST(layout.zeroStage, "stage");
    QTEST(int(layout.shardGroup), "group");
}

void TestValidation::overlapAndGradients()
{
    QVERIFY(configurationOf([](MeasuredRun &) {}).setting.stack.tpOverlap);
    const auto megatronLm = [](const char *date) {
        return configurationOf([date](MeasuredRun &run) {
            run.framework = "Megatron-LM";
            run.source.date = date;
        }).setting.stack;
    };
    QVERIFY(!megatronLm("2024-05-31").tpOverlap);
    QVERIFY(megatronLm("2024-06").tpOverlap);
    const auto stated = configurationOf([](MeasuredRun &run) { run.overlap = {{"tp_comm_overlap", false}, {"p2p_overlap", false}}; }).setting.stack;
    QVERIFY(!stated.tpOverlap && !stated.ppOverlap && stated.dpOverlap);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.precision = "bf16 (fp32 gradient accumulation)"; }).setting.stack.gradientBytes, 4);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.notes = "Gradient accumulation in fp32"; }).setting.stack.gradientBytes, 4);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.framework = "Megatron-DeepSpeed"; }).setting.stack.gradientBytes, 4);
    QCOMPARE(configurationOf([](MeasuredRun &run) {
        run.framework = "Composer + PyTorch FSDP";
        run.precision = "bf16, FSDP mixed_precision=PURE";
    }).setting.stack.gradientBytes,
        2);
    COMPARE_NUMBER(configurationOf([](MeasuredRun &run) { run.pipelineSchedule = "ZB-1p"; }).setting.bubbleShare, 1.0 / 3);
    COMPARE_NUMBER(configurationOf([](MeasuredRun &run) { run.pipelineSchedule = "ZB-2p"; }).setting.bubbleShare, 0.0);
    QVERIFY(configurationOf([](MeasuredRun &run) { run.kind = "finetune-lora"; }).setting.lora);
    for (const auto &[text, recompute] : {std::pair{"full, block granularity, 21 of 80 layers", Recompute::Full}, {"selective", Recompute::Selective}, {"minimal", Recompute::None}, {"", Recompute::None}})
        QCOMPARE(int(configurationOf([text = text](MeasuredRun &run) { run.recompute = text; }).layout.recompute), int(recompute));
}

void TestValidation::rulesSinceTheSpecification()
{
    const auto both = [](const Edit &edit) {
        const auto run = edited(edit);
        return std::pair{configurationFrom(run, Rules::Specification), configurationFrom(run)};
    };
    // Frameworks.
    const auto software = [&](const char *framework, const char *accelerator, int pp) {
        const auto [before, now] = both([&](MeasuredRun &run) {
            run.framework = framework;
            run.accelerator = accelerator;
            run.pp = pp;
            run.dp = 8 / pp;
        });
        return std::pair{before->setting.stack.software, now->setting.stack.software};
    };
    const char *hopper = "H100-SXM-80GB";
    QVERIFY((software("Sailor (Megatron-DeepSpeed)", hopper, 2) == std::pair{Software::MegatronCore, Software::MegatronDeepSpeed}));
    QVERIFY((software("GPT-NeoX", hopper, 1) == std::pair{Software::Fsdp, Software::MegatronDeepSpeed}));
    QVERIFY((software("Megatron-DeepSpeed", "MI250X", 1) == std::pair{Software::MegatronCore, Software::MegatronDeepSpeed}));
    QVERIFY((software("homegrown", hopper, 2) == std::pair{Software::Fsdp, Software::MegatronCore}));
    QVERIFY((software("homegrown", hopper, 1) == std::pair{Software::Fsdp, Software::Fsdp}));
    QVERIFY((software("homegrown", "A100-SXM-80GB", 2) == std::pair{Software::Fsdp, Software::Fsdp}));
    QVERIFY(!configurationOf([&](MeasuredRun &run) {
        run.framework = "homegrown";
        run.accelerator = hopper;
        run.pp = 2;
        run.dp = 4;
    }).setting.stack.tpOverlap);
    // Graphs and overlapped experts.
    const auto graphs = both([](MeasuredRun &run) { run.notes = "CUDA graphs: full_cuda_graph"; });
    QVERIFY(!graphs.first->setting.stack.graphs && graphs.second->setting.stack.graphs && !graphs.second->setting.stack.epOverlap);
    const auto recipe = [&](const char *date) {
        return both([date](MeasuredRun &run) {
            run.framework = "Megatron-Bridge / Megatron-Core";
            run.source.date = date;
            run.model.experts = 8;
        });
    };
    QVERIFY(recipe("2026-05-20").second->setting.stack.epOverlap && recipe("2026-05-20").second->setting.stack.graphs);
    QVERIFY(!recipe("2026-04-30").second->setting.stack.epOverlap && !recipe("2026-05-20").first->setting.stack.graphs);
    // Weights stored in 4 bits compute in 16.
    const auto stored = both([](MeasuredRun &run) {
        run.kind = "finetune-lora";
        run.precision = "bf16-true, weights bnb.nf4-dq";
    });
    QCOMPARE(stored.first->setting.precisionBits, 4);
    QCOMPARE(stored.second->setting.precisionBits, 16);
    COMPARE_NUMBER(stored.second->setting.loraBaseBytes, 0.6);
    // Optimizer state shared by a part of the ranks.
    const auto sharded = both([](MeasuredRun &run) {
        run.framework = "InternEvo";
        run.zeroStage = 1;
        run.zeroGroup = 4;
    });
    QCOMPARE(sharded.first->layout.shardGroup, 0);
    QCOMPARE(sharded.second->layout.shardGroup, 4);
    const auto known = both([](MeasuredRun &run) { run.accelerator = "MI350X"; });
    QVERIFY(!known.first && known.second);
}

void TestValidation::stepTime_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<double>("seconds");
    const auto row = [](const char *name, double seconds, const Edit &edit) { QTest::newRow(name) << edit << seconds; };
    const double tokens = 512.0 * 2048;
    row("measured comes first", 10, [](MeasuredRun &run) { run.measured.tokensPerSecond = 1; });
    const auto instead = [](const Edit &edit) {
        return [edit](MeasuredRun &run) {
            run.measured = {};
            edit(run);
        };
    };
    row("tokens of an accelerator", tokens / (1000.0 * 64), instead([](MeasuredRun &run) {
        run.measured.tokensPerSecondPerAccelerator = 1000;
        run.measured.tokensPerSecond = 1;
    }));
    row("tokens", tokens / 5e4, instead([](MeasuredRun &run) { run.measured.tokensPerSecond = 5e4; }));
    row("samples", 512 / 20.0, instead([](MeasuredRun &run) { run.measured.samplesPerSecond = 20; }));
    row("derived", 12.5, instead([](MeasuredRun &run) {
        run.derivedStepTime = 12.5 * second;
        run.measured.mfu = 0.4;
    }));
    const double L = 40, h = 6144, s = 2048, V = 51200;
    const double hardware = 96 * 512 * s * L * h * h * (1 + s / (6 * h) + V / (16 * L * h));
    row("hardware FLOP", hardware / (64 * 150e12), instead([](MeasuredRun &run) {
        run.measured.flopsPerAccelerator = 150.0 * teraflopPerSecond;
        run.measured.flopsConvention = "hardware";
    }));
    const double model = tokens * (6 * (L * (4 * h * h + 2 * h + 8 * h * h) + V * h) + 12 * L * h * s);
    row("model FLOP", model / (64 * 150e12), instead([](MeasuredRun &run) { run.measured.flopsPerAccelerator = 150.0 * teraflopPerSecond; }));
    row("MFU of the accelerator's peak", model / (64 * 0.4 * 312e12), instead([](MeasuredRun &run) { run.measured.mfu = 0.4; }));
    row("MFU of the row's peak", model / (64 * 0.4 * 300e12), instead([](MeasuredRun &run) {
        run.measured.mfu = 0.4;
        run.peak = 300.0 * teraflopPerSecond;
    }));
}

void TestValidation::stepTime()
{
    QFETCH(Edit, edit);
    QFETCH(double, seconds);
    const auto configuration = configurationOf(edit);
    QVERIFY(configuration.measuredStepTime);
    COMPARE_NUMBER(configuration.measuredStepTime->value(), seconds);
}

void TestValidation::memoryMeters()
{
    const auto memory = [](const char *note) {
        return configurationOf([note](MeasuredRun &run) {
            run.measured.peakMemory = 40;
            run.measured.peakMemoryNote = note;
        });
    };
    COMPARE_NUMBER(memory("GB as printed").measuredMemory->value(), 40e9);
    QVERIFY(memory("GB as printed").meter == MemoryMeter::Allocated);
    COMPARE_NUMBER(memory("GiB, torch.cuda.max_memory_allocated").measuredMemory->value(), 40 * 1073741824.0);
    QVERIFY(memory("nvidia-smi MiB / 1024").meter == MemoryMeter::Device);
    COMPARE_NUMBER(memory("nvidia-smi MiB / 1024").measuredMemory->value(), 40 * 1073741824.0);
    QVERIFY(memory("rounded up, per GPU").meter == MemoryMeter::Device);
    const auto failed = configurationOf([](MeasuredRun &run) {
        run.measured.peakMemory = 90;
        run.measured.outOfMemory = true;
    });
    QVERIFY(!failed.measuredMemory && !failed.measuredStepTime && failed.outOfMemory == true);
    const auto memoryOnly = configurationOf([](MeasuredRun &run) {
        run.measured = {};
        run.measured.peakMemory = 40;
    });
    QVERIFY(memoryOnly.measuredMemory && !memoryOnly.measuredStepTime);
}

void TestValidation::plansForOtherModels()
{
    const auto run = completeRun();
    const auto configuration = configurationFrom(run);
    QVERIFY(configuration);
    const auto plan = planFrom(run, *configuration, "first-order");
    QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
    const auto &facts = **plan;
    QCOMPARE(facts.fleet->accelerators(), 64);
    QCOMPARE(facts.fleet->nodeCount, 8);
    QCOMPARE(facts.parallelism.tp, 8);
    QCOMPARE(*facts.training.microbatchSize, 4);
    QCOMPARE(int(facts.training.recompute), int(Recompute::Full));
    COMPARE_NUMBER(facts.fleet->scaleOutBandwidth().value(), 25e9);
    COMPARE_NUMBER(facts.workload->parameters, 40.0 * (12.0 * 6144 * 6144 + 2 * 6144) + 51200.0 * 6144);
    const auto four = configurationOf([](MeasuredRun &edited) { edited.precision = "NVFP4"; });
    const auto fourBits = planFrom(run, four, "first-order");
    QVERIFY(fourBits);
    QCOMPARE(int((*fourBits)->training.precision), int(Precision::Fp4));
    // 12 accelerators in nodes of 8 are three nodes of 4.
    const auto odd = edited([](MeasuredRun &row) {
        row.accelerators = 12;
        row.tp = 4;
        row.dp = 3;
    });
    const auto partly = planFrom(odd, *configurationFrom(odd), "first-order");
    QVERIFY(partly);
    QCOMPARE((*partly)->fleet->nodeCount, 3);
}

void TestValidation::tau_data()
{
    QTest::addColumn<QList<double>>("a");
    QTest::addColumn<QList<double>>("b");
    QTest::addColumn<double>("tau");
    QTest::newRow("same order") << QList<double>{1, 2, 3, 4} << QList<double>{10, 20, 30, 40} << 1.0;
    QTest::newRow("opposite order") << QList<double>{1, 2, 3} << QList<double>{3, 2, 1} << -1.0;
    QTest::newRow("one pair of six the wrong way round") << QList<double>{1, 2, 3, 4} << QList<double>{1, 2, 4, 3} << 4.0 / 6;
    QTest::newRow("tie in one list") << QList<double>{1, 1, 2} << QList<double>{1, 2, 3} << 2 / std::sqrt(3.0 * 2.0); // pairs: 2 agree, 1 tied in a
    QTest::newRow("tie in both lists") << QList<double>{1, 1, 2} << QList<double>{5, 5, 6} << 1.0;
    QTest::newRow("constant") << QList<double>{1, 1, 1} << QList<double>{1, 2, 3} << 0.0;
    QTest::newRow("nothing") << QList<double>{} << QList<double>{} << 0.0;
}

void TestValidation::tau()
{
    QFETCH(QList<double>, a);
    QFETCH(QList<double>, b);
    QFETCH(double, tau);
    COMPARE_NUMBER(kendallTau({a.constData(), std::size_t(a.size())}, {b.constData(), std::size_t(b.size())}), tau);
}

/// Rows whose measured times are set so that their errors are known.
static std::vector<MeasuredRun> withErrors(const std::vector<std::pair<const char *, double>> &sourcesAndErrors)
{
    const std::vector<MeasuredRun> one{completeRun()};
    const auto priced = validate(one, "detailed");
    const auto predicted = priced->runs.front().predicted;
    std::vector<MeasuredRun> runs;
    for (const auto &[source, error] : sourcesAndErrors) {
        runs.push_back(completeRun());
        runs.back().id = "run " + std::to_string(runs.size());
        runs.back().source.key = source;
        runs.back().measured.stepTime = predicted / (1 + error);
    }
    return runs;
}

void TestValidation::scores()
{
    auto runs = withErrors({{"a", 0.1}, {"a", -0.2}, {"a", 0.3}, {"b", 0.02}, {"b", -0.04}});
    runs.push_back(edited([](MeasuredRun &run) {
        run.id = "unknown";
        run.accelerator = "abacus";
    }));
    runs.push_back(edited([](MeasuredRun &run) {
        run.id = "too large";
        run.globalBatch = 512 * 64;
        run.microbatch = 4096;
        run.measured = {};
        run.measured.outOfMemory = true;
    }));
    std::atomic<std::size_t> progress = 0;
    const auto result = validate(runs, "detailed", {}, {}, &progress);
    QVERIFY(result);
    QCOMPARE(progress.load(), runs.size());
    QCOMPARE(result->rows, 7);
    QCOMPARE(result->priced, 5);
    QCOMPARE(result->skipped.at("unknown accelerator"), 1);
    QCOMPARE(result->skipped.at("out of memory"), 1);
    const auto &a = result->sources.at("a");
    QCOMPARE(a.count, 3);
    COMPARE_NUMBER(a.medianError, 0.2);
    COMPARE_NUMBER(a.meanError, 0.2);
    COMPARE_NUMBER(a.bias, 0.2 / 3);
    COMPARE_NUMBER(a.p90Error, 0.2 + 0.8 * 0.1); // rank 1.8 of 0.1, 0.2, 0.3
    COMPARE_NUMBER(result->sources.at("b").medianError, 0.03);
    COMPARE_NUMBER(result->macroMedianError, (0.2 + 0.03) / 2);
    COMPARE_NUMBER(result->macroMeanError, (0.2 + 0.03) / 2);
    COMPARE_NUMBER(result->overall.medianError, 0.1);
    QCOMPARE(result->memory.verdicts, 1);
    QCOMPARE(result->memory.verdictsRight, 1);
    QCOMPARE(result->sizes.at("10-30 B").count, 5);
    QCOMPARE(result->parallelisms.at("TP + DP").count, 5);
    QCOMPARE(result->families.at("A100").count, 5);
    QCOMPARE(result->precisions.at("16 bits").count, 5);
}

void TestValidation::groupsRankLayouts()
{
    // Five splits of one job. Measured times in the order of the predicted ones, the first two exchanged.
    std::vector<MeasuredRun> runs;
    for (const int tp : {1, 2, 4, 8}) {
        runs.push_back(completeRun());
        runs.back().id = "tp " + std::to_string(tp);
        runs.back().tp = tp;
        runs.back().dp = 64 / tp;
    }
    runs.push_back(completeRun());
    runs.back().id = "pp 8";
    runs.back().pp = 8;
    runs.back().dp = 1;
    runs.back().virtualStages = 1;
    const auto first = validate(runs, "detailed");
    QVERIFY(first);
    QCOMPARE(first->groups.size(), 1UZ);
    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    std::ranges::sort(order, {}, [&](std::size_t i) { return first->runs[i].predicted.value(); });
    std::vector<double> times{11, 10, 20, 30, 40};
    for (std::size_t i = 0; i < order.size(); ++i)
        runs[order[i]].measured.stepTime = times[i] * second;
    const auto result = validate(runs, "detailed");
    QVERIFY(result);
    COMPARE_NUMBER(*result->kendallTau, 8.0 / 10);
    COMPARE_NUMBER(*result->regret, 0.1);
    COMPARE_NUMBER(*result->kendallTauOf(false), 0.8);
    QVERIFY(!result->regretOf(true));
    QCOMPARE(result->groups.front().rows.size(), 5UZ);
    runs.pop_back();
    const auto four = validate(runs, "detailed");
    QVERIFY(four->groups.empty() && !four->kendallTau);
}

void TestValidation::repeatedIdsCountOnce()
{
    const std::vector<MeasuredRun> runs{completeRun(), completeRun()};
    const auto result = validate(runs, "detailed");
    QCOMPARE(result->priced, 1);
    QCOMPARE(result->skipped.at("id stands twice"), 1);
}

void TestValidation::anyModelCanBeScored()
{
    const auto contextParallel = edited([](MeasuredRun &run) {
        run.id = "cp";
        run.cp = 2;
        run.dp = 4;
    });
    const std::vector<MeasuredRun> runs{completeRun(), contextParallel};
    for (const auto *model : costModels()) {
        const auto result = validate(runs, model->id());
        QVERIFY2(result, model->id().data());
        QCOMPARE(result->costModelVersion, std::string(model->version()));
        int skipped = 0;
        for (const auto &entry : result->skipped)
            skipped += entry.second;
        QCOMPARE(result->priced + skipped, 2);
    }
    const auto firstOrder = validate(runs, "first-order");
    QCOMPARE(firstOrder->priced, 1);
    QCOMPARE(firstOrder->skipped.at("refused: unsupported value, parallelism.cp"), 1);
    const auto unknown = validate(runs, "astrology");
    QVERIFY(!unknown);
    QCOMPARE(int(unknown.error().code), int(ErrorCode::UnknownReference));
}

void TestValidation::cancelled()
{
    const std::vector<MeasuredRun> runs{completeRun()};
    std::stop_source stop;
    stop.request_stop();
    const auto result = validate(runs, "detailed", {}, stop.get_token());
    QVERIFY(!result);
    QCOMPARE(int(result.error().code), int(ErrorCode::Cancelled));
}

void TestValidation::ranges()
{
    std::vector<ReferenceRun> runs;
    for (int i = 0; i < 10; ++i)
        for (const auto *source : {"a", "b"})
            runs.push_back(reference(source, (i - 4.5) / 45)); // -10 % to +10 %
    const RangeTable table(runs);
    const auto configuration = configurationOf([](MeasuredRun &) {});
    const auto range = table.rangeOf(configuration.setting, configuration.layout, 10.0 * second);
    QCOMPARE(range.runs, 20);
    QCOMPARE(range.sources, 2);
    QVERIFY(range.low < 10.0 * second && range.low > 9.0 * second);
    QVERIFY(range.high > 10.0 * second && range.high < 11.2 * second);
    COMPARE_NUMBER(range.typicalError, 2.5 / 45);
    QVERIFY2(range.comparable.starts_with("20 runs on A100 with TP + DP, 10-30 B, of 2 sources"), range.comparable.c_str());
    QVERIFY2(range.outside.empty(), range.outside.empty() ? "" : range.outside.front().c_str());
    // One source that is always too slow leaves the prediction in its own interval.
    for (auto &run : runs)
        run.error = 0.2;
    const auto slow = RangeTable(runs).rangeOf(configuration.setting, configuration.layout, 12.0 * second);
    COMPARE_NUMBER(slow.low.value(), 10.0);
    COMPARE_NUMBER(slow.high.value(), 12.0);
    const auto none = RangeTable({}).rangeOf(configuration.setting, configuration.layout, 12.0 * second);
    QCOMPARE(none.runs, 0);
    QCOMPARE(none.outside.size(), 1UZ);
}

void TestValidation::rangesLoosenTheirConditions()
{
    const auto configuration = configurationOf([](MeasuredRun &) {});
    const auto comparable = [&](const Edit &, const std::function<void(ReferenceRun &)> &edit, const char *secondSource) {
        std::vector<ReferenceRun> runs;
        for (int i = 0; i < 12; ++i) {
            runs.push_back(reference(i % 2 ? "a" : secondSource, 0.1));
            if (i % 2 == 0)
                edit(runs.back());
        }
        return RangeTable(runs).rangeOf(configuration.setting, configuration.layout, second).comparable;
    };
    const Edit nothing = [](MeasuredRun &) {};
    QCOMPARE(comparable(nothing, [](ReferenceRun &run) { run.size = "over 300 B"; }, "b"), std::string("12 runs on A100 with TP + DP, of 2 sources"));
    QCOMPARE(comparable(nothing, [](ReferenceRun &run) { run.parallelism = "DP"; }, "b"), std::string("12 runs on A100, of 2 sources"));
    QCOMPARE(comparable(nothing, [](ReferenceRun &run) { run.family = detailed::Family::Tpu; }, "b"), std::string("12 runs on any accelerator, of 2 sources"));
    QCOMPARE(comparable(nothing, [](ReferenceRun &) {}, "a"), std::string("12 runs on any accelerator, of 1 source"));
}

void TestValidation::outsideOfWhatWasValidated_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const char *said, const Edit &edit) { QTest::newRow(name) << edit << QString::fromUtf8(said); };
    row("inside", "", [](MeasuredRun &) {});
    row("family", "No run on Hopper was validated", [](MeasuredRun &run) { run.accelerator = "H100-SXM-80GB"; });
    row("accelerator", "No validated run is on an accelerator with these peaks, memory and scale-up links", [](MeasuredRun &run) { run.accelerator = "A100-PCIe-80GB"; });
    row("CP", "context parallelism", [](MeasuredRun &run) {
        run.cp = 2;
        run.dp = 4;
    });
    row("8 bits", "8-bit products", [](MeasuredRun &run) { run.precision = "fp8"; });
    row("LoRA", "LoRA", [](MeasuredRun &run) { run.kind = "finetune-lora"; });
    row("experts", "experts", [](MeasuredRun &run) { run.model.experts = 4; });
    row("pipeline", "pipeline parallelism", [](MeasuredRun &run) {
        run.pp = 2;
        run.dp = 4;
    });
    row("FSDP", "sharded parameters", [](MeasuredRun &run) { run.zeroStage = 3; });
    row("many", "more than ten times as many", [](MeasuredRun &run) {
        run.accelerators = 1024;
        run.dp = 128;
    });
    row("few", "less than a tenth", [](MeasuredRun &run) {
        run.accelerators = 4;
        run.tp = 4;
        run.dp = 1;
    });
    row("long", "The longest sequence validated on A100 has 2048 tokens; the plan's has 4096", [](MeasuredRun &run) { run.sequenceLength = 4096; });
    row("large model", "more than twice as many", [](MeasuredRun &run) { run.model.layers = 120; });
}

void TestValidation::outsideOfWhatWasValidated()
{
    QFETCH(Edit, edit);
    QFETCH(QString, said);
    const RangeTable table({reference("a", 0.1), reference("b", -0.1)});
    const auto configuration = configurationOf(edit);
    const auto outside = table.rangeOf(configuration.setting, configuration.layout, second).outside;
    QString all;
    for (const auto &sentence : outside)
        all += QString::fromStdString(sentence) + QLatin1Char('\n');
    if (said.isEmpty())
        QVERIFY2(outside.empty(), qPrintable(all));
    else
        QVERIFY2(all.contains(said), qPrintable(all));
}

void TestValidation::explanations()
{
    auto runs = withErrors({{"a", 0.5}, {"a", 0.1}});
    runs.front().notes = "5 layers offloaded to the CPU";
    runs.front().recompute.clear();
    runs.front().inferred = {"dp"};
    const auto result = validate(runs, "detailed");
    QVERIFY(result);
    const auto sentences = explainMiss(runs.front(), result->runs.front(), *result);
    std::string all;
    for (const auto &sentence : sentences)
        all += sentence + "\n";
    for (const auto *words : {"too slow", "The prediction is made of compute", "Read as Megatron-Core", "recomputation (none)", "filled in dp", "offloading", "The 2 runs of this source", "The row says: 5 layers"})
        QVERIFY2(all.contains(words), (all + "lacks: " + words).c_str());
}

QTEST_GUILESS_MAIN(TestValidation)
#include "tst_validation.moc"
