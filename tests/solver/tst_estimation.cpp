// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/estimation.h"
#include "solver/validation/leaveonesourceout.h"
#include "testing/registry.h"

#include "detailedmaker.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;

namespace {

using detailed::CalibrationRun;
using detailed::Constant;
using detailed::Constants;

/// A run on 64 H100 that takes what the model with `truth` says, times exp(`effect`).
CalibrationRun runAt(const std::string &source, std::int64_t tp, std::int64_t pp, std::int64_t hidden,
    std::int64_t microbatch, const Constants &truth, double effect)
{
    CalibrationRun run;
    run.id = source + std::to_string(hidden) + "-" + std::to_string(tp) + "-" + std::to_string(pp) + "-"
        + std::to_string(microbatch);
    run.source = source;
    run.setting = detailedmaker::setting();
    run.setting.architecture.hidden = hidden;
    run.setting.architecture.heads = run.setting.architecture.kvHeads = hidden / 128;
    run.setting.architecture.ffn = 3 * hidden;
    run.setting.constants = truth;
    run.layout = {.tp = tp,
        .pp = pp,
        .dp = 64 / (tp * pp),
        .expertTp = tp,
        .microbatch = microbatch,
        .zeroStage = 1,
        .sequenceParallel = tp > 1};
    const auto pricer = detailed::Pricer::make(run.setting);
    if (!pricer)
        qFatal("%s", pricer.error().message.c_str());
    run.measured = pricer->price(run.layout).stepTime * std::exp(effect);
    run.setting.constants = Constants();
    return run;
}

std::vector<CalibrationRun> sourceOf(const std::string &name, const Constants &truth, double effect)
{
    std::vector<CalibrationRun> runs;
    for (const std::int64_t hidden : {4096, 8192})
        for (const std::int64_t tp : {1, 2, 8})
            for (const std::int64_t pp : {1, 4})
                for (const std::int64_t microbatch : {1, 2})
                    runs.push_back(runAt(name, tp, pp, hidden, microbatch, truth, effect));
    return runs;
}

std::vector<CalibrationRun> joined(std::initializer_list<std::vector<CalibrationRun>> sources)
{
    std::vector<CalibrationRun> all;
    for (const auto &source : sources)
        all.insert(all.end(), source.begin(), source.end());
    return all;
}

Constants slowProducts()
{
    Constants truth;
    truth[Constant::Gemm16Hopper] = 0.55;
    return truth;
}

} // namespace

class TestEstimation : public QObject {
    Q_OBJECT

private slots:
    void priorsAreWithinBoundsAndComeOnce();
    void findsWhatSourcesShare();
    void learnsNothingFromASourceLeftOut();
    void aSlowSiteIsAnEffectNotAConstant();
    void errorsOfSourcesLeftOutAreNotFlattering();
    void refusesNothingToLearnFrom();
    void stopsWhenAsked();
};

void TestEstimation::priorsAreWithinBoundsAndComeOnce()
{
    std::vector<Constant> seen;
    for (const auto &prior : detailed::neutralPriors()) {
        const auto &descriptor = detailed::constantTable()[static_cast<std::size_t>(prior.constant)];
        const auto key = std::string(descriptor.key);
        QVERIFY2(prior.value >= descriptor.least && prior.value <= descriptor.most, key.c_str());
        QVERIFY2(prior.width > 0, key.c_str());
        QVERIFY2(!(std::ranges::find(seen, prior.constant) != seen.end()), key.c_str());
        seen.push_back(prior.constant);
    }
}

void TestEstimation::findsWhatSourcesShare()
{
    const auto runs = joined({sourceOf("a", slowProducts(), 0), sourceOf("b", slowProducts(), 0)});
    const auto answer = detailed::estimate(runs, Constants());
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    // The prior of 0.65 is left; the other constants stand at their neutral values and take up a little.
    QVERIFY(std::abs(answer->constants[Constant::Gemm16Hopper] - 0.55) < 0.05);
    for (const double error : answer->logErrors)
        QVERIFY(std::abs(error) < 0.05);
    const auto again = detailed::estimate(runs, Constants());
    QVERIFY(again->constants[Constant::Gemm16Hopper] == answer->constants[Constant::Gemm16Hopper]);
}

void TestEstimation::learnsNothingFromASourceLeftOut()
{
    auto runs = joined({sourceOf("a", slowProducts(), 0), sourceOf("b", Constants(), 0)});
    const auto before = detailed::estimate(runs, Constants(), "b");
    QVERIFY(before.has_value());
    for (auto &run : runs)
        if (run.source == "b")
            run.measured *= 3;
    const auto after = detailed::estimate(runs, Constants(), "b");
    QVERIFY(after.has_value());
    for (const auto &prior : detailed::neutralPriors())
        QVERIFY(after->constants[prior.constant] == before->constants[prior.constant]);
    for (std::size_t r = 0; r < runs.size(); ++r)
        QVERIFY(
            std::abs(after->logErrors[r] - before->logErrors[r] - (runs[r].source == "b" ? std::log(3.0) : 0)) < 1e-12);
}

void TestEstimation::aSlowSiteIsAnEffectNotAConstant()
{
    const auto truth = slowProducts();
    const auto runs = joined(
        {sourceOf("a", truth, 0), sourceOf("b", truth, 0), sourceOf("c", truth, 0), sourceOf("slow", truth, 0.1)});
    const auto answer = detailed::estimate(runs, Constants(), {}, {.betweenSources = 0.1});
    QVERIFY(answer.has_value());
    QCOMPARE(answer->sources.size(), 4U);
    const auto &slow = answer->sources.back();
    QCOMPARE(QString::fromStdString(slow.source), QStringLiteral("slow"));
    for (const auto &other : answer->sources)
        if (other.source != "slow")
            QVERIFY(slow.effect - other.effect > 0.05);
    QVERIFY(slow.deviation > 0 && slow.deviation < 0.1);
}

void TestEstimation::errorsOfSourcesLeftOutAreNotFlattering()
{
    Constants fast;
    fast[Constant::Gemm16Hopper] = 0.8;
    const auto runs = joined({sourceOf("a", slowProducts(), 0), sourceOf("b", fast, 0)});
    const auto answer = validation::leaveOneSourceOut(runs, Constants());
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    const auto fitted = validation::macroErrors(runs, answer->all.logErrors),
               leftOut = validation::macroErrors(runs, answer->logErrors);
    QCOMPARE(leftOut.sources, 2);
    QVERIFY(leftOut.median > 1.3 * fitted.median);
    // Each source is predicted by what the other one taught.
    const auto onlyB = detailed::estimate(runs, Constants(), "a", {.mostPasses = 4, .from = answer->all.constants});
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (runs[r].source == "a")
            QCOMPARE(answer->logErrors[r], onlyB->logErrors[r]);
}

void TestEstimation::refusesNothingToLearnFrom()
{
    const auto runs = sourceOf("a", Constants(), 0);
    QVERIFY(detailed::estimate(runs, Constants(), "a").error().code == ErrorCode::MissingField);
    QVERIFY(validation::leaveOneSourceOut(runs, Constants()).error().code == ErrorCode::MissingField);
}

void TestEstimation::stopsWhenAsked()
{
    std::stop_source stop;
    stop.request_stop();
    const auto answer = detailed::estimate(sourceOf("a", Constants(), 0), Constants(), {}, {}, stop.get_token());
    QVERIFY(answer.error().code == ErrorCode::Cancelled);
}

FLEETWRIGHT_TEST(TestEstimation)
#include "tst_estimation.moc"
