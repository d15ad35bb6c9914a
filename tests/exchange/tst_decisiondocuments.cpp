// SPDX-License-Identifier: GPL-3.0-or-later
// Decision documents in and out, and the hash of what their answers depend on.
#include "exchange/exchangetesting.h"
#include "testing/registry.h"

#include "domain/calendarday.h"
#include "exchange/decisiondocuments.h"
#include "exchange/documents.h"

#include <QTest>

using namespace fleetwright;
using namespace exchangetesting;
using namespace Qt::StringLiterals;

namespace {

constexpr const char *sampleDecision = R"(fleetwright: 1
decision: 70B on 15 T tokens in 30 days
jobs:
  - name: Pretraining
    workload: llama3_1_70b
    tokens: 15e12
    training: {global_batch: 2048, seq_len: 8192, precision: bf16}
    batches: {from: 1024, to: 4096}
    assumptions: {compute_efficiency: 0.5}
    layout: {tp: [4, 8], recompute: none}
  - {workload: llama3_8b, tokens: 1e12, training: {global_batch: 512, seq_len: 8192, precision: bf16}}
candidates:
  nodes: [nvidia_dgx_h100, nvidia_dgx_b200]
  counts: 8..1024
  fabrics: [ib_ndr, ib_xdr]
  oversubscriptions: [1, 2]
  sites: [{facility: cooling_typical, grid: country_se}, {grid: country_pl}]
  paying: [own, on_demand, reserved_3y]
  fleets: [{label: Offer B, fleet: {node: nvidia_dgx_b200, nodes: 500, fabric: ib_xdr}}]
  offers: [Offer B, {offer: Offer C, vendor: Example Systems, fleet: {node: nvidia_dgx_h100, nodes: 8, fabric: ib_ndr}, lines: [{item: nvidia_dgx_h100, quantity: 8, unit_price: 300000}]}]
  owned: [{label: Fleet of 2024, fleet: {node: nvidia_dgx_h100, nodes: 64, fabric: ib_ndr}}]
  vendors: [NVIDIA]
  costs: {life_years: 4, usd_per_kwh: {low: 0.05, likely: 0.06, high: 0.09}}
limits: {deadline_days: 30, capital_usd: 3.0e8, run_cost_usd: 2.0e7, yearly_cost_usd: 9.0e7, max_facility_mw: 12, delivery_by: 2027-08-01, carbon_t: 5000, max_memory_fraction: 0.9, min_mfu: 0.2, min_goodput: 0.85, deadline_chance: 0.9}
objective: capital
front: [days, carbon]
base_case: {node: nvidia_dgx_h100, nodes: 128, fabric: ib_ndr}
order: 2026-12-01
uncertainty: {draws: 2000, seed: 7}
cost_model: detailed
)";

std::string decisionWith(const QString &from, const QString &to) { return edited(sampleDecision, from, to); }

DecisionDocument parsedDecision(const std::string &text)
{
    auto document = exchange::decisionFromText(text);
    if (!document)
        qFatal("%s", described(document.error()).constData());
    return *document;
}

constexpr const char *shortDecision = R"(fleetwright: 1
decision: Short
jobs: [{workload: llama3_8b, training: {global_batch: 512, seq_len: 8192, precision: bf16}}]
)";

} // namespace

class TestDecisionDocuments : public QObject {
    Q_OBJECT

private slots:
    void readsTheSample();
    void whatIsLeftOutIsEverything();
    void roundTrips_data();
    void roundTrips();
    void keepsAnInlineWorkload();
    void readsTheExampleOfTheDesign();
    void rangesAreReadAsPeopleWriteThem_data();
    void rangesAreReadAsPeopleWriteThem();
    void takesFormerKeysOfLimits();
    void refuses_data();
    void refuses();
    void namesLineAndColumn();
    void everyPrefixEndsInAnAnswer();
    void documentsKnowDecisions();
    void namesAreLookedUp_data();
    void namesAreLookedUp();
    void hashKnowsWhatMatters();
    void daysAreReadStrictly();
};

void TestDecisionDocuments::readsTheSample()
{
    const auto document = parsedDecision(sampleDecision);
    QCOMPARE(document.name, std::string("70B on 15 T tokens in 30 days"));
    QCOMPARE(document.jobs.size(), std::size_t(2));
    const auto &job = document.jobs.front();
    QVERIFY(job.name == "Pretraining" && job.tokens == 15e12 && !job.share);
    QVERIFY(job.training.globalBatch == 2048 && job.leastBatch == 1024 && job.mostBatch == 4096);
    QVERIFY(job.space[LayoutSearchOption::Tp] == (std::vector{4, 8}));
    QVERIFY(job.space[LayoutSearchOption::Recompute] == std::vector{0});
    QCOMPARE(job.assumptions.edited.size(), std::size_t(1));
    const auto &candidates = document.candidates;
    QVERIFY(candidates.leastNodes == 8 && candidates.mostNodes == 1024);
    QVERIFY(candidates.sites.back() == (DecisionSite{{}, "country_pl"}));
    QVERIFY(candidates.paying.back() == (DecisionPaying{Paying::Rent, RentTerm::Reserved3y}));
    QVERIFY(candidates.fleets.front().label == "Offer B" && candidates.fleets.front().fleet.nodes == 500);
    QVERIFY(candidates.owned.front().fleet.nodes == 64);
    QVERIFY(std::get<std::string>(candidates.offers.at(0)) == "Offer B");
    QVERIFY(std::get<OfferDocument>(candidates.offers.at(1)).lines.front().unitPrice == 300000);
    QVERIFY(candidates.costs.at("usd_per_kwh").high == 0.09);
    const auto &limits = document.limits;
    QCOMPARE(limits.plan.deadline->value(), 30 * 86400.0);
    QCOMPARE(limits.plan.facilityPower->value(), 12e6);
    QCOMPARE(limits.carbon->value(), 5e6);
    QVERIFY(limits.deliveryBy == std::chrono::sys_days(std::chrono::year(2027) / 8 / 1));
    QVERIFY(limits.deadlineChance == 0.9 && limits.minGoodput == 0.85);
    QVERIFY(document.objective == DecisionObjective::Capital);
    QVERIFY(document.front == (std::array{DecisionObjective::Days, DecisionObjective::Carbon}));
    QVERIFY(document.baseCase && document.baseCase->nodes == 128);
    QVERIFY(document.draws == 2000 && document.seed == 7);
}

void TestDecisionDocuments::whatIsLeftOutIsEverything()
{
    const auto document = parsedDecision(shortDecision);
    QVERIFY(document.candidates == DecisionCandidates{});
    QVERIFY(document.limits == DecisionLimits{});
    QVERIFY(!document.baseCase && !document.order);
    QVERIFY(document.draws == 10'000 && document.seed == 1);
    QCOMPARE(document.costModelId, std::string("detailed"));
    const auto json = exchange::decisionToJson(document);
    QVERIFY(!json.contains("candidates") && !json.contains("limits") && !json.contains("base_case"));
    QVERIFY(parsedDecision(std::string(shortDecision) + "candidates: {nodes: any, fabrics: any, vendors: any}\n")
        == document);
}

void TestDecisionDocuments::roundTrips_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char *title, const std::string &text) {
        QTest::newRow(title) << QString::fromStdString(text);
    };
    row("everything", sampleDecision);
    row("nothing", shortDecision);
    row("base case without a fabric", decisionWith(u"nodes: 128, fabric: ib_ndr"_s, u"nodes: 128"_s));
    row("shares",
        std::string(shortDecision) + "base_case: {node: nvidia_dgx_h100, nodes: 128, fabric: ib_ndr}\n"
            + "objective: energy\n");
    row("an inline workload of a share",
        decisionWith(u"workload: llama3_8b, tokens: 1e12"_s,
            u"workload: {id: own, name: Own, family: own, kind: language, "
            "architecture: decoder_only_transformer, release_year: 2026, params_total: 7e9, params_active: 7e9}, "
            "tokens: 1e12, name: Tuning"_s));
}

void TestDecisionDocuments::roundTrips()
{
    QFETCH(QString, text);
    const auto document = exchange::decisionFromText(text.toStdString());
    if (!document)
        QFAIL(described(document.error()).constData());
    const auto json = exchange::decisionToJson(*document);
    const auto again = exchange::decisionFromJson(json);
    QVERIFY2(again.has_value(), again ? "" : described(again.error()).constData());
    QVERIFY(*again == *document);
    QVERIFY(exchange::decisionToJson(*again) == json);
    const auto fromYaml = exchange::decisionFromText(exchange::decisionToYaml(*document));
    QVERIFY2(fromYaml.has_value(), fromYaml ? "" : described(fromYaml.error()).constData());
    QVERIFY(*fromYaml == *document);
}

void TestDecisionDocuments::keepsAnInlineWorkload()
{
    auto document = parsedDecision(sampleDecision);
    auto own = *shipped().find(CatalogKind::Workload, "llama3_8b");
    own.id = "own";
    document.jobs[1].workload = own;
    const auto again = exchange::decisionFromText(exchange::decisionToYaml(document));
    QVERIFY2(again.has_value(), again ? "" : described(again.error()).constData());
    QCOMPARE(std::get<CatalogRecord>(again->jobs[1].workload).number("layers"), own.number("layers"));
    QVERIFY(exchange::decisionToJson(*again) == exchange::decisionToJson(document));
}

void TestDecisionDocuments::readsTheExampleOfTheDesign()
{
    const auto document = parsedDecision(
        "fleetwright: 1\ndecision: 70B on 15 T tokens in 30 days\n"
        "jobs: [{workload: llama3_1_70b, tokens: 15e12, training: {global_batch: 2048, seq_len: 8192, precision: "
        "bf16}}]\n"
        "candidates: {nodes: [nvidia_dgx_h100, nvidia_gb200_nvl72], counts: 1..4096, fabrics: any, paying: [own, "
        "reserved_3y, on_demand]}\n"
        "limits: {deadline_days: 30, capital_usd: 2.0e8, run_cost_usd: 2.0e7, yearly_cost_usd: 5.0e7, "
        "max_facility_mw: 10, carbon_t: 500, max_memory_fraction: 0.9, min_goodput: 0.9, deadline_chance: 0.9}\n"
        "objective: run_cost\nbase_case: {node: nvidia_dgx_h100, nodes: 128}\n"
        "uncertainty: {draws: 10000, seed: 1}\ncost_model: detailed\n");
    QVERIFY(document.candidates.fabrics.empty());
    QVERIFY(document.baseCase->fabric == ItemReference());
}

void TestDecisionDocuments::rangesAreReadAsPeopleWriteThem_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("to");
    QTest::newRow("dots") << u"8..1024"_s << 8 << 1024;
    QTest::newRow("ends") << u"{from: 3, to: 4}"_s << 3 << 4;
    QTest::newRow("one number") << u"16"_s << 16 << 16;
}

void TestDecisionDocuments::rangesAreReadAsPeopleWriteThem()
{
    QFETCH(QString, written);
    const auto document = parsedDecision(decisionWith(u"counts: 8..1024"_s, u"counts: "_s + written));
    QTEST(document.candidates.leastNodes, "from");
    QTEST(document.candidates.mostNodes, "to");
}

void TestDecisionDocuments::takesFormerKeysOfLimits()
{
    const auto text = decisionWith(u"run_cost_usd: 2.0e7"_s, u"budget_usd: 2.0e7"_s);
    QVERIFY(parsedDecision(text).limits == parsedDecision(sampleDecision).limits);
    const auto notices = exchange::formerKeyNotices(text);
    QCOMPARE(notices.size(), std::size_t(1));
    QVERIFY(notices.front().contains("run_cost_usd"));
    const auto power = decisionWith(u"max_facility_mw: 12"_s, u"max_power_kw: 12000"_s);
    QVERIFY(parsedDecision(power).limits == parsedDecision(sampleDecision).limits);
}

void TestDecisionDocuments::refuses_data()
{
    addRefusalColumns();
    const auto row = toldRefusalRow;
    row("no version", "fleetwright: 1\n", "", "missing_field", "fleetwright", "first line");
    row("unknown key", "objective: capital", "objectiv: capital", "unsupported_value", "objectiv", "objective");
    row("no name", "decision: 70B on 15 T tokens in 30 days", "decision: ''", "out_of_range", "decision", "name");
    row("workload missing", "workload: llama3_8b, ", "", "missing_field", "jobs[1].workload", "workload");
    row("seq_len missing", "seq_len: 8192, precision: bf16}\n    batches", "precision: bf16}\n    batches",
        "missing_field", "jobs[0].training.seq_len", "seq_len");
    row("microbatches", "global_batch: 2048,", "global_batch: 2048, microbatch_count: 4,", "unsupported_value",
        "jobs[0].training.microbatch_count", "layout");
    row("budget inside", "global_batch: 2048,", "global_batch: 2048, token_budget: 4,", "unsupported_value",
        "jobs[0].training.token_budget", "tokens");
    row("batches without the batch", "from: 1024, to: 4096", "from: 4096, to: 8192", "out_of_range", "jobs[0].batches",
        "2048");
    row("batch range as a word", "batches: {from: 1024, to: 4096}", "batches: many", "unsupported_value",
        "jobs[0].batches", "8..64");
    row("layout", "tp: [4, 8]", "tp: [0]", "out_of_range", "jobs[0].layout.tp", "");
    row("assumption", "compute_efficiency: 0.5", "compute_efficiency: []", "unsupported_value",
        "jobs[0].assumptions.compute_efficiency", "number");
    row("counts", "counts: 8..1024", "counts: 0..9", "unsupported_value", "candidates.counts", "8..64");
    row("counts the wrong way", "counts: 8..1024", "counts: 9..8", "out_of_range", "candidates.counts", "smaller");
    row("empty list", "nodes: [nvidia_dgx_h100, nvidia_dgx_b200]", "nodes: []", "missing_field", "candidates.nodes",
        "leave the key out");
    row("nodes as a number", "nodes: [nvidia_dgx_h100, nvidia_dgx_b200]", "nodes: [1]", "unsupported_value",
        "candidates.nodes[0]", "text");
    row("oversubscription", "oversubscriptions: [1, 2]", "oversubscriptions: [0.5]", "out_of_range",
        "candidates.oversubscriptions", "1 (non-blocking)");
    row("paying", "reserved_3y]", "reserved_4y]", "unsupported_value", "candidates.paying[2]", "reserved_3y");
    row("empty site", "{grid: country_pl}", "{}", "missing_field", "candidates.sites[1].grid", "facility");
    row("fleet without label", "label: Offer B, ", "", "missing_field", "candidates.fleets[0].label", "label");
    row("fleet of nothing", "node: nvidia_dgx_b200, nodes: 500", "nodes: 500", "missing_field",
        "candidates.fleets[0].fleet.node", "node");
    row("ways of paying among costs", "life_years: 4", "paying: rent", "unsupported_value", "candidates.costs.paying",
        "candidates.paying");
    row("limit of plans alone", "min_mfu: 0.2", "max_step_time_s: 2", "unsupported_value", "limits.max_step_time_s",
        "no key");
    row("limit of zero", "capital_usd: 3.0e8", "capital_usd: 0", "out_of_range", "limits.capital_usd", "");
    row("two names of one limit", "capital_usd: 3.0e8", "budget_usd: 3.0e8", "unsupported_value", "limits.budget_usd",
        "former name");
    row("chance", "deadline_chance: 0.9", "deadline_chance: 90", "out_of_range", "limits.deadline_chance", "0 and 1");
    row("chance of nothing", "deadline_days: 30, ", "", "missing_field", "limits.deadline_days", "deadline");
    row("delivery before the order", "2027-08-01", "2026-08-01", "out_of_range", "limits.delivery_by", "order");
    row("no day", "2027-08-01", "2027-13-01", "unsupported_value", "limits.delivery_by", "2027-03-01");
    row("objective", "objective: capital", "objective: fame", "unsupported_value", "objective", "run_cost");
    row("front of one", "front: [days, carbon]", "front: [days]", "unsupported_value", "front", "two figures");
    row("front of the same", "front: [days, carbon]", "front: [days, days]", "unsupported_value", "front", "different");
    row("no draws", "draws: 2000", "draws: 0", "out_of_range", "uncertainty.draws", "100");
    row("too many draws", "draws: 2000", "draws: 1e9", "out_of_range", "uncertainty.draws", "1");
    row("seed", "seed: 7", "seed: 1.5", "out_of_range", "uncertainty.seed", "whole number");
    row("cost model", "cost_model: detailed", "cost_model: guess", "unknown_reference", "cost_model", "");
    row("share and tokens", "tokens: 1e12", "share: 0.5", "missing_field", "jobs[1].share", "share");
    row("base case of no node", "node: nvidia_dgx_h100, nodes: 128", "nodes: 128", "missing_field", "base_case.node",
        "node");
}

void TestDecisionDocuments::refuses()
{
    Error error;
    checkToldRefusal(sampleDecision, exchange::decisionFromText, error);
}

void TestDecisionDocuments::namesLineAndColumn()
{
    const auto refused = exchange::decisionFromText(decisionWith(u"objective: capital"_s, u"objective: fame"_s));
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains("line 25"), refused.error().message.c_str());
}

void TestDecisionDocuments::everyPrefixEndsInAnAnswer() { checkDamaged(sampleDecision, exchange::decisionFromText); }

void TestDecisionDocuments::documentsKnowDecisions()
{
    const auto document = exchange::documentFromText(sampleDecision);
    QVERIFY(document.has_value());
    QVERIFY(std::get<DecisionDocument>(*document) == parsedDecision(sampleDecision));
    QCOMPARE(exchange::kindOf(*document), std::string_view("decision"));
    QCOMPARE(exchange::nameOf(*document), std::string("70B on 15 T tokens in 30 days"));
    QCOMPARE(exchange::fileNameOf(*document, exchange::TextFormat::YamlText),
        std::string("decision-70B-on-15-T-tokens-in-30-days.yaml"));
    for (const auto format : {exchange::TextFormat::YamlText, exchange::TextFormat::JsonText})
        QVERIFY(*exchange::documentFromText(exchange::toText(*document, format)) == *document);
}

void TestDecisionDocuments::namesAreLookedUp_data()
{
    addRefusalColumns(false);
    refusalRow("workload", "llama3_8b", "llama3_80b", "unknown_reference", "jobs[1].workload");
    refusalRow("node", "[nvidia_dgx_h100, ", "[nvidia_dgx_h101, ", "unknown_reference", "candidates.nodes[0]");
    refusalRow("fabric", "[ib_ndr,", "[ib_nd,", "unknown_reference", "candidates.fabrics[0]");
    refusalRow("grid", "grid: country_pl", "grid: atlantis", "unknown_reference", "candidates.sites[1].grid");
    refusalRow("offer", "node: nvidia_dgx_b200, nodes: 500", "node: dgx, nodes: 500", "unknown_reference",
        "candidates.fleets[0].fleet.node");
    refusalRow("base case", "base_case: {node: nvidia_dgx_h100", "base_case: {node: nothing", "unknown_reference",
        "base_case.node");
}

void TestDecisionDocuments::namesAreLookedUp()
{
    Error error;
    checkRefusal(
        sampleDecision,
        [](const std::string &text) -> Expected<exchange::Document> {
            auto document = exchange::documentFromText(text);
            if (!document)
                return document;
            const auto checked = exchange::checkReferences(*document, shipped());
            return checked ? std::move(document) : std::unexpected(checked.error());
        },
        error);
}

void TestDecisionDocuments::hashKnowsWhatMatters()
{
    auto document = parsedDecision(sampleDecision);
    auto catalog = shipped();
    const auto hash = exchange::decisionInputHash(document, catalog);
    QCOMPARE(hash.size(), std::size_t(64));
    document.name = "Renamed";
    QCOMPARE(exchange::decisionInputHash(document, catalog), hash);
    const auto differs = [&](auto change) {
        auto changed = document;
        change(changed);
        return exchange::decisionInputHash(changed, catalog) != hash;
    };
    QVERIFY(differs([](DecisionDocument &d) { d.limits.plan.deadline = Seconds::from_value(86400); }));
    QVERIFY(differs([](DecisionDocument &d) { d.jobs.front().tokens = 1e12; }));
    QVERIFY(differs([](DecisionDocument &d) { d.candidates.mostNodes = 512; }));
    QVERIFY(differs([](DecisionDocument &d) { d.objective = DecisionObjective::Days; }));
    QVERIFY(differs([](DecisionDocument &d) { d.costModelId = "first-order"; }));
    QVERIFY(differs([](DecisionDocument &d) { d.candidates.owned.front().fleet.nodes = 65; }));
    const auto differsWith = [&](CatalogKind kind, std::string_view id, const char *field, double value) {
        const auto *record = catalog.find(kind, id);
        if (!record)
            qFatal("the catalog lacks %s", std::string(id).c_str());
        auto changed = *record;
        changed.values[field] = value;
        auto other = catalog;
        other.insert(changed);
        return exchange::decisionInputHash(document, other) != hash;
    };
    QVERIFY(differsWith(CatalogKind::Price, "price_dgx_h100_2026", "typical", 1));
    QVERIFY(differsWith(CatalogKind::Node, "nvidia_dgx_b200", "max_power_kw", 1));
    QVERIFY(differsWith(CatalogKind::Accelerator, "nvidia_h100_sxm5_80gb", "tdp_w", 1));
    QVERIFY(differsWith(CatalogKind::Workload, "llama3_8b", "layers", 1));
    QVERIFY(!differsWith(CatalogKind::Workload, "llama3_1_405b", "layers", 1));
    QVERIFY(!differsWith(CatalogKind::Node, "nvidia_gb200_nvl72", "max_power_kw", 1));
    document.candidates.nodes.clear();
    const auto ofAll = exchange::decisionInputHash(document, catalog);
    auto gb200 = *catalog.find(CatalogKind::Node, "nvidia_gb200_nvl72");
    gb200.values["max_power_kw"] = 1.0;
    catalog.insert(gb200);
    QVERIFY(exchange::decisionInputHash(document, catalog) != ofAll);
}

void TestDecisionDocuments::daysAreReadStrictly()
{
    const auto day = dateFromText("2027-03-01");
    QVERIFY(day == std::chrono::sys_days(std::chrono::year(2027) / 3 / 1));
    QCOMPARE(dateText(*day), std::string("2027-03-01"));
    for (const char *text : {"2027-3-1", "2027-02-30", "2027-03", "2027-H1", "01.03.2027", "", "2027-03-01T00:00"})
        QVERIFY2(!dateFromText(text), text);
}

FLEETWRIGHT_TEST(TestDecisionDocuments)
#include "tst_decisiondocuments.moc"
