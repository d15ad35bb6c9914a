// SPDX-License-Identifier: GPL-3.0-or-later
// What the detailed model takes: settings and layouts that it refuses, and the family that an accelerator belongs to.
#include "solver/detailedmaker.h"
#include "testing/registry.h"

#include <QTest>

using namespace detailedmaker;

class DetailedInputsTest : public QObject {
    Q_OBJECT
private slots:
    void refusals_data();
    void refusals();
    void familiesOfArchitectures_data();
    void familiesOfArchitectures();
};

void DetailedInputsTest::refusals_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<int>("which");
    QTest::newRow("product") << "tp" << 0;
    QTest::newRow("heads") << "tp" << 1;
    QTest::newRow("stages") << "pp" << 2;
    QTest::newRow("virtual stages without pipeline") << "vs" << 3;
    QTest::newRow("microbatches not a multiple of stages") << "vs" << 4;
    QTest::newRow("batch too small") << "mb" << 5;
    QTest::newRow("sequence pieces") << "cp" << 6;
    QTest::newRow("no experts") << "ep" << 7;
    QTest::newRow("experts not divided") << "ep" << 8;
    QTest::newRow("expert TP") << "etp" << 9;
    QTest::newRow("zero") << "zero" << 10;
    QTest::newRow("shard group") << "shard" << 11;
    QTest::newRow("count") << "dp" << 12;
    QTest::newRow("no peak") << "acc.peak16" << 13;
    QTest::newRow("no layers") << "model.layers" << 14;
    QTest::newRow("precision") << "prec" << 15;
    QTest::newRow("constant") << "constants.up" << 16;
}

void DetailedInputsTest::refusals()
{
    QFETCH(QString, field);
    QFETCH(int, which);
    auto setting = detailedmaker::setting();
    auto layout = detailedmaker::layout();
    switch (which) {
    case 0: layout.dp = 5; break;
    case 1:
        layout = {.tp = 64 * 3, .expertTp = 1};
        setting.accelerators = 192;
        break;
    case 2:
        layout = {.pp = 96};
        setting.accelerators = 96;
        break;
    case 3: layout = {.virtualStages = 2, .dp = 64}; break;
    case 4:
        layout.microbatch = 4;
        setting.globalBatch = 4 * 4 * 3;
        break;
    case 5: setting.globalBatch = 3; break;
    case 6:
        layout = {.tp = 4, .cp = 16, .expertTp = 4};
        setting.sequenceLength = 40;
        break;
    case 7: layout.ep = 2; break;
    case 8:
        setting.architecture = experts();
        layout = {.dp = 64, .ep = 3};
        break;
    case 9:
        setting.architecture = experts();
        layout = {.tp = 4, .dp = 16, .expertTp = 3};
        break;
    case 10: layout.zeroStage = 4; break;
    case 11: layout.shardGroup = 3; break;
    case 12: layout.dp = 0; break;
    case 13: setting.machine.peak16 = {}; break;
    case 14: setting.architecture.layers = 0; break;
    case 15: setting.precisionBits = 12; break;
    case 16: setting.constants[Constant::ScaleUpShare] = -1; break;
    }
    const auto pricer = Pricer::make(setting);
    const auto error = pricer
        ? (pricer->check(layout) ? std::optional<Error>() : std::optional(pricer->check(layout).error()))
        : std::optional(pricer.error());
    QVERIFY(error);
    QCOMPARE(QString::fromStdString(error->field), field);
    QVERIFY(error->message.ends_with('.'));
    if (pricer)
        QVERIFY(!pricer->isLegal(layout));
}

void DetailedInputsTest::familiesOfArchitectures_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("family");
    QTest::addColumn<bool>("nearest");
    QTest::newRow("h200") << "NVIDIA H200"
                          << "Hopper"
                          << "Hopper" << false;
    QTest::newRow("a800") << "NVIDIA A800"
                          << "Ampere (export variant)"
                          << "A100" << false;
    QTest::newRow("a10") << "NVIDIA A10"
                         << "Ampere"
                         << "A100" << true;
    QTest::newRow("b300") << "NVIDIA B300"
                          << "Blackwell Ultra"
                          << "BlackwellUltra" << false;
    QTest::newRow("rtx") << "RTX 5090"
                         << "Blackwell (GB202)"
                         << "Blackwell" << true;
    QTest::newRow("mi300x") << "MI300X"
                            << "CDNA 3"
                            << "CDNA" << false;
    QTest::newRow("mi250x") << "MI250X"
                            << "CDNA 2"
                            << "CDNA" << true;
    QTest::newRow("v5p") << "TPU v5p"
                         << "TPU v5p"
                         << "TPU" << false;
    QTest::newRow("unknown") << "Own chip"
                             << ""
                             << "Hopper, A100 and CDNA" << true;
    QTest::newRow("ascend") << "Ascend 910C"
                            << "Ascend 910"
                            << "Hopper, A100 and CDNA" << true;
    QTest::newRow("l40s") << "NVIDIA L40S"
                          << "Ada Lovelace"
                          << "Hopper and A100" << true;
    QTest::newRow("rubin") << "NVIDIA Rubin GPU"
                           << "Rubin"
                           << "BlackwellUltra and Blackwell" << true;
    QTest::newRow("mi455x") << "MI455X"
                            << "CDNA 5"
                            << "CDNA and BlackwellUltra" << true;
    QTest::newRow("v7") << "TPU7x"
                        << "TPU v7"
                        << "TPU and TPUv6e" << true;
}

void DetailedInputsTest::familiesOfArchitectures()
{
    QFETCH(QString, name);
    QFETCH(QString, architecture);
    QFETCH(QString, family);
    QFETCH(bool, nearest);
    AcceleratorFacts facts;
    facts.name = name.toStdString();
    facts.architecture = architecture.toStdString();
    const auto match = familyOf(facts);
    QCOMPARE(QString::fromStdString(familiesInWords(match.shares())), family);
    QCOMPARE(match.isNearest(), nearest);
    double weights = 0;
    for (const auto &share : match.shares())
        weights += share.weight;
    QVERIFY2(std::abs(weights - 1) < 1e-12, qPrintable(QString::number(weights)));
    QCOMPARE(int(match.family()), int(match.shares().front().family));
}

FLEETWRIGHT_TEST(DetailedInputsTest)
#include "tst_detailedinputs.moc"
