// SPDX-License-Identifier: GPL-3.0-or-later
// What an answer leaves out and says so: fabrics that do not belong to a node, what an order needs beside its capital,
// pipelines of more stages than layers.
#include "domain/fabricchoice.h"
#include "solver/answer/comparison.h"
#include "solver/answer/solve.h"
#include "solver/explain/figureorigin.h"
#include "solver/size/leftoutwords.h"
#include "solver/size/sizewords.h"
#include "solver/sweep/leftoutfabrics.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/notcounted.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>

using namespace fleetwright;
using namespace sizingtesting;

namespace {

const CatalogRecord &item(CatalogKind kind, std::string_view id)
{
    const auto *found = shipped().find(kind, id);
    if (!found)
        qFatal("no %s", std::string(id).c_str());
    return *found;
}

FleetDocument racks(Paying paying = Paying::Own)
{
    return {.node = std::string("nvidia_gb200_nvl72"),
        .nodes = 64,
        .fabric = std::string("ib_ndr"),
        .grid = "country_us",
        .costs = {.paying = paying}};
}

bool says(const std::vector<std::string> &sentences, std::string_view words)
{
    return std::ranges::any_of(
        sentences, [&](const std::string &sentence) { return sentence.find(words) != std::string::npos; });
}

PlanDocument pipeline(int stages)
{
    PlanDocument plan{
        .name = "deep", .workload = std::string("llama3_1_70b"), .fleet = racks(), .costModelId = "detailed"};
    plan.fleet.nodes = 72;
    plan.parallelism = {.tp = 1, .pp = stages};
    plan.training.globalBatch = 2304; // shared by 64 replicas and by 72
    plan.training.microbatchCount = std::nullopt;
    plan.training.microbatchSize = 1;
    plan.training.sequenceLength = 8192;
    plan.training.tokenBudget = 1e12;
    return plan;
}

} // namespace

class LeftOutTest : public QObject {
    Q_OBJECT

private slots:
    void fabricsOfTheNodesPorts()
    {
        const auto &node = item(CatalogKind::Node, "nvidia_gb200_nvl72");
        QCOMPARE(fabricsOf(node, shipped()), std::vector<std::string>({"ib_ndr", "eth_400g_roce"}));
        const auto hdr = whyNotLookedAt(node, item(CatalogKind::Fabric, "ib_hdr"), shipped());
        QVERIFY2(hdr.find("200") != std::string::npos && hdr.find("400") != std::string::npos
                && hdr.find("no price of its network") != std::string::npos,
            hdr.c_str());
        const auto xdr = whyNotLookedAt(node, item(CatalogKind::Fabric, "ib_xdr"), shipped());
        QVERIFY2(xdr.find("800") != std::string::npos && xdr.find("no price") == std::string::npos, xdr.c_str());
        QVERIFY(whyNotLookedAt(node, item(CatalogKind::Fabric, "ib_ndr"), shipped()).empty());
    }

    /// A reason for each that is left out, and for none of the others.
    void everyLeftOutFabricHasAReason()
    {
        for (const auto &node : shipped().records(CatalogKind::Node)) {
            const auto taken = fabricsOf(node, shipped());
            for (const auto &fabric : shipped().records(CatalogKind::Fabric)) {
                const bool isTaken = std::ranges::find(taken, fabric.id) != taken.end();
                const auto why = whyNotLookedAt(node, fabric, shipped());
                QVERIFY2(why.empty() == isTaken, (node.id + ", " + fabric.id + ": " + why).c_str());
                QVERIFY2(why.find('_') == std::string::npos, why.c_str()); // words, no keys
            }
        }
    }

    void theAnswerSaysWhichFabrics()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100"};
        const auto result = sized(document);
        const auto said = size::fabricsInWords(document, shipped(), result);
        QVERIFY2(said.find("was looked at on InfiniBand NDR") != std::string::npos
                && said.find("InfiniBand HDR (HDR200): its ports run at 200") != std::string::npos,
            said.c_str());
        document.candidates.fabrics = {"ib_hdr"}; // whoever names some knows
        QVERIFY(size::fabricsInWords(document, shipped(), sized(document)).empty());
    }

    void sweepsSayTheSame()
    {
        SweepDocument sweep{.name = "fabrics", .plan = pipeline(9)};
        sweep.axes.resize(1);
        for (const auto *fabric : {"ib_ndr", "ib_hdr"})
            sweep.axes.front().points.push_back({{}, {{"fleet.fabric", std::string(fabric)}}});
        QVERIFY(describeLeftOutFabric(sweep, 0, 0, shipped()).empty());
        const auto why = whyNotLookedAt(
            item(CatalogKind::Node, "nvidia_gb200_nvl72"), item(CatalogKind::Fabric, "ib_hdr"), shipped());
        const auto said = describeLeftOutFabric(sweep, 1, 0, shipped());
        QVERIFY2(said.ends_with(": " + why + "."), said.c_str());
        QCOMPARE(describeLeftOutFabrics(sweep, shipped()), said);
        sweep.axes.front().points = {{{}, {{"fleet.nodes", 64.0}}}};
        sweep.plan.fleet.fabric = std::string("ib_hdr");
        QVERIFY(describeLeftOutFabrics(sweep, shipped()).empty()); // no fabric is compared
        QVERIFY(!describeLeftOutFabric(sweep, 0, 0, shipped()).empty());
    }

    void anOrderNeedsMoreThanItsCapital()
    {
        const auto sheet = fleetCost(resolve(racks(), shipped()).value()).value();
        const auto said = notCounted(sheet);
        QVERIFY(says(said, "11 spare ones suffice 99 % of the time, and 0 are ordered; 11 more would cost 33"));
        QVERIFY(says(said, "Management nodes have no price"));
        for (const auto &sentence : said)
            QVERIFY2(says(sheet.notices(), sentence), sentence.c_str()); // as the fleet's page has it
        auto ordered = racks();
        ordered.costs.entries["spare_nodes"].value = 11.0;
        ordered.costs.entries["management_node_usd"].value = 20e3;
        QVERIFY(notCounted(fleetCost(resolve(ordered, shipped()).value()).value()).empty());
        QVERIFY(!says(notCounted(fleetCost(resolve(racks(Paying::Rent), shipped()).value()).value()), "would cost"));
    }

    /// A network of switches whose power is in no catalog has none, and what rests on it is a least value; whoever
    /// enters it has all of them.
    void unknownPowerIsNot0()
    {
        FleetDocument fleet{.node = std::string("nvidia_dgx_h100"), .nodes = 32, .fabric = std::string("ib_hdr")};
        const auto line = [](const CostSheet &sheet, std::string_view key) {
            const auto lines = figuresOf(FleetSection::Power, sheet);
            return *std::ranges::find(lines, key, &FleetFigureLine::key);
        };
        const auto unknown = fleetCost(resolve(fleet, shipped()).value()).value();
        QVERIFY(networkWithoutPower(unknown).contains("switches"));
        QVERIFY(!line(unknown, "network_w").value && line(unknown, "network_w").note.contains("not in the catalog"));
        QVERIFY(line(unknown, "facility_peak_w").isAtLeast && !line(unknown, "nodes_w").isAtLeast);
        QVERIFY2(rangeText(line(unknown, "facility_peak_w")).starts_with("\u2265 4"),
            rangeText(line(unknown, "facility_peak_w")).c_str());
        fleet.costs.entries["switch_w"].value = 600.0;
        fleet.costs.entries["transceiver_w"].value = 5.0;
        const auto entered = fleetCost(resolve(fleet, shipped()).value()).value();
        QVERIFY(networkWithoutPower(entered).empty());
        QVERIFY(line(entered, "network_w").value && !line(entered, "facility_peak_w").isAtLeast);
        for (const std::string fabric : {"ib_ndr", "ib_xdr", "eth_400g_roce", "eth_800g_roce"}) {
            fleet = {.node = std::string("nvidia_dgx_h100"), .nodes = 32, .fabric = fabric};
            QVERIFY(networkWithoutPower(fleetCost(resolve(fleet, shipped()).value()).value()).empty());
        }
    }

    /// It may draw more than the others: least power has no star.
    void unknownPowerIsNotTheLeast()
    {
        ComparisonRequest request{.plans = {}, .modelIds = {"detailed"}};
        for (const std::string fabric : {"ib_hdr", "ib_ndr", "ib_xdr"}) {
            auto plan = pipeline(8);
            plan.fleet = {.node = std::string("nvidia_dgx_h100"), .nodes = 64, .fabric = fabric, .grid = "country_us"};
            plan.parallelism = {.tp = 8, .pp = 8};
            plan.training.globalBatch = 512;
            plan.training.sequenceLength = 2048; // fits: only such plans can be the best
            request.plans.push_back(plan);
        }
        const auto stars = [&](std::string_view key) {
            const auto comparison = compare(request, shipped());
            std::string text;
            for (const auto &cell : comparison->row(key)->cells)
                text += cell.best ? '*' : cell.isAtLeast ? '>' : '-';
            return text;
        };
        QCOMPARE(stars("facility_power_w"), std::string(">--"));
        QVERIFY(stars("run_energy_j").starts_with('>'));
        request.plans.erase(request.plans.begin());
        QCOMPARE(stars("facility_power_w"), std::string("*-"));
    }

    void whoSignsIsToldOfIt()
    {
        const auto document = smallDecision();
        const auto result = sized(document);
        const auto bought = std::ranges::find_if(result.answers,
            [&](const size::LotAnswer &row) { return result.lots[row.answer.lot].paying.paying == Paying::Own; });
        const auto rented = std::ranges::find_if(result.answers,
            [&](const size::LotAnswer &row) { return result.lots[row.answer.lot].paying.paying == Paying::Rent; });
        QVERIFY(bought != result.answers.end() && rented != result.answers.end());
        QVERIFY(says(size::notCountedInWords(shipped(), result, bought->answer), "Management nodes have no price"));
        QVERIFY(size::notCountedInWords(shipped(), result, rented->answer).empty());
    }

    void morePipelineStagesThanLayers()
    {
        const auto solved = [](int stages) { return solve(resolve(pipeline(stages), shipped()).value()); };
        const auto deep = solved(81), whole = solved(72);
        QVERIFY2(deep.has_value(), deep ? "" : deep.error().message.c_str());
        QVERIFY(whole.has_value());
        QVERIFY(deep->estimate.notices.has(Notice::StagesExceedLayers)); // 80 layers
        QVERIFY(!whole->estimate.notices.has(Notice::StagesExceedLayers));
        QVERIFY(std::string(sentence(Notice::StagesExceedLayers)).find("embedding or the output layer")
            != std::string::npos);
    }

    void pricesSayWhoPublishedThem()
    {
        const auto sheet = fleetCost(resolve(racks(), shipped()).value()).value();
        UsedPrices used(shipped());
        const auto sources = entrySourcesOf(sheet, "node_usd", used.of(racks()), shipped());
        QCOMPARE(sources.size(), std::size_t(1));
        const auto &price = sources.front();
        QVERIFY2(price.id.starts_with("price_gb200_nvl72"), price.id.c_str());
        QVERIFY(price.kind == CatalogKind::Price && !price.title.empty() && !price.publisher.empty());
        QVERIFY2(price.address.starts_with("http"), price.address.c_str());
        QVERIFY2(price.confidence.starts_with("market price"), price.confidence.c_str());
        QVERIFY(entrySourcesOf(sheet, "nodes_usd", used.of(racks()), shipped()).empty()); // follows from others
        const auto peak = entrySourcesOf(sheet, "node_peak_w", {}, shipped());
        QVERIFY(peak.size() == 1 && peak.front().kind == CatalogKind::Node);
    }

    void aLikelyValueAtTheEndOfItsRangeIsExplained()
    {
        const auto sheet = fleetCost(resolve(racks(), shipped()).value()).value();
        const auto range = sheet.range("nodes_usd");
        QVERIFY(range && range->likely == range->high && range->low < range->high);
        const auto said = endOfRangeInWords(sheet, "nodes_usd");
        QVERIFY2(said.find("upper end") != std::string::npos && said.find("Price of a node") != std::string::npos
                && said.find("near the highest that is stated") != std::string::npos,
            said.c_str());
        QVERIFY(endOfRangeInWords(sheet, "node_usd").empty()); // 3.00 of 2.00 to 3.10
    }
};

FLEETWRIGHT_TEST(LeftOutTest)
#include "tst_whatisleftout.moc"
