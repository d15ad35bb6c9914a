// SPDX-License-Identifier: GPL-3.0-or-later
// Scores, ranges and explanations on rows written by hand.
#include "solver/measuredrow.h"
#include "solver/validation/predictionrange.h"
#include "testing/registry.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

ReferenceRun reference(std::string source, double logError, detailed::Family family = detailed::Family::A100)
{
    return {.id = "run",
        .source = std::move(source),
        .family = family,
        .accelerator = "A100-SXM-80GB",
        .tensorParallel = true,
        .accelerators = 64,
        .sequenceLength = 2048,
        .parameters = 18e9,
        .measured = 10.0 * second,
        .logError = logError};
}

/// Half-width as a logarithm.
double widthOf(const PredictionRange &range) { return std::log(range.high / range.low) / 2; }

} // namespace

class TestValidation : public QObject {
    Q_OBJECT

private slots:
    void tau_data();
    void tau();
    void scores();
    void groupsRankLayouts();
    void repeatedIdsCountOnce();
    void anyModelCanBeScored();
    void cancelled();
    void ranges();
    void rangesOfGroups();
    void rangesCoverSourcesLeftOut();
    void outsideOfWhatWasValidated_data();
    void outsideOfWhatWasValidated();
    void explanations();
};

void TestValidation::tau_data()
{
    QTest::addColumn<QList<double>>("a");
    QTest::addColumn<QList<double>>("b");
    QTest::addColumn<double>("tau");
    QTest::newRow("same order") << QList<double>{1, 2, 3, 4} << QList<double>{10, 20, 30, 40} << 1.0;
    QTest::newRow("opposite order") << QList<double>{1, 2, 3} << QList<double>{3, 2, 1} << -1.0;
    QTest::newRow("one pair of six the wrong way round")
        << QList<double>{1, 2, 3, 4} << QList<double>{1, 2, 4, 3} << 4.0 / 6;
    QTest::newRow("tie in one list") << QList<double>{1, 1, 2} << QList<double>{1, 2, 3}
                                     << 2 / std::sqrt(3.0 * 2.0); // pairs: 2 agree, 1 tied in a
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
            runs.push_back(reference(source, (i - 4.5) / 45));
    const RangeTable table(runs);
    const auto configuration = configurationOf([](MeasuredRun &) {});
    const auto range = table.rangeOf(configuration.setting, configuration.layout, 10.0 * second);
    QCOMPARE(range.runs, 20);
    QCOMPARE(range.sources, 2);
    // Four of 20 sizes each: 80 % lies halfway between 3.5 / 45 and 4.5 / 45.
    COMPARE_NUMBER(range.high.value(), 10 * std::exp(4.0 / 45));
    COMPARE_NUMBER(range.low.value(), 10 * std::exp(-4.0 / 45));
    COMPARE_NUMBER(range.middle().value(), 10);
    COMPARE_NUMBER(range.typicalError, std::sinh(2.5 / 45)); // half of them too fast, half too slow
    QCOMPARE(range.comparable, std::string("20 runs with tuned software and dense models, of 2 sources"));
    QVERIFY2(range.outside.empty(), range.outside.empty() ? "" : range.outside.front().c_str());
    QCOMPARE(QString::fromStdString(forWhom(range)),
        QString::fromUtf8("a site we have not measured: \u22128.5\u00a0% to +9.3\u00a0%"));
    QCOMPARE(QString::fromStdString(badgeOf(range)), QString::fromUtf8("new site \u22128.5\u00a0% to +9.3\u00a0%"));
    auto own = range;
    own.ownRuns = 5;
    QVERIFY2(forWhom(own).starts_with("after 5 runs of yours: "), forWhom(own).c_str());
    QVERIFY(badgeOf(own).starts_with("your site ") && trustInWords(own).front().contains(" likely by your runs"));
    QVERIFY2(trustInWords(own).back().contains("none is on accelerators like"), trustInWords(own).back().c_str());
    own.ownRuns = own.ownRunsAlike = 1;
    QVERIFY2(badgeOf(own).starts_with("your site (1 run) "), badgeOf(own).c_str());
    QVERIFY(trustInWords(own).front().contains(" likely by your run."));
    QCOMPARE(trustInWords(own).back(),
        std::string("The measured run of this project moves the range, and what of it is likely."));
    // What the facts leave open comes in quadrature.
    const auto open = table.rangeOf(configuration.setting, configuration.layout, 10.0 * second, {.openDeviation = 0.1});
    COMPARE_NUMBER(widthOf(open), std::hypot(4.0 / 45, 1.2816 * 0.1));
    const auto none = RangeTable({}).rangeOf(configuration.setting, configuration.layout, 12.0 * second);
    QCOMPARE(none.runs, 0);
    QCOMPARE(none.outside.size(), 1UZ);
}

void TestValidation::rangesOfGroups()
{
    const auto dense = configurationOf([](MeasuredRun &) {});
    const auto experts = configurationOf([](MeasuredRun &run) { run.model.experts = 4; });
    std::vector<ReferenceRun> runs;
    for (const auto *source : {"a", "b", "c"})
        runs.push_back(reference(source, 0.1));
    runs.push_back(reference("d", 0.3));
    runs.back().group = RangeGroup::Experts;
    const RangeTable table(runs);
    QCOMPARE(int(rangeGroupOf(experts.setting)), int(RangeGroup::Experts));
    // Of four alike weights of .1, .1, .1 and .3 the 80 % quantile is 7/10 of the way between the middles of the last.
    const double all = 0.1 + 0.2 * (0.8 - 0.625) / 0.25;
    const auto width = [&](const RunConfiguration &asked, const RangeQuestion &question = {}) {
        return widthOf(table.rangeOf(asked.setting, asked.layout, 10.0 * second, question));
    };
    COMPARE_NUMBER(width(experts), (0.3 + 2 * all) / 3);
    COMPARE_NUMBER(width(dense), (3 * 0.1 + 2 * all) / 5);
    COMPARE_NUMBER(width(dense, {.withoutSource = "d"}), 0.1);
    COMPARE_NUMBER(width(experts, {.withoutSource = "d"}), 0.1); // no run like it is left
    // A family of which there is no run at all.
    const auto hopper = configurationOf([](MeasuredRun &run) { run.accelerator = "H100-SXM-80GB"; });
    COMPARE_NUMBER(width(hopper), std::hypot((3 * 0.1 + 2 * all) / 5, 0.3));
}

void TestValidation::rangesCoverSourcesLeftOut()
{
    std::vector<ReferenceRun> runs;
    for (int source = 0; source < 20; ++source)
        for (int i = 0; i < 10; ++i) {
            runs.push_back(reference("source " + std::to_string(source), 0.01 * source + 0.002 * i));
            runs.back().id = std::to_string(i);
        }
    const RangeTable table(runs);
    const auto coverage = table.coverage();
    QCOMPARE(coverage.sources.size(), 20UZ);
    QVERIFY2(coverage.mean >= 0.84 && coverage.mean < 0.86, qPrintable(QString::number(coverage.mean)));
    QVERIFY(coverage.worstQuarter <= coverage.quartile && coverage.quartile <= 1);
    QVERIFY(table.scale() > 0);
    const auto *found = table.find("source 3", "7");
    QVERIFY(found && nearly(found->logError, 0.044));
    COMPARE_NUMBER(found->leftOutPrediction().value(), 10 * std::exp(-0.044));
    QVERIFY(!table.find("source 3", "17"));
}

void TestValidation::outsideOfWhatWasValidated_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *name, const char *said, const Edit &edit) {
        QTest::newRow(name) << edit << QString::fromUtf8(said);
    };
    row("inside", "", [](MeasuredRun &) {});
    row("family", "No run on Hopper was validated", [](MeasuredRun &run) { run.accelerator = "H100-SXM-80GB"; });
    row("accelerator", "No validated run is on an accelerator with these peaks, memory and scale-up links",
        [](MeasuredRun &run) { run.accelerator = "A100-PCIe-80GB"; });
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
    row("long", "The longest sequence validated on A100 has 2048 tokens; the plan's has 4096",
        [](MeasuredRun &run) { run.sequenceLength = 4096; });
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
    runs.front().recompute = {};
    runs.front().inferred = {"dp"};
    const auto result = validate(runs, "detailed");
    QVERIFY(result);
    const auto sentences = explainMiss(runs.front(), result->runs.front(), *result);
    std::string all;
    for (const auto &sentence : sentences)
        all += sentence + "\n";
    for (const auto *words :
        {"too slow", "The prediction is made of compute", "Read as Megatron-Core", "recomputation (none)",
            "filled in DP", "offloading", "The 2 runs of this source", "The row says: 5 layers"})
        QVERIFY2(all.contains(words), (all + "lacks: " + words).c_str());
}

FLEETWRIGHT_TEST(TestValidation)
#include "tst_validation.moc"
