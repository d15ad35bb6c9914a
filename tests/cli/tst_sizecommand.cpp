// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program: which fleet to buy or rent.
#include "cli/clitesting.h"
#include "testing/registry.h"

using namespace Qt::StringLiterals;

namespace {

using clirunner::fileContent;
using clirunner::Json;
using clirunner::parsed;

constexpr const char *smallDecision = R"(fleetwright: 1
decision: Small
jobs: [{workload: llama3_1_8b, tokens: 1e11, training: {global_batch: 64, seq_len: 2048, precision: bf16}}]
candidates: {nodes: [nvidia_dgx_h100, nvidia_dgx_a100_80gb], counts: 1..16, fabrics: [ib_ndr, ib_hdr], paying: [own, on_demand]}
limits: {deadline_days: 20}
base_case: {node: nvidia_dgx_a100_80gb, nodes: 4}
)";

clirunner::Run sizeOf(const QStringList &options, QByteArray document = smallDecision)
{
    return clirunner::run(QStringList{u"size"_s, u"-"_s} + options, document);
}

QByteArray changed(const char *from, const char *to) { return QByteArray(smallDecision).replace(from, to); }

} // namespace

class TestSizeCommand : public QObject, private clitesting::CliFixture {
    Q_OBJECT
private slots:
    void init() { makeFolder(); }
    void tableNamesTheWinner();
    void jsonHoldsTheAnswer();
    void csvHasEveryKind();
    void objectiveOfTheOption();
    void threadsAndPruningChangeNothing();
    void nothingFeasible();
    void refusals_data();
    void refusals();
    void writesAFile();
};

void TestSizeCommand::tableNamesTheWinner()
{
    const auto done = sizeOf({});
    QCOMPARE(done.status, 0);
    QVERIFY2(done.out.startsWith("The least cost of the run, "), done.out.constData());
    QVERIFY(done.out.contains("The base case, 4 \u00d7 "));
    QVERIFY(done.out.contains("Fleet") && done.out.contains("Days"));
}

void TestSizeCommand::jsonHoldsTheAnswer()
{
    const auto done = sizeOf({u"--format"_s, u"json"_s});
    QCOMPARE(done.status, 0);
    const auto json = parsed(done.out);
    for (const char *key : {"best", "base_case", "by_node", "front", "excluded", "counts"})
        QVERIFY2(json.contains(key), key);
    QVERIFY(json["best"]["feasible"].get<bool>());
    QVERIFY(json["best"]["days"]["likely"].get<double>() <= 20);
    QCOMPARE(json["by_node"].size(), std::size_t(2));
    QVERIFY(json["best"] == json["by_node"][0]);
    QCOMPARE(json["base_case"]["nodes"].get<int>(), 4);
}

void TestSizeCommand::csvHasEveryKind()
{
    const auto few = clitesting::csvRows(sizeOf({u"--format"_s, u"csv"_s}).out);
    const auto all = clitesting::csvRows(sizeOf({u"--format"_s, u"csv"_s, u"--all"_s}).out);
    QCOMPARE(few.size(), std::size_t(3));
    QVERIFY(all.size() > few.size());
    for (const auto &row : all)
        QCOMPARE(row.size(), all.front().size());
    QVERIFY(all[1] == few[1]); // the best is the best
}

void TestSizeCommand::objectiveOfTheOption()
{
    const auto days = parsed(sizeOf({u"--format"_s, u"json"_s, u"--objective"_s, u"days"_s}).out);
    const auto cost = parsed(sizeOf({u"--format"_s, u"json"_s}).out);
    QCOMPARE(days["decision"]["objective"].get<std::string>(), std::string("days"));
    QVERIFY(days["best"]["days"]["likely"].get<double>() <= cost["best"]["days"]["likely"].get<double>());
    QVERIFY(
        days["best"]["run_cost_usd"]["likely"].get<double>() >= cost["best"]["run_cost_usd"]["likely"].get<double>());
    const auto wrong = sizeOf({u"--objective"_s, u"fame"_s});
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.err.contains("run_cost"));
}

void TestSizeCommand::threadsAndPruningChangeNothing()
{
    const auto plain = sizeOf({u"--format"_s, u"json"_s, u"--all"_s, u"--no-pruning"_s, u"--threads"_s, u"1"_s}).out;
    QCOMPARE(sizeOf({u"--format"_s, u"json"_s, u"--all"_s}).out, plain);
    QCOMPARE(sizeOf({u"--format"_s, u"json"_s, u"--all"_s, u"--threads"_s, u"3"_s}).out, plain);
}

void TestSizeCommand::nothingFeasible()
{
    const auto done = sizeOf({}, changed("deadline_days: 20", "deadline_days: 0.01, max_facility_mw: 1"));
    QCOMPARE(done.status, 4);
    QVERIFY2(done.out.startsWith("Nothing meets 0.01 days"), done.out.constData());
    QVERIFY(done.out.contains("What would free it"));
    QVERIFY(parsed(sizeOf({u"--format"_s, u"json"_s}, changed("deadline_days: 20", "deadline_days: 0.01")).out)["best"]
                .is_null());
}

void TestSizeCommand::refusals_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("key") << changed("limits:", "limit:") << QByteArray("limits");
    QTest::newRow("node") << changed("nvidia_dgx_h100,", "nvidia_dgx_h101,") << QByteArray("nvidia_dgx_h101");
    QTest::newRow("shares") << changed("tokens: 1e11", "share: 1.4") << QByteArray("at most 1");
    QTest::newRow("counts") << changed("counts: 1..16", "counts: 1..1000000000000000") << QByteArray("8..64");
}

void TestSizeCommand::refusals()
{
    QFETCH(QByteArray, document);
    QFETCH(QByteArray, sentence);
    const auto done = sizeOf({}, document);
    QCOMPARE(done.status, 3);
    QVERIFY(done.out.isEmpty());
    QVERIFY2(done.err.contains(sentence), done.err.constData());
}

void TestSizeCommand::writesAFile()
{
    const auto path = m_folder->filePath(u"answer.json"_s);
    const auto done = sizeOf({u"-o"_s, path});
    QCOMPARE(done.status, 0);
    QVERIFY(done.out.startsWith("Wrote "));
    QVERIFY(parsed(fileContent(path)).contains("by_node"));
}

FLEETWRIGHT_TEST(TestSizeCommand)
#include "tst_sizecommand.moc"
