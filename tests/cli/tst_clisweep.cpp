// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep command of the real program.
#include "cli/clirunner.h"
#include "testing/registry.h"
#include <nlohmann/json.hpp>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

namespace {

using clirunner::parsed;
using clirunner::Run;

constexpr const char *plan = R"(fleetwright: 1
name: Base
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16}
cost_model: first-order
)";

constexpr const char *sweep = R"(fleetwright: 1
sweep: Bubble against microbatches
plan:
  workload: llama3_1_70b
  fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
  parallelism: {tp: 4, pp: 8}
  training: {global_batch: 256, seq_len: 2048, precision: fp16}
  cost_model: first-order
axes: [{key: training.microbatch_count, range: 1..64:+1}]
figure: bubble_fraction
mark: 0.1
)";

Run run(const QStringList &arguments, const QByteArray &input = plan)
{
    return clirunner::run(QStringList{u"sweep"_s, u"-"_s} + arguments, input);
}

} // namespace

class TestCliSweep : public QObject {
    Q_OBJECT

private slots:
    void variesTwoKeys();
    void runsASweepDocument();
    void writesTableAndCsv();
    void csvAxesAreKeysAndPlainNumbers();
    void saysWhatToChooseInsteadOfAnAbsentFigure();
    void refuses_data();
    void refuses();
    void saysWhenNothingIsFeasible();
    void searchesEachCell();
};

void TestCliSweep::variesTwoKeys()
{
    const auto answer = run({u"--vary"_s, u"fleet.fabric=ib_hdr,ib_ndr"_s, u"--vary"_s, u"parallelism.pp=1..4:x2"_s,
        u"--figure"_s, u"mfu"_s, u"--cost-model"_s, u"first-order"_s, u"--format"_s, u"json"_s});
    QCOMPARE(answer.status, 0);
    QVERIFY(answer.err.isEmpty());
    const auto json = parsed(answer.out);
    QCOMPARE(json["cells"].size(), 6UZ);
    QCOMPARE(json["cells"][5]["set"]["fleet.fabric"].get<std::string>(), std::string("ib_ndr"));
    QCOMPARE(json["cells"][5]["set"]["parallelism.pp"].get<double>(), 4.0);
    QVERIFY(json["cells"][5]["feasible"].get<bool>());
    QCOMPARE(json["figure"].get<std::string>(), std::string("mfu"));
    const auto alone = parsed(
        run({u"--vary"_s, u"fleet.fabric=ib_hdr,ib_ndr"_s, u"--vary"_s, u"parallelism.pp=1..4:x2"_s, u"--figure"_s,
                u"mfu"_s, u"--threads"_s, u"1"_s, u"--format"_s, u"json"_s})
            .out);
    QVERIFY(alone["cells"] == json["cells"]);
}

void TestCliSweep::runsASweepDocument()
{
    const auto answer = run({u"--format"_s, u"json"_s}, sweep);
    QCOMPARE(answer.status, 0);
    const auto json = parsed(answer.out);
    QCOMPARE(json["cells"].size(), 64UZ);
    const auto crossing = json["crossings"][0].get<std::string>();
    QVERIFY2(crossing.contains("falls below") && crossing.contains("Microbatches 64"), crossing.c_str());
}

void TestCliSweep::writesTableAndCsv()
{
    const auto table = run({u"--vary"_s, u"parallelism.tp=1,8,3"_s});
    QCOMPARE(table.status, 0);
    QVERIFY2(table.out.contains("Step time [s]") && table.out.contains("no: ") && table.out.contains("refused: ")
            && table.out.contains("Best Step time"),
        table.out.constData());
    const auto csv = run({u"--vary"_s, u"parallelism.tp=1,8,3"_s, u"--format"_s, u"csv"_s});
    QCOMPARE(csv.out.count("\r\n"), 4);
    QVERIFY(csv.out.startsWith("parallelism.tp,cost_model,cost_model_version,ok,feasible,"));
}

void TestCliSweep::csvAxesAreKeysAndPlainNumbers()
{
    const auto csv = [](const QStringList &arguments, const QByteArray &input) {
        const auto answer = run(arguments + QStringList{u"--format"_s, u"csv"_s}, input);
        std::vector<QByteArrayList> rows;
        for (const auto &line : answer.out.split('\n'))
            if (!line.isEmpty())
                rows.push_back(line.split(','));
        return rows;
    };
    const auto power = csv(
        {u"--vary"_s, u"constraints.max_facility_mw=400 kW,0.5"_s, u"--vary"_s, u"assumptions.layer_tax=5 ms"_s}, plan);
    QCOMPARE(power.size(), 3UZ);
    QCOMPARE(power[0].mid(0, 2), (QByteArrayList{"constraints.max_facility_mw", "assumptions.layer_tax"}));
    QCOMPARE(power[1].mid(0, 2), (QByteArrayList{"0.4", "0.005"})); // the key names MW; else base units
    QCOMPARE(power[2].mid(0, 2), (QByteArrayList{"0.5", "0.005"}));

    const auto tied = csv({},
        QByteArray(sweep).replace("axes: [{key: training.microbatch_count, range: 1..64:+1}]",
            "axes: [{points: [{label: wide, set: {parallelism.tp: 8, parallelism.pp: 1}}, {set: {parallelism.tp: 4, "
            "fleet.fabric: ib_hdr}}]}]"));
    QCOMPARE(tied.size(), 3UZ);
    QCOMPARE(tied[0].mid(0, 4), (QByteArrayList{"label", "parallelism.tp", "parallelism.pp", "fleet.fabric"}));
    QCOMPARE(tied[1].mid(0, 4), (QByteArrayList{"wide", "8", "1", ""}));
    QCOMPARE(tied[2].mid(0, 4), (QByteArrayList{"", "4", "", "ib_hdr"}));
}

void TestCliSweep::saysWhatToChooseInsteadOfAnAbsentFigure()
{
    const QStringList asked{u"--vary"_s, u"training.microbatch_count=16,32"_s, u"--cost-model"_s, u"detailed"_s,
        u"--figure"_s, u"bubble_fraction"_s};
    const auto answer = run(asked);
    QVERIFY2(answer.out.contains("bubble_share_of_step"), answer.out.constData());
    auto instead = asked;
    instead.back() = u"bubble_share_of_step"_s;
    QVERIFY(run(instead).out.contains("Best Bubble of step"));
}

void TestCliSweep::refuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("sentence");
    const QByteArray good(plan);
    QTest::newRow("nothing varies") << QStringList{} << good << 2 << u"Say what to vary"_s;
    QTest::newRow("sweep and vary") << QStringList{u"--vary"_s, u"fleet.nodes=1"_s} << QByteArray(sweep) << 2
                                    << u"axes of its own"_s;
    QTest::newRow("no equals sign") << QStringList{u"--vary"_s, u"fleet.nodes"_s} << good << 2
                                    << u"must be a key and its values"_s;
    QTest::newRow("unknown key") << QStringList{u"--vary"_s, u"fleet.node_count=1"_s} << good << 2
                                 << u"nothing called"_s;
    QTest::newRow("unknown assumption") << QStringList{u"--vary"_s, u"assumptions.luck=1"_s} << good << 2
                                        << u"no assumption “luck”"_s;
    QTest::newRow("bad values") << QStringList{u"--vary"_s, u"fleet.nodes=1..x"_s} << good << 2 << u"x"_s;
    QTest::newRow("unknown fabric") << QStringList{u"--vary"_s, u"fleet.fabric=ib_ndx"_s} << good << 2
                                    << u"did you mean"_s;
    QTest::newRow("unknown figure") << QStringList{u"--vary"_s, u"fleet.nodes=1"_s, u"--figure"_s, u"luck"_s} << good
                                    << 2 << u"no figure"_s;
    QTest::newRow("unknown cost model") << QStringList{u"--vary"_s, u"fleet.nodes=1"_s, u"--cost-model"_s, u"oracle"_s}
                                        << good << 2 << u"oracle"_s;
    QTest::newRow("space without a search")
        << QStringList{u"--vary"_s, u"fleet.nodes=1"_s, u"--tp"_s, u"8"_s} << good << 2 << u"add --search"_s;
    QTest::newRow("bad space") << QStringList{u"--vary"_s, u"fleet.nodes=1"_s, u"--search"_s, u"--tp"_s, u"x"_s} << good
                               << 2 << u"--tp: "_s;
    QTest::newRow("bad objective") << QStringList{u"--vary"_s, u"fleet.nodes=1"_s, u"--search"_s, u"--objective"_s,
        u"joy"_s} << good << 2 << u"no objective"_s;
    QTest::newRow("axis that the search decides") << QStringList{u"--vary"_s, u"training.microbatch_count=1,2"_s,
        u"--search"_s} << good << 3 << u"microbatch_size instead"_s;
    QTest::newRow("three axes") << QStringList{u"--vary"_s, u"fleet.nodes=1"_s, u"--vary"_s, u"parallelism.tp=1"_s,
        u"--vary"_s, u"parallelism.pp=1"_s}
                                << good << 3 << u"one or two axes"_s;
    QTest::newRow("too many cells") << QStringList{u"--vary"_s, u"fleet.nodes=1..200"_s, u"--vary"_s,
        u"training.global_batch=1..200"_s}
                                    << good << 3 << u"40000 cells"_s;
    QTest::newRow("bad plan") << QStringList{u"--vary"_s, u"fleet.nodes=1"_s} << QByteArray("name: x\n") << 3
                              << u"fleetwright"_s;
    QTest::newRow("bad sweep") << QStringList{} << QByteArray(sweep).replace("range: 1..64:+1", "range: 64..1") << 3
                               << u"line 9"_s;
}

void TestCliSweep::refuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, input);
    QFETCH(int, status);
    QFETCH(QString, sentence);
    const auto answer = run(arguments, input);
    QVERIFY2(answer.status == status, answer.err.constData());
    QVERIFY2(QString::fromUtf8(answer.err).contains(sentence), answer.err.constData());
    QVERIFY(answer.out.isEmpty());
}

void TestCliSweep::saysWhenNothingIsFeasible()
{
    const auto answer = run(
        {u"--vary"_s, u"parallelism.pp=1"_s, u"--vary"_s, u"parallelism.tp=1,2"_s, u"--format"_s, u"json"_s});
    QCOMPARE(answer.status, 4);
    QVERIFY(!parsed(answer.out)["cells"][0]["problems"].empty());
}

void TestCliSweep::searchesEachCell()
{
    const QStringList options{u"--vary"_s, u"fleet.nodes=8,32"_s, u"--cost-model"_s, u"detailed"_s, u"--search"_s,
        u"--recompute"_s, u"none"_s};
    const auto json = run(options + QStringList{u"--format"_s, u"json"_s});
    QVERIFY2(json.status == 0, json.err.constData());
    const auto cells = parsed(json.out)["cells"];
    QCOMPARE(cells.size(), 2UZ);
    const auto csv = run(options + QStringList{u"--format"_s, u"csv"_s}).out.split('\n');
    QVERIFY(csv[0].contains(",best_tp,best_cp,best_pp,best_ep,best_dp,best_virtual_stages,best_microbatch_size,best_"
                            "zero_stage,best_recompute,best_sequence_parallel,missed,problems,"));
    const auto table = run(options).out;
    QVERIFY(table.contains("Layout"));
    for (std::size_t i = 0; i < 2; ++i) {
        const auto &layout = cells[i]["layout"];
        QCOMPARE(layout["recompute"].get<std::string>(), std::string("none"));
        QVERIFY(table.contains("TP " + QByteArray::number(layout["tp"].get<int>())));
        const auto number = [&](const char *key) { return QByteArray::number(layout[key].get<int>()); };
        QVERIFY2(csv[qsizetype(i) + 1].contains(',' + number("tp") + ',' + number("cp") + ',' + number("pp") + ','
                     + number("ep") + ',' + number("dp") + ',' + number("virtual_stages") + ','),
            csv[qsizetype(i) + 1].constData());
    }
    // A cell says what the search says of the same fleet.
    QProcess process;
    process.start(QStringLiteral(FLEETWRIGHT_CLI),
        {u"search"_s, u"-"_s, u"--cost-model"_s, u"detailed"_s, u"--recompute"_s, u"none"_s, u"--format"_s, u"json"_s});
    QVERIFY(process.waitForStarted());
    process.write(QByteArray(plan));
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(120000));
    const auto best = parsed(process.readAllStandardOutput())["best"];
    for (const auto *key : {"tp", "pp", "dp", "microbatch_size", "zero_stage", "virtual_stages"})
        QCOMPARE(cells[1]["layout"][key].get<int>(), best[key].get<int>());
    QCOMPARE(cells[1]["figures"]["step_time_s"].get<double>(), best["step_time_s"].get<double>());
}

FLEETWRIGHT_TEST(TestCliSweep)
#include "tst_clisweep.moc"
