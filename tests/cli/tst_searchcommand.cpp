// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program: the published planners' searches, and solving a plan with another cost model than its own.
#include "cli/clirunner.h"
#include "testing/registry.h"
#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

namespace {

using clirunner::fileContent;
using clirunner::parsed;
using clirunner::Run;

constexpr const char *samplePlan = R"(fleetwright: 1
name: Llama-3.1-70B on 256 H100
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4, cp: 1, ep: 1, virtual_stages: 1, zero_stage: 0, sequence_parallel: false}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16, recompute: none, lora: false, accumulation_steps: 1}
assumptions: {efficiency: 0.5, topology: auto}
cost_model: first-order
)";

Run run(const QStringList &arguments, const QByteArray &input = samplePlan) { return clirunner::run(arguments, input); }

} // namespace

class TestSearchCommand : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
private slots:
    void everyPlannerAnswers_data()
    {
        QTest::addColumn<QString>("planner");
        QTest::addColumn<int>("rows");
        QTest::newRow("searcher") << "searcher" << 42;
        QTest::newRow("strategy-calculator") << "strategy-calculator" << 20;
        QTest::newRow("first-order") << "first-order" << 5;
    }
    void everyPlannerAnswers()
    {
        QFETCH(const QString, planner);
        QFETCH(const int, rows);
        const auto done = run({u"search"_s, u"-"_s, u"--planner"_s, planner, u"--format"_s, u"json"_s});
        QCOMPARE(done.status, 0);
        const auto json = parsed(done.out);
        QCOMPARE(int(json["rows"].size()), rows);
        QCOMPARE(QString::fromStdString(json["planner"].get<std::string>()), planner);
        QVERIFY(json["best"]["best"].get<bool>());
        QVERIFY(!json["recommendation"].empty() && !json["inputs"].empty());
        const auto table = run({u"search"_s, u"-"_s, u"--planner"_s, planner});
        QVERIFY(table.out.contains("best"));
        QVERIFY(table.out.contains(json["recommendation"][0].get<std::string>().c_str()));
        const auto csv = run({u"search"_s, u"-"_s, u"--planner"_s, planner, u"--format"_s, u"csv"_s}).out;
        QCOMPARE(csv.count("\r\n"), rows + 1);
        QVERIFY(csv.startsWith("dp,tp,pp,best,fits,"));
    }
    void topRowsAreTheBest()
    {
        const auto all = parsed(
            run({u"search"_s, u"-"_s, u"--planner"_s, u"searcher"_s, u"--format"_s, u"json"_s}).out);
        const auto top = parsed(run({u"search"_s, u"-"_s, u"--planner"_s, u"searcher"_s, u"--format"_s, u"json"_s,
                                        u"--top"_s, u"3"_s, u"--threads"_s, u"2"_s})
                                    .out);
        QCOMPARE(top["rows"].size(), std::size_t(3));
        QVERIFY(top["rows"][0] == all["best"]);
        QVERIFY(top["rows"][0]["step_time_s"] <= top["rows"][1]["step_time_s"]);
        QVERIFY(top["best"] == all["best"]);
        QCOMPARE(top["evaluated"].get<int>(), 42);
    }
    void searcherWritesItsOwnFormat()
    {
        const auto path = m_folder.filePath(u"out.json"_s);
        QCOMPARE(
            run({u"search"_s, u"-"_s, u"--planner"_s, u"searcher"_s, u"--output"_s, path, u"--top"_s, u"1"_s}).status,
            0);
        const auto text = fileContent(path);
        QVERIFY(text.startsWith("{\"1, 4, 64\": \""));
        const auto json = parsed(text);
        QCOMPARE(json.size(), std::size_t(42)); // every split, whatever --top says
        std::vector<std::array<int, 3>> keys;
        for (const auto &[key, value] : json.items()) {
            std::array<int, 3> split{};
            QCOMPARE(std::sscanf(key.c_str(), "%d, %d, %d", &split[0], &split[1], &split[2]), 3);
            keys.push_back(split);
            const auto words = value.get<std::string>();
            QVERIFY(words.ends_with("ms/iter") && words[words.size() - 12] == '.');
        }
        QVERIFY(std::ranges::is_sorted(keys));
        QCOMPARE(run({u"search"_s, u"-"_s, u"--planner"_s, u"searcher"_s, u"--output"_s, path, u"--threads"_s, u"1"_s})
                     .status,
            0);
        QCOMPARE(fileContent(path), text);
        const auto csv = m_folder.filePath(u"out.csv"_s);
        QCOMPARE(run({u"search"_s, u"-"_s, u"--planner"_s, u"searcher"_s, u"--output"_s, csv}).status, 0);
        QCOMPARE(fileContent(csv).count("\r\n"), 43);
        const auto other = m_folder.filePath(u"strategy.json"_s);
        QCOMPARE(run({u"search"_s, u"-"_s, u"--planner"_s, u"strategy-calculator"_s, u"--output"_s, other}).status, 0);
        QCOMPARE(parsed(fileContent(other))["planner"].get<std::string>(), std::string("strategy-calculator"));
    }
    void errorsAndExitStatus_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("words");
        const QByteArray plan(samplePlan);
        QTest::newRow("no plan") << QStringList{} << plan << 2 << QByteArray("PLAN");
        QTest::newRow("model without a search")
            << QStringList{u"-"_s, u"--planner"_s, u"cube"_s} << plan << 2 << QByteArray("no published planner");
        QTest::newRow("other file type") << QStringList{u"-"_s, u"--planner"_s, u"searcher"_s, u"--output"_s,
            u"x.doc"_s} << plan << 2 << QByteArray(".json or .csv");
        QTest::newRow("option of the other search") << QStringList{u"-"_s, u"--planner"_s, u"searcher"_s, u"--tp"_s,
            u"8"_s} << plan << 2 << QByteArray("--tp: The search of a published planner");
        QTest::newRow("top of none") << QStringList{u"-"_s, u"--planner"_s, u"searcher"_s, u"--top"_s, u"0"_s} << plan
                                     << 2 << QByteArray("--top");
        QTest::newRow("no such file") << QStringList{m_folder.filePath(u"nothing.yaml"_s), u"--planner"_s,
            u"searcher"_s} << plan << 5
                                      << QByteArray("no such file");
        QTest::newRow("folder missing") << QStringList{u"-"_s, u"--planner"_s, u"searcher"_s, u"--output"_s,
            m_folder.filePath(u"no/out.json"_s)}
                                        << plan << 5 << QByteArray("could not be written");
        QTest::newRow("not a plan") << QStringList{u"-"_s, u"--planner"_s, u"searcher"_s}
                                    << QByteArray("fleetwright: 1\nfoo: 2\n") << 3 << QByteArray("foo");
        QTest::newRow("batch too small") << QStringList{u"-"_s, u"--planner"_s, u"strategy-calculator"_s}
                                         << QByteArray(plan).replace("global_batch: 256", "global_batch: 8") << 3
                                         << QByteArray("training.global_batch");
        QTest::newRow("no architecture") << QStringList{u"-"_s, u"--planner"_s, u"searcher"_s}
                                         << QByteArray(plan).replace("llama3_1_70b", "resnet50") << 3
                                         << QByteArray("workload");
        QTest::newRow("nothing fits") << QStringList{u"-"_s, u"--planner"_s, u"strategy-calculator"_s}
                                      << QByteArray(plan).replace("nodes: 32", "nodes: 1") << 4 << QByteArray();
    }
    void errorsAndExitStatus()
    {
        QFETCH(QStringList, arguments);
        QFETCH(const QByteArray, input);
        QFETCH(const int, status);
        QFETCH(const QByteArray, words);
        arguments.prepend(u"search"_s);
        const auto done = run(arguments, input);
        QVERIFY2(done.status == status, (QByteArray::number(done.status) + ": " + done.err + done.out).constData());
        QVERIFY2(done.err.contains(words), done.err.constData());
        if (status == 4)
            QVERIFY(done.out.contains("No row fits"));
    }
    void everyModelSolvesThePlan_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("ignores");
        QTest::newRow("first-order") << "first-order" << false;
        for (const auto *model : {"searcher", "strategy-calculator", "dp-wall", "cube"})
            QTest::newRow(model) << QString::fromLatin1(model) << true;
    }
    void everyModelSolvesThePlan()
    {
        QFETCH(const QString, model);
        QFETCH(const bool, ignores);
        const auto done = run({u"solve"_s, u"-"_s, u"--cost-model"_s, model, u"--format"_s, u"json"_s});
        QVERIFY2(done.status == 0 || done.status == 4, done.err.constData());
        const auto json = parsed(done.out);
        QVERIFY(json["ok"].get<bool>());
        QCOMPARE(json["cost_model"]["version"].get<std::string>(), std::string("1.0"));
        // The plan's assumptions belong to first-order; what another model does not know is named, not refused.
        QCOMPARE(json.contains("ignored_assumptions"), ignores);
        QCOMPARE(done.err.contains("assumption efficiency"), ignores);
        QCOMPARE(json["estimate"].contains("step_time_s"), model != u"strategy-calculator");
        QCOMPARE(json["estimate"].contains("memory"), model != u"searcher" && model != u"dp-wall");
        if (ignores)
            QCOMPARE(run({u"solve"_s, u"-"_s},
                         QByteArray(samplePlan).replace("cost_model: first-order", "cost_model: " + model.toUtf8()))
                         .status,
                3);
    }
};

FLEETWRIGHT_TEST(TestSearchCommand)
#include "tst_searchcommand.moc"
