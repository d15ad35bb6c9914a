// SPDX-License-Identifier: GPL-3.0-or-later
// How a run becomes a configuration (resources/handbook/models/detailed.md, section 16), rule by rule on rows written
// by hand.
#include "solver/measuredrow.h"
#include "testing/registry.h"

using namespace Qt::StringLiterals;
using detailed::Software;

class TestRunConfiguration : public QObject {
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
    void plansForOtherModels();
};

void TestRunConfiguration::notScored_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *reason, const Edit &edit) {
        QTest::addRow("%s", reason) << edit << QString::fromUtf8(reason);
    };
    row("inconsistent", [](MeasuredRun &run) { run.inconsistent = "tp*pp*cp*dp = 32, n_gpus = 16"; });
    row("whole-run average", [](MeasuredRun &run) { run.kind = "full_run"; });
    row("unknown accelerator", [](MeasuredRun &run) { run.accelerator = "A64FX-node"; });
    row("no batch", [](MeasuredRun &run) { run.globalBatch.reset(); });
    row("no sequence length", [](MeasuredRun &run) { run.sequenceLength = 0; });
    row("model dimensions", [](MeasuredRun &run) { run.model.heads.reset(); });
    row("TP or PP not stated", [](MeasuredRun &run) { run.pp.reset(); });
    row("no accelerator count", [](MeasuredRun &run) { run.accelerators.reset(); });
    row("precision not stated", [](MeasuredRun &run) {
        run.accelerator = "H100-SXM-80GB";
        run.precision = {};
    });
    row("t*p*c*r differs from n", [](MeasuredRun &run) { run.dp = 7; });
    row("b*r > G", [](MeasuredRun &run) { run.globalBatch = 16; });
    row("unknown ZeRO stage", [](MeasuredRun &run) { run.zeroStage = 4; });
    row("no step time", [](MeasuredRun &run) { run.measured = {}; });
    row("no step time", [](MeasuredRun &run) {
        run.measured = {};
        run.measured.tokensPerSecond = 1e-310; // an infinite step
    });
}

void TestRunConfiguration::notScored()
{
    QFETCH(Edit, edit);
    QFETCH(QString, reason);
    const auto configuration = configurationFrom(edited(edit));
    QVERIFY(!configuration);
    QCOMPARE(int(configuration.error().code), int(ErrorCode::UnsupportedValue));
    QCOMPARE(QString::fromStdString(configuration.error().message), reason);
}

void TestRunConfiguration::software_data()
{
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("accelerator");
    QTest::addColumn<QString>("date");
    QTest::addColumn<int>("zeroStage");
    QTest::addColumn<int>("software");
    const auto row = [](const char *framework, const char *accelerator, const char *date, int zero, Software software) {
        QTest::addRow("%s %s %s %d", framework, accelerator, date, zero)
            << QString::fromUtf8(framework) << QString::fromUtf8(accelerator) << QString::fromUtf8(date) << zero
            << int(software);
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
    row("nanotron v0.5 (PyTorch)", h100, "2025-02", 1, Software::Research);
    row("homegrown", h100, "2025", 0, Software::Research);
    row("homegrown", h100, "2025", 3, Software::Fsdp);
    row("PyTorch FSDP2", h100, "2025", 0, Software::Fsdp);
    row("torchtitan (eager)", h100, "2025", 3, Software::Fsdp);
    row("Megatron-LM", a100, "2023-01", 0, Software::MegatronCore);
    row("Megatron-LM", a100, "2022-12", 0, Software::MegatronV2);
    row("Megatron-DeepSpeed", a100, "2022", 1, Software::MegatronDeepSpeed);
    row("Megatron-LM / DeepSpeed ZeRO-3", a100, "2021", 0, Software::MegatronV2);
    row("Megatron-LM / DeepSpeed ZeRO-3", a100, "2021", 3, Software::MegatronDeepSpeed);
    row("Megatron-LM style GPT (1F1B)", a100, "2024", 0, Software::MegatronV2);
    row("OneFlow", "V100-SXM2-16GB", "2021", 0, Software::MegatronV2);
    row("InternEvo", a100, "2024", 1, Software::Fsdp);
    row("T5X", "TPU-v4", "2023", 3, Software::Xla);
    row("NeMo 2.0 (PyTorch Lightning)", h100, "2025", 0, Software::MegatronCore);
    row("homegrown", "TPU-v5p", "2024", 0, Software::Xla);
    row("NeMo", "Trainium1-core", "2024", 0, Software::Xla);
    row("PyTorch/XLA", h100, "2024", 0, Software::Xla);
    row("MindSpeed-LLM", "Ascend-910B", "2025", 0, Software::MegatronCore);
    row("LLaMA-Factory", h100, "2025", 0, Software::Fsdp);
    row("Hugging Face Transformers", a100, "2024", 0, Software::Fsdp);
    row("", a100, "2024", 0, Software::Fsdp);
}

void TestRunConfiguration::software()
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

void TestRunConfiguration::attentionKernel_data()
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

void TestRunConfiguration::attentionKernel()
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

void TestRunConfiguration::precision_data()
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

void TestRunConfiguration::precision()
{
    QFETCH(QString, text);
    QTEST(configurationOf([&](MeasuredRun &run) { run.precision = text.toStdString(); }).setting.precisionBits, "bits");
}

void TestRunConfiguration::network_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("gigabitsPerNode");
    QTest::newRow("ports") << u"8x 400 Gb/s InfiniBand per node"_s << 3200.0;
    QTest::newRow("named ports") << u"4x 100 Gb/s Omni-Path per node (Jean Zay)"_s << 400.0;
    QTest::newRow("compute among others")
        << u"Storage: 2x ConnectX-7 IB NDR 400Gb/s, Compute: 8x ConnectX-7 IB NDR 400Gb/s, Management: 100Gb/s "
           u"Ethernet NIC"_s
        << 3200.0;
    QTest::newRow("whole node") << u"1600 Gb/s per node RoCE"_s << 1600.0;
    QTest::newRow("one port") << u"100 Gb/s EDR InfiniBand, one port per node"_s << 100.0;
    QTest::newRow("no rate") << u"Ethernet, Infiniband"_s << 8 * 200.0; // 25 GB/s: the default of an A100
    QTest::newRow("nothing") << QString() << 8 * 200.0;
}

void TestRunConfiguration::network()
{
    QFETCH(QString, text);
    QFETCH(double, gigabitsPerNode);
    const auto configuration = configurationOf([&](MeasuredRun &run) { run.scaleOutText = text.toStdString(); });
    COMPARE_NUMBER(configuration.setting.machine.scaleOut.value(), gigabitsPerNode * 1e9 / 8 / 8);
}

void TestRunConfiguration::domains()
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

void TestRunConfiguration::missingSizesAreFilled()
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
    QVERIFY(!configurationOf([](MeasuredRun &run) {
        run.model.name = "Nemotron-4 15B";
    }).setting.architecture.tiedEmbeddings);
    QCOMPARE(configurationOf([](MeasuredRun &run) { run.dp.reset(); }).layout.dp, 8);
    const auto hybrid = configurationOf([](MeasuredRun &run) {
        run.model.hybrid = true;
        run.model.parameters = 9e9;
    });
    const double computed = 40.0 * (6144.0 * 3 * 6144 + 6144.0 * 6144 + 2 * 6144 + 2 * 6144.0 * 4 * 6144)
        + 51200.0 * 6144;
    COMPARE_NUMBER(hybrid.setting.architecture.workScale, 9e9 / computed);
}

void TestRunConfiguration::expertLayersFollowThePublishedCount()
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

void TestRunConfiguration::stageOfZero_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("group");
    const auto row = [](const char *name, int stage, int group, const Edit &edit) {
        QTest::newRow(name) << edit << stage << group;
    };
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

void TestRunConfiguration::stageOfZero()
{
    QFETCH(Edit, edit);
    const auto layout = configurationOf(edit).layout;
    QTEST(layout.zeroStage, "stage");
    QTEST(int(layout.shardGroup), "group");
}

void TestRunConfiguration::overlapAndGradients()
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
    const auto stated = configurationOf([](MeasuredRun &run) {
        run.overlap = {{"tp_comm_overlap", false}, {"p2p_overlap", false}};
    }).setting.stack;
    QVERIFY(!stated.tpOverlap && !stated.ppOverlap && stated.dpOverlap);
    QCOMPARE(configurationOf([](MeasuredRun &run) {
        run.precision = "bf16 (fp32 gradient accumulation)";
    }).setting.stack.gradientBytes,
        4);
    QCOMPARE(configurationOf([](MeasuredRun &run) {
        run.notes = "Gradient accumulation in fp32";
    }).setting.stack.gradientBytes,
        4);
    QCOMPARE(
        configurationOf([](MeasuredRun &run) { run.framework = "Megatron-DeepSpeed"; }).setting.stack.gradientBytes, 4);
    QCOMPARE(configurationOf([](MeasuredRun &run) {
        run.framework = "Composer + PyTorch FSDP";
        run.precision = "bf16, FSDP mixed_precision=PURE";
    }).setting.stack.gradientBytes,
        2);
    COMPARE_NUMBER(
        configurationOf([](MeasuredRun &run) { run.pipelineSchedule = "ZB-1p"; }).setting.bubbleShare, 1.0 / 3);
    COMPARE_NUMBER(configurationOf([](MeasuredRun &run) { run.pipelineSchedule = "ZB-2p"; }).setting.bubbleShare, 0.0);
    QVERIFY(configurationOf([](MeasuredRun &run) { run.kind = "finetune-lora"; }).setting.lora);
    for (const auto &[text, recompute] : {std::pair{"full, block granularity, 21 of 80 layers", Recompute::Full},
             {"selective", Recompute::Selective}, {"minimal", Recompute::None}, {"", Recompute::None}})
        QCOMPARE(int(configurationOf([text = text](MeasuredRun &run) { run.recompute = text; }).layout.recompute),
            int(recompute));
}

void TestRunConfiguration::rulesSinceTheSpecification()
{
    const auto both = [](const Edit &edit) {
        const auto run = edited(edit);
        return std::pair{configurationFrom(run, Rules::Specification), configurationFrom(run, Rules::Version2)};
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
    QVERIFY((software("Sailor (Megatron-DeepSpeed)", hopper, 2)
        == std::pair{Software::MegatronCore, Software::MegatronDeepSpeed}));
    QVERIFY((software("GPT-NeoX", hopper, 1) == std::pair{Software::Fsdp, Software::MegatronDeepSpeed}));
    QVERIFY((
        software("Megatron-DeepSpeed", "MI250X", 1) == std::pair{Software::MegatronCore, Software::MegatronDeepSpeed}));
    QVERIFY((software("homegrown", hopper, 2) == std::pair{Software::Fsdp, Software::MegatronCore}));
    QVERIFY((software("homegrown", hopper, 1) == std::pair{Software::Fsdp, Software::Fsdp}));
    QVERIFY((software("homegrown", "A100-SXM-80GB", 2) == std::pair{Software::Fsdp, Software::Fsdp}));
    QVERIFY(!both([&](MeasuredRun &run) {
        run.framework = "homegrown";
        run.accelerator = hopper;
        run.pp = 2;
        run.dp = 4;
    }).second->setting.stack.tpOverlap);
    // Graphs and overlapped experts.
    const auto graphs = both([](MeasuredRun &run) { run.notes = "CUDA graphs: full_cuda_graph"; });
    QVERIFY(!graphs.first->setting.stack.graphs && graphs.second->setting.stack.graphs
        && !graphs.second->setting.stack.epOverlap);
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

void TestRunConfiguration::plansForOtherModels()
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

FLEETWRIGHT_TEST(TestRunConfiguration)
#include "tst_runconfiguration.moc"
