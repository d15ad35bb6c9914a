// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/pricer.h"
#include "solver/validation/calibrationruns.h"
#include "testing/registry.h"

#include "samplerun.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::validation;

class TestCalibrationRuns : public QObject {
    Q_OBJECT
private slots:
    void takesWhatCanBePricedAndSaysWhyNot()
    {
        auto noBatch = samplerun::run("no batch", 9);
        noBatch.globalBatch = std::nullopt;
        auto illegal = samplerun::run("odd split", 9);
        illegal.tp = 64; // 40 heads
        auto untimed = samplerun::run("untimed", 9);
        untimed.measured = {};
        const std::vector runs{samplerun::run("good", 9), noBatch, illegal, untimed};
        const auto input = calibrationRuns(runs);
        QCOMPARE(input.runs.size(), 1UZ);
        QCOMPARE(input.runs[0].id, std::string("good"));
        QCOMPARE(input.runs[0].measured.value(), 9.0);
        QCOMPARE(input.skipped.size(), 3UZ);
        QCOMPARE(input.skipped[0].reason, std::string("no batch"));
        for (const auto &skipped : input.skipped)
            QVERIFY2(!skipped.reason.empty(), skipped.id.c_str());
    }

    void stopsInsideASource()
    {
        const std::vector runs{samplerun::run("a", 12, 8), samplerun::run("b", 11, 4)};
        std::stop_source stop;
        stop.request_stop();
        for (const auto &constants : {std::vector<detailed::Constant>(), {detailed::Constant::Gemm16A100}}) {
            const auto stopped = calibrate(runs, {}, constants, stop.get_token());
            QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
        }
    }

    void fitsAndReportsWhatWasLeftOut()
    {
        auto noBatch = samplerun::run("no batch", 9);
        noBatch.globalBatch = std::nullopt;
        const std::vector runs{
            samplerun::run("a", 12, 8), samplerun::run("b", 11, 4), samplerun::run("c", 10.5, 2), noBatch};
        const auto fit = calibrate(runs, {});
        QVERIFY2(fit.has_value(), fit ? "" : fit.error().message.c_str());
        QCOMPARE(fit->calibration.runs.size(), 3UZ);
        QCOMPARE(fit->skipped.size(), 1UZ);
        QVERIFY(fit->calibration.medianErrorAfter < fit->calibration.medianErrorBefore);
        const auto named = calibrate(runs, {}, {detailed::Constant::Gemm16A100});
        QVERIFY(named && named->calibration.fitted.size() == 1);
        QCOMPARE(fit->leftOut.size(), 3UZ);
        QVERIFY(fit->medianErrorLeftOut > 0 && fit->meanErrorLeftOut > 0);
    }

    /// A site that is slower by the same share in every run: the others foretell each, the constants take a part.
    void aSlowSiteIsLearnt()
    {
        std::vector<MeasuredRun> runs;
        for (const std::int64_t tp : {2, 4, 8})
            for (const std::int64_t microbatch : {1, 2, 4})
                runs.push_back(
                    samplerun::run("tp" + std::to_string(tp) + " b" + std::to_string(microbatch), 1, tp, microbatch));
        const auto input = calibrationRuns(runs).runs;
        QCOMPARE(input.size(), runs.size());
        constexpr double slower = 1.2;
        for (std::size_t i = 0; i < runs.size(); ++i)
            runs[i].measured.stepTime = detailed::Pricer::make(input[i].setting)->price(input[i].layout).stepTime
                * slower;
        const auto fit = calibrate(runs, {});
        QVERIFY2(fit.has_value(), fit ? "" : fit.error().message.c_str());
        QVERIFY(std::abs(fit->calibration.medianErrorBefore - (1 - 1 / slower)) < 1e-9);
        QVERIFY2(fit->medianErrorLeftOut < 0.05, qPrintable(QString::number(fit->medianErrorLeftOut)));
        QVERIFY(fit->calibration.medianErrorAfter < fit->calibration.medianErrorBefore);
        QVERIFY(fit->siteEffect > 0.1 && fit->siteEffect < std::log(slower));
        // Applied and repeated, the answer is the same: the fit starts from what was believed before any run.
        const auto again = calibrate(runs, {.present = fit->calibration.constants});
        QVERIFY(again && again->calibration.constants == fit->calibration.constants);
        QVERIFY(again->calibration.medianErrorBefore < fit->calibration.medianErrorBefore);
    }

    void saysWhyNothingCanBeUsed()
    {
        auto noBatch = samplerun::run("mine", 9);
        noBatch.globalBatch = std::nullopt;
        const auto fit = calibrate({&noBatch, 1}, {});
        QVERIFY(!fit && fit.error().code == ErrorCode::MissingField);
        QVERIFY2(fit.error().message.contains("mine") && fit.error().message.contains("no batch"),
            fit.error().message.c_str());
        const auto none = calibrate(std::span<const MeasuredRun>(), {});
        QVERIFY(!none && none.error().code == ErrorCode::MissingField);
    }

    void sizesOfAWorkload()
    {
        CatalogRecord record;
        record.kind = CatalogKind::Workload;
        record.name = "Mixture";
        record.values = {{"layers", 32.0}, {"hidden_size", 4096.0}, {"attention_heads", 32.0}, {"kv_heads", 8.0},
            {"experts", 8.0}, {"experts_per_token", 2.0}, {"moe_ffn_hidden_size", 14336.0}, {"gated_ffn", true},
            {"attention_type", std::string("mla")}};
        const auto model = modelOf(record);
        QCOMPARE(model.name, std::string("Mixture"));
        QCOMPARE(model.layers, std::optional<std::int64_t>(32));
        QCOMPARE(model.expertFfn, std::optional<std::int64_t>(14336));
        QCOMPARE(model.gated, std::optional(true));
        QCOMPARE(model.attention, std::string("MLA"));
        QVERIFY(!model.vocabulary);
    }
};

FLEETWRIGHT_TEST(TestCalibrationRuns)
#include "tst_calibrationruns.moc"
