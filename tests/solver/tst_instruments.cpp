// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/cube/cube.h"
#include "solver/models/dpwall/dpwall.h"
#include "testing/registry.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace fleetwright;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

#define COMPARE_NEAR(a, b)                                                                                             \
    QVERIFY2(near((a), (b)),                                                                                           \
        qPrintable(QStringLiteral("%1 against %2").arg(double(a), 0, 'g', 15).arg(double(b), 0, 'g', 15)))

} // namespace

/// The two instruments of the parallelism-paradox lab. Their published cases run in tst_nativemodels.
class InstrumentsTest : public QObject {
    Q_OBJECT
private slots:
    void wallByHand();
    void wallCorrected();
    void wallOverlapHidesBehindTheBackwardPassOnly();
    void wallCurve();
    void wallBands();
    void wallRefuses_data();
    void wallRefuses();
    void cubePublishedAnswerIsOutOfMemory();
    void cubeCorrected();
    void cubeFactorsMakeTheMfu();
    void cubeInvalidProduct();
    void cubeCurve();
    void cubeBands();
    void cubeRefuses();
};

void InstrumentsTest::wallByHand()
{
    // 7 B parameters, 2 accelerators on the scale-up fabric, 1 sample each: 14 GB, once around the ring.
    const auto figures = dpwall::price(
        {.parameters = 7e9, .accelerators = 2, .batchPerAccelerator = 1, .fabric = dpwall::Fabric::ScaleUp});
    QVERIFY(figures.has_value());
    COMPARE_NEAR(figures->gradient.value(), 14e9);
    COMPARE_NEAR(figures->allReduceTime.value(), 14e9 / 900e9);
    COMPARE_NEAR(figures->computeTime.value(), 42e9 / (1979e12 * 0.52));
    QVERIFY(!figures->forcedScaleOut);
    QCOMPARE(figures->hiddenTime.value(), 0.0);
    QCOMPARE(figures->exposedTime.value(), figures->allReduceTime.value());
    COMPARE_NEAR(figures->mfu, 0.52 / (1 + figures->ratio));
    const auto alone = dpwall::price({.parameters = 7e9, .accelerators = 1});
    QCOMPARE(alone->allReduceTime.value(), 0.0);
    COMPARE_NEAR(alone->mfu, 0.52);
}

void InstrumentsTest::wallCorrected()
{
    const dpwall::Inputs inputs{
        .parameters = 7e9, .accelerators = 64, .batchPerAccelerator = 1, .setting = dpwall::corrected(2048)};
    const auto figures = dpwall::price(inputs);
    QVERIFY(figures.has_value());
    COMPARE_NEAR(figures->allReduceTime.value(), 14e9 * 2 * 63 / 64 / 50e9);
    COMPARE_NEAR(figures->computeTime.value(), 6 * 7e9 * 2048 / (989e12 * 0.52));
    QVERIFY(figures->mfu > 10 * dpwall::price({.parameters = 7e9, .accelerators = 64, .batchPerAccelerator = 1})->mfu);
    // Experts that a token does not meet compute nothing, but their gradients travel.
    auto sparse = inputs;
    sparse.activeParameters = 3.5e9;
    COMPARE_NEAR(dpwall::price(sparse)->computeTime.value(), figures->computeTime.value() / 2);
    QCOMPARE(dpwall::price(sparse)->allReduceTime.value(), figures->allReduceTime.value());
}

void InstrumentsTest::wallOverlapHidesBehindTheBackwardPassOnly()
{
    dpwall::Inputs inputs{
        .parameters = 7e9, .accelerators = 64, .batchPerAccelerator = 64, .setting = dpwall::corrected(2048)};
    const auto plenty = dpwall::price(inputs);
    COMPARE_NEAR(plenty->hiddenTime.value(), 0.7 * plenty->allReduceTime.value());
    inputs.batchPerAccelerator = 0.01;
    const auto scarce = dpwall::price(inputs);
    COMPARE_NEAR(scarce->hiddenTime.value(), 2.0 / 3.0 * scarce->computeTime.value());
    COMPARE_NEAR(scarce->hiddenTime.value() + scarce->exposedTime.value(), scarce->allReduceTime.value());
}

void InstrumentsTest::wallCurve()
{
    const auto curve = dpwall::mfuCurve(
        {.parameters = 70e9, .batchPerAccelerator = 32, .fabric = dpwall::Fabric::ScaleUp});
    QVERIFY(curve.has_value());
    QCOMPARE(curve->size(), std::size_t(8));
    QCOMPARE(curve->front().accelerators, 8);
    QCOMPARE(curve->back().accelerators, 1024);
    for (std::size_t i = 1; i < curve->size(); ++i)
        QVERIFY((*curve)[i].mfu < (*curve)[i - 1].mfu);
    QCOMPARE(dpwall::observations().size(), std::size_t(3));
    QCOMPARE(dpwall::observations()[2], (dpwall::CurvePoint{512, 0.19}));
    QCOMPARE(dpwall::mfuCurve({.parameters = -1}).error().field, std::string("params_b"));
}

void InstrumentsTest::wallBands()
{
    QVERIFY(dpwall::mfuBand(0.45) == Band::Green && dpwall::mfuBand(0.4499) == Band::Amber);
    QVERIFY(dpwall::mfuBand(0.25) == Band::Amber && dpwall::mfuBand(0.2499) == Band::Red);
    QVERIFY(dpwall::ratioBand(0.3) == Band::Green && dpwall::ratioBand(0.301) == Band::Amber);
    QVERIFY(dpwall::ratioBand(0.8) == Band::Amber && dpwall::ratioBand(0.801) == Band::Red);
}

void InstrumentsTest::wallRefuses_data()
{
    QTest::addColumn<double>("parameters");
    QTest::addColumn<int>("accelerators");
    QTest::addColumn<double>("batch");
    QTest::addColumn<double>("overlap");
    QTest::addColumn<QString>("field");
    QTest::newRow("no parameters") << 0.0 << 8 << 1.0 << 0.0 << "params_b";
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << 8 << 1.0 << 0.0 << "params_b";
    QTest::newRow("no accelerators") << 1e9 << 0 << 1.0 << 0.0 << "gpus";
    QTest::newRow("no batch") << 1e9 << 8 << -1.0 << 0.0 << "batch_per_gpu";
    QTest::newRow("infinite batch") << 1e9 << 8 << std::numeric_limits<double>::infinity() << 0.0 << "batch_per_gpu";
    QTest::newRow("overlap") << 1e9 << 8 << 1.0 << 1.1 << "overlap";
}

void InstrumentsTest::wallRefuses()
{
    QFETCH(const double, parameters);
    QFETCH(const int, accelerators);
    QFETCH(const double, batch);
    QFETCH(const double, overlap);
    QFETCH(const QString, field);
    dpwall::Inputs inputs{.parameters = parameters, .accelerators = accelerators, .batchPerAccelerator = batch};
    inputs.setting.overlap = overlap;
    const auto figures = dpwall::price(inputs);
    QVERIFY(!figures.has_value());
    QCOMPARE(QString::fromStdString(figures.error().field), field);
    QVERIFY(figures.error().code == ErrorCode::OutOfRange);
}

void InstrumentsTest::cubePublishedAnswerIsOutOfMemory()
{
    const auto figures = cube::price({.tp = 8, .pp = 4, .microbatches = 8});
    QVERIFY(figures.has_value() && figures->valid);
    QCOMPARE(figures->dp, 32);
    COMPARE_NEAR(figures->total.value(), 118.6875e9);
    QVERIFY(figures->outOfMemory);
    QVERIFY(cube::memoryBand(figures->total, cube::Setting().capacity) == Band::Red);
}

void InstrumentsTest::cubeCorrected()
{
    const cube::Setting corrected{.variant = cube::Variant::Corrected};
    const auto figures = cube::price({.tp = 8, .pp = 4, .microbatches = 8, .setting = corrected});
    COMPARE_NEAR(figures->activations.value(), 1e9);
    COMPARE_NEAR(figures->total.value(), 55.6875e9);
    QVERIFY(!figures->outOfMemory);
    QCOMPARE(figures->mfu, cube::price({.tp = 8, .pp = 4, .microbatches = 8})->mfu); // the published formula in both
}

void InstrumentsTest::cubeFactorsMakeTheMfu()
{
    const auto figures = cube::price({.tp = 16, .pp = 4, .microbatches = 16});
    QVERIFY(figures->tpCrossesNode);
    COMPARE_NEAR(figures->tpPenalty, 2.25);
    COMPARE_NEAR(figures->tpFactor, 1 - 0.05 * 4 * 2.25);
    COMPARE_NEAR(figures->bubbleFactor, 1 - 3.0 / 64);
    COMPARE_NEAR(figures->dpFactor, 1 - 0.02 * 4);
    COMPARE_NEAR(figures->mfu, 0.52 * figures->tpFactor * figures->bubbleFactor * figures->dpFactor);
    // Never negative, not even from two negative factors.
    cube::Setting steep{.tpLoss = 0.9, .dpLoss = 0.9};
    QCOMPARE(cube::price({.tp = 8, .pp = 1, .setting = steep})->mfu, 0.0);
}

void InstrumentsTest::cubeInvalidProduct()
{
    const auto tooMany = cube::price({.tp = 64, .pp = 64, .microbatches = 8});
    QVERIFY(tooMany.has_value() && !tooMany->valid);
    QCOMPARE(tooMany->dp, 0);
    QCOMPARE(tooMany->dpFactor, 1.0);
    const auto remainder = cube::price({.tp = 3, .pp = 16, .microbatches = 8});
    QVERIFY(!remainder->valid);
    QCOMPARE(remainder->dp, 21);
    QVERIFY(cube::price({.tp = 3'000'000'000'000, .pp = 9'000'000'000'000}).has_value()); // the product fits no integer
}

void InstrumentsTest::cubeCurve()
{
    const auto curve = cube::bubbleCurve(4);
    QVERIFY(curve.has_value());
    QCOMPARE(curve->size(), std::size_t(32));
    QCOMPARE(curve->front(), (cube::CurvePoint{1, 0.0}));
    COMPARE_NEAR(curve->back().bubble, 31.0 / 128);
    QCOMPARE(cube::bubbleCurve(0).error().field, std::string("m"));
    QCOMPARE(cube::curveMicrobatches().size(), std::size_t(4));
}

void InstrumentsTest::cubeBands()
{
    const Bytes capacity = 80.0 * gigabyte;
    QVERIFY(cube::memoryBand(60.0 * gigabyte, capacity) == Band::Green
        && cube::memoryBand(60.1 * gigabyte, capacity) == Band::Amber);
    QVERIFY(cube::memoryBand(80.0 * gigabyte, capacity) == Band::Amber
        && cube::memoryBand(80.1 * gigabyte, capacity) == Band::Red);
    QVERIFY(cube::bubbleBand(0.05) == Band::Green && cube::bubbleBand(0.051) == Band::Amber);
    QVERIFY(cube::bubbleBand(0.10) == Band::Amber && cube::bubbleBand(0.101) == Band::Red);
    QVERIFY(
        cube::mfuBand(0.40) == Band::Green && cube::mfuBand(0.39) == Band::Amber && cube::mfuBand(0.24) == Band::Red);
}

void InstrumentsTest::cubeRefuses()
{
    QCOMPARE(cube::price({.tp = 0}).error().field, std::string("tp"));
    QCOMPARE(cube::price({.pp = -1}).error().field, std::string("pp"));
    QCOMPARE(cube::price({.microbatches = 0}).error().field, std::string("m"));
    cube::Inputs inputs;
    inputs.setting.referenceMfu = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(cube::price(inputs).error().field, std::string("reference_mfu"));
    QCOMPARE(cube::parseVariant("other").error().field, std::string("variant"));
    QVERIFY(dpwall::parseVariant("corrected").value() == dpwall::Variant::Corrected);
}

FLEETWRIGHT_TEST(InstrumentsTest)
#include "tst_instruments.moc"
