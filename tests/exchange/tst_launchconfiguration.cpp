// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launchtesting.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::exchange;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestLaunchConfiguration : public QObject {
    Q_OBJECT

private slots:
    void writesTheGoldenFiles_data();
    void writesTheGoldenFiles();
    void keepsNamesInComments_data();
    void keepsNamesInComments();
    void tellsWhatHasNoFlag();
    void needsTheModelsSizes();
    void namesWhatBridgeCallsDifferently();
    void writesExpertsInEveryPrecision();
    void keepsBatchesWhole();
    void namesFiles();
};

namespace {

const QString goldenFolder = QStringLiteral(FLEETWRIGHT_TEST_DATA "/launch/");

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// `fleetwright-cli launch tests/data/launch/NAME.yaml --for FRAMEWORK` remakes one. Of what a framework refuses the
/// refusal is kept.
void TestLaunchConfiguration::writesTheGoldenFiles_data()
{
    QTest::addColumn<QString>("plan");
    QTest::addColumn<int>("framework");
    const auto plans = QDir(goldenFolder).entryList({u"*.yaml"_s}, QDir::Files, QDir::Name);
    QVERIFY(plans.size() >= 7);
    for (const auto &plan : plans)
        for (const auto framework : allLaunchFrameworks)
            QTest::addRow("%s for %s", qPrintable(plan), toString(framework).data())
                << plan.chopped(5) << int(framework);
}

void TestLaunchConfiguration::writesTheGoldenFiles()
{
    QFETCH(QString, plan);
    QFETCH(int, framework);
    const auto document = planFromText(contentOf(goldenFolder + plan + u".yaml"_s).toStdString());
    QVERIFY2(document.has_value(), document ? "" : described(document.error()).constData());
    const auto resolved = resolve(*document, shipped());
    QVERIFY2(resolved.has_value(), resolved ? "" : described(resolved.error()).constData());
    const auto to = LaunchFramework(framework);
    const auto text = launchConfiguration(*resolved, document->workload, shipped(), to);
    const QString base = goldenFolder + plan + u'.' + utf8(toString(to));
    const auto &snapshot = snapshotOf(to);
    const QString name = text ? base + u'@' + utf8(snapshot.commit) + utf8(snapshot.suffix) : base + u".refused"_s;
    const auto written = text ? text->text : text.error().field + ": " + text.error().message + "\n";
    const auto golden = contentOf(name);
    if (const auto folder = qEnvironmentVariable("FLEETWRIGHT_REMAKE_GOLDEN"); golden.isEmpty() && !folder.isEmpty()) {
        QFile file(folder + u'/' + QFileInfo(name).fileName());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(written));
    }
    QCOMPARE(QString::fromStdString(written), QString::fromUtf8(golden));
}

void TestLaunchConfiguration::keepsNamesInComments_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("line end") << u"a\nimport os; os.system('id')"_s;
    QTest::newRow("carriage return") << u"a\rrm -rf /"_s;
    QTest::newRow("quotes") << u"a\"b'c"_s;
    QTest::newRow("three quotes") << u"\"\"\"\nimport os\n\"\"\""_s;
    QTest::newRow("command") << u"$(touch /tmp/x) `id` ${HOME}"_s;
    QTest::newRow("line separators") << u"a\u2028b\u2029c\u0085d\u000Be\u000Cf"_s;
    QTest::newRow("backslash at the end") << u"a\\"_s;
    QTest::newRow("comment ends") << u"*/ --> #} %> ]]>"_s;
    QTest::newRow("terminal") << u"a\u001B[31mb\u202Ec"_s;
}

void TestLaunchConfiguration::keepsNamesInComments()
{
    QFETCH(QString, name);
    auto plain = denseLaunch();
    auto hostile = plain;
    hostile.planName = name.toStdString();
    hostile.workloadName = name.toStdString();
    hostile.withoutFlag = {"Words with " + name.toStdString() + "."};
    plain.withoutFlag = {"Words."};
    for (const auto framework : allLaunchFrameworks) {
        const auto text = launchConfiguration(hostile, framework);
        QVERIFY(text.has_value());
        for (const char c : text->text)
            QVERIFY2(static_cast<unsigned char>(c) >= 0x20 || c == '\n', text->text.c_str());
        if (framework == LaunchFramework::DeepSpeed) {
            auto json = Json::parse(text->text);
            auto other = Json::parse(launchConfiguration(plain, framework)->text);
            json.erase("fleetwright_launch");
            other.erase("fleetwright_launch");
            QVERIFY(json == other);
            continue;
        }
        // What is no comment is the same whatever the names are.
        const auto code = [](const std::string &all) {
            auto lines = utf8(all).split(QRegularExpression(u"\n|\r|\u2028|\u2029|\u0085|\u000B|\u000C"_s));
            lines.removeIf([](const QString &line) { return line.startsWith(u'#'); });
            return lines.join(u'\n');
        };
        QCOMPARE(code(text->text), code(launchConfiguration(plain, framework)->text));
    }
}

void TestLaunchConfiguration::tellsWhatHasNoFlag()
{
    const auto text = sampleWith(
        u"assumptions: {efficiency: 0.5, overlap_comm: false, overlap_efficiency: 0.85, "
        "congestion_factor: 1.0, straggler_factor: 1.0, moe_imbalance_factor: 1.0, topology: auto}"_s,
        u"assumptions: {straggler_factor: 1.1, tp_overlap: off, operations.pue: 1.2}"_s);
    const auto document = planFromText(utf8(text).replace(u"first-order"_s, u"detailed"_s).toStdString());
    QVERIFY2(document.has_value(), document ? "" : described(document.error()).constData());
    const auto plan = resolve(*document, shipped());
    QVERIFY2(plan.has_value(), plan ? "" : described(plan.error()).constData());
    const auto written = launchConfiguration(*plan, document->workload, shipped(), LaunchFramework::MegatronLm);
    QVERIFY2(written.has_value(), written ? "" : described(written.error()).constData());
    const auto tells = [&written](std::string_view word) {
        return std::ranges::any_of(
            written->withoutFlag, [word](const std::string &sentence) { return sentence.contains(word); });
    };
    QVERIFY(tells("assumptions.straggler_factor"));
    QVERIFY(!tells("assumptions.tp_overlap"));
    QVERIFY(tells("constraints"));
    QVERIFY(tells("placed"));
    QVERIFY(tells("prices"));
    QVERIFY(tells("training.microbatch_count"));
}

void TestLaunchConfiguration::needsTheModelsSizes()
{
    auto launch = denseLaunch();
    launch.model.facts.vocabSize.reset();
    const auto refused = launchConfiguration(launch, LaunchFramework::MegatronLm);
    QVERIFY(!refused.has_value());
    QVERIFY(refused.error().code == ErrorCode::MissingField);
    QCOMPARE(refused.error().field, std::string("workload"));
    QVERIFY2(refused.error().message.contains("vocabulary"), described(refused.error()).constData());
    QVERIFY(launchConfiguration(launch, LaunchFramework::DeepSpeed).has_value());
}

void TestLaunchConfiguration::namesWhatBridgeCallsDifferently()
{
    auto launch = denseLaunch();
    launch.pp = 2;
    launch.dp = 16;
    launch.microbatches = 16;
    launch.virtualStages = 2;
    launch.software->graphs = true;
    launch.software->gradientBytes = 2;
    const auto holds = [&launch](LaunchFramework framework, std::string_view words) {
        const auto text = launchConfiguration(launch, framework);
        return text && text->text.contains(words);
    };
    using enum LaunchFramework;
    QVERIFY(holds(MegatronLm, "--cuda-graph-impl local\n"));
    QVERIFY(holds(MegatronBridge, "model.cuda_graph_impl=transformer_engine\n"));
    QVERIFY(holds(MegatronBridge, "\nrng.te_rng_tracker=true\n"));
    QVERIFY(holds(MegatronBridge, "\n++dataset.sequence_length=8192\n++dataset.seq_length=8192\n"));
    // Its recipe of precision says how gradients are reduced.
    QVERIFY(holds(MegatronLm, "--grad-reduce-in-bf16\n"));
    QVERIFY(!holds(MegatronBridge, "grad_reduce_in_fp32") && holds(MegatronBridge, "# - Gradients of 2 bytes"));
    // Its recipe of overlaps would overwrite the plan's. Two ranks without overlap are Megatron-LM's rule alone.
    QVERIFY(holds(MegatronBridge, "\ncomm_overlap=null\n"));
    launch.software->ppOverlap = {true, true};
    QVERIFY(holds(MegatronBridge, "model.overlap_p2p_comm=true\nmodel.batch_p2p_comm=false\n"));
    launch.software->ppOverlap = {false, true};
    QVERIFY(holds(MegatronBridge, "model.overlap_p2p_comm=false\nmodel.batch_p2p_comm=true\n"));
    QVERIFY(!launchConfiguration(launch, MegatronLm).has_value());
    launch.software->ppOverlap.stated = false;
    QVERIFY(holds(MegatronLm, "which virtual stages on two") && !holds(MegatronLm, "--no-overlap-p2p"));
    launch.software.reset();
    QVERIFY(holds(MegatronBridge, "bf16_mixed") && !holds(MegatronBridge, "comm_overlap=")
        && !holds(MegatronBridge, "p2p_comm"));
}

void TestLaunchConfiguration::writesExpertsInEveryPrecision()
{
    auto launch = expertLaunch();
    for (const auto precision : {Precision::Fp32, Precision::Fp16, Precision::Bf16, Precision::Fp8, Precision::Fp4}) {
        launch.precision = precision;
        const auto text = launchConfiguration(launch, LaunchFramework::MegatronLm);
        QVERIFY2(text.has_value(), text ? "" : described(text.error()).constData());
        QVERIFY(text->text.contains("--moe-grouped-gemm\n") && !text->text.contains("pre-softmax"));
    }
    // Of one expert, weighed after it was chosen, the weight would be 1.
    launch.model.facts.expertsPerToken = 1;
    QVERIFY(launchConfiguration(launch, LaunchFramework::MegatronLm)->text.contains("--moe-router-pre-softmax\n"));
    const auto half = [](Precision precision) {
        auto dense = denseLaunch();
        dense.precision = precision;
        return launchConfiguration(dense, LaunchFramework::MaxText)->text;
    };
    QVERIFY(half(Precision::Fp16).contains("dtype: \"float16\"\nquantization: \"\"\n"));
    QVERIFY(half(Precision::Fp4).contains("dtype: \"bfloat16\"\nquantization: \"te_nvfp4\"\n"));
}

/// MaxText drops what its product of accelerators and batch per accelerator has behind the point.
void TestLaunchConfiguration::keepsBatchesWhole()
{
    for (int dp = 1; dp <= 8; ++dp)
        for (int microbatch = 1; microbatch <= 64; ++microbatch) {
            auto launch = denseLaunch();
            launch.model.facts.attentionHeads = launch.model.facts.kvHeads = 49;
            launch.nodes = dp;
            launch.acceleratorsPerNode = launch.domain = 49;
            launch.tp = launch.expertTp = 49;
            launch.dp = dp;
            launch.microbatchSize = microbatch;
            launch.microbatches = 1;
            launch.globalBatch = dp * microbatch;
            const auto text = launchConfiguration(launch, LaunchFramework::MaxText);
            QVERIFY2(text.has_value(), text ? "" : described(text.error()).constData());
            constexpr std::string_view name = "per_device_batch_size: ";
            const double share = std::stod(text->text.substr(text->text.find(name) + name.size()));
            QCOMPARE(int(double(dp * 49) * share), dp * microbatch);
        }
}

void TestLaunchConfiguration::namesFiles()
{
    QCOMPARE(
        launchFileName("My plan/../x", LaunchFramework::Torchtitan), std::string("launch-torchtitan-My-plan-x.py"));
    QCOMPARE(launchFileName("\u00fc", LaunchFramework::MegatronLm), std::string("launch-megatron-lm.sh"));
}

FLEETWRIGHT_TEST(TestLaunchConfiguration)
#include "tst_launchconfiguration.moc"
