// SPDX-License-Identifier: GPL-3.0-or-later
// solve --seek of the real program.
#include "cli/clirunner.h"
#include "testing/registry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using clirunner::parsed;
using clirunner::Run;

namespace {

constexpr const char *plan = R"(fleetwright: 1
name: Base
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
layout: best
training: {global_batch: 1024, seq_len: 8192, precision: bf16, token_budget: 1e12}
cost_model: detailed
)";

Run run(const QStringList &arguments, const QByteArray &input = plan)
{
    return clirunner::run(QStringList{u"solve"_s, u"-"_s} + arguments, input);
}

} // namespace

class TestCliSeek : public QObject {
    Q_OBJECT
private slots:
    void findsTheNumberOfNodes();
    void writesTableAndCsv();
    void saysWhatIsNotReached();
    void saysWhatIsReachedAnyway();
    void refuses_data();
    void refuses();
};

/// What solve says of the answer and of its neighbour is what the answer says.
void TestCliSeek::findsTheNumberOfNodes()
{
    const auto answer = run(
        {u"--seek"_s, u"fleet.nodes=8..512"_s, u"--goal"_s, u"run_time_s=30d"_s, u"--format"_s, u"json"_s});
    QVERIFY2(answer.status == 0, answer.err.constData());
    const auto json = parsed(answer.out);
    QCOMPARE(json["outcome"].get<std::string>(), std::string("reached"));
    QCOMPARE(json["target"].get<double>(), 30 * 86400.0);
    QCOMPARE(json["now"]["value"].get<double>(), 32.0);
    const double found = json["found"]["value"].get<double>(), other = json["neighbour"]["value"].get<double>();
    QCOMPARE(found, other + 1);
    for (const auto *point : {"found", "neighbour"}) {
        auto text = QByteArray(plan);
        text.replace("nodes: 32", "nodes: " + QByteArray::number(int(json[point]["value"].get<double>())));
        const auto alone = parsed(run({u"--format"_s, u"json"_s}, text).out);
        QCOMPARE(alone["estimate"]["run_time_s"].get<double>(), json[point]["figure"].get<double>());
    }
    QVERIFY(json["found"]["figure"].get<double>() <= 30 * 86400.0);
    QVERIFY(json["neighbour"]["figure"].get<double>() > 30 * 86400.0);
    QVERIFY(json["found"].contains("layout"));
}

void TestCliSeek::writesTableAndCsv()
{
    const QStringList asked{u"--seek"_s, u"assumptions.operations.pue"_s, u"--goal"_s, u"facility_power_w=500kW"_s};
    const auto table = run(asked);
    QVERIFY2(table.status == 0, table.err.constData());
    QVERIFY(table.out.contains("reaches"));
    const auto csv = run(asked + QStringList{u"--format"_s, u"csv"_s});
    const auto lines = csv.out.split('\n');
    QVERIFY(lines.front().startsWith("assumptions.operations.pue,facility_power_w,role,ok,feasible,"));
    QVERIFY(lines.size() > 5);
}

void TestCliSeek::saysWhatIsNotReached()
{
    const auto answer = run({u"--seek"_s, u"fleet.nodes=8..64"_s, u"--goal"_s, u"run_time_s=1h"_s});
    QCOMPARE(answer.status, 4);
    QVERIFY2(answer.out.contains(" from 8 to 64: it is at least "), answer.out.constData());
}

/// What is reached whatever the value is an answer, not a failure.
void TestCliSeek::saysWhatIsReachedAnyway()
{
    const QStringList asked{u"--seek"_s, u"constraints.deadline_days"_s, u"--goal"_s};
    const auto reached = run(asked + QStringList{u"run_time_s=7000d"_s});
    QVERIFY2(reached.status == 0, reached.out + reached.err);
    QVERIFY2(reached.out.contains("reaches anyway") && reached.out.contains(", which reaches "), reached.out);
    const auto missed = run(asked + QStringList{u"run_time_s=1h"_s});
    QCOMPARE(missed.status, 4);
    QVERIFY2(missed.out.contains(", which does not reach "), missed.out.constData());
}

void TestCliSeek::refuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("told");
    QTest::addRow("no goal") << QStringList{u"--seek"_s, u"fleet.nodes"_s} << u"--goal"_s;
    QTest::addRow("no key") << QStringList{u"--goal"_s, u"mfu=0.4"_s} << u"--seek"_s;
    QTest::addRow("no number") << QStringList{u"--seek"_s, u"fleet.node"_s, u"--goal"_s, u"mfu=0.4"_s}
                               << u"is no number"_s;
    QTest::addRow("unknown key") << QStringList{u"--seek"_s, u"fleet.nodez"_s, u"--goal"_s, u"mfu=0.4"_s}
                                 << u"did you mean"_s;
    QTest::addRow("unknown figure") << QStringList{u"--seek"_s, u"fleet.nodes"_s, u"--goal"_s, u"days=3"_s}
                                    << u"--goal"_s;
    QTest::addRow("wrong unit") << QStringList{u"--seek"_s, u"fleet.nodes"_s, u"--goal"_s, u"run_time_s=3GB"_s}
                                << u"--goal"_s;
    QTest::addRow("no value") << QStringList{u"--seek"_s, u"fleet.nodes"_s, u"--goal"_s, u"mfu"_s} << u"--goal"_s;
    QTest::addRow("no range") << QStringList{u"--seek"_s, u"fleet.nodes=8"_s, u"--goal"_s, u"mfu=0.4"_s}
                              << u"1..1024"_s;
    QTest::addRow("batch") << QStringList{u"--batch"_s, u"--seek"_s, u"fleet.nodes"_s, u"--goal"_s, u"mfu=0.4"_s}
                           << u"one plan"_s;
}
void TestCliSeek::refuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, told);
    const auto answer = run(arguments);
    QCOMPARE(answer.status, 2);
    QVERIFY(answer.out.isEmpty());
    QVERIFY2(QString::fromUtf8(answer.err).contains(told), answer.err.constData());
}

FLEETWRIGHT_TEST(TestCliSeek)
#include "tst_cliseek.moc"
