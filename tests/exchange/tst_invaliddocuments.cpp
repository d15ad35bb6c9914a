// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-made faults: each must be refused with its code, its path and a sentence, whatever the text looks like.
#include "exchange/exchangetesting.h"
#include "testing/registry.h"

#include "exchange/textreader.h"

#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestInvalidDocuments : public QObject {
    Q_OBJECT

private slots:
    void plans_data();
    void plans();
    void texts_data();
    void texts();
    void namesThePlace();
    void suggestsTheNearestKey();
    void nanFromJsonObjectIsRefused();
    void everyPrefixEndsInAnAnswer();
    void positions();
};

void TestInvalidDocuments::plans_data()
{
    exchangetesting::addRefusalColumns(false);
    const auto row = exchangetesting::refusalRow;
    row("no version", "fleetwright: 1\n", "", "missing_field", "fleetwright");
    row("later version", "fleetwright: 1", "fleetwright: 2", "unsupported_value", "fleetwright");
    row("version as text", "fleetwright: 1", "fleetwright: \"1\"", "unsupported_value", "fleetwright");
    row("unknown key", "name:", "nom:", "unsupported_value", "nom");
    row("unknown nested key", "tp: 8", "tensor: 8", "unsupported_value", "parallelism.tensor");
    row("unknown training key", "seq_len", "sequence", "unsupported_value", "training.sequence");
    row("unknown constraint", "max_facility_mw", "max_facility_w", "unsupported_value", "constraints.max_facility_w");
    row("unknown fleet key", "fabric: ib_ndr", "fabric: ib_ndr, switches: 3", "unsupported_value", "fleet.switches");
    row("layout beside parallelism", "parallelism:", "layout: best\nparallelism:", "unsupported_value", "layout");
    const auto layout = [&row](const char *title, const char *text, const char *code, const char *field) {
        row(title,
            "parallelism: {tp: 8, pp: 4, cp: 1, ep: 1, virtual_stages: 1, zero_stage: 0, sequence_parallel: false}",
            text, code, field);
    };
    layout("layout of another word", "layout: fastest", "unsupported_value", "layout");
    layout("layout without best", "layout: {}", "missing_field", "layout.best");
    layout("layout with another key", "layout: {worst: {}}", "unsupported_value", "layout.worst");
    layout("layout with an unknown degree", "layout: {best: {tensor: 8}}", "unsupported_value", "layout.best.tensor");
    layout("layout with TP 0", "layout: {best: {tp: 0}}", "out_of_range", "layout.best.tp");
    layout("layout without values", "layout: {best: {tp: []}}", "missing_field", "layout.best.tp");
    layout(
        "layout with a wrong word", "layout: {best: {recompute: some}}", "unsupported_value", "layout.best.recompute");
    layout(
        "open layout with a number of microbatches", "layout: best", "unsupported_value", "training.microbatch_count");
    row("duplicate key", "name: Llama", "name: x\nname: Llama", "parse_error", "name");
    row("duplicate nested key", "tp: 8", "tp: 8, tp: 4", "parse_error", "parallelism.tp");
    row("no workload", "workload: llama3_1_70b\n", "", "missing_field", "workload");
    row("workload a number", "llama3_1_70b", "70", "unsupported_value", "workload");
    row("workload a list", "llama3_1_70b", "[a, b]", "unsupported_value", "workload");
    row("workload empty", "llama3_1_70b", "''", "missing_field", "workload");
    row("no fleet", "fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}\n", "", "missing_field", "fleet");
    row("fleet a text", "{node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}", "big", "unsupported_value", "fleet");
    row("no node", "node: nvidia_dgx_h100, ", "", "missing_field", "fleet.node");
    row("no nodes", "nodes: 32, ", "", "missing_field", "fleet.nodes");
    row("no fabric", ", fabric: ib_ndr", "", "missing_field", "fleet.fabric");
    row("nodes a text", "nodes: 32", "nodes: \"32\"", "unsupported_value", "fleet.nodes");
    row("nodes zero", "nodes: 32", "nodes: 0", "out_of_range", "fleet.nodes");
    row("nodes negative", "nodes: 32", "nodes: -4", "out_of_range", "fleet.nodes");
    row("nodes fractional", "nodes: 32", "nodes: 1.5", "out_of_range", "fleet.nodes");
    row("nodes beyond range", "nodes: 32", "nodes: 1e9", "out_of_range", "fleet.nodes");
    row("nodes overflow", "nodes: 32", "nodes: 1e999", "out_of_range", "fleet.nodes");
    row("nodes NaN", "nodes: 32", "nodes: .nan", "out_of_range", "fleet.nodes");
    row("nodes null", "nodes: 32", "nodes: ", "unsupported_value", "fleet.nodes");
    row("oversubscription below one", "fabric: ib_ndr", "fabric: ib_ndr, oversubscription: 0.5", "out_of_range",
        "fleet.oversubscription");
    row("topology unknown", "fabric: ib_ndr", "fabric: ib_ndr, topology: star", "unsupported_value", "fleet.topology");
    row("facility a number", "fabric: ib_ndr", "fabric: ib_ndr, facility: 7", "unsupported_value", "fleet.facility");
    row("inline fabric unknown field", "fabric: ib_ndr", "fabric: {id: x, name: X, speed: 1}", "unsupported_value",
        "fleet.fabric.speed");
    row("inline fabric wrong type", "fabric: ib_ndr", "fabric: {id: x, name: X, latency_us: fast}", "unsupported_value",
        "fleet.fabric.latency_us");
    row("inline fabric incomplete", "fabric: ib_ndr", "fabric: {id: x, name: X}", "missing_field",
        "fleet.fabric.scope");
    row("inline fabric bad id", "fabric: ib_ndr", "fabric: {id: X Y, name: X}", "out_of_range", "fleet.fabric.id");
    row("inline workload bad nested field", "llama3_1_70b", "{id: w, name: W, layers: {a: 1}}", "unsupported_value",
        "workload.layers");
    row("TP zero", "tp: 8", "tp: 0", "out_of_range", "parallelism.tp");
    row("PP a list", "pp: 4", "pp: [4]", "unsupported_value", "parallelism.pp");
    row("ZeRO stage 4", "zero_stage: 0", "zero_stage: 4", "out_of_range", "parallelism.zero_stage");
    row("flag as text", "sequence_parallel: false", "sequence_parallel: no", "unsupported_value",
        "parallelism.sequence_parallel");
    row("flag as number", "lora: false", "lora: 0", "unsupported_value", "training.lora");
    row("no training",
        "training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16, recompute: none, lora: "
        "false, accumulation_steps: 1}\n",
        "", "missing_field", "training");
    row("no batch", "global_batch: 256, ", "", "missing_field", "training.global_batch");
    row("no precision", "precision: fp16, ", "", "missing_field", "training.precision");
    row("unknown precision", "fp16", "fp17", "unsupported_value", "training.precision");
    row("empty precision", "fp16", "''", "unsupported_value", "training.precision");
    row("precision a number", "fp16", "16", "unsupported_value", "training.precision");
    row("unknown recompute", "recompute: none", "recompute: some", "unsupported_value", "training.recompute");
    row("both microbatch keys", "microbatch_count: 16", "microbatch_count: 16, microbatch_size: 1", "unsupported_value",
        "training.microbatch_size");
    row("batch a billion and one", "global_batch: 256", "global_batch: 1000000001", "out_of_range",
        "training.global_batch");
    row("token budget zero", "lora: false", "lora: false, token_budget: 0", "out_of_range", "training.token_budget");
    row("token budget infinite", "lora: false", "lora: false, token_budget: .inf", "out_of_range",
        "training.token_budget");
    row("assumption NaN", "efficiency: 0.5", "efficiency: .nan", "out_of_range", "assumptions.efficiency");
    row("assumption a list", "efficiency: 0.5", "efficiency: [0.5]", "unsupported_value", "assumptions.efficiency");
    row("assumption null", "efficiency: 0.5", "efficiency: ~", "unsupported_value", "assumptions.efficiency");
    row("memory share zero", "max_memory_fraction: 0.9", "max_memory_fraction: 0", "out_of_range",
        "constraints.max_memory_fraction");
    row("memory share above one", "max_memory_fraction: 0.9", "max_memory_fraction: 90", "out_of_range",
        "constraints.max_memory_fraction");
    row("deadline negative", "deadline_days: 30", "deadline_days: -1", "out_of_range", "constraints.deadline_days");
    row("cost with a unit", "run_cost_usd: 5.0e7", "run_cost_usd: 50 M", "unsupported_value",
        "constraints.run_cost_usd");
    row("former key with a unit", "run_cost_usd: 5.0e7", "budget_usd: 50 M", "unsupported_value",
        "constraints.budget_usd");
    row("key and its former name", "run_cost_usd: 5.0e7", "run_cost_usd: 5.0e7, budget_usd: 5.0e7", "unsupported_value",
        "constraints.budget_usd");
    row("constraints a list",
        "{max_memory_fraction: 0.9, deadline_days: 30, run_cost_usd: 5.0e7, max_facility_mw: 0.5}", "[1]",
        "unsupported_value", "constraints");
    row("name a number", "name: Llama-3.1-70B on 256 H100", "name: 12", "unsupported_value", "name");
    row("name empty", "name: Llama-3.1-70B on 256 H100", "name: ''", "missing_field", "name");
    row("cost model a number", "cost_model: first-order", "cost_model: 1", "unsupported_value", "cost_model");
    row("indented by a tab", "fleet: {", "fleet:\n\t{", "parse_error", "");
    row("anchor", "llama3_1_70b", "&w llama3_1_70b", "parse_error", "workload");
    row("alias", "llama3_1_70b", "*w", "parse_error", "workload");
    row("tag", "llama3_1_70b", "!!str llama3_1_70b", "parse_error", "workload");
    row("two documents", "cost_model: first-order\n", "cost_model: first-order\n---\na: 1\n", "parse_error", "");
    row("brace not closed", "fabric: ib_ndr}", "fabric: ib_ndr", "parse_error", "*"); // the library notices somewhere
}

void TestInvalidDocuments::plans()
{
    Error error;
    exchangetesting::checkRefusal(samplePlan, exchange::planFromText, error);
    QVERIFY2(error.message.size() > 20
            && (error.message.ends_with('.') || error.message.ends_with(')') || error.message.ends_with('?')),
        described(error).constData());
}

void TestInvalidDocuments::texts_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *title, const QByteArray &text) { QTest::newRow(title) << text; };
    row("empty", "");
    row("blank", " \n\r\n ");
    row("comment only", "# nothing here\n");
    row("a word", "hello");
    row("a list", "[1, 2]");
    row("null", "null");
    row("picture", QByteArray::fromHex("ffd8ffe000104a46494600010101"));
    row("zero byte", QByteArray("a: b\0c", 6));
    row("invalid UTF-8", "name: \xC3\x28\n");
    row("over 4 MiB", "name: " + QByteArray(5000000, 'x'));
    row("alias bomb", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n");
    row("deep JSON", QByteArray("{\"a\":").repeated(200000));
    row("deep flow lists", QByteArray("[").repeated(1000000));
    row("deep flow objects", "a: " + QByteArray("{a: ").repeated(300000));
    row("deep block lists", QByteArray("- ").repeated(300000) + "1");
    row("complex keys", QByteArray("? ").repeated(300000) + "1");
    row("many values", "a: [" + QByteArray("1,").repeated(1500000) + "1]");
    row("many keys", [] {
        QByteArray text;
        for (int i = 0; i < 100000; ++i)
            text += "k" + QByteArray::number(i) + ": 1\n";
        return text;
    }());
    row("key as long as a book", QByteArray(900, 'k') + ": 1");
    row("JSON cut short", "{\"fleetwright\": 1,");
    row("JSON with a tail", "{\"fleetwright\": 1} x");
    row("JSON with a comment", "{\"fleetwright\": 1 /* one */}");
    row("JSON with a lone surrogate", "{\"fleetwright\": \"\\ud800\"}");
    row("JSON with NaN", "{\"fleetwright\": NaN}");
    row("JSON doubled key", "{\"fleetwright\": 1, \"fleetwright\": 1}");
}

void TestInvalidDocuments::texts()
{
    QFETCH(QByteArray, text);
    const auto document = exchange::planFromText({text.constData(), std::size_t(text.size())});
    QVERIFY(!document.has_value());
    QVERIFY2(document.error().message.size() > 20, described(document.error()).constData());
    QVERIFY2(document.error().message.size() < 1000, described(document.error()).constData());
}

void TestInvalidDocuments::namesThePlace()
{
    const auto yaml = exchange::planFromText(sampleWith(u"tp: 8"_s, u"tp: 0"_s));
    QVERIFY2(yaml.error().message.ends_with("(line 5, column 15)"), yaml.error().message.c_str());
    const auto missing = exchange::planFromText(sampleWith(u"global_batch: 256, "_s, QString()));
    QVERIFY2(missing.error().message.ends_with("(line 6, column 1)"), missing.error().message.c_str());
    const auto json = exchange::planFromText("{\n  \"fleetwright\": 1,\n  \"nam\": \"x\"\n}");
    QVERIFY2(json.error().message.ends_with("(line 3, column 3)"), json.error().message.c_str());
}

void TestInvalidDocuments::suggestsTheNearestKey()
{
    const auto error = exchange::planFromText(sampleWith(u"parallelism:"_s, u"paralelism:"_s)).error();
    QVERIFY2(error.message.contains("did you mean \u201cparallelism\u201d?"), error.message.c_str());
    const auto nested = exchange::planFromText(sampleWith(u"global_batch"_s, u"global_batch_size"_s)).error();
    QVERIFY2(nested.message.contains("did you mean \u201cglobal_batch\u201d?"), nested.message.c_str());
    const auto far = exchange::planFromText(sampleWith(u"tp: 8"_s, u"speed: 8"_s)).error();
    QVERIFY2(far.message.contains("its keys are tp, pp,"), far.message.c_str());
}

void TestInvalidDocuments::nanFromJsonObjectIsRefused()
{
    auto json = exchange::planToJson(*exchange::planFromText(samplePlan));
    json["assumptions"]["efficiency"] = std::numeric_limits<double>::quiet_NaN();
    const auto refused = exchange::planFromJson(json);
    QVERIFY(!refused);
    QVERIFY(refused.error().code == ErrorCode::OutOfRange);
    QCOMPARE(refused.error().field, std::string("assumptions.efficiency"));
    QVERIFY(!exchange::planFromJson(exchange::Json()));
    QVERIFY(!exchange::planFromJson(exchange::Json::array()));
}

/// Cut anywhere, or with any character replaced, the text gives a document or a sentence.
void TestInvalidDocuments::everyPrefixEndsInAnAnswer()
{
    const std::string yaml = samplePlan;
    const std::string json = exchange::planToJson(*exchange::planFromText(yaml)).dump();
    for (const auto &text : {yaml, json})
        exchangetesting::checkDamaged(
            text, exchange::planFromText, 1, {'\0', '"', '{', ']', ':', '&', '\t', '\x80', '-', '9'});
}

void TestInvalidDocuments::positions()
{
    const std::string text = "a: 1\nb:\n  - x\n  - c: {d: 2}\n";
    const auto at = exchange::positionOf(text, "b[1].c.d");
    QVERIFY(at.has_value());
    QCOMPARE(at->line, 4UZ);
    QCOMPARE(at->column, 9UZ);
    const auto enclosing = exchange::positionOf(text, "b[1].c.missing");
    QVERIFY(enclosing.has_value());
    QCOMPARE(enclosing->line, 4UZ);
    QVERIFY(!exchange::positionOf(text, "zzz"));
}

FLEETWRIGHT_TEST(TestInvalidDocuments)
#include "tst_invaliddocuments.moc"
