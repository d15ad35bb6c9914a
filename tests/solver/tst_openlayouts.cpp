// SPDX-License-Identifier: GPL-3.0-or-later
// What a source leaves open: likely layouts, their mean, and what no constant is learnt from.
#include "solver/measuredrow.h"
#include "solver/validation/leaveonesourceout.h"
#include "solver/validation/leftoutscore.h"
#include "solver/validation/runprice.h"
#include "testing/registry.h"

#include <set>

using namespace Qt::StringLiterals;

namespace {

/// So many accelerators, split into TP and DP.
void split(MeasuredRun &run, std::int64_t accelerators, std::int64_t tp, std::int64_t dp, std::int64_t globalBatch)
{
    run.accelerators = accelerators;
    run.tp = tp;
    run.dp = dp;
    run.globalBatch = globalBatch;
}

/// GPT-3 175B on 1,024 H100 as MLPerf publishes it, without its virtual stages.
void pipelined(MeasuredRun &run)
{
    run.source.key = "mlperf-v3.1";
    run.framework = "NVIDIA NeMo";
    run.accelerator = "H100-SXM-80GB";
    split(run, 1024, 8, 16, 2048);
    run.model.layers = 96;
    run.model.hidden = 12288;
    run.model.heads = 96;
    run.precision = "fp8";
    run.microbatch = 2;
    run.pp = 8;
    run.virtualStages.reset();
}

std::set<std::int64_t> valuesOf(const RunConfiguration &read, std::int64_t detailed::Layout::*field)
{
    std::set<std::int64_t> values;
    for (const auto &layout : read.likely)
        values.insert(layout.*field);
    return values;
}

} // namespace

class TestOpenLayouts : public QObject {
    Q_OBJECT

private slots:
    void virtualStagesOfAPipeline();
    void onlyWhatIsLegal();
    void otherSoftwareDoesNotInterleave();
    void microbatchWithinMemory();
    void theMeanIsGeometric();
    void olderRulesKeepTheirReading();
    void runsThatFailedAreNotFitted();
    void whatIsGuessedTeachesNothing();
    void recomputationIsJudgedWithTheSmallestMicrobatch();
    void hostsAreNamedOrDenied();
    void layersWithoutEndCostNoTime();
    void rangesAreWider();
    void namesOfAccelerators();
};

void TestOpenLayouts::virtualStagesOfAPipeline()
{
    const auto read = configurationOf(pipelined);
    // 12 layers a stage: 2, 3, 4, 6 and 12 virtual stages; 2,048 / 16 / 2 = 64 microbatches over 8 stages.
    QVERIFY(valuesOf(read, &detailed::Layout::virtualStages) == (std::set<std::int64_t>{2, 3, 4, 6, 12}));
    QVERIFY(!read.teaches());
    QVERIFY(std::ranges::find(read.likely, read.layout) != read.likely.end());
    const auto reading = std::ranges::find(read.readings, "virtual_stages", &Reading::field);
    QVERIFY(reading != read.readings.end() && reading->text == "2, 3, 4, 6, 12");
    QVERIFY(configurationOf([](MeasuredRun &run) {
        pipelined(run);
        run.virtualStages = 6;
    }).likely.empty());
}

void TestOpenLayouts::onlyWhatIsLegal()
{
    // 3 microbatches over 8 stages: nothing interleaves.
    const auto read = configurationOf([](MeasuredRun &run) {
        pipelined(run);
        run.globalBatch = 96;
    });
    QVERIFY(read.likely.empty());
    QCOMPARE(read.layout.virtualStages, 1);
}

void TestOpenLayouts::otherSoftwareDoesNotInterleave()
{
    for (const auto *framework : {"Megatron-DeepSpeed", "torchtitan", "nanotron"}) {
        const auto read = configurationOf([&](MeasuredRun &run) {
            pipelined(run);
            run.source.key = "somewhere";
            run.framework = framework;
        });
        QVERIFY(read.likely.empty() && read.layout.virtualStages == 1);
    }
}

void TestOpenLayouts::microbatchWithinMemory()
{
    const auto read = configurationOf([](MeasuredRun &run) { run.microbatch.reset(); });
    const auto sizes = valuesOf(read, &detailed::Layout::microbatch);
    QVERIFY(sizes.size() > 1 && sizes.contains(1));
    const auto pricer = detailed::Pricer::make(read.setting).value();
    for (const auto &layout : read.likely)
        QVERIFY(pricer.price(layout).fits);
    auto next = read.layout;
    next.microbatch = 2 * *sizes.rbegin();
    const auto rankBatch = read.setting.globalBatch / next.dp;
    QVERIFY(rankBatch % next.microbatch != 0 || next.microbatch > rankBatch || !pricer.price(next).fits);
    // None fits: the one that needs least is taken, and nothing is open.
    const auto tight = configurationOf([](MeasuredRun &run) {
        run.microbatch.reset();
        run.accelerator = "V100-SXM2-16GB";
        run.precision = "fp16";
    });
    QVERIFY(tight.likely.empty());
    QCOMPARE(tight.layout.microbatch, 1);
}

void TestOpenLayouts::theMeanIsGeometric()
{
    const auto read = configurationOf(pipelined);
    const auto pricer = detailed::Pricer::make(read.setting).value();
    double product = 1, least = INFINITY, most = 0;
    for (const auto &layout : read.likely) {
        const double step = pricer.price(layout).stepTime.value();
        product *= step;
        least = std::min(least, step);
        most = std::max(most, step);
    }
    const auto step = likelyStep(pricer, read);
    QVERIFY(std::abs(step.mean.value() / std::pow(product, 1.0 / double(read.likely.size())) - 1) < 1e-12);
    QVERIFY(step.deviation > 0 && step.deviation < std::log(most / least));
    // What validate() scores.
    auto run = edited(pipelined);
    run.measured.stepTime = 2.0 * step.mean;
    const auto score = validate({&run, 1}, "detailed").value();
    QVERIFY(std::abs(score.runs.front().error + 0.5) < 1e-12);
    const auto stated = configurationOf([](MeasuredRun &) {});
    QCOMPARE(likelyStep(stated, {}).value().deviation, 0.0);
}

void TestOpenLayouts::olderRulesKeepTheirReading()
{
    const auto run = edited(pipelined);
    for (const auto rules : {Rules::Specification, Rules::Version2})
        QCOMPARE(configurationFrom(run, rules).error().message, std::string("virtual stages not stated"));
    const auto open = edited([](MeasuredRun &edit) { edit.microbatch.reset(); });
    QCOMPARE(configurationFrom(open, Rules::Version2)->layout.microbatch, 64); // no accumulation
}

void TestOpenLayouts::runsThatFailedAreNotFitted()
{
    const auto read = configurationOf([](MeasuredRun &run) {
        run.framework = "torchtitan";
        split(run, 8, 1, 8, 512);
        run.zeroStage = 3;
        run.microbatch.reset();
        run.recompute = {};
        run.measured.outOfMemory = true;
    });
    // The default of the framework, not what would fit.
    QVERIFY(read.likely.empty() && read.layout.recompute == Recompute::Selective);
    QCOMPARE(read.layout.microbatch, 64);
}

void TestOpenLayouts::whatIsGuessedTeachesNothing()
{
    QVERIFY(configurationOf([](MeasuredRun &) {}).teaches());
    const std::vector<std::pair<const char *, Edit>> guesses{
        {"offload", [](MeasuredRun &run) { run.notes = "Adam on the host: CPU offload"; }},
        {"precision",
            [](MeasuredRun &run) {
                run.framework = "nanotron";
                run.accelerator = "H100-SXM-80GB";
                run.precision = {};
            }},
        {"accelerator", [](MeasuredRun &run) { run.accelerator = "Gaudi2"; }},
    };
    for (const auto &[name, edit] : guesses) {
        const auto read = configurationOf(edit);
        QVERIFY2(!read.teaches(), name);
        const auto run = edited(edit), plain = edited([](MeasuredRun &) {});
        const std::vector runs{run, plain};
        QVERIFY2(teachingRuns(runs).size() == 1, name);
    }
}

void TestOpenLayouts::recomputationIsJudgedWithTheSmallestMicrobatch()
{
    // Half a million tokens a rank at once would need recomputation, one sequence does not.
    const auto read = configurationOf([](MeasuredRun &run) {
        run.framework = "PyTorch FSDP";
        run.accelerator = "H100-SXM-80GB";
        run.tp = 1;
        run.dp = 64;
        run.zeroStage = 3;
        run.globalBatch = 64 * 256;
        run.microbatch.reset();
        run.recompute = {};
    });
    QVERIFY(read.layout.recompute == Recompute::None);
}

void TestOpenLayouts::hostsAreNamedOrDenied()
{
    const auto offloads = [](const char *notes) {
        return configurationOf([&](MeasuredRun &run) { run.notes = notes; }).hostOffload;
    };
    QVERIFY(offloads("full CPU offload"));
    QVERIFY(!offloads("no offloading") && !offloads("trained without CPU offload"));
}

void TestOpenLayouts::layersWithoutEndCostNoTime()
{
    const auto read = configurationOf([](MeasuredRun &run) {
        pipelined(run);
        run.model.layers = 1'000'000'000;
    });
    QVERIFY(read.likely.empty());
}

void TestOpenLayouts::rangesAreWider()
{
    std::vector<ReferenceRun> reference;
    for (int i = 0; i < 12; ++i)
        reference.push_back(
            {.id = std::to_string(i), .source = i % 2 ? "a" : "b", .measured = 1.0 * second, .logError = 0.1});
    const RangeTable table(std::move(reference));
    const auto width = [&](const Edit &edit) {
        std::vector runs{edited(edit)};
        runs.front().source.key = "elsewhere";
        const auto score = leftOutScore(validate(runs, "detailed").value(), runs, table);
        return std::log(score.runs.front().high / score.runs.front().low) / 2;
    };
    const double stated = width([](MeasuredRun &) {});
    const double offloaded = width([](MeasuredRun &run) { run.notes = "CPU offload"; });
    QVERIFY(std::abs(offloaded - std::hypot(stated, guessedHalfWidth)) < 1e-9);
    const auto open = configurationOf([](MeasuredRun &run) { run.microbatch.reset(); });
    const double deviation = likelyStep(open, {}).value().deviation;
    QVERIFY(deviation > 0);
    QVERIFY(std::abs(width([](MeasuredRun &run) { run.microbatch.reset(); })
                - std::hypot(stated, normalQuantile * deviation))
        < 1e-9);
}

void TestOpenLayouts::namesOfAccelerators()
{
    QCOMPARE(findMachine("H100-SXM-80GB"), findMachine("h100 sxm 80gb"));
    QVERIFY(findMachine("Gaudi2") && findMachine("Gaudi2")->families.isNearest());
    QVERIFY(!findMachine("H100-SXM-80GB")->families.isNearest());
    QVERIFY(!findMachine("") && !findMachine("A64FX-node"));
    // Cards that a source names are those of its hosts where the accelerators have ports of their own.
    const auto gaudi = configurationOf([](MeasuredRun &run) {
        run.accelerator = "Gaudi2";
        run.scaleOutText = "2x ConnectX-5 100Gb/s Ethernet";
    });
    QCOMPARE(gaudi.setting.machine.scaleOut, 37.5 * gigabytePerSecond);
}

FLEETWRIGHT_TEST(TestOpenLayouts)
#include "tst_openlayouts.moc"
