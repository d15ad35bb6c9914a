// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "cli/clirunner.h"
#include "testing/registry.h"
#include <nlohmann/json.hpp>

#include <QTest>

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

namespace {

using clirunner::Run;

constexpr const char *samplePlan = R"(fleetwright: 1
name: Seventy
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4, zero_stage: 1, sequence_parallel: true}
training: {global_batch: 256, microbatch_size: 1, seq_len: 4096, precision: bf16}
cost_model: MODEL
)";

Run run(const QStringList &arguments, const QByteArray &input)
{
    return clirunner::run(QStringList(u"explain"_s) + arguments, input);
}

QByteArray plan(const QByteArray &model = "detailed") { return QByteArray(samplePlan).replace("MODEL", model); }

} // namespace

class TestExplainCommand : public QObject {
    Q_OBJECT

private slots:
    void json_data();
    void json();
    void csvIsInBaseUnits();
    void textEndsWithTheSum();
    void refusals();
};

void TestExplainCommand::json_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("operators") << u"operators"_s << QByteArray("operators") << QByteArray("per_step_s");
    QTest::newRow("collectives") << u"collectives"_s << QByteArray("collectives") << QByteArray("exposed_s");
    QTest::newRow("memory") << u"memory"_s << QByteArray("stages") << QByteArray("device_bytes");
    QTest::newRow("schedule") << u"schedule"_s << QByteArray("boxes") << QByteArray("end_s");
}

void TestExplainCommand::json()
{
    QFETCH(QString, what);
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, key);
    const auto done = run({u"-"_s, u"--what"_s, what, u"--format"_s, u"json"_s}, plan());
    QCOMPARE(done.status, 0);
    const auto json = Json::parse(done.out.constData(), nullptr, false);
    QVERIFY(!json.is_discarded());
    QVERIFY(json["step_time_s"].get<double>() > 0);
    const auto &rows = json[list.toStdString()];
    QVERIFY(rows.is_array() && !rows.empty());
    for (const auto &row : rows)
        QVERIFY(row[key.toStdString()].is_number());
    if (what == u"schedule") {
        QCOMPARE(rows.size(), std::size_t(2 * 4 * json["shown_microbatches"].get<int>()));
        QVERIFY(json["bubble_fraction"].get<double>() > 0);
    }
    if (what == u"memory")
        QCOMPARE(rows.size(), 4UZ);
}

void TestExplainCommand::csvIsInBaseUnits()
{
    const auto done = run({u"-"_s, u"--format"_s, u"csv"_s}, plan());
    QCOMPARE(done.status, 0);
    QVERIFY(done.out.startsWith("part,name,pass,shape,runs_per_step,work_flop,"));
    QVERIFY(done.out.count("\r\n") > 10);
}

void TestExplainCommand::textEndsWithTheSum()
{
    const auto done = run({u"-"_s}, plan());
    QCOMPARE(done.status, 0);
    QVERIFY(done.out.contains("query, key, value"));
    QVERIFY(done.out.trimmed().split('\n').last().contains("= step"));
}

void TestExplainCommand::refusals()
{
    const auto other = run({u"-"_s}, plan("first-order"));
    QCOMPARE(other.status, 3);
    QVERIFY(other.err.contains("detailed"));
    QVERIFY(other.out.isEmpty());
    QCOMPARE(run({u"-"_s, u"--what"_s, u"nothing"_s}, plan()).status, 2);
    const auto flat = run({u"-"_s, u"--what"_s, u"schedule"_s}, plan().replace("pp: 4", "pp: 1"));
    QCOMPARE(flat.status, 3);
    QVERIFY(flat.err.contains("PP 1"));
    QCOMPARE(run({u"no such file.yaml"_s}, {}).status, 5);
    const auto split = run({u"-"_s}, plan().replace("tp: 8", "tp: 7"));
    QCOMPARE(split.status, 3);
    QVERIFY(split.err.contains("TP 7"));
}

FLEETWRIGHT_TEST(TestExplainCommand)
#include "tst_explaincommand.moc"
