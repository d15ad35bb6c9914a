// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/publishedcosts.h"
#include "testing/registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <set>

using namespace fleetwright;
using namespace fleetwright::exchange;
using namespace fleetwright::costs;
using Json = nlohmann::ordered_json;

namespace {

Json sampleRows()
{
    return {
        {"purchases",
            {{{"id", "order"}, {"name", "An order"}, {"date", "2025-01-20"}, {"accelerator", "nvidia_x"}, {"count", 16},
                 {"covers", "servers"}, {"scope", "with network"}, {"fabric", "ib_ndr"}, {"derived", {{"usd", 2e6}}},
                 {"good_enough_to_score", "yes-25%"}, {"source", {{"title", "Press"}, {"date", "2025-02"}}}},
                {{"id", "budget"}, {"name", "A budget"}, {"count", nullptr}, {"scope", "count not stated"},
                    {"good_enough_to_score", "no"}}}},
        {"run_costs",
            {{{"id", "run"}, {"model", "A run"}, {"energy_mwh", 24.1}, {"accelerator_hours", 76186}, {"pue", 1.09},
                 {"w_per_accelerator_stated", 288}, {"good_enough_to_score", "energy 3 %"},
                 {"source", {{"title", "Paper"}, {"date", "read 2026-11-22"}}}},
                {{"id", "hours"}, {"model", "Hours only"}, {"good_enough_to_score", "hours 3 %"}}}},
        {"power",
            {{{"id", "meter"}, {"model", "Metered"}, {"node", "a_node"}, {"accelerators", 8}, {"w_node_mean", nullptr},
                {"node_max_w", 10000}, {"share_of_node_max_stated", 0.76}, {"good_enough_to_score", "yes 5 %"}}}}};
}

Json sampleComparisons()
{
    return {{"cost_comparisons", 1}, {"fleet_rates", {"low", "high"}},
        {"figures",
            {{{"id", "kw"}, {"kind", "all_in_power"}, {"name", "All-in"}, {"date", "2025"}, {"accelerator", "x"},
                {"count", 1024}, {"published", 1730}, {"tolerance", {{"share", 0.15}}}, {"scope", "with cooling"},
                {"nodes", {"a_node"}}}}},
        {"comparisons",
            {{{"row", "order"}, {"kind", "purchase"}, {"nodes", {"a_node"}}, {"rows", {"nodes_usd"}}},
                {{"row", "run"}, {"kind", "metered_energy"}, {"measured_watts", true}},
                {{"row", "meter"}, {"kind", "metered_node"}}}},
        {"not_scored", Json::array()}};
}

Expected<PublishedCosts> read(const Json &rows, const Json &comparisons)
{
    return publishedCostsFromJson(rows.dump(), comparisons.dump());
}

} // namespace

class TestPublishedCosts : public QObject {
    Q_OBJECT
private slots:
    void readsBothFiles()
    {
        const auto costs = read(sampleRows(), sampleComparisons());
        QVERIFY2(costs.has_value(), costs ? "" : costs.error().message.c_str());
        QCOMPARE(costs->figures.size(), 4UZ);
        const auto &order = costs->figures[1];
        QCOMPARE(order.published, 2e6);
        QVERIFY(order.tolerance == (CostTolerance{CostTolerance::Rule::Share, 0.25}));
        QVERIFY(order.parts == (std::vector<PublishedCost::Part>{{"nvidia_x", "a_node", 16}}));
        QCOMPARE(order.scope, std::string("servers; with network"));
        QCOMPARE(order.fabricId, std::string("ib_ndr"));
        const auto &run = costs->figures[2];
        QCOMPARE(run.published, 24.1 * 3.6e9); // MWh in joules
        QVERIFY(run.measuredWatts == 288.0 && run.pue == 1.09);
        QVERIFY(run.date.empty()); // the day on which it was read is none of the figure
        QCOMPARE(costs->figures[3].published, 7600.0); // 0.76 of 10 kW
        QCOMPARE(costs->figures[3].name, std::string("Metered (meter)"));
        QCOMPARE(costs->notScored.size(), 2UZ);
        QCOMPARE(costs->notScored[0].reason, std::string("Marked “no”: count not stated."));
        QVERIFY(costs->notScored[1].reason.starts_with("Its hours"));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *path, const char *value, const char *field) {
            QTest::newRow(path) << QString::fromUtf8(path) << QString::fromUtf8(value) << QString::fromUtf8(field);
        };
        row("/comparisons/0/row", "\"nobody\"", "comparisons[0].row");
        row("/comparisons/0/kind", "\"rumour\"", "comparisons[0].kind");
        row("/comparisons/0/kind", "\"run_cost\"", "comparisons[0].tolerance"); // "yes-25%" is of purchases
        row("/comparisons/0/colour", "1", "comparisons[0].colour");
        row("/comparisons/0/nodes", "\"a_node\"", "comparisons[0].nodes");
        row("/comparisons/0/entries", "{\"node_usd\": \"much\"}", "comparisons[0].entries");
        row("/comparisons/2/row", "\"run\"", "comparisons[2].tolerance");
        row("/comparisons/1", "{\"row\": \"order\", \"kind\": \"purchase\"}", "comparisons");
        row("/figures/0/published", "0", "figures[0].published");
        row("/figures/0/tolerance", "{\"share\": \"x\"}", "figures[0].tolerance.share");
        row("/figures/0/name", "null", "figures[0].name");
        row("/figures", "{}", "figures");
        row("/fleet_rates", "[\"one\"]", "fleet_rates");
    }
    void refusals()
    {
        QFETCH(const QString, path);
        QFETCH(const QString, value);
        QFETCH(const QString, field);
        auto comparisons = sampleComparisons();
        comparisons[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
        const auto costs = read(sampleRows(), comparisons);
        QVERIFY(!costs);
        QCOMPARE(QString::fromStdString(costs.error().field), field);
        QVERIFY(!costs.error().message.empty());
    }

    void brokenFilesAreRefused()
    {
        auto rows = sampleRows();
        rows["power"][0]["id"] = "order"; // twice
        QVERIFY(!read(rows, sampleComparisons()));
        rows.erase("power");
        const auto without = read(rows, sampleComparisons());
        QVERIFY(!without && without.error().field == "power");
        QVERIFY(!publishedCostsFromJson("{", "{}"));
        QVERIFY(!publishedCostsFromJson("[]", "{}"));
    }

    void everyShippedRowIsScoredOrHasAReason()
    {
        const auto &costs = shippedPublishedCosts();
        QVERIFY2(costs.has_value(), costs ? "" : costs.error().message.c_str());
        std::set<std::string> ids;
        for (const auto &figure : costs->figures) {
            QVERIFY2(ids.insert(figure.id).second, figure.id.c_str());
            QVERIFY2(!figure.source.title.empty() && !figure.scope.empty(), figure.id.c_str());
        }
        for (const auto &row : costs->notScored) {
            QVERIFY2(ids.insert(row.id).second, row.id.c_str());
            QVERIFY2(row.reason.size() > 20, row.id.c_str());
        }
        constexpr std::size_t compiled = 35 + 45 + 16;
        const auto ofSpecification = std::ranges::count(costs->figures, std::string(), &PublishedCost::goodEnough);
        QCOMPARE(ids.size(), compiled + std::size_t(ofSpecification));
        // Every purchase that is good enough is scored, but for the two of accelerators without any price.
        for (const auto &row : costs->notScored)
            if (toleranceOf(row.goodEnough, CostKind::Purchase) && row.id != "kisti-6" && row.id != "lumi-system")
                QVERIFY2(!row.goodEnough.starts_with("factor") && row.reason.starts_with("Watts"), row.id.c_str());
    }
};

FLEETWRIGHT_TEST(TestPublishedCosts)
#include "tst_publishedcosts.moc"
