// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredruns.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::exchange;

namespace {

/// JSON with single quotes, for legibility.
std::string json(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

const std::string complete = json(
    "{'schema': {'version': '1', 'sources': {'lab': {'title': 'A laboratory', 'url': 'https://example.org', 'date': "
    "'2024-05-01', 'rows': 1}}},"
    "'runs': [{'id': 'one', 'source': {'key': 'lab', 'where': 'table 1'}, 'kind': 'benchmark', 'provenance': 'read', "
    "'accelerator': 'H100-SXM-80GB', 'peak_tflops': 989, 'n_gpus': 64, 'gpus_per_node': 8,"
    "'network': {'scale_out': '8x 400 Gb/s'}, 'framework': 'Megatron-Core', 'model': {'name': 'GPT', 'params': 7e9, "
    "'layers': 32, 'hidden': 4096, 'heads': 32, 'gated': true, 'mystery': [1, 2]},"
    "'seq_len': 4096, 'global_batch': 128, 'micro_batch': 1, 'tp': 2, 'pp': 1, 'virtual_stages': null, 'dp': 32, "
    "'zero_group': -1, 'overlap': ['tp_comm_overlap'], 'flash_attention': true,"
    "'measured': {'iteration_time_s': 5.5, 'tflops_per_gpu': 400, 'oom': false}, 'derived': {'iteration_time_s': "
    "{'value': 5.6, 'formula': 'f'}}, 'inferred_config': ['dp'], 'unknown': {'a': 1}}]}");

} // namespace

class TestMeasuredRuns : public QObject {
    Q_OBJECT

private slots:
    void readsEveryField();
    void bareListsAndJsonOrCsv();
    void writesWhatItReads();
    void refusesJson_data();
    void refusesJson();
    void readsCsv();
    void separatorsAndQuotes_data();
    void separatorsAndQuotes();
    void refusesCsv_data();
    void refusesCsv();
    void shippedRuns();
};

void TestMeasuredRuns::readsEveryField()
{
    const auto file = measuredRunsFromJson(complete);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->version, std::string("1"));
    QCOMPARE(file->runs.size(), 1UZ);
    const auto &run = file->runs.front();
    QCOMPARE(run.source.title, std::string("A laboratory"));
    QCOMPARE(run.source.date, std::string("2024-05-01"));
    QCOMPARE(run.source.where, std::string("table 1"));
    QCOMPARE(run.peak->value(), 989e12);
    QCOMPARE(*run.accelerators, 64);
    QCOMPARE(run.scaleOutText, std::string("8x 400 Gb/s"));
    QCOMPARE(*run.model.parameters, 7e9);
    QCOMPARE(run.model.gated, std::optional(true));
    QVERIFY(!run.virtualStages && !run.model.kvHeads);
    QCOMPARE(*run.zeroGroup, -1);
    QVERIFY(run.overlap.at("tp_comm_overlap"));
    QCOMPARE(run.measured.stepTime->value(), 5.5);
    QCOMPARE(run.measured.flopsPerAccelerator->value(), 400e12);
    QCOMPARE(run.derivedStepTime->value(), 5.6);
    QCOMPARE(run.inferred, std::vector<std::string>{"dp"});
}

void TestMeasuredRuns::bareListsAndJsonOrCsv()
{
    QCOMPARE(measuredRunsFromJson(json("[{'id': 'a'}, {'id': 'b'}]"))->runs.size(), 2UZ);
    QCOMPARE(measuredRunsFromText(json("\n [{'id': 'a'}]"))->runs.size(), 1UZ);
    QCOMPARE(measuredRunsFromText(json("\xEF\xBB\xBF[{'id': 'a'}]"))->runs.size(), 1UZ);
    QCOMPARE(measuredRunsFromText("id,tp\na,1\nb,2\n")->runs.size(), 2UZ);
    QVERIFY(measuredRunsFromJson("[]")->runs.empty());
}

void TestMeasuredRuns::writesWhatItReads()
{
    const auto file = measuredRunsFromJson(complete);
    const auto again = measuredRunsFromJson(measuredRunsToJson(*file).dump());
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    QVERIFY(*again == *file);
}

void TestMeasuredRuns::refusesJson_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QByteArray &text, ErrorCode code, const char *field, const char *says) {
        QTest::newRow(name) << text << int(code) << QString::fromUtf8(field) << QString::fromUtf8(says);
    };
    row("broken", "[{\"id\": ", ErrorCode::ParseError, "[0].id", "line 1");
    row("no runs", "{\"schema\": {}}", ErrorCode::MissingField, "runs", "no “runs”");
    row("runs is no list", "{\"runs\": 3}", ErrorCode::UnsupportedValue, "runs", "list");
    row("row is no object", "[{\"id\": \"a\"}, 4]", ErrorCode::UnsupportedValue, "runs[1]", "Row 2");
    row("no id", "[{\"tp\": 1}]", ErrorCode::MissingField, "runs[0].id", "name of its own");
    row("text for a number", "[{\"id\": \"a\", \"model\": {\"layers\": \"many\"}}]", ErrorCode::UnsupportedValue,
        "runs[0].model.layers", "Run “a”: “model.layers” must be a number");
    row("fraction for a count", "[{\"id\": \"a\", \"tp\": 1.5}]", ErrorCode::OutOfRange, "runs[0].tp", "whole number");
    row("negative count", "[{\"id\": \"a\", \"pp\": -2}]", ErrorCode::OutOfRange, "runs[0].pp", "at least 0");
    row("count beyond reason", "[{\"id\": \"a\", \"zero_stage\": 1e12}]", ErrorCode::OutOfRange, "runs[0].zero_stage",
        "too large");
    row("negative time", "[{\"id\": \"a\", \"measured\": {\"iteration_time_s\": -1}}]", ErrorCode::OutOfRange,
        "runs[0].measured.iteration_time_s", "negative");
    row("not finite", "[{\"id\": \"a\", \"measured\": {\"mfu\": NaN}}]", ErrorCode::OutOfRange, "runs[0].measured.mfu",
        "finite");
    row("number for a text", "[{\"id\": \"a\", \"precision\": 16}]", ErrorCode::UnsupportedValue, "runs[0].precision",
        "a text");
    row("text for a flag", "[{\"id\": \"a\", \"flash_attention\": \"yes\"}]", ErrorCode::UnsupportedValue,
        "runs[0].flash_attention", "true or false");
    row("model is a text", "[{\"id\": \"a\", \"model\": \"GPT\"}]", ErrorCode::UnsupportedValue, "runs[0].model",
        "an object");
    row("overlap is a text", "[{\"id\": \"a\", \"overlap\": \"all\"}]", ErrorCode::UnsupportedValue, "runs[0].overlap",
        "list of names");
}

void TestMeasuredRuns::refusesJson()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const auto file = measuredRunsFromJson(std::string_view(text.constData(), std::size_t(text.size())));
    QVERIFY(!file);
    QTEST(int(file.error().code), "code");
    QTEST(QString::fromStdString(file.error().field), "field");
    QVERIFY2(QString::fromStdString(file.error().message).contains(says), file.error().message.c_str());
}

void TestMeasuredRuns::readsCsv()
{
    const auto file = measuredRunsFromCsv(
        "id,source.key,accelerator,n_gpus,model.layers,model.gated,measured.iteration_time_s,overlap,overlap.p2p_"
        "overlap,inferred_config,remark\r\n"
        "mine,own,H100-SXM-80GB,64,32,yes,1.25e1,tp_comm_overlap other,false,dp ep,ignored\r\n"
        "\r\n"
        "second,,,,,,,,,,\r\n");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->runs.size(), 2UZ);
    const auto &run = file->runs.front();
    QCOMPARE(*run.accelerators, 64);
    QCOMPARE(*run.model.layers, 32);
    QCOMPARE(run.model.gated, std::optional(true));
    QCOMPARE(run.measured.stepTime->value(), 12.5);
    QCOMPARE(
        run.overlap, (std::map<std::string, bool>{{"other", true}, {"p2p_overlap", false}, {"tp_comm_overlap", true}}));
    QCOMPARE(run.inferred, (std::vector<std::string>{"dp", "ep"}));
    QVERIFY(!file->runs.back().accelerators && file->runs.back().source.key.empty());
}

void TestMeasuredRuns::separatorsAndQuotes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("notes");
    QTest::newRow("comma") << QByteArray("id,notes\na,\"one, two\"\n") << u"one, two"_s;
    QTest::newRow("semicolon") << QByteArray("id;notes\na;one, two\n") << u"one, two"_s;
    QTest::newRow("tab, no last line end") << QByteArray("id\tnotes\na\tone, two") << u"one, two"_s;
    QTest::newRow("doubled quotes and a line end")
        << QByteArray("id,notes\na,\"say \"\"hello\"\"\nthere\"\n") << u"say \"hello\"\nthere"_s;
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFid,notes\na,  padded  \n") << u"padded"_s;
}

void TestMeasuredRuns::separatorsAndQuotes()
{
    QFETCH(QByteArray, text);
    const auto file = measuredRunsFromCsv(std::string_view(text.constData(), std::size_t(text.size())));
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->runs.size(), 1UZ);
    QTEST(QString::fromStdString(file->runs.front().notes), "notes");
}

void TestMeasuredRuns::refusesCsv_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QByteArray &text, const char *field, const char *says) {
        QTest::newRow(name) << text << QString::fromUtf8(field) << QString::fromUtf8(says);
    };
    row("empty", "", "id", "empty");
    row("no id", "name,tp\na,1\n", "name", "write “model.name”");
    row("no id at all", "tp,pp\n1,1\n", "id", "must be “id”");
    row("shortened name", "id,layers\na,1\n", "layers", "write “model.layers”");
    row("misspelt name", "id,micro_bach\na,1\n", "micro_bach", "write “micro_batch”");
    row("column twice", "id,tp,tp\na,1,1\n", "tp", "stands twice");
    row("too few cells", "id,tp,pp\na,1,1\nb,1\n", "", "Line 3: it has 2 cells");
    row("not a number", "id,tp\na,1\nb,two\n", "tp",
        "Line 3: “tp” must be a number with a decimal point and without a unit, not “two” (run “b”)");
    row("number with a unit", "id,measured.iteration_time_s\na,5 s\n", "measured.iteration_time_s", "without a unit");
    row("fraction", "id,tp\na,1.5\n", "tp", "whole number");
    row("negative", "id,measured.mfu\na,-0.4\n", "measured.mfu", "negative");
    row("flag", "id,flash_attention\na,perhaps\n", "flash_attention", "true or false");
    row("open quote", "id,notes\na,\"never closed\n", "", "Line 2: a quote is opened");
    row("text behind a quote", "id,notes\na,\"b\" c\n", "", "behind a closing quote");
    row("line after a long cell", "id,notes,tp\na,\"x\ny\nz\",1\nb,,no\n", "tp", "Line 5");
    row("no id in a row", "id,tp\n,1\n", "id", "Line 2: “id” is empty");
    row("not text", QByteArray("id,tp\n\xFF,1\n"), "", "UTF-8");
}

void TestMeasuredRuns::refusesCsv()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const auto file = measuredRunsFromCsv(std::string_view(text.constData(), std::size_t(text.size())));
    QVERIFY(!file);
    QTEST(QString::fromStdString(file.error().field), "field");
    QVERIFY2(QString::fromStdString(file.error().message).contains(says), file.error().message.c_str());
}

void TestMeasuredRuns::shippedRuns()
{
    const auto &file = shippedMeasuredRuns();
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(&file, &shippedMeasuredRuns());
    QCOMPARE(file->runs.size(), 1204UZ);
    for (const auto &run : file->runs) {
        QVERIFY(!run.source.key.empty());
        QVERIFY2(!run.source.title.empty() && !run.source.url.empty(), run.id.c_str());
    }
    const auto again = measuredRunsFromJson(measuredRunsToJson(*file).dump());
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    QVERIFY(*again == *file);
}

FLEETWRIGHT_TEST(TestMeasuredRuns)
#include "tst_measuredruns.moc"
