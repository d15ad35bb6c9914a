// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/earlierruns.h"
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

/// Columns of a test of refusals, of which the first is `what` is read, and how to add a row.
auto refusalRows(const char *what)
{
    QTest::addColumn<QByteArray>(what);
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");
    return [](const char *name, const QByteArray &read, ErrorCode code, const char *field, const char *says) {
        QTest::newRow(name) << read << int(code) << QString::fromUtf8(field) << QString::fromUtf8(says);
    };
}

} // namespace

class TestMeasuredRuns : public QObject {
    Q_OBJECT

private slots:
    void readsEveryField();
    void bareListsAndJsonOrCsv();
    void theExampleIsATableOfRuns()
    {
        QVERIFY(looksLikeRunTable(exampleRunTable()));
        const auto file = measuredRunsFromText(exampleRunTable());
        QVERIFY(file.has_value());
        QCOMPARE(file->runs.size(), 2UZ);
        QVERIFY(file->unread.empty() && file->runs[1].measured.stepTime);
    }
    void writesWhatItReads();
    void refusesJson_data();
    void refusesJson();
    void listsBadRowsOfJson_data();
    void listsBadRowsOfJson();
    void sequencesPerDeviceAreANumber();
    void filesWithoutAnyRun();
    void readsCsv();
    void separatorsAndQuotes_data();
    void separatorsAndQuotes();
    void refusesCsv_data();
    void refusesCsv();
    void listsBadRowsOfCsv_data();
    void listsBadRowsOfCsv();
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
    const auto row = refusalRows("text");
    row("broken", "[{\"id\": ", ErrorCode::ParseError, "[0].id", "line 1");
    row("no runs", "{\"schema\": {}}", ErrorCode::MissingField, "runs", "no “runs”");
    row("runs is no list", "{\"runs\": 3}", ErrorCode::UnsupportedValue, "runs", "list");
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

/// One bad row is listed with place, field and what was expected; its neighbours are read.
void TestMeasuredRuns::listsBadRowsOfJson_data()
{
    const auto row = refusalRows("bad");
    row("row is no object", "4", ErrorCode::UnsupportedValue, "runs[1]", "Row 2");
    row("no id", "{\"tp\": 1}", ErrorCode::MissingField, "runs[1].id", "name of its own");
    row("text for a number", "{\"id\": \"a\", \"model\": {\"layers\": \"many\"}}", ErrorCode::UnsupportedValue,
        "runs[1].model.layers", "Run “a”: “model.layers” must be a number");
    row("fraction for a count", "{\"id\": \"a\", \"tp\": 1.5}", ErrorCode::OutOfRange, "runs[1].tp", "whole number");
    row("negative count", "{\"id\": \"a\", \"pp\": -2}", ErrorCode::OutOfRange, "runs[1].pp", "at least 0");
    row("count beyond reason", "{\"id\": \"a\", \"zero_stage\": 1e12}", ErrorCode::OutOfRange, "runs[1].zero_stage",
        "too large");
    row("negative time", "{\"id\": \"a\", \"measured\": {\"iteration_time_s\": -1}}", ErrorCode::OutOfRange,
        "runs[1].measured.iteration_time_s", "negative");
    row("not finite", "{\"id\": \"a\", \"measured\": {\"mfu\": NaN}}", ErrorCode::OutOfRange, "runs[1].measured.mfu",
        "finite");
    row("number for a text", "{\"id\": \"a\", \"precision\": 16}", ErrorCode::UnsupportedValue, "runs[1].precision",
        "a text");
    row("text for a flag", "{\"id\": \"a\", \"flash_attention\": \"yes\"}", ErrorCode::UnsupportedValue,
        "runs[1].flash_attention", "true or false");
    row("model is a text", "{\"id\": \"a\", \"model\": \"GPT\"}", ErrorCode::UnsupportedValue, "runs[1].model",
        "an object");
    const auto many = [] {
        std::string names;
        for (int i = 0; i <= 1000; ++i)
            names += (i ? ",\"" : "\"") + std::to_string(i) + "\"";
        return names;
    }();
    row("overlap with a long name", "{\"id\": \"a\", \"overlap\": [\"" + QByteArray(201, 'x') + "\"]}",
        ErrorCode::OutOfRange, "runs[1].overlap", "200 characters");
    row("overlap with many names", "{\"id\": \"a\", \"overlap\": [" + QByteArray::fromStdString(many) + "]}",
        ErrorCode::OutOfRange, "runs[1].overlap", "thousand");
    row("overlap is a text", "{\"id\": \"a\", \"overlap\": \"all\"}", ErrorCode::UnsupportedValue, "runs[1].overlap",
        "list of names");
}

void TestMeasuredRuns::listsBadRowsOfJson()
{
    QFETCH(QByteArray, bad);
    QFETCH(QString, says);
    const auto text = "[{\"id\": \"before\"}, " + bad.toStdString() + ", {\"id\": \"after\"}]";
    const auto file = measuredRunsFromJson(text);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->runs.size(), 2UZ);
    QCOMPARE(file->runs[0].id, std::string("before"));
    QCOMPARE(file->runs[1].id, std::string("after"));
    QCOMPARE(file->unread.size(), 1UZ);
    const auto &unread = file->unread.front();
    QCOMPARE(unread.place, std::string("runs[1]"));
    QCOMPARE(unread.id, std::string(bad.contains("\"a\"") ? "a" : ""));
    QTEST(int(unread.error.code), "code");
    QTEST(QString::fromStdString(unread.error.field), "field");
    QVERIFY2(QString::fromStdString(unread.error.message).contains(says), unread.error.message.c_str());
    const auto words = inWords(unread);
    QVERIFY2(words.starts_with("runs[1]: "), words.c_str());
    // Writing leaves the bad row out.
    QVERIFY(measuredRunsFromJson(measuredRunsToJson(*file).dump())->unread.empty());
}

/// TPUs with TP are published with less than one sequence per chip.
void TestMeasuredRuns::sequencesPerDeviceAreANumber()
{
    const auto json = measuredRunsFromJson("[{\"id\": \"a\", \"per_device_batch\": 0.5}, {\"id\": \"b\", "
                                           "\"per_device_batch\": 4}]");
    QVERIFY2(json, json ? "" : json.error().message.c_str());
    QVERIFY2(json->unread.empty(), json->unread.empty() ? "" : json->unread.front().error.message.c_str());
    QCOMPARE(json->runs[0].perDeviceBatch, std::optional(0.5));
    QCOMPARE(json->runs[1].perDeviceBatch, std::optional(4.0));
    const auto again = measuredRunsFromJson(measuredRunsToJson(*json).dump());
    QVERIFY(again && again->runs == json->runs);
    const auto csv = measuredRunsFromCsv("id,per_device_batch\na,0.5\nb,4\nc,-1\n");
    QVERIFY(csv && csv->runs.size() == 2);
    QCOMPARE(csv->runs[0].perDeviceBatch, std::optional(0.5));
    QCOMPARE(csv->unread.size(), 1UZ);
    QCOMPARE(csv->unread.front().error.field, std::string("per_device_batch"));
}

/// Who keeps or fits runs is told when there is none.
void TestMeasuredRuns::filesWithoutAnyRun()
{
    QVERIFY(requireRun(validation::RunFile{}));
    QVERIFY(requireRun(*measuredRunsFromJson("[{\"id\": \"a\"}, 4]")));
    const auto one = requireRun(*measuredRunsFromJson("[4]"));
    QVERIFY(!one && one.error().message.starts_with("The only row cannot be read. runs[0]: "));
    const auto two = requireRun(*measuredRunsFromCsv("id,tp\na,x\nb,y\n"));
    QVERIFY(!two);
    QCOMPARE(two.error().field, std::string("tp"));
    QVERIFY2(two.error().message.starts_with("None of the 2 rows can be read. line 2: "), two.error().message.c_str());
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

void TestMeasuredRuns::listsBadRowsOfCsv_data()
{
    QTest::addColumn<int>("line");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, int line, const QByteArray &text, const char *field, const char *says) {
        QTest::newRow(name) << line << text << QString::fromUtf8(field) << QString::fromUtf8(says);
    };
    row("too few cells", 3, "id,tp,pp\na,1,1\nb,1\n", "", "The row has 2 cells");
    row("not a number", 3, "id,tp\na,1\nb,two\n", "tp",
        "“tp” must be a number with a decimal point and without a unit, not “two” (run “b”)");
    row("number with a unit", 2, "id,measured.iteration_time_s\na,5 s\n", "measured.iteration_time_s",
        "without a unit");
    row("fraction", 2, "id,tp\na,1.5\n", "tp", "whole number");
    row("negative", 2, "id,measured.mfu\na,-0.4\n", "measured.mfu", "negative");
    row("flag", 2, "id,flash_attention\na,perhaps\n", "flash_attention", "true or false");
    row("long name of an overlap", 2, "id,overlap\na,tp " + QByteArray(201, 'x') + "\n", "overlap", "200 characters");
    row("open quote", 2, "id,notes\na,\"never closed\n", "", "A quote is opened");
    row("text behind a quote", 2, "id,notes\na,\"b\" c\n", "", "behind a closing quote");
    row("line after a long cell", 5, "id,notes,tp\na,\"x\ny\nz\",1\nb,,no\n", "tp", "must be a number");
    row("no id in a row", 2, "id,tp\n,1\n", "id", "“id” is empty");
    row("open quote, then good rows", 2, "id,notes\na,\"never closed\nb,fine\n", "", "A quote is opened");
    row("a quote that a later one closes", 3, "id,notes\na,fine\nb,\"open\nc,\"good\"\n", "", "behind a closing quote");
}

void TestMeasuredRuns::listsBadRowsOfCsv()
{
    QFETCH(int, line);
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    // A good row behind the bad one is read, whatever the bad one holds.
    const auto columns = text.left(text.indexOf('\n')).count(',');
    text += "last" + QByteArray(columns, ',') + '\n';
    const auto file = measuredRunsFromCsv(std::string_view(text.constData(), std::size_t(text.size())));
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->unread.size(), 1UZ);
    const auto &unread = file->unread.front();
    QCOMPARE(unread.place, "line " + std::to_string(line));
    QTEST(QString::fromStdString(unread.error.field), "field");
    QVERIFY2(QString::fromStdString(unread.error.message).contains(says), unread.error.message.c_str());
    QCOMPARE(file->runs.back().id, std::string("last"));
}

void TestMeasuredRuns::shippedRuns()
{
    const auto &file = shippedMeasuredRuns();
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(&file, &shippedMeasuredRuns());
    QCOMPARE(file->runs.size(), 1498UZ);
    QCOMPARE(earlierruns::file().runs.size(), 1204UZ);
    QVERIFY(file->unread.empty());
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
