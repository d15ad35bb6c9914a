// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/runname.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::validation;
using namespace std::string_literals;

class RunNameTest : public QObject {
    Q_OBJECT
private slots:
    void saysWhatTheRunIs()
    {
        MeasuredRun run{.id = "mlperf-17"};
        QCOMPARE(runName(run), "mlperf-17"s); // nothing else is known
        run.accelerator = "H100-SXM-80GB";
        QCOMPARE(runName(run), "mlperf-17"s); // nor what was trained
        run.model = {.name = "Llama 2 70B"};
        QCOMPARE(runName(run), "Llama 2 70B on H100"s);
        run.accelerators = 512;
        run.tp = 8;
        run.pp = 4;
        run.cp = 1;
        run.dp = 16;
        QCOMPARE(runName(run), "Llama 2 70B on 512 H100, TP 8, PP 4"s);
        run.virtualStages = 2;
        run.cp = 2;
        run.ep = 8;
        run.microbatch = 1;
        QCOMPARE(runName(run), "Llama 2 70B on 512 H100, TP 8, PP 4, VP 2, CP 2, EP 8, mb 1"s);
        run.accelerator = {};
        run.tp = run.pp = run.virtualStages = run.cp = run.ep = run.microbatch = std::nullopt;
        QCOMPARE(runName(run), "Llama 2 70B on 512 accelerators"s);
        run.accelerators = 1;
        QCOMPARE(runName(run), "Llama 2 70B on 1 accelerator"s);
        run.model = {.layers = 24, .hidden = 2048};
        QCOMPARE(runName(run), "24 layers of 2048 on 1 accelerator"s);
    }

    void runsOfOneNameAreToldApart()
    {
        const MeasuredRun run{.id = "a", .model = {.name = "Llama 2 70B"}};
        std::vector<MeasuredRun> runs(5, run);
        runs[0].model.name = "Llama 2 7B";
        runs[0].zeroStage = 3; // its name is its own
        runs[1].zeroStage = 1;
        runs[2].zeroStage = runs[3].zeroStage = 3;
        runs[3].precision = "fp8";
        runs[3].globalBatch = 512; // the precision says enough
        const auto told = nameDetails(runs);
        const std::unordered_map<std::size_t, std::string> expected{
            {1, ", ZeRO stage 1"}, {2, ", ZeRO stage 3"}, {3, ", ZeRO stage 3, fp8"}};
        QVERIFY(told == expected); // the last states nothing, which is different, too
        for (std::size_t i = 0; i < runs.size(); ++i)
            runs[i] = MeasuredRun{.id = std::to_string(i), .model = {.name = "Llama 2 70B"}};
        QCOMPARE(nameDetails(runs).at(4), ", 4"s); // by the id alone
    }

    void acceleratorsAreNamedWithoutTheirVariant_data()
    {
        QTest::addColumn<std::string>("id");
        QTest::addColumn<std::string>("name");
        const std::pair<const char *, const char *> known[]{{"H100-SXM-80GB", "H100"}, {"V100-SXM2-16GB", "V100"},
            {"H100-SXM-96GB-HBM2e", "H100"}, {"h100-sxm-80gb", "h100"}, {"A100-PCIe-40GB", "A100 PCIe"},
            {"GB200-NVL72", "GB200"}, {"H200-NVL-141GB", "H200 NVL"}, {"TPU-v5p", "TPU v5p"},
            {"Ascend-910B", "Ascend 910B"}, {"MI300X", "MI300X"}, {"SXM-80GB", "SXM"}, {"", ""}};
        for (const auto &[id, name] : known)
            QTest::newRow(*id ? id : "none") << std::string(id) << std::string(name);
    }
    void acceleratorsAreNamedWithoutTheirVariant()
    {
        QFETCH(std::string, id);
        QFETCH(std::string, name);
        QCOMPARE(acceleratorName(id), name);
    }

    void fieldsAreNamedInWords()
    {
        QCOMPARE(fieldInWords("tp"), "TP"s);
        QCOMPARE(fieldInWords("seq_len"), "sequence length"s);
        QCOMPARE(fieldInWords("sequence_parallel"), "sequence parallel"s);
    }

    void sourcesHaveTitleAndDate()
    {
        RunSource source{.key = "vtrain"};
        QCOMPARE(sourceName(source), "vtrain"s);
        QCOMPARE(shortSourceName(source), "vtrain"s);
        source.title = "vTrain validation ground truth (MICRO 2024)";
        source.date = "2024-09-26";
        QCOMPARE(sourceName(source), "vTrain validation ground truth (MICRO 2024), 2024-09-26"s);
        QCOMPARE(shortSourceName(source), "vTrain validation ground truth"s);
        source.title = "Smith et al., Megatron-Turing NLG 530B, Section 2.4";
        QCOMPARE(shortSourceName(source), "Smith et al., Megatron-Turing\u2026"s);
        source.title = std::string(80, 'x');
        QCOMPARE(shortSourceName(source), "vtrain"s);
        QCOMPARE(sourceName({}), "own runs"s);
        QCOMPARE(shortSourceName({}), "own runs"s);
    }

    void sourcesAreFoundByTheirKey()
    {
        std::vector<MeasuredRun> runs(3);
        runs[0].source = {.key = "a", .title = "Title of a"};
        const NamedSources named(runs);
        QCOMPARE(named.name("a"), "Title of a"s);
        QCOMPARE(named.shortName("a"), "Title of a"s);
        QVERIFY(named.find("a") == &runs[0].source);
        QVERIFY(named.find("own runs") == &runs[1].source);
        QCOMPARE(named.name("own runs"), "own runs"s);
        QCOMPARE(named.name(""), "own runs"s);
        QVERIFY(!named.find("b"));
        QCOMPARE(named.name("b"), "b"s);
    }
};

FLEETWRIGHT_TEST(RunNameTest)
#include "tst_runname.moc"
