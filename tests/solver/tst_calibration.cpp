// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/calibration.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using namespace fleetwright::detailed;

namespace {

Machine a100()
{
    return {.family = Family::A100,
        .peak16 = FlopRate::from_value(312e12),
        .peak8 = FlopRate::from_value(312e12),
        .peak4 = FlopRate::from_value(312e12),
        .memoryBandwidth = Bandwidth::from_value(2039e9),
        .capacity = Bytes::from_value(80e9),
        .scaleUp = Bandwidth::from_value(300e9),
        .domain = 8,
        .scaleOut = Bandwidth::from_value(25e9)};
}

CalibrationRun runOf(std::int64_t accelerators, std::int64_t tp, std::int64_t pp, std::int64_t microbatch,
    std::int64_t hidden, std::int64_t batch, const Constants &truth)
{
    CalibrationRun run;
    run.id = "n" + std::to_string(accelerators) + " tp" + std::to_string(tp) + " pp" + std::to_string(pp) + " b"
        + std::to_string(microbatch) + " h" + std::to_string(hidden);
    run.source = "mine";
    auto &setting = run.setting;
    setting.machine = a100();
    setting.architecture = {.layers = 32,
        .hidden = hidden,
        .heads = hidden / 128,
        .kvHeads = hidden / 128,
        .headDim = 128,
        .ffn = 4 * hidden,
        .gated = false,
        .vocabulary = 51200};
    setting.stack = defaultsOf(Software::MegatronCore);
    setting.constants = truth;
    setting.accelerators = accelerators;
    setting.sequenceLength = 2048;
    setting.globalBatch = batch;
    run.layout = {
        .tp = tp, .pp = pp, .dp = accelerators / (tp * pp), .microbatch = microbatch, .sequenceParallel = tp > 1};
    const auto pricer = Pricer::make(setting);
    if (!pricer)
        qFatal("%s", pricer.error().message.c_str());
    run.measured = pricer->price(run.layout).stepTime;
    run.setting.constants = Constants(); // what calibrate() is given does not know the truth
    return run;
}

/// A spread of sizes and layouts on A100, so that several constants can be told apart.
std::vector<CalibrationRun> runsOf(const Constants &truth)
{
    std::vector<CalibrationRun> runs;
    for (const std::int64_t hidden : {2048, 4096, 8192})
        for (const std::int64_t tp : {1, 2, 8})
            for (const std::int64_t pp : {1, 4})
                for (const std::int64_t microbatch : {1, 4})
                    runs.push_back(runOf(64, tp, pp, microbatch, hidden, 512, truth));
    return runs;
}

double value(const Calibration &calibration, Constant constant) { return calibration.constants[constant]; }

const FittedConstant *fitted(const Calibration &calibration, Constant constant)
{
    const auto found = std::ranges::find(calibration.fitted, constant, &FittedConstant::constant);
    return found == calibration.fitted.end() ? nullptr : &*found;
}

Calibration must(Expected<Calibration> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(*result);
}

} // namespace

Q_DECLARE_METATYPE(fleetwright::detailed::Constant)

class TestCalibration : public QObject {
    Q_OBJECT
private slots:
    void alteredConstantsAreRecovered_data()
    {
        QTest::addColumn<Constant>("constant");
        QTest::addColumn<double>("factor");
        QTest::newRow("products slower") << Constant::Gemm16A100 << 0.85;
        QTest::newRow("products faster") << Constant::Gemm16A100 << 1.15;
        QTest::newRow("scale-up slower") << Constant::ScaleUpShare << 0.8;
        QTest::newRow("element-wise more") << Constant::ElementwiseCore << 1.3;
    }
    void alteredConstantsAreRecovered()
    {
        QFETCH(const Constant, constant);
        QFETCH(const double, factor);
        Constants truth;
        truth[constant] *= factor;
        const auto runs = runsOf(truth);
        const auto found = must(calibrate(runs, Constants(), {.constants = {constant}}));
        const double ratio = value(found, constant) / truth[constant];
        const auto *one = fitted(found, constant);
        // The prior holds back as much as it weighs: (posterior over prior deviation)^2 of what was altered.
        const double held = std::pow(1 - one->identified, 2) * std::abs(std::log(factor));
        QVERIFY2(std::abs(std::log(ratio)) < 1.25 * held + 0.002, qPrintable(QString::number(ratio)));
        QVERIFY2(std::abs(ratio - 1) < 0.02, qPrintable(QString::number(ratio)));
        QVERIFY(one && one->low <= one->after && one->after <= one->high && one->identified > 0.5 && !one->atBound);
        QVERIFY(found.medianErrorAfter < 0.005 && found.medianErrorAfter < found.medianErrorBefore);
        QCOMPARE(found.runs.size(), runs.size());
        QVERIFY(found.iterations > 0);
    }

    void severalAtOnce()
    {
        Constants truth;
        truth[Constant::Gemm16A100] *= 0.9;
        truth[Constant::ScaleUpShare] *= 0.85;
        const auto runs = runsOf(truth);
        const auto found = must(calibrate(runs, Constants()));
        for (const auto constant : {Constant::Gemm16A100, Constant::ScaleUpShare}) {
            QVERIFY(fitted(found, constant));
            QVERIFY2(std::abs(value(found, constant) / truth[constant] - 1) < 0.03,
                qPrintable(QString::number(value(found, constant) / truth[constant])));
        }
        QVERIFY2(found.meanErrorAfter < 0.01, qPrintable(QString::number(found.meanErrorAfter)));
    }

    void whatTheRunsCannotIdentifyStays()
    {
        Constants truth;
        truth[Constant::Gemm16A100] *= 0.9;
        const auto runs = runsOf(truth);
        const auto can = identifiable(runs, Constants());
        QVERIFY(!can.empty() && can.size() < 12);
        QCOMPARE(int(can.front()), int(Constant::Gemm16A100));
        // Another family, another stack, experts and adapters do not enter these runs.
        for (const auto absent : {Constant::Gemm16Hopper, Constant::Gemm8Hopper, Constant::ElementwiseFsdp,
                 Constant::ElementwiseXla, Constant::RoutingTraffic, Constant::LoraTraffic, Constant::TpuLinkShare})
            QVERIFY(std::ranges::find(can, absent) == can.end());
        const auto found = must(
            calibrate(runs, Constants(), {.constants = {Constant::Gemm16A100, Constant::Gemm16Hopper}}));
        QVERIFY(std::abs(value(found, Constant::Gemm16Hopper) / Constants()[Constant::Gemm16Hopper] - 1) < 1e-9);
        const auto *held = fitted(found, Constant::Gemm16Hopper);
        QVERIFY(held && held->identified < 1e-6);
        QVERIFY(std::abs(std::log(held->high / held->after) - 0.1) < 1e-6); // nothing but the prior
        for (const auto &descriptor : constantTable())
            if (!fitted(found, descriptor.constant))
                QCOMPARE(value(found, descriptor.constant), Constants()[descriptor.constant]);
    }

    void countsWhichRunsDepend()
    {
        auto runs = runsOf(Constants());
        const auto counts = dependentRuns(runs, Constants());
        QCOMPARE(counts[std::size_t(Constant::Gemm16A100)], int(runs.size()));
        QCOMPARE(counts[std::size_t(Constant::Gemm16Hopper)], 0);
        const auto split = std::ranges::count_if(runs, [](const CalibrationRun &run) { return run.layout.tp > 1; });
        QVERIFY(counts[std::size_t(Constant::ScaleUpShare)] >= split);
        // Logits of 8-bit runs are in 16 bits, and an accelerator that is none of the family is priced by its
        // constants.
        for (auto &run : runs) {
            run.setting.machine.family = Family::Cdna;
            run.setting.precisionBits = 8;
        }
        QCOMPARE(dependentRuns(runs, Constants())[std::size_t(Constant::Gemm16Cdna)], 0);
        QCOMPARE(dependentRuns(runs, Constants())[std::size_t(Constant::Gemm8Cdna)], int(runs.size()));
        for (auto &run : runs) {
            run.setting.families = FamilyMatch::nearestOf({Family::Cdna});
            run.setting.precisionBits = 16;
        }
        QCOMPARE(dependentRuns(runs, Constants())[std::size_t(Constant::Gemm16Cdna)], 0);
        runs.front().setting.families = FamilyMatch::measured(Family::Cdna);
        QCOMPARE(dependentRuns(runs, Constants())[std::size_t(Constant::Gemm16Cdna)], 1);
    }

    void boundsHold()
    {
        auto runs = runsOf(Constants());
        for (auto &run : runs)
            run.measured = run.measured * 0.3; // faster than any accelerator
        const auto found = must(calibrate(runs, Constants(), {.constants = {Constant::Gemm16A100}, .priorWidth = 5}));
        const auto &descriptor = constantTable()[std::size_t(Constant::Gemm16A100)];
        QVERIFY(value(found, Constant::Gemm16A100) <= descriptor.most);
        QVERIFY(fitted(found, Constant::Gemm16A100)->atBound);
        QVERIFY(fitted(found, Constant::Gemm16A100)->high <= descriptor.most);
    }

    void oneWrongRunDoesNotPullTheFit()
    {
        Constants truth;
        truth[Constant::Gemm16A100] *= 0.9;
        auto runs = runsOf(truth);
        runs[3].measured = runs[3].measured * 4.0;
        const auto robust = must(calibrate(runs, Constants(), {.constants = {Constant::Gemm16A100}}));
        QVERIFY2(std::abs(value(robust, Constant::Gemm16A100) / truth[Constant::Gemm16A100] - 1) < 0.01,
            qPrintable(QString::number(value(robust, Constant::Gemm16A100))));
        const auto plain = must(calibrate(runs, Constants(), {.constants = {Constant::Gemm16A100}, .robust = false}));
        QVERIFY(std::abs(value(plain, Constant::Gemm16A100) / truth[Constant::Gemm16A100] - 1)
            > 0.02); // or the test above proves nothing
    }

    void sourcesWeighTheSame()
    {
        Constants slow, fast;
        slow[Constant::Gemm16A100] *= 0.9;
        fast[Constant::Gemm16A100] *= 1.1;
        auto many = runsOf(slow);
        auto few = runsOf(fast);
        few.resize(4);
        for (auto &run : few)
            run.source = "another";
        many.insert(many.end(), few.begin(), few.end());
        const auto found = must(calibrate(many, Constants(), {.constants = {Constant::Gemm16A100}, .robust = false}));
        const double ratio = value(found, Constant::Gemm16A100) / Constants()[Constant::Gemm16A100];
        QVERIFY2(ratio > 0.95 && ratio < 1.05, qPrintable(QString::number(ratio)));
    }

    void sameAnswerEveryTime()
    {
        Constants truth;
        truth[Constant::Gemm16A100] *= 0.93;
        truth[Constant::ElementwiseCore] *= 1.1;
        const auto runs = runsOf(truth);
        const auto first = must(calibrate(runs, Constants())), second = must(calibrate(runs, Constants()));
        QVERIFY(first.constants == second.constants);
        QCOMPARE(first.iterations, second.iterations);
    }

    void oneRunIsEnoughForOneConstant()
    {
        Constants truth;
        truth[Constant::Gemm16A100] *= 0.8;
        const std::vector<CalibrationRun> runs{runOf(64, 1, 1, 4, 8192, 512, truth)};
        const auto found = must(calibrate(runs, Constants()));
        QVERIFY(!found.fitted.empty());
        QVERIFY2(found.meanErrorAfter < 0.5 * found.meanErrorBefore, qPrintable(QString::number(found.meanErrorAfter)));
    }

    void refusals()
    {
        const auto runs = runsOf(Constants());
        const auto none = calibrate({}, Constants());
        QVERIFY(!none && none.error().code == ErrorCode::MissingField && none.error().field == "runs");
        auto wrong = runs;
        wrong[1].measured = Seconds::from_value(0);
        const auto zero = calibrate(wrong, Constants());
        QVERIFY(!zero && zero.error().code == ErrorCode::OutOfRange && zero.error().message.contains(wrong[1].id));
        wrong = runs;
        wrong[2].layout.tp = 3;
        const auto illegal = calibrate(wrong, Constants());
        QVERIFY(
            !illegal && illegal.error().code == ErrorCode::OutOfRange && illegal.error().message.contains(wrong[2].id));
        Constants odd;
        odd[Constant::Gemm16A100] = 2;
        const auto outside = calibrate(runs, odd, {.constants = {Constant::Gemm16A100}});
        QVERIFY(!outside && outside.error().field == "constants");
    }

    void stops()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto runs = runsOf(Constants());
        std::atomic<int> iterations = 0;
        const auto cancelled = calibrate(runs, Constants(), {}, stop.get_token(), &iterations);
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
    }
};

FLEETWRIGHT_TEST(TestCalibration)
#include "tst_calibration.moc"
