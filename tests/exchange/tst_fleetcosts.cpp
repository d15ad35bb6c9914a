// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documentparts.h"
#include "exchange/exchangetesting.h"
#include "exchange/plandocuments.h"
#include "solver/answer/figures.h"
#include "solver/worksheet/fleetcost.h"
#include "solver/worksheet/sheets.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;

namespace {

/// JSON with the quotation marks that C++ need not escape.
std::string quoted(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

/// 512 DGX H100 on InfiniBand NDR by the shipped catalog, with what the test states.
Expected<Fleet> fleetOf(const std::string &more = {}, const Catalog &catalog = exchangetesting::shipped())
{
    const auto json = exchange::Json::parse(
        "{\"node\": \"nvidia_dgx_h100\", \"nodes\": 512, \"fabric\": \"ib_ndr\"" + more + "}");
    auto document = exchange::fleetFromJson(json, "fleet");
    return document ? resolve(*document, catalog) : Expected<Fleet>(std::unexpected(document.error()));
}

CostSheet costOf(const std::string &more = {}, const Catalog &catalog = exchangetesting::shipped())
{
    return fleetCost(fleetOf(more, catalog).value()).value();
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

constexpr std::array lines{"nodes_usd", "network_usd", "storage_usd", "management_usd", "racks_power_usd",
    "installation_usd", "licences_once_usd", "support_once_usd", "freight_usd", "contingency_usd", "facility_usd",
    "owned_usd"};

} // namespace

class FleetCostsTest : public QObject {
    Q_OBJECT
private slots:
    /// The catalog's newest price of the node, the SuperPOD's network (4 SU of 127 nodes and UFM is published: here 16
    /// SU of 32: 128 leaves, 128 spines, 64 cores), and the sum of the lines.
    void whatTheCatalogSays()
    {
        const auto cost = costOf();
        QCOMPARE(*cost.value("node_usd"), 380e3); // price_dgx_h100_2026
        QVERIFY(cost.network());
        QCOMPARE(cost.network()->training.nodeLeafCables, 512 * 8);
        QCOMPARE(cost.network()->training.leafSwitches, 128);
        QCOMPARE(cost.network()->training.spineSwitches, 128);
        QCOMPARE(cost.network()->training.coreSwitches, 64);
        double sum = 0;
        for (const auto *line : lines)
            sum += cost.value(line).value();
        QVERIFY(std::abs(sum - *cost.value("capital_usd")) < 0.01); // to the cent
        const auto range = cost.range("capital_usd");
        QVERIFY(range && range->low < range->likely && range->likely < range->high);
        QVERIFY(!cost.swings("capital_usd").empty());
        QCOMPARE(cost.swings("capital_usd").front().entry, std::string("node_usd"));
        QVERIFY(cost.value("rent_usd_per_hour") && cost.value("breakeven_utilisation"));
    }

    /// A price that the user adds goes before the shipped ones.
    void anOwnPriceIsTaken()
    {
        auto catalog = exchangetesting::shipped();
        auto own = *catalog.find(CatalogKind::Price, "price_dgx_h100_2026");
        own.id = "offer_7";
        own.name = "Offer 7";
        own.shipped = false;
        own.values["low"] = own.values["high"] = FieldValue();
        own.values["typical"] = 290e3;
        own.values["as_of"] = std::string("2026-10");
        catalog.insert(own);
        const auto cost = costOf({}, catalog);
        QCOMPARE(*cost.value("node_usd"), 290e3);
        const auto range = cost.range("node_usd");
        QVERIFY(range && near(range->low, 261e3) && near(range->high, 319e3)); // a quote of this year: 10 %
        own.id = "rent_1";
        own.values["category"] = std::string("cloud");
        own.values["item_type"] = std::string("accelerators");
        own.values["item_ref"] = std::string("nvidia_h100_sxm5_80gb");
        own.values["unit"] = std::string("usd_per_device_hour");
        own.values["term"] = std::string("on-demand");
        own.values["typical"] = 1.8;
        catalog.insert(own);
        QCOMPARE(*costOf({}, catalog).value("rent_usd_per_hour"), 1.8);
    }

    void termsAndVendors()
    {
        const auto rate = [](const std::string &more) { return costOf(more).value("rent_usd_per_hour"); };
        const auto demand = rate("");
        const auto years = rate(quoted(", 'costs': {'rent_term': 'reserved-3y'}"));
        QVERIFY(demand && years && *years != *demand);
        QCOMPARE(*rate(quoted(", 'costs': {'rent_term': 'reserved-3y', 'rent_vendor': 'AWS'}")), 2.972);
        const auto cost = costOf(quoted(", 'costs': {'rent_term': 'reserved-5y', 'rent_vendor': 'Nobody'}"));
        QVERIFY(!cost.value("rent_usd_per_hour"));
        QVERIFY(cost.reasonFor("rent_usd_per_year").contains("reserved for 5 years of Nobody"));
    }

    void entriesOfTheDocument()
    {
        const auto cost = costOf(quoted(", 'costs': {'node_usd': 'price_dgx_h100_mlsysim', 'life_years': 4, "
                                        "'usd_per_kwh': {'low': 0.05, 'likely': 0.06, 'high': 0.09}}"));
        QCOMPARE(*cost.value("node_usd"), 350e3);
        QCOMPARE(cost.sheet().years(), 4);
        QCOMPARE(*cost.value("usd_per_kwh"), 0.06);
        QVERIFY(std::ranges::any_of(
            cost.notices(), [](const std::string &notice) { return notice.contains("textbook value"); }));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("costs");
        QTest::addColumn<QString>("field");
        QTest::newRow("unknown price") << QString::fromStdString(quoted("{'node_usd': 'no_such_price'}"))
                                       << "fleet.costs.node_usd";
        QTest::newRow("price of something else")
            << QString::fromStdString(quoted("{'node_usd': 'support_hw_pct'}")) << "fleet.costs.node_usd";
        QTest::newRow("price of another node")
            << QString::fromStdString(quoted("{'node_usd': 'price_mi300x_server_2026'}")) << "fleet.costs.node_usd";
        QTest::newRow("another term") << QString::fromStdString(
            quoted("{'rent_term': 'spot', 'rent_usd_per_hour': 'cloud_aws_p5_hr'}"))
                                      << "fleet.costs.rent_usd_per_hour";
        QTest::newRow("unknown word") << QString::fromStdString(quoted("{'cooling': 'water'}"))
                                      << "fleet.costs.cooling";
        QTest::newRow("word for a number")
            << QString::fromStdString(quoted("{'life_years': 'short'}")) << "fleet.costs.life_years";
        QTest::newRow("flag for a number")
            << QString::fromStdString(quoted("{'life_years': true}")) << "fleet.costs.life_years";
        QTest::newRow("word for a flag") << QString::fromStdString(quoted("{'colocation_includes_energy': 'maybe'}"))
                                         << "fleet.costs.colocation_includes_energy";
        QTest::newRow("word for a computed row")
            << QString::fromStdString(quoted("{'capital_usd': 'much'}")) << "fleet.costs.capital_usd";
        QTest::newRow("unknown entry") << QString::fromStdString(quoted("{'lifeyears': 4}")) << "fleet.costs.lifeyears";
        QTest::newRow("computed row") << QString::fromStdString(quoted("{'capital_usd': 4}"))
                                      << "fleet.costs.capital_usd";
        QTest::newRow("life") << QString::fromStdString(quoted("{'life_years': 0}")) << "fleet.costs.life_years";
        QTest::newRow("discount rate") << QString::fromStdString(quoted("{'discount_rate': -1}"))
                                       << "fleet.costs.discount_rate";
        QTest::newRow("residual") << QString::fromStdString(quoted("{'residual_share': 1.5}"))
                                  << "fleet.costs.residual_share";
        QTest::newRow("loan") << QString::fromStdString(quoted("{'debt_fraction': 0.5, 'debt_years': 9}"))
                              << "fleet.costs.debt_years";
        QTest::newRow("order") << QString::fromStdString(quoted("{'life_years': {'low': 5, 'likely': 4, 'high': 6}}"))
                               << "fleet.costs.life_years";
        QTest::newRow("half a range") << QString::fromStdString(quoted("{'life_years': {'low': 5, 'likely': 4}}"))
                                      << "fleet.costs.life_years.high";
        QTest::newRow("term") << QString::fromStdString(quoted("{'rent_term': 'weekly'}")) << "fleet.costs.rent_term";
        QTest::newRow("word") << QString::fromStdString(quoted("{'paying': 3}")) << "fleet.costs.paying";
        QTest::newRow("list") << QString::fromStdString(quoted("{'life_years': [3]}")) << "fleet.costs.life_years";
    }
    void refusals()
    {
        QFETCH(const QString, costs);
        QFETCH(const QString, field);
        const auto fleet = fleetOf(", \"costs\": " + costs.toStdString());
        const auto refused = fleet ? fleetCost(*fleet).error() : fleet.error();
        QCOMPARE(QString::fromStdString(refused.field), field);
        QVERIFY(refused.message.ends_with('.'));
    }

    /// What one line costs more, the fleet costs more; nothing else moves.
    void properties()
    {
        const auto base = costOf(quoted(", 'costs': {'usd_per_kwh': 0.08}"));
        const auto doubled = costOf(quoted(", 'costs': {'usd_per_kwh': 0.16}"));
        QVERIFY(near(*doubled.value("energy_usd"), 2 * *base.value("energy_usd")));
        for (const auto *line : lines)
            QCOMPARE(*doubled.value(line), *base.value(line));
        for (const auto *line : {"colocation_usd", "support_usd", "staff_line_usd", "other_usd", "facility_peak_w"})
            QCOMPARE(*doubled.value(line), *base.value(line));
        QVERIFY(*doubled.value("levelised_nominal_usd") > *base.value("levelised_nominal_usd"));
        for (const auto *price : {"node_usd", "storage_usd_per_tb", "switch_usd", "staff_usd", "support_share"}) {
            const auto dearer = costOf(quoted(", 'costs': {'usd_per_kwh': 0.08, '") + std::string(price)
                + "\": " + std::to_string(*base.value(price) * 1.1) + "}");
            QVERIFY2(*dearer.value("levelised_nominal_usd") > *base.value("levelised_nominal_usd"), price);
        }
        // Buying and renting cross where the cumulative curves do.
        const auto own = base.sheet().columns("own_by_month_usd"), rent = base.sheet().columns("rent_by_month_usd");
        const auto crossing = base.value("crossing_month");
        for (std::size_t month = 1; month < own.size(); ++month)
            if (own[month] <= rent[month]) {
                QCOMPARE(crossing, std::optional(double(month)));
                break;
            }
    }

    /// Two nodes that differ in name only cost the same.
    void likeForLike()
    {
        auto catalog = exchangetesting::shipped();
        auto twin = *catalog.find(CatalogKind::Node, "nvidia_dgx_h100");
        twin.id = "twin";
        twin.name = "Twin";
        catalog.insert(twin);
        auto price = *catalog.find(CatalogKind::Price, "price_dgx_h100_2026");
        price.id = "price_of_twin";
        price.values["item_ref"] = std::string("twin");
        catalog.insert(price);
        auto document = exchange::fleetFromJson(
            exchange::Json::parse(quoted("{'node': 'twin', 'nodes': 512, 'fabric': 'ib_ndr'}")), "fleet");
        const auto other = fleetCost(resolve(*document, catalog).value()).value();
        const auto cost = costOf();
        for (const auto *row : {"capital_usd", "facility_peak_w", "annual_usd", "levelised_nominal_usd"})
            QCOMPARE(*other.value(row), *cost.value(row));
    }

    /// Rows of words take their words, flags true and false; both come out of a document as they went in.
    void wordsAndFlags()
    {
        const auto said = quoted(", 'costs': {'colocation_includes_energy': true, 'cooling': 'liquid', 'depreciation': "
                                 "'macrs-5'}");
        const auto cost = costOf(said);
        QCOMPARE(*cost.value("cooling"), 1.0);
        QCOMPARE(*cost.value("pue"), 1.12);
        QVERIFY(*cost.value("depreciation") > 0 && cost.sheet().flag("colocation_includes_energy"));
        QVERIFY(*cost.value("racks_usd_per_kw") > *costOf().value("racks_usd_per_kw")); // with heat exchange
        const auto json = exchange::Json::parse("{\"node\": \"n\", \"nodes\": 1, \"fabric\": \"f\"" + said + "}");
        const auto document = exchange::fleetFromJson(json, "fleet");
        QVERIFY(document && exchange::fleetToJson(*document)["costs"] == json["costs"]);
        QVERIFY(!costOf(quoted(", 'costs': {'colocation_includes_energy': false}"))
                     .sheet()
                     .flag("colocation_includes_energy"));
    }

    /// What a source states as one value has an assumed range, tariffs too, dated or not.
    void assumedRanges()
    {
        const auto share = [](const CostSheet &cost, const char *key) {
            const auto range = cost.range(key);
            return range ? (range->high - range->low) / range->likely : 0;
        };
        QVERIFY(near(share(costOf(", \"grid\": \"country_us\""), "usd_per_kwh"), 0.2)); // of 2026-07
        QVERIFY(near(share(costOf(", \"grid\": \"us_state_va\""), "usd_per_kwh"), 0.4)); // of 2024
        QVERIFY(near(share(costOf(), "usd_per_kwh"), 0.4)); // the planning default
        auto catalog = exchangetesting::shipped();
        auto own = *catalog.find(CatalogKind::Price, "price_dgx_h100_2026");
        own.id = "offer_7";
        own.shipped = false;
        own.values["low"] = own.values["high"] = own.values["as_of"] = FieldValue();
        catalog.insert(own);
        QVERIFY(near(share(costOf({}, catalog), "node_usd"), 0.2));
    }

    /// Cables and transceivers of which the catalog does not know enough are not taken for free.
    void partsWithoutPriceOrPower()
    {
        auto catalog = exchangetesting::shipped();
        const auto whole = costOf();
        QVERIFY(whole.sheet().flag("network_is_priced"));
        const auto part = fleetOf().value()->costs.network.nodeTransceiver.value();
        auto fibre = *catalog.find(CatalogKind::NetworkGear, part.id);
        fibre.values.erase("price_usd_per_m");
        fibre.values.erase("power_w_per_end");
        catalog.insert(fibre);
        const auto cost = costOf({}, catalog);
        const auto says = [&](const char *words) {
            return std::ranges::any_of(cost.notices(), [&](const auto &notice) { return notice.contains(words); });
        };
        QVERIFY(!cost.sheet().flag("network_is_priced"));
        QVERIFY(near(*cost.value("network_usd"), 0.12 * *cost.value("nodes_usd")));
        QVERIFY(says("power of the transceiver") && says("cables have no price"));
        const auto stated = costOf(quoted(", 'costs': {'cable_usd_per_metre': 2}"), catalog);
        QVERIFY(stated.sheet().flag("network_is_priced"));
    }

    /// An answer is stale when anything changes of what it shows.
    void everyFigureIsHashed()
    {
        const auto costs = fleetOf().value()->costs;
        const auto hash = [](const FleetCosts &of) { return exchange::hashOf(exchange::canonical(of)); };
        const auto moves = [&](auto change) {
            auto other = costs;
            change(other);
            return hash(other) != hash(costs);
        };
        QVERIFY(moves([](FleetCosts &c) { c.network.managementSwitch->price->likely += 1; }));
        QVERIFY(moves([](FleetCosts &c) { c.network.managementSwitch.reset(); }));
        QVERIFY(moves([](FleetCosts &c) { c.network.switchPart->price->high = 1e6; }));
        QVERIFY(moves([](FleetCosts &c) { c.network.switchPart->price->olderThanAYear ^= true; }));
        QVERIFY(moves([](FleetCosts &c) { c.network.switchPart->powerKnown ^= true; }));
        QVERIFY(moves([](FleetCosts &c) { c.network.switchPart->leadTimeWeeks = 99; }));
        QVERIFY(moves([](FleetCosts &c) { c.network.nodeTransceiver->name = "another"; }));
        QVERIFY(moves([](FleetCosts &c) { c.figures.front().source = "another"; }));
        QVERIFY(moves([](FleetCosts &c) { c.figures.front().notice = "another"; }));
        QVERIFY(moves([](FleetCosts &c) { c.figures.front().date = "1999"; }));
        QVERIFY(moves([](FleetCosts &c) { c.missing.push_back({"x", "y"}); }));
        // The prices of a node that stands in the document itself count, too.
        auto catalog = exchangetesting::shipped();
        auto plan = exchange::planFromText(exchangetesting::samplePlan).value();
        auto node = *catalog.find(CatalogKind::Node, "nvidia_dgx_h100");
        node.id = "own";
        plan.fleet.node = node;
        const auto before = exchange::hashInputs(plan, {}, {}, catalog);
        auto rent = *pricesFor("rent_usd_per_hour", node, {}, catalog).front();
        rent.id = "rent_7";
        rent.shipped = false;
        catalog.insert(rent);
        QVERIFY(exchange::hashInputs(plan, {}, {}, catalog) != before);
    }

    /// A document says again what it was read from.
    void throughTheDocument()
    {
        const auto json = exchange::Json::parse(
            quoted("{'node': 'nvidia_dgx_h100', 'nodes': 512, 'fabric': 'ib_ndr', 'costs': {'paying': 'rent', "
                   "'rent_term': 'reserved-1y', 'rent_vendor': 'Azure', 'life_years': 4, 'node_usd': "
                   "'price_dgx_h100_2026', 'usd_per_kwh': {'low': 0.05, 'likely': 0.06, 'high': 0.09}}}"));
        const auto document = exchange::fleetFromJson(json, "fleet");
        QVERIFY(document);
        const auto again = exchange::fleetFromJson(exchange::fleetToJson(*document), "fleet");
        QVERIFY(again && *again == *document);
        QVERIFY(document->costs.paying == Paying::Rent && document->costs.entries.size() == 3);
    }

    /// Failures lengthen the run; goodput is that of the block; a range of the step widens days and cost.
    void theRun()
    {
        const RunEntries entries{.tokens = 15e12,
            .batchSequences = 2048,
            .sequenceTokens = 8192,
            .stepTime = 8.0 * second,
            .stepLow = 7.0 * second,
            .stepHigh = 10.0 * second,
            .checkpointTime = 20.0 * second,
            .restart = 300.0 * second};
        const auto fleet = fleetOf().value();
        const auto run = runCost(fleet, entries).value();
        const double steps = std::ceil(15e12 / (2048 * 8192.0));
        const double rate = *run.value("rate_per_node_day");
        QVERIFY(near(rate, 0.00379));
        const auto block = goodput({.nodes = 512,
            .failuresPerNode = Frequency::from_value(rate / 86400),
            .checkpointWrite = 20.0 * second,
            .restart = 300.0 * second});
        QVERIFY(block && near(*run.value("productive_share"), block->goodput));
        QVERIFY(near(*run.value("run_days"), steps * 8 / 86400 / block->goodput));
        const auto days = run.range("run_days");
        QVERIFY(days && days->low < days->likely * 0.9 && days->high > days->likely * 1.2);
        QVERIFY(near(
            *run.value("run_owned_usd"), 512 * 8 * 24 * *run.value("run_days") * *run.value("levelised_nominal_usd")));

        const auto cheaper = runCost(fleetOf(quoted(", 'costs': {'node_usd': 100000}")).value(), entries).value();
        QCOMPARE(*cheaper.value("run_days"), *run.value("run_days"));
        QVERIFY(*cheaper.value("run_owned_usd") < *run.value("run_owned_usd"));
        const auto safer = runCost(fleetOf(quoted(", 'costs': {'rate_per_node_day': 0.001}")).value(), entries).value();
        QVERIFY(*safer.value("run_days") < *run.value("run_days"));
        const auto never = runCost(fleetOf(quoted(", 'costs': {'rate_per_node_day': 900}")).value(), entries);
        QVERIFY(never && *never->value("productive_share") == 0 && !never->value("run_days"));
        for (const auto *row : {"run_days", "run_owned_usd"})
            QVERIFY2(never->reasonFor(row).contains("never ends"), never->reasonFor(row).c_str());
    }

    /// A node without price or power is an estimate, marked.
    void whatIsNotKnownIsEstimatedAndMarked()
    {
        auto catalog = exchangetesting::shipped();
        auto node = *catalog.find(CatalogKind::Node, "nvidia_dgx_h100");
        node.id = "bare";
        node.name = "Bare";
        node.shipped = false;
        node.values["max_power_kw"] = FieldValue();
        catalog.insert(node);
        auto document = exchange::fleetFromJson(
            exchange::Json::parse(quoted("{'node': 'bare', 'nodes': 4, 'fabric': 'ib_ndr'}")), "fleet");
        const auto cost = fleetCost(resolve(*document, catalog).value()).value();
        QVERIFY(near(*cost.value("node_peak_w"), 8 * 700 * 1.75));
        QVERIFY(*cost.value("node_usd") > 8 * 30000.0);
        const auto says = [&](const char *words) {
            return std::ranges::any_of(cost.notices(), [&](const auto &notice) { return notice.contains(words); });
        };
        QVERIFY(says("maximum power") && says("hosts are estimated"));
    }
};

FLEETWRIGHT_TEST(FleetCostsTest)
#include "tst_fleetcosts.moc"
