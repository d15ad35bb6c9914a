// SPDX-License-Identifier: GPL-3.0-or-later
// Search documents, answers of searches as files, and the search of a sweep.
#include "exchange/documents.h"
#include "testing/registry.h"

#include "exchange/exchangetesting.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/layoutsearchresults.h"
#include "exchange/sweepdocuments.h"
#include "exchange/textreader.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;
using exchange::Json;

namespace {

constexpr const char *sampleSearch = R"(fleetwright: 1
plan:
  name: Base
  workload: llama3_8b
  fleet: {node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}
  training: {global_batch: 64, seq_len: 4096, precision: bf16}
space:
  tp: [1, 2, 4]
  pp: 1..8:x2
  cp: 1
  microbatch_size: [1, 2]
  recompute: [none, full]
  zero_stage: [0, 1]
  sequence_parallel: [true]
  tp_across_domains: true
cases:
  label: How many
  key: fleet.nodes
  values: [4, 8]
cost_model: detailed
objective: tokens_per_second
pareto: [step_time, accelerators]
rows: 50
)";

std::string searchWith(const QString &from, const QString &to) { return edited(sampleSearch, from, to); }

LayoutSearchDocument parsedSearch(const std::string &text)
{
    auto document = exchange::layoutSearchFromText(text);
    if (!document)
        qFatal("%s", described(document.error()).constData());
    return *document;
}

layoutsearch::Result answered(const LayoutSearchDocument &document)
{
    auto result = layoutsearch::run(document, shipped());
    if (!result)
        qFatal("%s", described(result.error()).constData());
    return std::move(*result);
}

QStringList linesOf(const std::string &csv) { return QString::fromStdString(csv).split(u"\r\n"_s, Qt::SkipEmptyParts); }

/// Every number of the object is finite; nlohmann writes those that are not as null.
bool hasNull(const Json &json)
{
    if (json.is_null())
        return true;
    return json.is_structured() && std::ranges::any_of(json, [](const Json &inner) { return hasNull(inner); });
}

Layout layoutFrom(const Json &row)
{
    return {.tp = row["tp"],
        .cp = row["cp"],
        .pp = row["pp"],
        .ep = row["ep"],
        .dp = row["dp"],
        .virtualStages = row["virtual_stages"],
        .microbatchSize = row["microbatch_size"],
        .recompute = *parseRecompute(row["recompute"].get<std::string>()),
        .zeroStage = std::int8_t(row["zero_stage"].get<int>()),
        .sequenceParallel = row["sequence_parallel"]};
}

} // namespace

class TestSearchDocuments : public QObject {
    Q_OBJECT

private slots:
    void readsTheSample();
    void leavesOutWhatIsNotLimited();
    void roundTrips_data();
    void roundTrips();
    void refuses_data();
    void refuses();
    void everyPrefixEndsInAnAnswer();
    void knowsSearchesFromOtherDocuments();
    void hashKnowsWhatMatters();
    void sweepsHoldASearch();
    void sweepsRefuseTheirSearch_data();
    void sweepsRefuseTheirSearch();
    void answerHoldsEverything();
    void answerOfRefusedCases();
    void csvHoldsTheSame();
    void searcherFormatIsTheBestOfEachSplit();
    void searcherFormatIsRefused();
};

void TestSearchDocuments::readsTheSample()
{
    const auto document = parsedSearch(sampleSearch);
    QCOMPARE(document.plan.fleet.nodes, 4);
    QVERIFY(document.space[LayoutSearchOption::Tp] == (std::vector{1, 2, 4}));
    QVERIFY(document.space[LayoutSearchOption::Pp] == (std::vector{1, 2, 4, 8}));
    QVERIFY(document.space[LayoutSearchOption::Cp] == std::vector{1});
    QVERIFY(document.space[LayoutSearchOption::Recompute] == (std::vector{0, 2}));
    QVERIFY(document.space[LayoutSearchOption::SequenceParallel] == std::vector{1});
    QVERIFY(document.space[LayoutSearchOption::Dp].empty());
    QVERIFY(document.space.tpAcrossDomains && !document.space.unevenChunks);
    QVERIFY(document.cases && document.cases->points.size() == 2 && document.cases->label == "How many");
    QCOMPARE(document.costModelId, std::string("detailed"));
    QVERIFY(document.objective == LayoutSearchObjective::TokensPerSecond);
    QVERIFY(document.pareto == (std::array{ParetoAxis::StepTime, ParetoAxis::Accelerators}));
    QCOMPARE(document.rows, 50);
}

void TestSearchDocuments::leavesOutWhatIsNotLimited()
{
    auto document = parsedSearch(sampleSearch);
    document.space = {};
    document.cases.reset();
    document.costModelId.clear();
    const auto json = exchange::layoutSearchToJson(document);
    QVERIFY(!json.contains("space") && !json.contains("cases") && !json.contains("cost_model"));
    QVERIFY(*exchange::layoutSearchFromJson(json) == document);
    QVERIFY(exchange::spaceToJson({}) == Json::object());
}

void TestSearchDocuments::roundTrips_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char *title, const std::string &text) {
        QTest::newRow(title) << QString::fromStdString(text);
    };
    row("sample", sampleSearch);
    row("plan alone", std::string(sampleSearch).substr(0, std::string(sampleSearch).find("space:")));
    row("order of values", searchWith(u"[1, 2, 4]"_s, u"[4, 1, 2]"_s));
    row("any", searchWith(u"1..8:x2"_s, u"any"_s));
    row("one word", searchWith(u"recompute: [none, full]"_s, u"recompute: full"_s));
    row("points",
        searchWith(u"  key: fleet.nodes\n  values: [4, 8]\n"_s,
            u"  points: [{label: small, set: {fleet.nodes: 4, training.global_batch: 32}}]\n"_s));
}

void TestSearchDocuments::roundTrips()
{
    QFETCH(QString, text);
    const auto document = parsedSearch(text.toStdString());
    const auto json = exchange::layoutSearchFromJson(exchange::layoutSearchToJson(document));
    QVERIFY2(json.has_value(), json ? "" : described(json.error()).constData());
    QVERIFY(*json == document);
}

void TestSearchDocuments::refuses_data()
{
    exchangetesting::addRefusalColumns();
    const auto row = exchangetesting::toldRefusalRow;
    row("no version", "fleetwright: 1\n", "", "missing_field", "fleetwright", "as the first line");
    row("later version", "fleetwright: 1", "fleetwright: 2", "unsupported_value", "fleetwright", "must be 1");
    row("unknown key", "objective:", "objektive:", "unsupported_value", "objektive", "did you mean “objective”?");
    row("plan missing", "plan:", "plans:", "unsupported_value", "plans", "did you mean “plan”?");
    row("plan out of range", "nodes: 4,", "nodes: 0,", "out_of_range", "plan.fleet.nodes", "between 1 and");
    row("space a list", "space:\n  tp: [1, 2, 4]", "space: [1]\nrow:", "unsupported_value", "row",
        "did you mean “rows”?");
    row("unknown option", "  tp: [1", "  tq: [1", "unsupported_value", "space.tq", "did you mean “tp”?");
    row("no values", "[1, 2, 4]", "[]", "missing_field", "space.tp", "leave the key out");
    row("fraction", "[1, 2, 4]", "[1, 2.5]", "unsupported_value", "space.tp[1]", "whole number");
    row("a text in the list", "[1, 2, 4]", "[1, two]", "unsupported_value", "space.tp[1]", "whole number");
    row("null", "[1, 2, 4]", "null", "unsupported_value", "space.tp", "whole number");
    row("zero", "[1, 2, 4]", "[0, 2, 4]", "out_of_range", "space.tp", "must be 1 to");
    row("twice", "[1, 2, 4]", "[1, 2, 2]", "out_of_range", "space.tp", "2 comes after 2");
    row("not a number at all", "[1, 2, 4]", ".nan", "unsupported_value", "space.tp", "whole number");
    row("huge", "[1, 2, 4]", "[1, 1e300]", "unsupported_value", "space.tp[1]", "whole number");
    row("ZeRO 4", "zero_stage: [0, 1]", "zero_stage: [4]", "out_of_range", "space.zero_stage", "0 to 3");
    row("range backwards", "1..8:x2", "8..1", "out_of_range", "space.pp", "ends below its start");
    row("recomputation of another kind", "[none, full]", "[none, most]", "unsupported_value", "space.recompute[1]",
        "most");
    row("recomputation a number", "[none, full]", "[1]", "unsupported_value", "space.recompute[0]",
        "none, selective or full");
    row("sequence parallelism a number", "[true]", "[1]", "unsupported_value", "space.sequence_parallel[0]",
        "true or false");
    row("flag a text", "tp_across_domains: true", "tp_across_domains: \"yes\"", "unsupported_value",
        "space.tp_across_domains", "true or false");
    row("case key unknown", "key: fleet.nodes", "key: fleet.knots", "unknown_reference", "cases.key", "fleet.knots");
    row("case value out of range", "values: [4, 8]", "values: [4, 0]", "out_of_range", "cases.values[1]", "at least 1");
    row("no cases", "values: [4, 8]", "values: []", "missing_field", "cases.values", "at least one value");
    row("too many cases", "values: [4, 8]", "range: 1..101", "out_of_range", "cases", "1 to 100 cases");
    row("cost model unknown", "cost_model: detailed", "cost_model: detailled", "unknown_reference", "cost_model",
        "detailed");
    row("objective unknown", "tokens_per_second", "speed", "unsupported_value", "objective", "step_time");
    row("objective a number", "tokens_per_second", "3", "unsupported_value", "objective", "must be a text");
    row("one Pareto axis", "[step_time, accelerators]", "[step_time]", "unsupported_value", "pareto", "two figures");
    row("Pareto axis unknown", "[step_time, accelerators]", "[step_time, colour]", "unsupported_value", "pareto[1]",
        "colour");
    row("the same axis twice", "[step_time, accelerators]", "[memory, memory]", "unsupported_value", "pareto",
        "two different figures");
    row("no rows", "rows: 50", "rows: 0", "out_of_range", "rows", "between 1 and");
    row("rows a fraction", "rows: 50", "rows: 1.5", "out_of_range", "rows", "whole number");
}

void TestSearchDocuments::refuses()
{
    QFETCH(QString, to);
    Error error;
    exchangetesting::checkToldRefusal(sampleSearch, exchange::layoutSearchFromText, error);
    QVERIFY2(to.isEmpty() || error.message.contains("(line "), described(error).constData());
}

void TestSearchDocuments::everyPrefixEndsInAnAnswer()
{
    exchangetesting::checkDamaged(sampleSearch, exchange::layoutSearchFromText);
}

void TestSearchDocuments::knowsSearchesFromOtherDocuments()
{
    QVERIFY(exchange::isSearch(exchange::layoutSearchToJson(parsedSearch(sampleSearch))));
    QVERIFY(!exchange::isSearch(*exchange::readText(samplePlan)));
    QVERIFY(!exchange::isSearch(Json{{"sweep", "x"}, {"plan", Json::object()}}));
    QVERIFY(!exchange::isSearch(Json::array()));
    const auto refused = exchange::documentFromText(sampleSearch);
    QVERIFY(!refused && refused.error().message.contains("search document"));
    QVERIFY(exchange::documentFromText(samplePlan).has_value());
}

void TestSearchDocuments::hashKnowsWhatMatters()
{
    const auto document = parsedSearch(sampleSearch);
    const auto hash = exchange::layoutSearchInputHash(document, shipped());
    QCOMPARE(hash.size(), 64UZ);
    const auto changed = [&](const auto &change) {
        auto other = document;
        change(other);
        return exchange::layoutSearchInputHash(other, shipped()) != hash;
    };
    QVERIFY(!changed([](LayoutSearchDocument &other) { other.plan.name = "Another"; }));
    QVERIFY(!changed([](LayoutSearchDocument &other) { other.cases->label = "Another"; }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.plan.training.globalBatch = 128; }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.space[LayoutSearchOption::Tp].push_back(8); }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.space.unevenChunks = true; }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.cases->points.pop_back(); }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.costModelId = "first-order"; }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.objective = LayoutSearchObjective::StepTime; }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.pareto[1] = ParetoAxis::Memory; }));
    QVERIFY(changed([](LayoutSearchDocument &other) { other.rows = 51; }));
    auto catalog = shipped();
    auto fabric = *catalog.find(CatalogKind::Fabric, "ib_ndr");
    fabric.values["latency_us"] = 123.0;
    catalog.insert(fabric);
    QVERIFY(exchange::layoutSearchInputHash(document, catalog) != hash);
}

constexpr const char *sampleSweep = R"(fleetwright: 1
sweep: Best of each
plan:
  workload: llama3_8b
  fleet: {node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}
  training: {global_batch: 64, seq_len: 4096, precision: bf16}
axes:
  - {key: fleet.nodes, values: [4, 8]}
search:
  space: {tp: [1, 2, 4], recompute: [none, full]}
  objective: mfu
)";

void TestSearchDocuments::sweepsHoldASearch()
{
    const auto document = exchange::sweepFromText(sampleSweep);
    QVERIFY2(document.has_value(), document ? "" : described(document.error()).constData());
    QVERIFY(document->search && document->search->objective == LayoutSearchObjective::Mfu);
    QVERIFY(document->search->space[LayoutSearchOption::Recompute] == (std::vector{0, 2}));
    QVERIFY(*exchange::sweepFromJson(exchange::sweepToJson(*document)) == *document);
    QVERIFY(*exchange::sweepFromText(exchange::sweepToYaml(*document)) == *document);
    const auto all = exchange::sweepFromText(
        std::string(sampleSweep).substr(0, std::string(sampleSweep).find("search:")) + "search: {}\n");
    QVERIFY(all && all->search == CellSearch{});
    auto without = *document;
    without.search.reset();
    QVERIFY(!exchange::sweepToJson(without).contains("search"));
    const auto hash = exchange::sweepInputHash(*document, shipped());
    QVERIFY(hash != exchange::sweepInputHash(without, shipped()));
    auto other = *document;
    other.search->objective = LayoutSearchObjective::StepTime;
    QVERIFY(hash != exchange::sweepInputHash(other, shipped()));
    other = *document;
    other.search->space[LayoutSearchOption::Tp] = {1};
    QVERIFY(hash != exchange::sweepInputHash(other, shipped()));
}

void TestSearchDocuments::sweepsRefuseTheirSearch_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("field");
    QTest::newRow("unknown key") << u"  objective: mfu"_s << u"  pareto: mfu"_s << u"search.pareto"_s;
    QTest::newRow("unknown option") << u"tp: [1, 2, 4]"_s << u"tq: [1]"_s << u"search.space.tq"_s;
    QTest::newRow("out of range") << u"tp: [1, 2, 4]"_s << u"tp: [0]"_s << u"search.space.tp"_s;
    QTest::newRow("typed range") << u"tp: [1, 2, 4]"_s << u"tp: 8..1"_s << u"search.space.tp"_s;
    QTest::newRow("objective") << u"objective: mfu"_s << u"objective: joy"_s << u"search.objective"_s;
    QTest::newRow("a text") << u"search:\n  space: {tp: [1, 2, 4], recompute: [none, full]}\n  objective: mfu"_s
                            << u"search: all"_s << u"search"_s;
}

void TestSearchDocuments::sweepsRefuseTheirSearch()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, field);
    const auto text = QString::fromUtf8(sampleSweep);
    QVERIFY(text.contains(from));
    const auto document = exchange::sweepFromText(QString(text).replace(from, to).toStdString());
    QVERIFY(!document.has_value());
    QVERIFY2(QString::fromStdString(document.error().field) == field, described(document.error()).constData());
    QVERIFY2(document.error().message.contains("(line "), described(document.error()).constData());
}

void TestSearchDocuments::answerHoldsEverything()
{
    const auto document = parsedSearch(sampleSearch);
    const auto result = answered(document);
    QVERIFY(result.rows.size() > 3 && result.front.size() > 0);
    const std::vector<std::string> words{"Take this one."};
    const auto text = exchange::layoutSearchAnswerToJson(document, result, shipped(), words);
    const auto json = exchange::readJson(text, {.values = 1'000'000});
    QVERIFY2(json.has_value(), json ? "" : described(json.error()).constData());
    QVERIFY(!hasNull(*json));
    QVERIFY(*exchange::layoutSearchFromJson((*json)["search"]) == document);
    QCOMPARE((*json)["input_hash"].get<std::string>(), exchange::layoutSearchInputHash(document, shipped()));
    QCOMPARE((*json)["cost_model"]["id"].get<std::string>(), std::string("detailed"));
    QCOMPARE((*json)["cost_model"]["version"].get<std::string>(), result.costModelVersion);
    QCOMPARE((*json)["recommendation"][0].get<std::string>(), words[0]);
    QCOMPARE((*json)["cases"].size(), 2UZ);
    const auto &second = (*json)["cases"][1];
    QVERIFY(second["set"] == (Json{{"fleet.nodes", 8}}));
    QCOMPARE(second["accelerators"].get<int>(), 64);
    QCOMPARE(second["items"]["node"]["id"].get<std::string>(), std::string("nvidia_dgx_h100"));
    QVERIFY(!second["items"]["accelerator"]["sources"][0]["title"].get<std::string>().empty());
    const auto total = result.total();
    QCOMPARE((*json)["counts"]["candidates"].get<std::uint64_t>(), total.candidates());
    QCOMPARE((*json)["counts"]["feasible"].get<std::uint64_t>(), total.feasible);
    std::uint64_t excluded = 0;
    for (const auto &[reason, number] : (*json)["counts"]["excluded"].items())
        excluded += number.get<std::uint64_t>();
    QCOMPARE(excluded + total.feasible, total.candidates());
    QCOMPARE((*json)["counts"]["excluded"]["batch"].get<std::uint64_t>(), total[layoutsearch::Exclusion::Batch]);
    QCOMPARE((*json)["rows"].size(), result.rows.size());
    QCOMPARE((*json)["groups"].size(), result.groups.size());
    QCOMPARE((*json)["front"].size(), result.front.size());
    QVERIFY((*json)["best"] == (*json)["rows"][0]);
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
        const auto &row = (*json)["rows"][i];
        const auto &expected = result.rows[i];
        const auto &facts = result.factsOf(expected);
        QVERIFY(layoutFrom(row) == expected.layout);
        QCOMPARE(row["case"].get<int>(), expected.caseIndex);
        QCOMPARE(row["step_time_s"].get<double>(), expected.stepSeconds);
        QCOMPARE(row["memory"]["total_bytes"].get<double>(), expected.memoryBytes);
        QCOMPARE(row["memory"]["headroom_bytes"].get<double>(), facts.limitBytes - expected.memoryBytes);
        QCOMPARE(row["mfu"].get<double>(), expected.mfu);
        QCOMPARE(row["tokens_per_s"].get<double>(), 64.0 * 4096 / expected.stepSeconds);
        QCOMPARE(row.contains("cost_usd_per_million_tokens"), facts.dollarsPerSecond.has_value());
    }
    for (const auto &[index, group] : std::vector<std::pair<std::size_t, const layoutsearch::Group *>>{
             {0, &result.groups.front()}, {result.groups.size() - 1, &result.groups.back()}}) {
        const auto &written = (*json)["groups"][index];
        QCOMPARE(written["feasible"].get<std::uint64_t>(), group->feasible);
        QCOMPARE(written.contains("best"), group->best.has_value());
    }
}

void TestSearchDocuments::answerOfRefusedCases()
{
    auto document = parsedSearch(searchWith(
        u"  key: fleet.nodes\n  values: [4, 8]\n"_s, u"  key: workload\n  values: [llama3_8b, resnet_50]\n"_s));
    document.objective = LayoutSearchObjective::StepTime;
    const auto result = answered(document);
    QVERIFY(result.cases[1].refused.has_value());
    const auto json = *exchange::readJson(
        exchange::layoutSearchAnswerToJson(document, result, shipped()), {.values = 1'000'000});
    QVERIFY(!hasNull(json));
    QVERIFY(!json["cases"][1]["error"]["message"].get<std::string>().empty());
    QVERIFY(!json["cases"][1].contains("counts"));
    QVERIFY(!json.contains("recommendation"));
}

void TestSearchDocuments::csvHoldsTheSame()
{
    auto document = parsedSearch(sampleSearch);
    document.cases->points[0].label = "four, \"small\"";
    const auto result = answered(document);
    const auto rows = linesOf(exchange::layoutSearchRowsToCsv(result));
    QCOMPARE(rows.size(), qsizetype(result.rows.size() + 1));
    QVERIFY(rows[0].startsWith(u"rank,case,tp,cp,pp,ep,dp,"_s)
        && rows[0].endsWith(u",memory.headroom_bytes,cost_usd_per_million_tokens"_s));
    QCOMPARE(rows[1].split(u',').size(), rows[0].split(u',').size());
    QVERIFY(rows[1].contains(QString::number(result.rows[0].stepSeconds, 'g', QLocale::FloatingPointShortest)));
    const auto groups = linesOf(exchange::layoutSearchGroupsToCsv(result));
    QCOMPARE(groups.size(), qsizetype(result.groups.size() + 1));
    const auto infeasible = std::ranges::find_if(
        result.groups, [](const layoutsearch::Group &group) { return !group.best && group.caseIndex == 1; });
    if (infeasible != result.groups.end()) {
        const auto line = groups[infeasible - result.groups.begin() + 1];
        QCOMPARE(line.split(u',').size(), groups[0].split(u',').size());
        QVERIFY(line.endsWith(u",,,,,,,,,,,"_s));
    }
    QVERIFY(exchange::layoutSearchGroupsToCsv(result).contains("\"four, \"\"small\"\"\""));
    const auto front = linesOf(exchange::layoutSearchRowsToCsv(result.front, result));
    QCOMPARE(front.size(), qsizetype(result.front.size() + 1));
}

void TestSearchDocuments::searcherFormatIsTheBestOfEachSplit()
{
    auto document = parsedSearch(sampleSearch);
    document.cases.reset();
    document.space[LayoutSearchOption::Cp] = {1, 2};
    document.rows = mostLayoutSearchRows; // every layout, so that the shortest step can be looked for here
    const auto result = answered(document);
    QCOMPARE(result.rows.size(), std::size_t(result.total().feasible));
    const auto text = exchange::searchToSearcherFormat(result);
    QVERIFY(text.has_value());
    const auto json = *exchange::readJson(*text);
    std::map<std::array<int, 3>, double> shortest;
    for (const auto &row : result.rows) {
        const auto [place, added] = shortest.emplace(
            std::array{row.layout.dp, row.layout.tp, row.layout.pp}, row.stepSeconds);
        place->second = std::min(place->second, row.stepSeconds);
    }
    QCOMPARE(json.size(), shortest.size());
    auto expected = shortest.begin();
    for (const auto &[key, value] : json.items()) { // in the order of the file, which must be that of the map
        const auto &[split, seconds] = *expected++;
        QCOMPARE(QString::fromStdString(key), u"%1, %2, %3"_s.arg(split[0]).arg(split[1]).arg(split[2]));
        QCOMPARE(
            QString::fromStdString(value.get<std::string>()), QString::number(seconds * 1e3, 'f', 4) + u"ms/iter"_s);
    }
    auto cases = answered(parsedSearch(sampleSearch));
    QVERIFY(*exchange::searchToSearcherFormat(cases, 0) != *exchange::searchToSearcherFormat(cases, 1));
}

void TestSearchDocuments::searcherFormatIsRefused()
{
    layoutsearch::Result result;
    result.objective = LayoutSearchObjective::MemoryHeadroom;
    QCOMPARE(exchange::searchToSearcherFormat(result).error().field, std::string("objective"));
    result.objective = LayoutSearchObjective::StepTime;
    result.traits.time = false;
    QCOMPARE(exchange::searchToSearcherFormat(result).error().field, std::string("cost_model"));
}

FLEETWRIGHT_TEST(TestSearchDocuments)
#include "tst_layoutsearchdocuments.moc"
