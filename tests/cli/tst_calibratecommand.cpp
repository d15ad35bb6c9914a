// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "cli/clirunner.h"
#include "testing/registry.h"
#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

namespace {

using clirunner::parsed;
using clirunner::Run;
using clirunner::run;

constexpr const char *columns =
    "id,accelerator,n_gpus,gpus_per_node,framework,model.layers,model.hidden,model.heads,model.vocab,seq_len,global_"
    "batch,micro_batch,tp,pp,precision,measured.iteration_time_s\n";

QByteArray row(const char *id, int tp, const char *seconds)
{
    return QByteArray(id) + ",A100-SXM-80GB,64,8,Megatron-Core,40,5120,40,51200,2048,512,1," + QByteArray::number(tp)
        + ",1,bf16," + seconds + "\n";
}

QByteArray table() { return columns + row("a", 8, "12") + row("b", 4, "11") + row("c", 2, "10.5"); }

} // namespace

class TestCalibrateCommand : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void fitsATable()
    {
        const auto told = run({u"calibrate"_s, u"-"_s, u"--format"_s, u"json"_s}, table());
        QVERIFY2(told.status == 0, told.err);
        const auto json = parsed(told.out);
        QCOMPARE(json["runs"].get<int>(), 3);
        QVERIFY(!json["constants"].empty() && json["skipped"].empty());
        QVERIFY(json["after"]["median_ape"] < json["before"]["median_ape"]);
        for (const auto &constant : json["constants"])
            QVERIFY(constant["low"] <= constant["after"] && constant["after"] <= constant["high"]);
        QVERIFY(
            run({u"calibrate"_s, u"-"_s, u"--format"_s, u"json"_s}, table()).out == told.out); // the same every time
        const auto forPeople = run({u"calibrate"_s, u"-"_s}, table());
        QVERIFY2(forPeople.status == 0 && forPeople.out.contains("Median error") && forPeople.out.contains("gemm_A100"),
            forPeople.out);
    }

    void saysWhatANewRunMustExpect()
    {
        const auto json = parsed(run({u"calibrate"_s, u"-"_s, u"--format"_s, u"json"_s}, table()).out);
        QVERIFY(json["left_out"]["median_ape"].is_number() && json["site_effect"].is_number());
        for (const auto &fitted : json["fitted_runs"])
            QVERIFY(fitted["left_out_step_time_s"] > 0 && fitted["left_out_error"].is_number());
        // It is the error that comes first, before that of the fit.
        const auto text = run({u"calibrate"_s, u"-"_s}, table()).out;
        QVERIFY(text.contains("A run that the others predict: median error")
            && text.indexOf("others predict") < text.indexOf("fitted constants alone"));
        QVERIFY(!json.contains("measure_next"));
    }

    void suggestsTheNextRun()
    {
        QFile plan(m_folder.filePath(u"plan.yaml"_s));
        QVERIFY(plan.open(QIODevice::WriteOnly));
        plan.write("fleetwright: 1\nname: Seventy\nworkload: llama3_1_70b\nfleet: {node: nvidia_dgx_h100, nodes: 32, "
                   "fabric: ib_ndr}\nparallelism: {tp: 8, pp: 4}\ntraining: {global_batch: 256, microbatch_size: 1, "
                   "seq_len: 2048, precision: bf16}\ncost_model: detailed\n");
        plan.close();
        const auto told = run({u"calibrate"_s, u"-"_s, u"--plan"_s, plan.fileName(), u"--accelerators"_s, u"64"_s,
                                  u"--format"_s, u"json"_s},
            table());
        QVERIFY2(told.status == 0, told.err);
        const auto next = parsed(told.out)["measure_next"];
        QCOMPARE(next["plan"].get<std::string>(), std::string("Seventy"));
        QVERIFY(next["accelerators"] <= 64 && next["narrower"] > 0 && next["narrower"] < 1);
        const auto text = run({u"calibrate"_s, u"-"_s, u"--plan"_s, plan.fileName()}, table());
        QVERIFY2(text.out.contains("Measure next: "), text.out);
        QCOMPARE(run({u"calibrate"_s, u"-"_s, u"--plan"_s, u"missing.yaml"_s}, table()).status, 5);
    }

    void badRowsAreLeftOut()
    {
        const auto input = table() + row("d", 8, "twelve");
        const auto told = run({u"calibrate"_s, u"-"_s, u"--format"_s, u"json"_s}, input);
        QVERIFY2(told.status == 0, told.err);
        const auto json = parsed(told.out);
        QCOMPARE(json["runs"].get<int>(), 3);
        QCOMPARE(json["skipped"].size(), 1UZ);
        QCOMPARE(json["skipped"][0]["id"].get<std::string>(), std::string("d"));
        const QByteArray reason = "line 5: \u201cmeasured.iteration_time_s\u201d must be a number";
        QVERIFY(QByteArray::fromStdString(json["skipped"][0]["reason"].get<std::string>()).startsWith(reason));
        QVERIFY(run({u"calibrate"_s, u"-"_s}, input).out.contains("Left out: d: " + reason));
        const auto csv = run({u"calibrate"_s, u"-"_s, u"--format"_s, u"csv"_s}, input);
        QVERIFY2(csv.status == 0 && csv.err.contains(reason), csv.err);
        QCOMPARE(csv.out, run({u"calibrate"_s, u"-"_s, u"--format"_s, u"csv"_s}, table()).out);
        const auto none = run({u"calibrate"_s, u"-"_s}, columns + row("d", 8, "twelve"));
        QVERIFY2(
            none.status == 3 && none.err.contains("line 2: \u201cmeasured.iteration_time_s\u201d must be"), none.err);
    }

    void namedConstantsOnly()
    {
        const auto told = run(
            {u"calibrate"_s, u"-"_s, u"--constants"_s, u"gemm_A100,up"_s, u"--format"_s, u"json"_s}, table());
        QVERIFY2(told.status == 0, told.err);
        const auto json = parsed(told.out);
        QCOMPARE(json["constants"].size(), 2UZ);
        QCOMPARE(run({u"calibrate"_s, u"-"_s, u"--constants"_s, u"nonsense"_s}, table()).status, 2);
    }

    void appliesToAProject()
    {
        const auto project = m_folder.filePath(u"mine.fleetwright"_s), file = m_folder.filePath(u"runs.csv"_s);
        QCOMPARE(run({u"project"_s, u"new"_s, project}).status, 0);
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::WriteOnly) && csv.write(table()) > 0);
        csv.close();
        // Runs go into the project, are fitted there and come out again.
        const auto imported = run({u"project"_s, u"import"_s, project, file});
        QVERIFY2(imported.status == 0 && imported.out.contains("3 runs"), imported.err + imported.out);
        const auto applied = run({u"calibrate"_s, u"--project"_s, project, u"--apply"_s, u"--format"_s, u"json"_s});
        QVERIFY2(applied.status == 0, applied.err);
        const auto json = parsed(applied.out);
        const auto listed = parsed(run(
            {u"catalog"_s, u"list"_s, u"calibration_constants"_s, u"--project"_s, project, u"--format"_s, u"json"_s})
                                       .out);
        std::size_t own = 0;
        for (const auto &record : listed)
            for (const auto &constant : json["constants"])
                if (record["constant"] == constant["constant"] && record["id"].get<std::string>().starts_with("my_")) {
                    ++own;
                    QVERIFY(std::abs(record["value"].get<double>() / constant["after"].get<double>() - 1) < 1e-12);
                    QCOMPARE(record["runs"].get<int>(), 3);
                }
        QCOMPARE(own, json["constants"].size());
        // Again: it starts from there, and replaces what it wrote.
        const auto again = run({u"calibrate"_s, u"--project"_s, project, u"--apply"_s, u"--format"_s, u"json"_s});
        QVERIFY2(again.status == 0, again.err);
        QVERIFY(parsed(again.out)["before"]["median_ape"] < json["before"]["median_ape"]);
        QCOMPARE(run({u"project"_s, u"check"_s, project}).status, 0);
        const auto exported = run(
            {u"project"_s, u"export"_s, project, u"-o"_s, m_folder.filePath(u"out"_s), u"--format"_s, u"json"_s});
        QVERIFY2(exported.status == 0 && exported.out.contains("measured-runs"), exported.out);
        QFile out(QString::fromUtf8(exported.out.trimmed().split('\n').last()));
        QVERIFY(out.open(QIODevice::ReadOnly));
        QCOMPARE(parsed(out.readAll())["runs"].size(), 3UZ);
    }

    void refusals_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<int>("status");
        QTest::newRow("nothing to fit to") << QStringList{u"calibrate"_s} << QByteArray() << 2;
        QTest::newRow("apply without a project") << QStringList{u"calibrate"_s, u"-"_s, u"--apply"_s} << table() << 2;
        QTest::newRow("no rows") << QStringList{u"calibrate"_s, u"-"_s} << QByteArray(columns) << 3;
        QTest::newRow("no usable row") << QStringList{u"calibrate"_s, u"-"_s} << columns + row("x", 7, "3") << 3;
        QTest::newRow("broken JSON") << QStringList{u"calibrate"_s, u"-"_s} << QByteArray("{\"runs\": [") << 3;
        QTest::newRow("no such file") << QStringList{u"calibrate"_s, u"missing.json"_s} << QByteArray() << 5;
        QTest::newRow("no such project") << QStringList{u"calibrate"_s, u"--project"_s, u"missing.fleetwright"_s}
                                         << QByteArray() << 5;
    }
    void refusals()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, input);
        QFETCH(const int, status);
        const auto told = run(arguments, input);
        QVERIFY2(told.status == status, QByteArray::number(told.status) + ": " + told.err);
        QVERIFY(!told.err.isEmpty());
    }
};

FLEETWRIGHT_TEST(TestCalibrateCommand)
#include "tst_calibratecommand.moc"
