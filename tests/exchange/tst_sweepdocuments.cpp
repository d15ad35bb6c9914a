// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/exchangetesting.h"
#include "testing/registry.h"

#include "exchange/sweepdocuments.h"

#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

namespace {

constexpr const char *sampleSweep = R"(fleetwright: 1
sweep: Bubble against microbatches
question: How many microbatches bring the bubble below 10 %?
plan:
  name: Base
  workload: llama3_1_70b
  fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
  training: {global_batch: 256, seq_len: 2048, precision: fp16}
  parallelism: {tp: 1, pp: 8}
axes:
  - {key: training.microbatch_count, values: [1, 2, 4]}
  - label: Configuration
    points:
      - {label: DP only, set: {parallelism.tp: 1, parallelism.pp: 1}}
      - {label: "TP 8, PP 4", set: {parallelism.tp: 8, parallelism.pp: 4}}
cost_models: [first-order]
figure: bubble_fraction
view: bars
mark: 0.1
)";

std::string sweepWith(const QString &from, const QString &to) { return edited(sampleSweep, from, to); }

SweepDocument parsed(const std::string &text)
{
    auto document = exchange::sweepFromText(text);
    if (!document)
        qFatal("%s", described(document.error()).constData());
    return *document;
}

QString texts(const std::vector<SettingValue> &values)
{
    QStringList list;
    for (const auto &value : values)
        list << (std::holds_alternative<double>(value) ? QString::number(std::get<double>(value))
                : std::holds_alternative<bool>(value)  ? (std::get<bool>(value) ? u"yes"_s : u"no"_s)
                                                       : QString::fromStdString(std::get<std::string>(value)));
    return list.join(u' ');
}

/// A value of the key that differs from what the base plan has.
SettingValue otherValue(const SweepKey &key, const Catalog &catalog)
{
    switch (key.type) {
    case SweepValueType::Flag: return true;
    case SweepValueType::Choice: return key.choices.back();
    case SweepValueType::Reference:
        for (const auto &[kind, id] :
            {std::pair{CatalogKind::Workload, "llama3_8b"}, {CatalogKind::Node, "nvidia_dgx_a100_80gb"},
                {CatalogKind::Fabric, "ib_hdr"}, {CatalogKind::Facility, "cooling_liquid"},
                {CatalogKind::Grid, "ref_quebec"}, {CatalogKind::Accelerator, "nvidia_h200_sxm"}})
            if (kind == *key.reference && catalog.find(kind, id))
                return std::string(id);
        if (*key.reference == CatalogKind::Workload)
            return std::string("gpt3_175b");
        for (const auto &record : catalog.records(*key.reference))
            if (*key.reference == CatalogKind::Node
                    ? nodeFrom(record, *acceleratorFrom(*catalog.find(CatalogKind::Accelerator, "nvidia_h100_sxm")))
                            .has_value()
                        && record.id != "nvidia_dgx_h100" && record.text("accelerator_id")
                    : *key.reference == CatalogKind::Accelerator
                    ? acceleratorFrom(record).has_value() && !record.id.contains("h100")
                    : true)
                return record.id;
        return std::string();
    case SweepValueType::Integer:
        return std::max(key.minimum.value_or(0),
            std::min(key.maximum.value_or(1e9),
                key.key == "workload.kv_heads"                     ? 4.0
                    : key.key == "fleet.node.scale_up_domain_size" ? 16.0
                    : key.key == "workload.attention_heads"        ? 128.0
                                                                   : 3.0));
    case SweepValueType::Real:
        return std::min(key.maximum.value_or(1e18),
            key.minimum.value_or(0)
                + (key.key.ends_with("params_total")         ? 80e9
                        : key.key.ends_with("params_active") ? 30e9
                                                             : 0.5));
    }
    return 1.0;
}

} // namespace

class TestSweepDocuments : public QObject {
    Q_OBJECT

private slots:
    void readsTheSample();
    void readsRanges_data();
    void readsRanges();
    void refusesTypedValues_data();
    void refusesTypedValues();
    void namesAndUnits();
    void roundTrips_data();
    void roundTrips();
    void refuses_data();
    void refuses();
    void everyPrefixEndsInAnAnswer();
    void everyKeyCanBeApplied();
    void everyKeyMatters();
    void appliesReferencesFirst();
    void describesPoints();
    void hashKnowsWhatMatters();
};

void TestSweepDocuments::readsTheSample()
{
    const auto document = parsed(sampleSweep);
    QCOMPARE(document.name, std::string("Bubble against microbatches"));
    QCOMPARE(document.question, std::string("How many microbatches bring the bubble below 10 %?"));
    QCOMPARE(document.plan.fleet.nodes, 32);
    QCOMPARE(document.axes.size(), 2UZ);
    QCOMPARE(document.axes[0].points.size(), 3UZ);
    QVERIFY(document.axes[0].points[2].settings == (std::vector<SweepSetting>{{"training.microbatch_count", 4.0}}));
    QCOMPARE(document.axes[1].label, std::string("Configuration"));
    QCOMPARE(document.axes[1].points[1].label, std::string("TP 8, PP 4"));
    QVERIFY(document.axes[1].points[1].settings
        == (std::vector<SweepSetting>{{"parallelism.tp", 8.0}, {"parallelism.pp", 4.0}}));
    QVERIFY(document.costModels == std::vector<std::string>{"first-order"});
    QCOMPARE(document.figure, std::string("bubble_fraction"));
    QVERIFY(document.view == SweepView::Bars);
    QCOMPARE(document.mark, std::optional(0.1));
}

void TestSweepDocuments::readsRanges_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("list") << u"fleet.nodes"_s << u"1, 2,4"_s << u"1 2 4"_s;
    QTest::newRow("doubling") << u"fleet.nodes"_s << u"1..1024:x2"_s << u"1 2 4 8 16 32 64 128 256 512 1024"_s;
    QTest::newRow("doubling stops before the end") << u"fleet.nodes"_s << u"3..40:x2"_s << u"3 6 12 24"_s;
    QTest::newRow("adding") << u"parallelism.tp"_s << u"1..9:+4"_s << u"1 5 9"_s;
    QTest::newRow("adding one") << u"parallelism.tp"_s << u"1..4"_s << u"1 2 3 4"_s;
    QTest::newRow("adding fractions reaches the end")
        << u"constraints.min_mfu"_s << u"0.1..0.5:+0.1"_s << u"0.1 0.2 0.3 0.4 0.5"_s;
    QTest::newRow("mixed") << u"parallelism.tp"_s << u"1, 4..16:x2, 64"_s << u"1 4 8 16 64"_s;
    QTest::newRow("units") << u"fleet.fabric.port_rate_gbit_per_s"_s << u"100, 200 Gb/s, 50 GB/s"_s << u"100 200 400"_s;
    QTest::newRow("percent") << u"constraints.max_memory_fraction"_s << u"50 %, 0.9"_s << u"0.5 0.9"_s;
    QTest::newRow("choices") << u"training.precision"_s << u"bf16, fp8"_s << u"bf16 fp8"_s;
    QTest::newRow("flags") << u"training.lora"_s << u"no, yes"_s << u"no yes"_s;
    QTest::newRow("ids and names") << u"fleet.fabric"_s << u"ib_hdr, ib_ndr"_s << u"ib_hdr ib_ndr"_s;
    QTest::newRow("days") << u"constraints.deadline_days"_s << u"30, 2 d"_s << u"30 2"_s;
}

void TestSweepDocuments::readsRanges()
{
    QFETCH(QString, key);
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto values = parseValues(*findSweepKey(key.toStdString()), text.toStdString(), shipped(), "values");
    QVERIFY2(values.has_value(), values ? "" : described(values.error()).constData());
    QCOMPARE(texts(*values), expected);
}

void TestSweepDocuments::refusesTypedValues_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("nothing") << u"fleet.nodes"_s << u"  "_s << u"Type the values of Nodes"_s;
    QTest::newRow("comma at the end") << u"fleet.nodes"_s << u"1,"_s << u"A value is missing at a comma"_s;
    QTest::newRow("word") << u"fleet.nodes"_s << u"many"_s << u"many"_s;
    QTest::newRow("fraction of a node") << u"fleet.nodes"_s << u"1.5"_s << u"Nodes must be a whole number"_s;
    QTest::newRow("zero") << u"fleet.nodes"_s << u"0..4"_s << u"Nodes must be at least 1"_s;
    QTest::newRow("backwards") << u"fleet.nodes"_s << u"8..4"_s << u"ends below its start"_s;
    QTest::newRow("factor 1") << u"fleet.nodes"_s << u"1..4:x1"_s << u"factor must be greater than 1"_s;
    QTest::newRow("step 0") << u"fleet.nodes"_s << u"1..4:+0"_s << u"step of the range"_s;
    QTest::newRow("unknown step") << u"fleet.nodes"_s << u"1..4:2"_s << u":x2 to multiply or :+1 to add"_s;
    QTest::newRow("too many") << u"fleet.nodes"_s << u"1..100000"_s << u"more than 10 000 values"_s;
    QTest::newRow("twice") << u"fleet.nodes"_s << u"1, 2, 1"_s << u"The value 1 stands twice"_s;
    QTest::newRow("wrong unit") << u"fleet.fabric.latency_us"_s << u"5 GB"_s << u"GB"_s;
    QTest::newRow("unknown fabric") << u"fleet.fabric"_s << u"ib_ndx"_s << u"did you mean"_s;
    QTest::newRow("unknown precision") << u"training.precision"_s << u"fp17"_s << u"Precision must be one of"_s;
    QTest::newRow("flag") << u"training.lora"_s << u"perhaps"_s << u"LoRA is yes or no"_s;
}

void TestSweepDocuments::refusesTypedValues()
{
    QFETCH(QString, key);
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    const auto values = parseValues(*findSweepKey(key.toStdString()), text.toStdString(), shipped(), "values");
    QVERIFY(!values);
    QVERIFY2(QString::fromStdString(values.error().message).contains(sentence), values.error().message.c_str());
}

void TestSweepDocuments::namesAndUnits()
{
    const auto document = parsed(sweepWith(u"{key: training.microbatch_count, values: [1, 2, 4]}"_s,
        u"{key: fleet.nodes, range: \"1..64:x4\", label: How many}"_s));
    QVERIFY(numbersOf(document.axes[0]) == (std::vector{1.0, 4.0, 16.0, 64.0}));
    QCOMPARE(describe(document.axes[0]), std::string("How many"));
    QVERIFY(numbersOf(document.axes[1]).empty());
}

void TestSweepDocuments::roundTrips_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char *title, const std::string &text) {
        QTest::newRow(title) << QString::fromStdString(text);
    };
    row("sample", sampleSweep);
    row("range", sweepWith(u"values: [1, 2, 4]"_s, u"range: 1..64:+1"_s));
    row("one axis, defaults",
        sweepWith(u"cost_models: [first-order]\nfigure: bubble_fraction\nview: bars\nmark: 0.1\n"_s, QString()));
    row("unlabelled points", sweepWith(u"label: DP only, "_s, QString()));
    row("assumption",
        sweepWith(u"training.microbatch_count, values: [1, 2, 4]"_s, u"assumptions.efficiency, values: [0.3, 0.5]"_s));
    row("texts and flags",
        sweepWith(u"training.microbatch_count, values: [1, 2, 4]"_s,
            u"fleet.fabric, values: [ib_ndr, ib_hdr], label: \"12\""_s));
    row("awkward label", sweepWith(u"DP only"_s, u"\"yes: #1 {a}, - b\""_s));
    row("long point",
        sweepWith(u"set: {parallelism.tp: 1, "_s,
            u"set: {fleet.node.accelerator.peak_dense_tflops.bf16: 500, fleet.fabric.latency_us: 2.5, "
            u"training.seq_len: 4096, training.precision: bf16, training.lora: true, fleet.nodes: 16, "
            u"training.global_batch: 512, workload.layers: 81, parallelism.tp: 1, "_s));
    row("heat map of a detail",
        sweepWith(u"figure: bubble_fraction\nview: bars"_s,
            u"figure: details.%1\nview: heat_map"_s.arg(
                QString::fromUtf8((*findCostModel("first-order"))->details().front().key.data()))));
}

void TestSweepDocuments::roundTrips()
{
    QFETCH(QString, text);
    const auto document = parsed(text.toStdString());
    const auto json = exchange::sweepFromJson(exchange::sweepToJson(document));
    QVERIFY2(json.has_value(), json ? "" : described(json.error()).constData());
    QVERIFY(*json == document);
    const auto yaml = exchange::sweepToYaml(document);
    const auto back = exchange::sweepFromText(yaml);
    QVERIFY2(back.has_value(), back ? "" : (described(back.error()) + "\n" + yaml.c_str()).constData());
    QVERIFY2(*back == document, yaml.c_str());
    QCOMPARE(exchange::sweepToYaml(*back), yaml);
    const auto asJsonText = exchange::sweepFromText(exchange::sweepToJson(document).dump(2));
    QVERIFY(asJsonText && *asJsonText == document);
}

void TestSweepDocuments::refuses_data()
{
    exchangetesting::addRefusalColumns();
    const auto row = exchangetesting::toldRefusalRow;
    row("no version", "fleetwright: 1\n", "", "missing_field", "fleetwright", "“fleetwright: 1” as the first line");
    row("later version", "fleetwright: 1", "fleetwright: 2", "unsupported_value", "fleetwright", "must be 1");
    row("no name", "sweep: Bubble against microbatches\n", "", "missing_field", "sweep", "“sweep” is missing");
    row("empty name", "sweep: Bubble against microbatches", "sweep: \"\"", "missing_field", "sweep",
        "Give the sweep a name");
    row("unknown key", "question:", "questions:", "unsupported_value", "questions", "did you mean “question”?");
    row("question a number", "How many microbatches bring the bubble below 10 %?", "7", "unsupported_value", "question",
        "put it in quotes");
    row("no plan", "plan:", "base:", "unsupported_value", "base", "its keys are");
    row("plan with unknown key", "  name: Base", "  nome: Base", "unsupported_value", "plan.nome",
        "did you mean “name”?");
    row("plan out of range", "nodes: 32", "nodes: 0", "out_of_range", "plan.fleet.nodes", "between 1 and");
    row("plan without training", "  training: {global_batch: 256, seq_len: 2048, precision: fp16}\n", "",
        "missing_field", "plan.training", "training");
    row("plan of another version", "  name: Base", "  fleetwright: 3\n  name: Base", "unsupported_value",
        "plan.fleetwright", "must be 1");
    row("no axes", "axes:", "axis:", "unsupported_value", "axis", "did you mean “axes”?");
    row("axis a number", "- {key: training.microbatch_count, values: [1, 2, 4]}", "- 4", "unsupported_value", "axes[0]",
        "must be an object");
    row("three axes", "axes:\n", "axes:\n  - {key: fleet.nodes, values: [1]}\n", "unsupported_value", "axes",
        "one or two axes");
    row("key unknown", "training.microbatch_count", "training.microbatches", "unknown_reference", "axes[0].key",
        "nothing called “training.microbatches”");
    row("key nearly right", "training.microbatch_count", "training.microbatch_cont", "unknown_reference", "axes[0].key",
        "did you mean “training.microbatch_count”?");
    row("key missing", "key: training.microbatch_count, ", "", "missing_field", "axes[0].key",
        "name what the axis varies");
    row("key and points", "    points:", "    key: fleet.nodes\n    points:", "unsupported_value", "axes[1].key",
        "names its keys inside them");
    row("neither values nor range", ", values: [1, 2, 4]", "", "missing_field", "axes[0]",
        "exactly one of values, range and points");
    row("values and range", ", values: [1, 2, 4]", ", values: [1], range: 1..4", "unsupported_value", "axes[0]",
        "exactly one of values, range and points");
    row("values a number", "[1, 2, 4]", "4", "unsupported_value", "axes[0].values", "must be a list of values");
    row("values empty", "[1, 2, 4]", "[]", "missing_field", "axes[0].values", "list at least one value");
    row("value of the wrong type", "[1, 2, 4]", "[1, two]", "unsupported_value", "axes[0].values[1]",
        "Microbatches must be a number");
    row("value null", "[1, 2, 4]", "[1, ~]", "unsupported_value", "axes[0].values[1]",
        "must be a number, true, false or a text");
    row("value not whole", "[1, 2, 4]", "[1, 2.5]", "out_of_range", "axes[0].values[1]",
        "must be a whole number, not 2.5");
    row("value NaN", "[1, 2, 4]", "[.nan]", "out_of_range", "axes[0].values[0]", "finite number");
    row("range wrong", "values: [1, 2, 4]", "range: 1..4:2", "parse_error", "axes[0].range",
        ":x2 to multiply or :+1 to add");
    row("range of names", "training.microbatch_count, values: [1, 2, 4]", "fleet.fabric, range: 1..4",
        "unsupported_value", "axes[0].range", "has no range; list its values");
    row("too many cells", "values: [1, 2, 4]", "range: 1..6000", "out_of_range", "axes",
        "12000 cells, more than the 10 000");
    row("point without set", "set: {parallelism.tp: 1, parallelism.pp: 1}", "label2: x", "unsupported_value",
        "axes[1].points[0].label2", "did you mean “label”?");
    row("point that sets nothing", "{parallelism.tp: 1, parallelism.pp: 1}", "{}", "missing_field", "axes[1].points[0]",
        "sets nothing");
    row("point with unknown key", "parallelism.tp: 1", "parallelism.dp: 1", "unknown_reference",
        "axes[1].points[0].set.parallelism.dp", "nothing called “parallelism.dp”");
    row("point out of range", "parallelism.tp: 1", "parallelism.tp: 0", "out_of_range",
        "axes[1].points[0].set.parallelism.tp", "TP must be at least 1, not 0");
    row("key on both axes", "parallelism.tp: 1", "training.microbatch_count: 1", "unsupported_value", "axes[1]",
        "Both axes set “training.microbatch_count”");
    row("count and size together", "parallelism.tp: 1", "training.microbatch_size: 1", "unsupported_value", "axes[1]",
        "Both axes set");
    row("cost model unknown", "[first-order]", "[first-ordre]", "unknown_reference", "cost_models[0]", "first-order");
    row("cost model twice", "[first-order]", "[first-order, first-order]", "unsupported_value", "cost_models",
        "listed twice");
    row("cost models a text", "cost_models: [first-order]", "cost_models: first-order", "unsupported_value",
        "cost_models", "must be a list of ids");
    row("figure unknown", "bubble_fraction", "bubble_fractoin", "unsupported_value", "figure",
        "did you mean “bubble_fraction”?");
    row("figure far off", "bubble_fraction", "happiness_of_the_team", "unsupported_value", "figure",
        "such as step_time_s");
    row("view unknown", "view: bars", "view: pie", "unsupported_value", "view", "lines, bars or heat_map, not “pie”");
    row("mark a text", "mark: 0.1", "mark: 10 %", "unsupported_value", "mark", "without a unit");
    row("mark infinite", "mark: 0.1", "mark: .inf", "out_of_range", "mark", "finite number");
}

void TestSweepDocuments::refuses()
{
    QFETCH(QString, to);
    QFETCH(QString, field);
    Error error;
    exchangetesting::checkToldRefusal(sampleSweep, exchange::sweepFromText, error);
    const bool missesAtTheTop = error.code == ErrorCode::MissingField && !field.contains(u'.') && !field.contains(u'[')
        && !to.contains(u':');
    QVERIFY2(missesAtTheTop || error.message.contains("(line "),
        described(error).constData()); // what is absent at the top has no line
}

void TestSweepDocuments::everyPrefixEndsInAnAnswer()
{
    exchangetesting::checkDamaged(sampleSweep, exchange::sweepFromText);
}

void TestSweepDocuments::everyKeyCanBeApplied()
{
    const auto catalog = shipped();
    const auto plan = *exchange::planFromText(samplePlan);
    for (const auto &key : sweepKeys()) {
        const std::vector<SweepSetting> settings{{key.key, otherValue(key, catalog)}};
        QVERIFY2(check(settings.front(), key.key).has_value(), key.key.c_str());
        const auto applied = apply(settings, plan, catalog);
        QVERIFY2(applied.has_value(), applied ? "" : described(applied.error()).constData());
        QVERIFY2(!key.label.empty() && !key.description.empty(), key.key.c_str());
        QVERIFY2(key.unit.empty() || units::findUnit(key.unit, key.dimension), key.key.c_str());
    }
    for (const auto &assumption : (*findCostModel("first-order"))->assumptions()) {
        const auto key = sweepKeyOf(assumption);
        QVERIFY(isAssumptionKey(key.key));
        const auto applied = apply(std::vector<SweepSetting>{{key.key, assumption.defaultValue}}, plan, catalog);
        QVERIFY2(applied.has_value(), key.key.c_str());
    }
}

/// A key that changed no input of the answer would mislead whoever sweeps it.
void TestSweepDocuments::everyKeyMatters()
{
    const auto catalog = shipped();
    const auto plan = *exchange::planFromText(samplePlan);
    const auto before = exchange::inputHash(*resolve(plan, catalog));
    for (const auto &key : sweepKeys()) {
        const auto applied = apply(std::vector<SweepSetting>{{key.key, otherValue(key, catalog)}}, plan, catalog);
        QVERIFY2(applied && exchange::inputHash(*applied) != before, key.key.c_str());
    }
}

void TestSweepDocuments::appliesReferencesFirst()
{
    const auto catalog = shipped();
    const auto plan = *exchange::planFromText(samplePlan);
    const std::vector<SweepSetting> settings{{"fleet.fabric.latency_us", 3.0},
        {"fleet.fabric.port_rate_gbit_per_s", 800.0}, {"fleet.fabric", std::string("ib_hdr")},
        {"fleet.node.accelerator.tdp_w", 500.0}, {"training.microbatch_size", 2.0}, {"workload.params_total", 80e9}};
    const auto applied = apply(settings, plan, catalog);
    QVERIFY2(applied.has_value(), applied ? "" : described(applied.error()).constData());
    const auto &fabric = (*applied)->fleet->fabric;
    QCOMPARE(fabric->id, std::string("ib_hdr"));
    QCOMPARE(fabric->latency->value(), 3e-6);
    QCOMPARE(fabric->portBandwidth.value(), 100e9);
    QCOMPARE((*applied)->fleet->node->accelerator->tdp->value(), 500.0);
    QVERIFY(!(*applied)->training.microbatchCount && (*applied)->training.microbatchSize == 2);
    QCOMPARE((*applied)->workload->activeParameters, 80e9);
    QCOMPARE((*resolve(plan, catalog))->fleet->fabric->id, std::string("ib_ndr"));

    const auto unknown = apply(std::vector<SweepSetting>{{"fleet.fabric", std::string("no_such")}}, plan, catalog);
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().field, std::string("fleet.fabric"));
    const auto outside = apply(std::vector<SweepSetting>{{"fleet.fabric.latency_us", 1e6}}, plan, catalog);
    QVERIFY(!outside);
    QCOMPARE(outside.error().field, std::string("fleet.fabric.latency_us"));
}

void TestSweepDocuments::describesPoints()
{
    const auto catalog = shipped();
    QCOMPARE(describe(SweepSetting{"fleet.fabric", std::string("ib_ndr")}, catalog),
        catalog.find(CatalogKind::Fabric, "ib_ndr")->name);
    QCOMPARE(describe(SweepSetting{"fleet.fabric.latency_us", 2.5}, catalog), std::string("2.5\u00a0\u00b5s"));
    QCOMPARE(describe(SweepSetting{"training.lora", true}, catalog), std::string("yes"));
    const SweepPoint point{{}, {{"parallelism.tp", 8.0}, {"parallelism.pp", 4.0}}};
    QCOMPARE(describe(point, catalog), std::string("TP 8, PP 4"));
    QCOMPARE(describe(SweepAxis{{}, {point}}), std::string("TP, PP"));
    QCOMPARE(describe(axisOf("parallelism.tp", {1.0, 2.0})), std::string("TP"));
}

void TestSweepDocuments::hashKnowsWhatMatters()
{
    auto catalog = shipped();
    const auto document = parsed(sampleSweep);
    const auto before = exchange::sweepInputHash(document, catalog);
    QCOMPARE(before.size(), 64UZ);
    auto shown = document;
    shown.name = "Another name";
    shown.question.clear();
    shown.figure = "mfu";
    shown.view = SweepView::HeatMap;
    shown.mark.reset();
    shown.axes[1].points[0].label = "first";
    shown.plan.name = "renamed";
    QCOMPARE(exchange::sweepInputHash(shown, catalog), before);
    auto changed = document;
    changed.plan.fleet.nodes = 33;
    QVERIFY(exchange::sweepInputHash(changed, catalog) != before);
    changed = document;
    changed.axes[0].points.pop_back();
    QVERIFY(exchange::sweepInputHash(changed, catalog) != before);
    auto fabric = *catalog.find(CatalogKind::Fabric, "ib_ndr");
    fabric.values["latency_us"] = 9.0;
    catalog.insert(fabric);
    QVERIFY(exchange::sweepInputHash(document, catalog) != before);
}

FLEETWRIGHT_TEST(TestSweepDocuments)
#include "tst_sweepdocuments.moc"
