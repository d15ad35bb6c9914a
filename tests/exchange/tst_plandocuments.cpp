// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/exchangetesting.h"
#include "testing/registry.h"

#include <QRegularExpression>
#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

class TestPlanDocuments : public QObject {
    Q_OBJECT

private slots:
    void readsTheSample();
    void readsFormerLimitKeys();
    void fillsDefaults();
    void readsOpenLayouts();
    void hashesTheQuestion();
    void readsMicrobatchSize();
    void readsInlineItems();
    void readsJsonLikeYaml();
    void acceptsScalarStyles_data();
    void acceptsScalarStyles();
    void roundTrips_data();
    void roundTrips();
    void roundTripsAwkwardTexts_data();
    void roundTripsAwkwardTexts();
    void roundTripsUnits();
    void resolvesInlineNodeAgainstCatalog();
};

namespace {

PlanDocument parsed(const std::string &text)
{
    const auto document = exchange::planFromText(text);
    if (!document)
        qFatal("%s", described(document.error()).constData());
    return *document;
}

PlanDocument everything()
{
    auto document = parsed(samplePlan);
    document.name = "A: \"plan\" with #1, Umlaut \u00fc and yes";
    document.fleet.name = "12";
    document.fleet.oversubscription = 2.5;
    document.fleet.topology = FabricTopology::Dragonfly;
    document.fleet.facility = "cooling_liquid";
    document.fleet.grid = "ref_quebec";
    document.parallelism = {8, 2, 2, 4, 3, 2, true};
    document.training.microbatchCount.reset();
    document.training.microbatchSize = 2;
    document.training.precision = Precision::Fp8;
    document.training.recompute = Recompute::Selective;
    document.training.lora = true;
    document.training.accumulationSteps = 4;
    document.training.tokenBudget = 1.5e13;
    document.assumptions.edited = {
        {"efficiency", 0.1}, {"topology", std::string("true")}, {"overlap_comm", true}, {"third", 1.0 / 3.0}};
    document.constraints = {
        0.85, 33.3 * day, 1234567.89 * dollar, 2.5e8 * dollar, 7.5e7 * dollar, 0.1 * kilowatt, 0.35, 7.77 * second};
    return document;
}

PlanDocument inlineItems()
{
    auto document = parsed(samplePlan);
    const auto catalog = shippedFiles();
    const auto own = [&](CatalogKind kind, const char *id) {
        auto record = *catalog.find(kind, id);
        record.shipped = false;
        record.id = "own_item";
        return record;
    };
    document.workload = own(CatalogKind::Workload, "llama3_1_70b");
    document.fleet.node = own(CatalogKind::Node, "nvidia_dgx_h100");
    document.fleet.fabric = own(CatalogKind::Fabric, "ib_ndr");
    return document;
}

} // namespace

void TestPlanDocuments::readsTheSample()
{
    const auto document = parsed(samplePlan);
    QCOMPARE(document.name, std::string("Llama-3.1-70B on 256 H100"));
    QCOMPARE(std::get<std::string>(document.workload), std::string("llama3_1_70b"));
    QCOMPARE(std::get<std::string>(document.fleet.node), std::string("nvidia_dgx_h100"));
    QCOMPARE(document.fleet.nodes, 32);
    QCOMPARE(document.parallelism.tp, 8);
    QCOMPARE(document.parallelism.pp, 4);
    QCOMPARE(document.training.globalBatch, 256);
    QCOMPARE(document.training.microbatchCount, std::optional(16));
    QVERIFY(document.training.precision == Precision::Fp16);
    QCOMPARE(document.assumptions.edited.size(), 7UZ);
    QCOMPARE(std::get<double>(document.assumptions.edited.at("overlap_efficiency")), 0.85);
    QCOMPARE(std::get<bool>(document.assumptions.edited.at("overlap_comm")), false);
    QCOMPARE(std::get<std::string>(document.assumptions.edited.at("topology")), std::string("auto"));
    QCOMPARE(document.constraints.deadline->value(), 30 * 86400.0);
    QCOMPARE(document.constraints.runCost->value(), 5e7);
    QCOMPARE(document.constraints.facilityPower->value(), 500e3);
    QCOMPARE(document.costModelId, std::string("first-order"));
}

/// Documents of before the limits had one name each.
void TestPlanDocuments::readsFormerLimitKeys()
{
    const auto text = sampleWith(
        u"run_cost_usd: 5.0e7, max_facility_mw: 0.5"_s, u"budget_usd: 5.0e7, max_power_kw: 500"_s);
    const auto former = exchange::planFromText(text), today = exchange::planFromText(samplePlan);
    QVERIFY(former && *former == *today);
    const auto written = exchange::planToJson(*former)["constraints"];
    QCOMPARE(written["run_cost_usd"].get<double>(), 5e7);
    QCOMPARE(written["max_facility_mw"].get<double>(), 0.5);
    QVERIFY(!written.contains("budget_usd") && !written.contains("max_power_kw"));
    QCOMPARE(exchange::formerKeyNotices(text).size(), std::size_t(2));
    QVERIFY(exchange::formerKeyNotices(text).front().find("run_cost_usd") != std::string::npos);
    QVERIFY(exchange::formerKeyNotices(samplePlan).empty());
    // A node has a field of that name, too, which was never renamed.
    QVERIFY(exchange::formerKeyNotices("fleet: {node: {max_power_kw: 10}}").empty());
    QVERIFY(exchange::formerKeyNotices("axes: [{key: constraints.max_power_kw, values: [1]}]").size() == 1);
    // What hashes hold did not change with the names.
    QCOMPARE(exchange::constraintsAsHashed(former->constraints).dump(),
        std::string(R"({"max_memory_fraction":0.9,"deadline_days":30,"budget_usd":50000000,"max_power_kw":500})"));
}

void TestPlanDocuments::fillsDefaults()
{
    const auto document = parsed(
        "fleetwright: 1\nworkload: gpt3_175b\nfleet:\n  node: nvidia_dgx_h100\n  nodes: 4\n  fabric: ib_ndr\n"
        "training:\n  global_batch: 64\n  seq_len: 2048\n  precision: BF16\n");
    QCOMPARE(document.name, std::string("Untitled plan"));
    QCOMPARE(document.costModelId, std::string("detailed"));
    QVERIFY(document.bestLayout == LayoutSearchSpace{}); // nobody has chosen one
    QVERIFY(document.parallelism == Parallelism{});
    QVERIFY(document.training.precision == Precision::Bf16);
    QCOMPARE(document.training.microbatchCount, std::optional(1));
    QVERIFY(!document.training.microbatchSize);
    QVERIFY(document.training.recompute == Recompute::None);
    QCOMPARE(document.training.accumulationSteps, 1);
    QVERIFY(document.assumptions.edited.empty());
    QVERIFY(document.constraints == Constraints{});
}

void TestPlanDocuments::readsMicrobatchSize()
{
    const auto document = parsed(sampleWith(u"microbatch_count: 16"_s, u"microbatch_size: 2"_s));
    QVERIFY(!document.training.microbatchCount);
    QCOMPARE(document.training.microbatchSize, std::optional(2));
}

void TestPlanDocuments::readsInlineItems()
{
    const auto document = parsed(sampleWith(u"fabric: ib_ndr"_s,
        u"fabric: {id: lab_net, name: Lab network, scope: scale_out, family: Ethernet, status: shipping, "
        u"port_rate_gbit_per_s: 200, latency_us: 4.5}"_s));
    const auto &fabric = std::get<CatalogRecord>(document.fleet.fabric);
    QVERIFY(fabric.kind == CatalogKind::Fabric);
    QCOMPARE(fabric.id, std::string("lab_net"));
    QCOMPARE(fabric.number("latency_us"), std::optional(4.5));
    const auto fleet = resolve(document.fleet, shippedFiles());
    QVERIFY2(fleet.has_value(), fleet ? "" : described(fleet.error()).constData());
    QCOMPARE((*fleet)->fabric->portBandwidth.value(), 25e9);
}

void TestPlanDocuments::readsJsonLikeYaml()
{
    const auto document = parsed(samplePlan);
    const auto json = parsed(exchange::planToJson(document).dump());
    QVERIFY(json == document);
    const auto indented = parsed("\xEF\xBB\xBF" + exchange::planToJson(document).dump(4));
    QVERIFY(indented == document);
}

void TestPlanDocuments::acceptsScalarStyles_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<double>("expected");
    QTest::newRow("exponent") << u"5e-1"_s << 0.5;
    QTest::newRow("no leading digit") << u".25"_s << 0.25;
    QTest::newRow("sign") << u"+0.75"_s << 0.75;
    QTest::newRow("whole") << u"1"_s << 1.0;
    QTest::newRow("hexadecimal") << u"0x10"_s << 16.0;
    QTest::newRow("octal") << u"0o10"_s << 8.0;
    QTest::newRow("leading zero is decimal") << u"010"_s << 10.0;
    QTest::newRow("beyond 64 bits") << u"100000000000000000000"_s << 1e20;
}

void TestPlanDocuments::acceptsScalarStyles()
{
    QFETCH(QString, written);
    QFETCH(double, expected);
    const auto document = parsed(sampleWith(u"efficiency: 0.5"_s, u"efficiency: "_s + written));
    QCOMPARE(std::get<double>(document.assumptions.edited.at("efficiency")), expected);
}

void TestPlanDocuments::roundTrips_data()
{
    QTest::addColumn<bool>("inlined");
    QTest::newRow("every optional key") << false;
    QTest::newRow("items inline") << true;
}

void TestPlanDocuments::readsOpenLayouts()
{
    const auto with = [](const QString &layout, const QString &training) {
        auto text = QString::fromUtf8(samplePlan);
        static const QRegularExpression split(u"parallelism: [^\n]*\n"_s);
        text.replace(split, layout.isEmpty() ? QString() : u"layout: "_s + layout + u'\n');
        text.replace(u"microbatch_count: 16, "_s, QString());
        return parsed(text.replace(u"recompute: none, "_s, training).toStdString());
    };
    LayoutSearchSpace space;
    const auto best = with(u"best"_s, {});
    QVERIFY(best.bestLayout == space && best == with({}, {}));
    QCOMPARE(exchange::planToJson(best)["layout"].get<std::string>(), std::string("best"));
    QVERIFY(!exchange::planToJson(best).contains("parallelism"));
    space[LayoutSearchOption::Tp] = {4, 8};
    space[LayoutSearchOption::Recompute] = {0};
    const auto part = with(u"{best: {tp: [8, 4], recompute: none}}"_s, {});
    QVERIFY(part.bestLayout == space);
    space[LayoutSearchOption::MicrobatchSize] = {2};
    space.tpAcrossDomains = true;
    const auto stated = with(
        u"{best: {tp: 4..8:x2, tp_across_domains: true}}"_s, u"microbatch_size: 2, recompute: none, "_s);
    QVERIFY(stated.bestLayout == space);
    for (const auto &document : {best, part, stated}) {
        QVERIFY(document.parallelism == Parallelism{} && document.training.microbatchCount == 1);
        QVERIFY(exchange::planFromJson(exchange::planToJson(document)) == document);
        QVERIFY(exchange::planFromText(exchange::planToYaml(document)) == document);
    }
    // Degrees that are stated stay as they are, also those of earlier projects.
    QVERIFY(!parsed(samplePlan).bestLayout);
    QVERIFY(!parsed(sampleWith(u"parallelism: {tp: 8, pp: 4, cp: 1, ep: 1, virtual_stages: 1, zero_stage: 0, "
                               "sequence_parallel: false}\n"_s,
                        {}))
                 .bestLayout); // a number of microbatches is one
}

/// Of an open layout: not what was found.
void TestPlanDocuments::hashesTheQuestion()
{
    const auto &catalog = shipped();
    auto document = parsed(samplePlan);
    const auto fixed = exchange::inputHash(document, *resolve(document, catalog));
    QCOMPARE(fixed, exchange::inputHash(*resolve(document, catalog)));
    document = withBestLayout(document);
    const auto open = resolve(document, catalog);
    const auto hash = exchange::inputHash(document, *open);
    auto facts = **open;
    facts.parallelism.tp = 4;
    facts.training.microbatchSize = 2;
    facts.training.microbatchCount = std::nullopt;
    facts.constraints.maxMemoryShare = 0.92;
    QCOMPARE(exchange::inputHash(document, *Plan::create(facts)), hash);
    QVERIFY(hash != exchange::inputHash(*open));
    (*document.bestLayout)[LayoutSearchOption::Tp] = {4};
    QVERIFY(exchange::inputHash(document, *open) != hash);
}

void TestPlanDocuments::roundTrips()
{
    QFETCH(bool, inlined);
    const auto document = inlined ? inlineItems() : everything();
    const auto fromJson = exchange::planFromJson(exchange::planToJson(document));
    QVERIFY2(fromJson.has_value(), fromJson ? "" : described(fromJson.error()).constData());
    QVERIFY(*fromJson == document);
    const auto yaml = exchange::planToYaml(document);
    const auto fromYaml = exchange::planFromText(yaml);
    QVERIFY2(fromYaml.has_value(), fromYaml ? "" : described(fromYaml.error()).constData());
    QVERIFY2(*fromYaml == document, yaml.c_str());
    const auto fleet = exchange::fleetFromJson(exchange::fleetToJson(document.fleet));
    QVERIFY(fleet && *fleet == document.fleet);
}

void TestPlanDocuments::roundTripsAwkwardTexts_data()
{
    QTest::addColumn<QString>("name");
    for (const auto *text : {"yes", "No", "null", "~", "12", "0x1F", "1e5", ".inf", "- a", "a: b", "a #b", "#b", "[a]",
             "{a}", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "'quoted'", "\"quoted\"", "back\\slash",
             " space before", "space after ", "tab\there", "two\nlines", "a,b", "\xC3\xA9t\xC3\xA9", "\xF0\x9F\x9A\x80",
             "---", "...", "?", "true", "2026-11-20"})
        QTest::newRow(text) << QString::fromUtf8(text);
}

void TestPlanDocuments::roundTripsAwkwardTexts()
{
    QFETCH(QString, name);
    auto document = parsed(samplePlan);
    document.name = name.toStdString();
    document.assumptions.edited.emplace("note", name.toStdString());
    const auto yaml = exchange::planToYaml(document);
    const auto back = exchange::planFromText(yaml);
    QVERIFY2(back.has_value(), back ? "" : (described(back.error()) + "\n" + yaml.c_str()).constData());
    QVERIFY2(*back == document, yaml.c_str());
}

void TestPlanDocuments::roundTripsUnits()
{
    auto document = parsed(samplePlan);
    for (int i = 1; i <= 2000; ++i) {
        document.constraints.deadline = Seconds::from_value(i * 0.37 * 86400.0);
        document.constraints.facilityPower = Watts::from_value(i * 0.13 * 1000.0);
        const auto back = exchange::planFromJson(exchange::planToJson(document));
        QVERIFY(back.has_value());
        QCOMPARE(back->constraints.deadline->value(), document.constraints.deadline->value());
        QCOMPARE(back->constraints.facilityPower->value(), document.constraints.facilityPower->value());
    }
}

void TestPlanDocuments::resolvesInlineNodeAgainstCatalog()
{
    auto document = inlineItems();
    QVERIFY(resolve(document, shippedFiles()).has_value());
    std::get<CatalogRecord>(document.fleet.node).values["accelerator_id"] = std::string("no_such_device");
    const auto refused = resolve(document, shippedFiles());
    QVERIFY(!refused);
    QVERIFY(refused.error().code == ErrorCode::UnknownReference);
    QCOMPARE(refused.error().field, std::string("fleet.node"));
}

FLEETWRIGHT_TEST(TestPlanDocuments)
#include "tst_plandocuments.moc"
