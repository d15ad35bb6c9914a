// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program: exit status, what goes to which stream, order and form of the answers.
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace clitesting;
using clirunner::parsed;
using clirunner::run;

namespace {

constexpr const char *bubbleRequest = R"({"id": 7, "inputs": {"stages": 4, "microbatches": 16, "virtual_stages": 1}})";

} // namespace

class TestCli : public QObject, private CliFixture {
    Q_OBJECT

private slots:
    void init() { makeFolder(); }
    void helpAndVersion_data();
    void helpAndVersion();
    void usageErrors_data();
    void usageErrors();
    void evaluatesOne();
    void evaluateRefusesBadInput_data();
    void evaluateRefusesBadInput();
    void batchKeepsOrderAndGoesOn();
    void batchAnswersBeforeTheInputEnds();
    void batchSkipsOverlongLines();
    void closedPipeEndsWithoutAWord();
    void catalogList_data();
    void catalogList();
    void catalogShow();
    void catalogCheck();
    void listsModels();
};

void TestCli::helpAndVersion_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("version") << QStringList{u"--version"_s} << QByteArray("fleetwright-cli " FLEETWRIGHT_VERSION);
    QTest::newRow("help") << QStringList{u"--help"_s} << QByteArray("evaluate");
    for (const auto *command : {"evaluate", "solve", "models", "report"})
        QTest::newRow(command) << QStringList{QString::fromUtf8(command), u"--help"_s} << QByteArray("Usage");
    for (const auto *command : {"list", "show", "check"})
        QTest::newRow(command) << QStringList{u"catalog"_s, QString::fromUtf8(command), u"--help"_s}
                               << QByteArray("Usage");
    QTest::newRow("project new") << QStringList{u"project"_s, u"new"_s, u"--help"_s} << QByteArray("--sample");
}

void TestCli::helpAndVersion()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, expected);
    const auto ran = run(arguments);
    QCOMPARE(ran.status, 0);
    QVERIFY2(ran.out.contains(expected), ran.out.constData());
    QCOMPARE(ran.err, QByteArray());
}

void TestCli::usageErrors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown command") << QStringList{u"solv"_s};
    QTest::newRow("unknown option") << QStringList{u"solve"_s, u"--fast"_s};
    QTest::newRow("unknown format") << QStringList{u"models"_s, u"--format"_s, u"xml"_s};
    QTest::newRow("unknown model") << QStringList{u"evaluate"_s, u"nosuch"_s};
    QTest::newRow("no model") << QStringList{u"evaluate"_s};
    QTest::newRow("no plan") << QStringList{u"solve"_s};
    QTest::newRow("standard input twice") << QStringList{u"solve"_s, u"-"_s, u"-"_s};
    QTest::newRow("two batches") << QStringList{u"solve"_s, u"--batch"_s, u"a"_s, u"b"_s};
    QTest::newRow("unknown cost model") << QStringList{u"solve"_s, u"-"_s, u"--cost-model"_s, u"guess"_s};
    QTest::newRow("batch as a table") << QStringList{
        u"evaluate"_s, u"topology"_s, u"--batch"_s, u"--format"_s, u"table"_s};
    QTest::newRow("unknown catalog") << QStringList{u"catalog"_s, u"list"_s, u"planets"_s};
    QTest::newRow("report without output") << QStringList{u"report"_s, u"a.fleetwright"_s};
}

void TestCli::usageErrors()
{
    QFETCH(QStringList, arguments);
    const auto ran = run(arguments, samplePlan);
    QCOMPARE(ran.status, 2);
    QCOMPARE(ran.out, QByteArray());
    QVERIFY2(ran.err.startsWith("fleetwright-cli: ") && ran.err.size() > 30, ran.err.constData());
}

void TestCli::evaluatesOne()
{
    const auto ran = run({u"evaluate"_s, u"pipeline-bubble"_s}, bubbleRequest);
    QVERIFY2(ran.status == 0, (ran.out + ran.err).constData());
    const auto answer = parsed(ran.out);
    QCOMPARE(answer["id"].get<int>(), 7);
    QVERIFY(answer["ok"].get<bool>());
    QVERIFY(answer["outputs"].is_object() && !answer["outputs"].empty());
    const auto fromFile = run({u"evaluate"_s, u"pipeline-bubble"_s, file(u"request.json"_s, bubbleRequest)});
    QCOMPARE(fromFile.out, ran.out);
    const auto table = run({u"evaluate"_s, u"pipeline-bubble"_s, u"--format"_s, u"table"_s}, bubbleRequest);
    QCOMPARE(table.status, 0);
    QVERIFY(table.out.startsWith("output"));
}

void TestCli::evaluateRefusesBadInput_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("empty") << QByteArray() << QByteArray("parse_error");
    QTest::newRow("no JSON") << QByteArray("hello") << QByteArray("parse_error");
    QTest::newRow("cut short") << QByteArray("{\"id\": 1, ") << QByteArray("parse_error");
    QTest::newRow("a list") << QByteArray("[1]") << QByteArray("parse_error");
    QTest::newRow("no inputs") << QByteArray("{\"id\": 1}") << QByteArray("missing_field");
    QTest::newRow("id an object") << QByteArray("{\"id\": {}, \"inputs\": {}}") << QByteArray("unsupported_value");
    QTest::newRow("empty inputs") << QByteArray("{\"id\": 1, \"inputs\": {}}") << QByteArray("missing_field");
}

void TestCli::evaluateRefusesBadInput()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, code);
    const auto ran = run({u"evaluate"_s, u"pipeline-bubble"_s}, input);
    QCOMPARE(ran.status, 3);
    const auto answer = parsed(ran.out);
    QVERIFY2(answer.is_object() && !answer.value("ok", true), ran.out.constData());
    QCOMPARE(QByteArray::fromStdString(answer["error"]["code"].get<std::string>()), code);
    QVERIFY(ran.err.size() > 30);
}

void TestCli::batchKeepsOrderAndGoesOn()
{
    QByteArray input;
    for (int i = 0; i < 500; ++i)
        input += i % 5 == 3
            ? QByteArray("nonsense\n")
            : R"({"id": "case-)" + QByteArray::number(i) + R"(", "inputs": {"stages": 4, "microbatches": )"
                + QByteArray::number(i + 1) + R"(, "virtual_stages": 1}})" + (i % 2 ? "\r\n" : "\n\n");
    const auto ran = run({u"evaluate"_s, u"pipeline-bubble"_s, u"--batch"_s}, input);
    QCOMPARE(ran.status, 0);
    QCOMPARE(ran.err, QByteArray());
    const auto answers = lines(ran.out);
    QCOMPARE(answers.size(), 500UZ);
    for (int i = 0; i < 500; ++i) {
        const auto &answer = answers[std::size_t(i)];
        QCOMPARE(answer["ok"].get<bool>(), i % 5 != 3);
        if (i % 5 == 3) {
            QVERIFY(answer["id"].is_null());
            QCOMPARE(answer["error"]["code"].get<std::string>(), std::string("parse_error"));
        } else {
            QCOMPARE(answer["id"].get<std::string>(), "case-" + std::to_string(i));
        }
    }
    QVERIFY(answers[3]["error"]["message"].get<std::string>().find("Line ") == 0);
}

/// Another program may wait for each answer before it asks again.
void TestCli::batchAnswersBeforeTheInputEnds()
{
    QProcess process;
    process.start(QStringLiteral(FLEETWRIGHT_CLI), {u"evaluate"_s, u"pipeline-bubble"_s, u"--batch"_s});
    QVERIFY(process.waitForStarted());
    for (int i = 0; i < 3; ++i) {
        process.write(QByteArray(bubbleRequest) + "\n");
        QByteArray answer;
        QTRY_VERIFY_WITH_TIMEOUT(
            (process.waitForReadyRead(50), answer += process.readAllStandardOutput(), answer.endsWith('\n')), 30000);
        QVERIFY(parsed(answer)["ok"].get<bool>());
    }
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
}

void TestCli::batchSkipsOverlongLines()
{
    const auto ran = run({u"evaluate"_s, u"pipeline-bubble"_s, u"--batch"_s},
        QByteArray(17 * 1024 * 1024, 'x') + "\n" + bubbleRequest + "\n");
    QCOMPARE(ran.status, 0);
    const auto answers = lines(ran.out);
    QCOMPARE(answers.size(), 2UZ);
    QVERIFY(!answers[0]["ok"].get<bool>());
    QVERIFY(answers[0]["error"]["message"].get<std::string>().find("16 MiB") != std::string::npos);
    QVERIFY(answers[1]["ok"].get<bool>());
}

void TestCli::closedPipeEndsWithoutAWord()
{
    const auto input = file(u"many.jsonl"_s, (QByteArray(bubbleRequest) + "\n").repeated(20000));
    QProcess shell;
    shell.start(u"/bin/sh"_s,
        {u"-c"_s, u"{ \"$0\" evaluate pipeline-bubble --batch \"$1\"; echo \"status $?\" >&2; } | head -n 1"_s,
            QStringLiteral(FLEETWRIGHT_CLI), input});
    QVERIFY(shell.waitForFinished(60000));
    QCOMPARE(shell.readAllStandardError(), QByteArray("status 0\n"));
    QCOMPARE(lines(shell.readAllStandardOutput()).size(), 1UZ);
}

void TestCli::catalogList_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("items");
    QTest::newRow("accelerators") << u"accelerators"_s << 84;
    QTest::newRow("nodes") << u"nodes"_s << 89;
    QTest::newRow("fabrics") << u"fabrics"_s << 59;
    QTest::newRow("workloads") << u"workloads"_s << 170;
    QTest::newRow("singular") << u"grid"_s << 222;
}

void TestCli::catalogList()
{
    QFETCH(QString, kind);
    QFETCH(int, items);
    const auto json = parsed(run({u"catalog"_s, u"list"_s, kind, u"--format"_s, u"json"_s}).out);
    QVERIFY(json.is_array());
    QCOMPARE(int(json.size()), items);
    const auto rows = csvRows(run({u"catalog"_s, u"list"_s, kind, u"--format"_s, u"csv"_s}).out);
    QCOMPARE(int(rows.size()), items + 1);
    for (const auto &row : rows)
        QCOMPARE(row.size(), rows[0].size());
    const auto table = run({u"catalog"_s, u"list"_s, kind});
    QCOMPARE(table.status, 0);
    QCOMPARE(int(table.out.count('\n')), items + 2);
}

void TestCli::catalogShow()
{
    const auto shown = run({u"catalog"_s, u"show"_s, u"nvidia_h100_sxm5_80gb"_s});
    QCOMPARE(shown.status, 0);
    QVERIFY2(shown.out.contains("TFLOP/s") && shown.out.contains("confidence: "), shown.out.constData());
    const auto json = parsed(run({u"catalog"_s, u"show"_s, u"nodes/nvidia_dgx_h100"_s, u"--format"_s, u"json"_s}).out);
    QCOMPARE(json["accelerators_per_node"].get<int>(), 8);
    const auto wrong = run({u"catalog"_s, u"show"_s, u"nvidia_dgx_h10"_s});
    QCOMPARE(wrong.status, 3);
    QVERIFY2(wrong.err.contains("nvidia_dgx_h100"), wrong.err.constData());
    QCOMPARE(wrong.out, QByteArray());
}

void TestCli::catalogCheck()
{
    QCOMPARE(run({u"catalog"_s, u"check"_s}).status, 0);
    QCOMPARE(run({u"catalog"_s, u"check"_s, QStringLiteral(FLEETWRIGHT_CATALOG "/nodes.json")}).status, 0);
    const auto bad = file(u"nodes.json"_s,
        R"({"items": [{"id": "my_node", "name": "Mine", "vendor": "Me", "kind": "server", "launch_year": 2025,
        "status": "shipping", "accelerator_id": "none_such", "accelerators_per_node": 8, "scale_up_domain_size": 8}]})");
    const auto ran = run({u"catalog"_s, u"check"_s, bad, u"--format"_s, u"json"_s});
    QCOMPARE(ran.status, 3);
    const auto json = parsed(ran.out);
    QCOMPARE(json["findings"].size(), 1UZ);
    QCOMPARE(json["findings"][0]["field"].get<std::string>(), std::string("nodes/my_node.accelerator_id"));
    QCOMPARE(run({u"catalog"_s, u"check"_s, file(u"planets.json"_s, "{\"items\": []}")}).status, 3);
    QCOMPARE(
        run({u"catalog"_s, u"check"_s, u"--kind"_s, u"nodes"_s, file(u"planets.json"_s, "{\"items\": []}")}).status, 0);
    QCOMPARE(run({u"catalog"_s, u"check"_s, m_folder->filePath(u"missing/nodes.json"_s)}).status, 5);
}

void TestCli::listsModels()
{
    const auto json = parsed(run({u"models"_s, u"--format"_s, u"json"_s}).out);
    QCOMPARE(json["cost_models"][0]["id"].get<std::string>(), std::string("detailed"));
    QVERIFY(!json["cost_models"][0]["limitations"].empty());
    QVERIFY(!json["cost_models"][0]["assumptions"].empty());
    QVERIFY(run({u"models"_s}).out.contains("Known limitations"));
}

FLEETWRIGHT_TEST(TestCli)
#include "tst_cli.moc"
