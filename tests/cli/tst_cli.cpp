// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program: exit status, what goes to which stream, order and form of the answers.
#include "cli/clirunner.h"
#include "storage/project.h"
#include "testing/registry.h"
#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;
using namespace fleetwright;

namespace {

using clirunner::parsed;
using clirunner::Run;
using clirunner::run;

constexpr const char *samplePlan = R"(fleetwright: 1
name: Llama-3.1-70B on 256 H100
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4, cp: 1, ep: 1, virtual_stages: 1, zero_stage: 0, sequence_parallel: false}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16, recompute: none, lora: false, accumulation_steps: 1}
assumptions: {efficiency: 0.5}
constraints: {max_memory_fraction: 0.9}
cost_model: first-order
)";

std::vector<Json> lines(const QByteArray &text)
{
    std::vector<Json> all;
    for (const auto &line : text.split('\n'))
        if (!line.isEmpty())
            all.push_back(Json::parse(line.constData(), nullptr, false));
    return all;
}

/// A reader for RFC 4180, so that the writer is not judged by itself.
std::vector<std::vector<std::string>> csvRows(const QByteArray &text)
{
    std::vector<std::vector<std::string>> rows(1, {std::string()});
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            rows.back().back() += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && c == ',') {
            rows.back().emplace_back();
        } else if (!quoted && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
            rows.emplace_back(1, std::string());
            ++i;
        } else {
            rows.back().back() += c;
        }
    }
    rows.pop_back(); // what follows the last line end
    return rows;
}

constexpr const char *bubbleRequest = R"({"id": 7, "inputs": {"stages": 4, "microbatches": 16, "virtual_stages": 1}})";

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private slots:
    void init();
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
    void closedPipeIsSaid();
    void solvesFromFileAndStandardInput();
    void solvesSeveralPlans();
    void solveReportsRefusals();
    void solveSaysWhenNothingIsFeasible();
    void solveBatch();
    void solveCsv();
    void solveUsesTheProjectsCatalog();
    void catalogList_data();
    void catalogList();
    void catalogShow();
    void catalogCheck();
    void listsModels();
    void createsAndChecksProjects();
    void documentsComeInAndGoOut_data();
    void documentsComeInAndGoOut();
    void oneBadDocumentKeepsAllOut();
    void badRowsOfMeasuredRunsAreNamed();
    void planningDefaultsOfAProjectMoveTheFigures();
    void refusesWhatIsNoProject_data();
    void refusesWhatIsNoProject();
    void writesReports();

private:
    QString file(const QString &name, const QByteArray &content)
    {
        QFile written(m_folder->filePath(name));
        if (!written.open(QIODevice::WriteOnly) || written.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(written.fileName()));
        return written.fileName();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestCli::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

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

void TestCli::closedPipeIsSaid()
{
    const auto input = file(u"many.jsonl"_s, (QByteArray(bubbleRequest) + "\n").repeated(20000));
    QProcess shell;
    shell.start(u"/bin/sh"_s,
        {u"-c"_s, u"{ \"$0\" evaluate pipeline-bubble --batch \"$1\"; echo \"status $?\" >&2; } | head -n 1"_s,
            QStringLiteral(FLEETWRIGHT_CLI), input});
    QVERIFY(shell.waitForFinished(60000));
    QCOMPARE(shell.readAllStandardError(),
        QByteArray("fleetwright-cli: Standard output could not be written: Broken pipe.\nstatus 5\n"));
    QCOMPARE(lines(shell.readAllStandardOutput()).size(), 1UZ);
}

void TestCli::solvesFromFileAndStandardInput()
{
    const auto path = file(u"plan.yaml"_s, samplePlan);
    const auto table = run({u"solve"_s, path});
    QVERIFY2(table.status == 0, (table.out + table.err).constData());
    QVERIFY(table.out.contains("Step time [s]") && table.out.contains("Llama-3.1-70B on 256 H100"));
    QCOMPARE(table.err, QByteArray());
    QCOMPARE(run({u"solve"_s, u"-"_s}, samplePlan).out, table.out);

    const auto json = parsed(run({u"solve"_s, path, u"--format"_s, u"json"_s}).out);
    QVERIFY(json["ok"].get<bool>());
    QCOMPARE(json["cost_model"]["id"].get<std::string>(), std::string("first-order"));
    QCOMPARE(json["input_hash"].get<std::string>().size(), 64UZ);
    QVERIFY(json["estimate"]["step_time_s"].get<double>() > 0);
    QCOMPARE(json["estimate"]["parallelism"]["dp"].get<int>(), 8);
    QVERIFY(json["estimate"]["feasible"].get<bool>());
}

void TestCli::solvesSeveralPlans()
{
    const auto first = file(u"first.yaml"_s, samplePlan);
    const auto second = file(
        u"second.yaml"_s, QByteArray(samplePlan).replace("name: Llama-3.1-70B on 256 H100", "name: The other"));
    const auto table = run({u"solve"_s, first, second});
    QCOMPARE(table.status, 0);
    QVERIFY(table.out.indexOf("Llama-3.1-70B") < table.out.indexOf("The other"));
    const auto json = parsed(run({u"solve"_s, first, second, u"--format"_s, u"json"_s}).out);
    QVERIFY(json.is_array());
    QCOMPARE(json.size(), 2UZ);
    QCOMPARE(json[1]["name"].get<std::string>(), std::string("The other"));
}

void TestCli::solveReportsRefusals()
{
    const auto good = file(u"good.yaml"_s, samplePlan);
    const auto bad = file(u"bad.yaml"_s, QByteArray(samplePlan).replace("fp16", "fp17"));
    const auto ran = run({u"solve"_s, bad, good, u"--format"_s, u"json"_s});
    QCOMPARE(ran.status, 3);
    const auto json = parsed(ran.out);
    QCOMPARE(json[0]["error"]["field"].get<std::string>(), std::string("training.precision"));
    QVERIFY(json[1]["ok"].get<bool>());
    QVERIFY2(ran.err.contains("bad.yaml") && ran.err.contains("fp17"), ran.err.constData());

    const auto unknown = run({u"solve"_s, u"-"_s}, QByteArray(samplePlan).replace("ib_ndr", "ib_ndx"));
    QCOMPARE(unknown.status, 3);
    QVERIFY2(unknown.err.contains("ib_ndr"), unknown.err.constData()); // the nearest id
    QCOMPARE(run({u"solve"_s, m_folder->filePath(u"missing.yaml"_s)}).status, 5);
    QCOMPARE(run({u"solve"_s, m_folder->path()}).status, 5);
    const auto indivisible = run({u"solve"_s, u"-"_s}, QByteArray(samplePlan).replace("tp: 8", "tp: 7"));
    QCOMPARE(indivisible.status, 3);
    QVERIFY(indivisible.err.size() > 30);
}

void TestCli::solveSaysWhenNothingIsFeasible()
{
    const auto late = file(
        u"late.yaml"_s, QByteArray(samplePlan).replace("max_memory_fraction: 0.9", "deadline_days: 1"));
    const auto ran = run({u"solve"_s, late});
    QCOMPARE(ran.status, 4);
    QVERIFY2(ran.out.contains("FAILS"), ran.out.constData());
    QCOMPARE(ran.err, QByteArray());
    QCOMPARE(run({u"solve"_s, late, file(u"plan.yaml"_s, samplePlan)}).status, 0);
}

void TestCli::solveBatch()
{
    const auto plan = QByteArray(
        R"("fleetwright": 1, "workload": "llama3_1_70b", "fleet": {"node": "nvidia_dgx_h100", "nodes": 32, "fabric": "ib_ndr"},
        "parallelism": {"tp": 8, "pp": 4}, "training": {"global_batch": 256, "microbatch_count": 16, "seq_len": 2048, "precision": "bf16"})")
                          .replace('\n', ' ');
    const auto input = "{\"id\": 1, " + plan + "}\n{\"id\": \"two\", \"plan\": {" + plan
        + "}}\n{\"id\": 3, \"plan\": {}}\n" + "{" + plan + "}\n{\"id\": 5, \"speed\": 1, " + plan + "}\n";
    const auto ran = run({u"solve"_s, u"--batch"_s}, input);
    QCOMPARE(ran.status, 0);
    const auto answers = lines(ran.out);
    QCOMPARE(answers.size(), 5UZ);
    QVERIFY2(answers[0]["ok"].get<bool>(), ran.out.constData());
    QCOMPARE(answers[0]["id"].get<int>(), 1);
    QCOMPARE(answers[1]["id"].get<std::string>(), std::string("two"));
    QVERIFY(answers[0]["estimate"] == answers[1]["estimate"]);
    QCOMPARE(answers[0]["cost_model"]["id"].get<std::string>(), std::string("detailed")); // the default
    QCOMPARE(answers[2]["error"]["code"].get<std::string>(), std::string("missing_field"));
    QVERIFY(answers[3]["id"].is_null() && answers[3]["ok"].get<bool>());
    QCOMPARE(answers[4]["error"]["field"].get<std::string>(), std::string("speed"));
    QCOMPARE(run({u"solve"_s, u"--batch"_s, file(u"plans.jsonl"_s, input)}).out, ran.out);
}

void TestCli::solveCsv()
{
    const auto awkward = file(
        u"awkward.yaml"_s, QByteArray(samplePlan).replace("name: Llama-3.1-70B on 256 H100", "name: 'a, \"b\"'"));
    const auto bad = file(u"bad.yaml"_s, "fleetwright: 2\n");
    const auto ran = run({u"solve"_s, awkward, bad, u"--format"_s, u"csv"_s});
    QCOMPARE(ran.status, 3);
    const auto rows = csvRows(ran.out);
    QCOMPARE(rows.size(), 3UZ);
    for (const auto &row : rows)
        QCOMPARE(row.size(), rows[0].size());
    const auto column = [&](const std::string &name) {
        return std::size_t(std::ranges::find(rows[0], name) - rows[0].begin());
    };
    QCOMPARE(rows[1][column("name")], std::string("a, \"b\""));
    QVERIFY(std::stod(rows[1][column("step_time_s")]) > 0);
    QCOMPARE(rows[1][column("feasible")], std::string("true"));
    QCOMPARE(rows[2][column("ok")], std::string("false"));
    QVERIFY(!rows[2][column("error_message")].empty());
}

void TestCli::solveUsesTheProjectsCatalog()
{
    const auto project = m_folder->filePath(u"own.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    const auto own = run({u"solve"_s, u"-"_s, u"--project"_s, project}, samplePlan);
    QVERIFY2(own.status == 0, own.err.constData());
    QCOMPARE(own.out, run({u"solve"_s, u"-"_s}, samplePlan).out);
    QCOMPARE(
        run({u"solve"_s, u"-"_s, u"--project"_s, m_folder->filePath(u"none.fleetwright"_s)}, samplePlan).status, 5);
}

void TestCli::catalogList_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("items");
    QTest::newRow("accelerators") << u"accelerators"_s << 84;
    QTest::newRow("nodes") << u"nodes"_s << 89;
    QTest::newRow("fabrics") << u"fabrics"_s << 59;
    QTest::newRow("workloads") << u"workloads"_s << 170;
    QTest::newRow("singular") << u"grid"_s << 175;
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

void TestCli::createsAndChecksProjects()
{
    const auto path = m_folder->filePath(u"mine.fleetwright"_s);
    const auto created = run({u"project"_s, u"new"_s, path, u"--sample"_s});
    QVERIFY2(created.status == 0, created.err.constData());
    const auto checked = run({u"project"_s, u"check"_s, path, u"--format"_s, u"json"_s});
    QCOMPARE(checked.status, 0);
    QVERIFY(parsed(checked.out)["ok"].get<bool>());
    const auto again = run({u"project"_s, u"new"_s, path});
    QCOMPARE(again.status, 5);
    QVERIFY(again.err.contains("mine.fleetwright"));
    QCOMPARE(run({u"project"_s, u"check"_s, path}).status, 0);
    QCOMPARE(run({u"project"_s, u"new"_s, m_folder->filePath(u"no/such/folder/a.fleetwright"_s)}).status, 5);
}

void TestCli::documentsComeInAndGoOut_data()
{
    QTest::addColumn<QString>("format");
    QTest::newRow("YAML") << u"yaml"_s;
    QTest::newRow("JSON") << u"json"_s;
}

void TestCli::documentsComeInAndGoOut()
{
    QFETCH(QString, format);
    QTemporaryDir folder;
    const auto sample = folder.filePath(u"sample.fleetwright"_s), empty = folder.filePath(u"empty.fleetwright"_s);
    const auto first = folder.filePath(u"first"_s), second = folder.filePath(u"second"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, sample, u"--sample"_s}).status, 0);
    QCOMPARE(run({u"project"_s, u"new"_s, empty}).status, 0);
    QCOMPARE(run({u"project"_s, u"export"_s, sample, u"-o"_s, first, u"--format"_s, format}).status, 0);
    const auto names = QDir(first).entryList(QDir::Files);
    QVERIFY(names.size() > 5);
    QStringList files;
    for (const auto &name : names)
        files << QDir(first).filePath(name);
    const auto imported = run(QStringList{u"project"_s, u"import"_s, empty} + files);
    QVERIFY2(imported.status == 0, imported.err.constData());
    QCOMPARE(imported.out.count("Added "), files.size());
    QCOMPARE(run({u"project"_s, u"export"_s, empty, u"-o"_s, second, u"--format"_s, format}).status, 0);
    QCOMPARE(QDir(second).entryList(QDir::Files), names);
    for (const auto &name : names) {
        QFile a(QDir(first).filePath(name)), b(QDir(second).filePath(name));
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QCOMPARE(a.readAll(), b.readAll());
    }
    const auto again = run({u"project"_s, u"export"_s, sample, u"-o"_s, first, u"--format"_s, format});
    QCOMPARE(again.status, 5);
    QVERIFY(again.err.contains("already exists"));
}

void TestCli::oneBadDocumentKeepsAllOut()
{
    QTemporaryDir folder;
    const auto project = folder.filePath(u"project.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    QFile good(folder.filePath(u"good.yaml"_s)), bad(folder.filePath(u"bad.yaml"_s));
    QVERIFY(good.open(QIODevice::WriteOnly) && bad.open(QIODevice::WriteOnly));
    good.write(samplePlan);
    bad.write(QByteArray(samplePlan).replace("node: nvidia_dgx_h100", "node: nvidia_dgx_h1000"));
    good.close();
    bad.close();
    const auto refused = run({u"project"_s, u"import"_s, project, good.fileName(), bad.fileName()});
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains("bad.yaml") && refused.err.contains("nvidia_dgx_h100"), refused.err.constData());
    QCOMPARE(run({u"project"_s, u"export"_s, project, u"-o"_s, folder.filePath(u"out"_s)}).status, 0);
    QVERIFY(QDir(folder.filePath(u"out"_s)).entryList(QDir::Files).isEmpty());
    QCOMPARE(run({u"project"_s, u"import"_s, project, u"-"_s}, samplePlan).status, 0);
}

/// A planning default of the project moves the figures of every plan that sets none of its own.
void TestCli::planningDefaultsOfAProjectMoveTheFigures()
{
    QTemporaryDir folder;
    const auto path = folder.filePath(u"project.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, path}).status, 0);
    const auto solved = [&](const QByteArray &plan) {
        const auto answer = run({u"solve"_s, u"-"_s, u"--project"_s, path, u"--format"_s, u"json"_s}, plan);
        return answer.status == 0 ? Json::parse(answer.out.toStdString())["estimate"] : Json();
    };
    const auto figure = [](const Json &estimate, const char *key) {
        const auto flat = estimate.flatten();
        for (const auto &[name, value] : flat.items())
            if (name.ends_with("/" + std::string(key)))
                return value.get<double>();
        return -1.0;
    };
    const QByteArray own =
        QByteArray(samplePlan).replace("{efficiency: 0.5}", "{efficiency: 0.5, operations.accelerator_mttf: 50000}");
    const auto before = solved(samplePlan);
    QVERIFY(figure(before, "node_mtbf_s") > 0);
    {
        auto project = storage::Project::open(path);
        QVERIFY(project);
        auto record = *(*project)->catalog()->find(CatalogKind::PlanningDefault, "mttf_gpu");
        record.shipped = false;
        record.id = "my_mttf";
        record.name = "Our own failures";
        record.values["value"] = 20000.0;
        record.values["replaces"] = std::string("mttf_gpu");
        QVERIFY((*project)->saveRecord(record));
    }
    const auto after = solved(samplePlan);
    QVERIFY(figure(after, "node_mtbf_s") < 0.5 * figure(before, "node_mtbf_s"));
    QVERIFY(figure(after, "goodput") < figure(before, "goodput"));
    QCOMPARE(figure(after, "step_time_s"), figure(before, "step_time_s"));
    QCOMPARE(figure(solved(own), "node_mtbf_s"), figure(before, "node_mtbf_s")); // the plan's own comes first
    const auto shown = run({u"catalog"_s, u"show"_s, u"mttf_gpu"_s, u"--project"_s, path});
    QVERIFY2(shown.out.contains("Our own failures\u201d takes its place"), shown.out.constData());
    const auto reference = run({u"catalog"_s, u"show"_s, u"spare_nodes"_s});
    QVERIFY2(
        reference.out.contains("Kept for reference; no figure of this version uses it."), reference.out.constData());
}

/// Of measured runs, the rows that are runs come in and the others are named.
void TestCli::badRowsOfMeasuredRunsAreNamed()
{
    QTemporaryDir folder;
    const auto project = folder.filePath(u"project.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    QFile runs(folder.filePath(u"runs.csv"_s)), none(folder.filePath(u"none.csv"_s));
    QVERIFY(runs.open(QIODevice::WriteOnly) && none.open(QIODevice::WriteOnly));
    runs.write("id,tp,per_device_batch\na,2,0.5\nb,two,1\n");
    none.write("id,tp\nb,two\n");
    runs.close();
    none.close();
    const auto added = run({u"project"_s, u"import"_s, project, runs.fileName()});
    QCOMPARE(added.status, 0);
    QVERIFY2(added.out.contains("1 run\u201d"), added.out.constData());
    QVERIFY2(added.err.contains("Not added: line 3: \u201ctp\u201d must be a number"), added.err.constData());
    const auto refused = run({u"project"_s, u"import"_s, project, none.fileName()});
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.err.contains("The only row cannot be read. line 2: "), refused.err.constData());
}

void TestCli::refusesWhatIsNoProject_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray(samplePlan);
    QTest::newRow("picture") << QByteArray::fromHex("ffd8ffe000104a46494600010101") + QByteArray(2000, 'x');
}

void TestCli::refusesWhatIsNoProject()
{
    QFETCH(QByteArray, content);
    const auto path = file(u"fake.fleetwright"_s, content);
    const QList<QStringList> commands{{u"project"_s, u"check"_s, path}, {u"solve"_s, u"-"_s, u"--project"_s, path},
        {u"report"_s, path, u"-o"_s, m_folder->filePath(u"out.pdf"_s)}};
    for (const auto &arguments : commands) {
        const auto ran = run(arguments, samplePlan);
        QCOMPARE(ran.status, 5);
        QCOMPARE(ran.out, QByteArray());
        QVERIFY2(ran.err.contains("fake.fleetwright"), ran.err.constData());
    }
    QFile untouched(path);
    QVERIFY(untouched.open(QIODevice::ReadOnly));
    QCOMPARE(untouched.readAll(), content);
    QVERIFY(!QFile::exists(m_folder->filePath(u"out.pdf"_s)));
}

void TestCli::writesReports()
{
    const auto path = m_folder->filePath(u"mine.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, path, u"--sample"_s}).status, 0);
    const auto pdf = m_folder->filePath(u"report.pdf"_s);
    for (const auto &paper : {u"a4"_s, u"Letter"_s}) {
        const auto ran = run({u"report"_s, path, u"-o"_s, pdf, u"--paper"_s, paper});
        QVERIFY2(ran.status == 0, ran.err.constData());
        QFile written(pdf);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().startsWith("%PDF-"));
    }
    QCOMPARE(run({u"report"_s, path, u"-o"_s, m_folder->filePath(u"no/such/folder/r.pdf"_s)}).status, 5);
    const auto empty = m_folder->filePath(u"empty.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, empty}).status, 0);
    QCOMPARE(run({u"report"_s, empty, u"-o"_s, pdf}).status, 3);
}

FLEETWRIGHT_TEST(TestCli)
#include "tst_cli.moc"
