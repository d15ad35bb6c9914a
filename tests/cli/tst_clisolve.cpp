// SPDX-License-Identifier: GPL-3.0-or-later
// solve: from files and standard input, refusals, batches, and what it prints.
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace clitesting;
using clirunner::parsed;
using clirunner::run;

class TestCliSolve : public QObject, private CliFixture {
    Q_OBJECT

private slots:
    void init() { makeFolder(); }
    void solvesFromFileAndStandardInput();
    void solvesSeveralPlans();
    void solveReportsRefusals();
    void solveSaysWhenNothingIsFeasible();
    void solveBatch();
    void solveCsv();
    void solveUsesTheProjectsCatalog();
    void solvesOpenLayouts();
};

void TestCliSolve::solvesFromFileAndStandardInput()
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

void TestCliSolve::solvesOpenLayouts()
{
    const auto open = QByteArray(smallPlan)
                          .replace("parallelism: {tp: 4, pp: 2}", "layout: {best: {tp: [2, 4]}}")
                          .replace("microbatch_count: 4, ", "");
    const auto table = run({u"solve"_s, u"-"_s}, open);
    QVERIFY2(table.status == 0, (table.out + table.err).constData());
    QVERIFY2(table.out.contains("\n  layout   ") && table.out.contains(" layouts, "), table.out.constData());
    const auto json = parsed(run({u"solve"_s, u"-"_s, u"--format"_s, u"json"_s}, open).out);
    const auto &layout = json["layout"], &estimate = json["estimate"];
    QVERIFY(layout["tp"] == 2 || layout["tp"] == 4);
    for (const auto *key : {"tp", "cp", "pp", "ep", "dp", "virtual_stages", "zero_stage", "sequence_parallel"})
        QVERIFY2(estimate["parallelism"][key] == layout[key], key);
    QCOMPARE(layout["step_time_s"].get<double>(), estimate["step_time_s"].get<double>());
    QCOMPARE(layout["memory_fraction"].get<double>(), 0.92);
    QVERIFY(layout["best"]["step_time_s"].get<double>() <= layout["step_time_s"].get<double>());
    QVERIFY(layout["best"]["gain"].get<double>() <= 0.02 && layout["rival"].contains("loss"));
    QVERIFY(layout["counts"]["feasible"].get<int>() > 0 && !layout.contains("missed"));
    QVERIFY(!parsed(run({u"solve"_s, u"-"_s, u"--format"_s, u"json"_s}, smallPlan).out).contains("layout"));

    const auto late = run({u"solve"_s, u"-"_s, u"--format"_s, u"json"_s}, open + "constraints: {deadline_days: 200}\n");
    QCOMPARE(late.status, 4);
    const auto answer = parsed(late.out);
    QCOMPARE(answer["layout"]["missed"][0]["constraint"].get<std::string>(), std::string("deadline_days"));
    QVERIFY(answer["layout"]["nearest"]["nodes"].get<int>() > 4);
    QVERIFY(answer["layout"]["nearest"]["deadline_days"].get<double>() > 200);
    QVERIFY(!answer["layout"]["nearest"].contains("max_memory_fraction"));
    QVERIFY(!answer["estimate"]["feasible"].get<bool>() && answer["estimate"]["step_time_s"].get<double>() > 0);

    const auto rows = csvRows(run({u"solve"_s, u"-"_s, u"--format"_s, u"csv"_s}, open).out);
    const auto column = std::ranges::find(rows[0], "layout.microbatch_size") - rows[0].begin();
    QCOMPARE(rows[1].at(std::size_t(column)), std::to_string(layout["microbatch_size"].get<int>()));
}

void TestCliSolve::solvesSeveralPlans()
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

void TestCliSolve::solveReportsRefusals()
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

void TestCliSolve::solveSaysWhenNothingIsFeasible()
{
    const auto late = file(
        u"late.yaml"_s, QByteArray(samplePlan).replace("max_memory_fraction: 0.9", "deadline_days: 1"));
    const auto ran = run({u"solve"_s, late});
    QCOMPARE(ran.status, 4);
    QVERIFY2(ran.out.contains("FAILS"), ran.out.constData());
    QCOMPARE(ran.err, QByteArray());
    QCOMPARE(run({u"solve"_s, late, file(u"plan.yaml"_s, samplePlan)}).status, 0);
}

void TestCliSolve::solveBatch()
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

void TestCliSolve::solveCsv()
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

void TestCliSolve::solveUsesTheProjectsCatalog()
{
    const auto project = m_folder->filePath(u"own.fleetwright"_s);
    QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
    const auto own = run({u"solve"_s, u"-"_s, u"--project"_s, project}, samplePlan);
    QVERIFY2(own.status == 0, own.err.constData());
    QCOMPARE(own.out, run({u"solve"_s, u"-"_s}, samplePlan).out);
    QCOMPARE(
        run({u"solve"_s, u"-"_s, u"--project"_s, m_folder->filePath(u"none.fleetwright"_s)}, samplePlan).status, 5);
}

FLEETWRIGHT_TEST(TestCliSolve)
#include "tst_clisolve.moc"
