// SPDX-License-Identifier: GPL-3.0-or-later
// Fleets that are owned already: as they are, extended, and with a second fleet beside them.
#include "exchange/sizeresults.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "solver/worksheet/fleettables.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace sizingtesting;

class SizingOwnedTest : public QObject {
    Q_OBJECT

private slots:
    /// What is bought is the larger fleet less the one that is there; support is of all of it.
    void anExtensionBuysWhatIsNew()
    {
        auto document = smallDecision();
        document.limits = {};
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.fabrics = {"ib_ndr"};
        document.candidates.paying.clear();
        const auto asNew = [&](int nodes) {
            const FleetDocument fleet{.node = "nvidia_dgx_h100", .nodes = nodes, .fabric = "ib_ndr"};
            return fleetCost(resolve(fleet, shipped()).value()).value();
        };
        const auto small = asNew(8), large = asNew(24);
        document.candidates.leastNodes = document.candidates.mostNodes = 24;
        document.objective = DecisionObjective::Days;
        document.front = {DecisionObjective::Days, DecisionObjective::RunCost};
        document.candidates.owned = {
            {"the fleet of 2024", FleetDocument{.node = "nvidia_dgx_h100", .nodes = 8, .fabric = "ib_ndr"}}};
        const auto result = sized(document);
        const auto found = std::ranges::find_if(
            result.answers, [&](const size::LotAnswer &lot) { return result.lots[lot.answer.lot].ownedNodes == 8; });
        QVERIFY(found != result.answers.end());
        QCOMPARE(found->answer.nodes, 24);
        const auto fleet = resolve(size::fleetOf(result, found->answer), shipped()).value();
        const auto sheet = fleetCost(fleet).value();
        const auto value = [](const CostSheet &of, std::string_view key) { return of.value(key).value(); };
        QVERIFY(isNear(value(sheet, "capital_usd"), found->answer.figures.capitalUsd));
        QVERIFY(isNear(value(sheet, "owned_nodes_usd"), value(small, "nodes_usd")));
        QVERIFY(isNear(value(sheet, "owned_network_usd"), value(small, "network_usd")));
        QVERIFY(isNear(value(sheet, "owned_storage_usd"), value(small, "storage_usd")));
        QVERIFY(value(small, "network_usd") > 0 && value(small, "storage_usd") > 0);
        // Racks are taken as proportional to the nodes; all else is exact.
        const double difference = value(large, "capital_usd") - value(small, "capital_usd");
        QVERIFY(std::abs(value(sheet, "capital_usd") / difference - 1) < 0.01);
        QVERIFY(isNear(value(sheet, "support_usd"), value(large, "support_usd")));
        QVERIFY(isNear(value(sheet, "residual_usd"), value(large, "residual_usd") - value(small, "residual_usd")));
        const auto bill = billOfMaterials(fleet, sheet);
        const auto line = std::ranges::find(bill, "owned_usd", &FleetBillLine::key);
        QVERIFY(line != bill.end() && line->amount && *line->amount < 0 && line->count == 8.0);
        double sum = 0;
        for (const auto &one : bill)
            sum += one.isTotal ? 0 : one.amount.value_or(0);
        QVERIFY(std::abs(sum - value(sheet, "capital_usd")) < 0.01);
    }

    /// As it is, it costs no capital in any draw; extended, what is new does.
    void ownedFleetsAreDrawnAsOwned()
    {
        auto document = smallDecision();
        document.draws = 1000;
        document.candidates.nodes = {"nvidia_dgx_b200"};
        document.candidates.paying.clear();
        document.candidates.owned = {
            {"the fleet of 2024", FleetDocument{.node = "nvidia_dgx_h100", .nodes = 8, .fabric = "ib_ndr"}}};
        for (const int nodes : {8, 16}) {
            document.candidates.leastNodes = 1;
            document.candidates.mostNodes = nodes;
            document.limits = {};
            document.objective = nodes == 8 ? DecisionObjective::Capital : DecisionObjective::Days;
            document.front = {DecisionObjective::Days, DecisionObjective::RunCost};
            const auto result = sized(document);
            const auto owned = std::ranges::find_if(result.answers,
                [&](const size::LotAnswer &lot) { return result.lots[lot.answer.lot].ownedNodes == 8; });
            QVERIFY(owned != result.answers.end());
            QCOMPARE(owned->answer.nodes, nodes);
            const auto risk = size::riskOf(document, shipped(), result, {});
            QVERIFY(risk.has_value());
            const auto answer = uncertainty::assessRisk(risk->question).value();
            for (std::size_t i = 0; i < risk->answers.size(); ++i)
                if (result.lots[risk->answers[i]->lot].ownedNodes == 8) {
                    const auto &capital = *answer.fleets[i].spread(uncertainty::RiskFigure::Capital);
                    QVERIFY(isNear(capital.likely, owned->answer.figures.capitalUsd) || capital.likely == 0);
                    if (nodes == 8)
                        QVERIFY(capital.quantiles.p10 == 0 && capital.quantiles.p90 == 0);
                    else
                        QVERIFY(capital.quantiles.p10 > 0 && capital.quantiles.p90 > capital.quantiles.p10);
                }
        }
    }

    /// Against a loop over all ways to share the jobs and all numbers of nodes.
    void aSecondFleetTakesJobsOfItsOwn_data()
    {
        QTest::addColumn<int>("objective");
        QTest::newRow("cost") << int(DecisionObjective::RunCost);
        QTest::newRow("days") << int(DecisionObjective::Days);
    }
    void aSecondFleetTakesJobsOfItsOwn()
    {
        QFETCH(int, objective);
        auto document = smallDecision();
        document.limits = {};
        document.objective = static_cast<DecisionObjective>(objective);
        document.front = {DecisionObjective::Days, DecisionObjective::RunCost};
        document.candidates.nodes = {"nvidia_dgx_b200"};
        document.candidates.fabrics = {"ib_ndr"};
        document.candidates.paying.clear();
        document.candidates.mostNodes = 4;
        document.candidates.owned = {
            {"the fleet of 2024", FleetDocument{.node = "nvidia_dgx_h100", .nodes = 4, .fabric = "ib_ndr"}}};
        auto other = document.jobs.front();
        other.workload = "llama3_1_70b";
        other.tokens = 1e11;
        document.jobs.push_back(other);
        const auto result = sized(document);
        const size::Answer *pair = nullptr;
        for (const auto &lot : result.answers)
            if (lot.answer.second) {
                QVERIFY(!pair); // one other node
                pair = &lot.answer;
            }
        QVERIFY(pair);
        const auto alone = [&](std::size_t job, bool owned, int nodes) {
            auto asked = document;
            asked.jobs = {document.jobs[job]};
            asked.candidates.leastNodes = asked.candidates.mostNodes = nodes;
            for (const auto &answers = sized(asked); const auto &lot : answers.answers)
                if ((answers.lots[lot.answer.lot].ownedNodes > 0) == owned && lot.answer.nodes == nodes)
                    return lot.answer.figures;
            return size::FleetFigures();
        };
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t ofSecond : {0, 1}) {
            const auto mine = alone(1 - ofSecond, true, 4);
            for (int nodes = 1; nodes <= 4; ++nodes) {
                const auto others = alone(ofSecond, false, nodes);
                const double cost = mine.runCostUsd + others.runCostUsd, days = std::max(mine.days, others.days);
                least = std::fmin(least, document.objective == DecisionObjective::Days ? days : cost);
                if (pair->second->jobs == std::vector{ofSecond} && pair->second->nodes == nodes) {
                    QVERIFY(isNear(pair->figures.days, days) && isNear(pair->figures.runCostUsd, cost));
                    QVERIFY(isNear(pair->figures.capitalUsd, others.capitalUsd)); // the owned one costs none
                    QVERIFY(isNear(pair->figures.facilityWatts, mine.facilityWatts + others.facilityWatts));
                }
            }
        }
        QVERIFY(isNear(size::valueOf(document.objective, pair->figures), least));
        // It is drawn, priced and written as two fleets.
        const auto plan = size::planOf(document, result, *pair, pair->second->jobs.front());
        QCOMPARE(std::get<std::string>(plan.fleet.node), std::string("nvidia_dgx_b200"));
        QVERIFY(size::fleetInWords(result, *pair).contains("beside it"));
        const auto stored = exchange::sizeResultFromStored(exchange::storedSizeResult(result));
        QVERIFY(stored.has_value());
        QVERIFY(std::ranges::any_of(
            stored->answers, [&](const size::LotAnswer &lot) { return lot.answer.second == pair->second; }));
        // Prices of both are frozen with an approval, where the pair is the winner or comes next.
        const auto used = size::usedValues(document, result, shipped());
        if (document.objective == DecisionObjective::RunCost)
            QVERIFY(std::ranges::any_of(used, [&](const UsedValue &value) {
                return value.subject == result.lots[pair->second->lot].node && value.key == "node_usd";
            }));
        document.draws = 1000;
        const auto risk = size::riskOf(document, shipped(), result, {});
        QVERIFY(risk.has_value());
        const auto drawn = uncertainty::assessRisk(risk->question).value();
        for (std::size_t i = 0; i < risk->answers.size(); ++i)
            if (risk->answers[i]->second) {
                QVERIFY(isNear(drawn.fleets[i].spread(uncertainty::RiskFigure::Days)->likely, pair->figures.days));
                QVERIFY(
                    isNear(drawn.fleets[i].spread(uncertainty::RiskFigure::RunCost)->likely, pair->figures.runCostUsd));
                QVERIFY(
                    isNear(drawn.fleets[i].spread(uncertainty::RiskFigure::Capital)->likely, pair->figures.capitalUsd));
            }
        // What is limited and not known of one of them keeps nothing: its carbon, without a grid.
        auto unknown = document;
        unknown.candidates.owned.front().fleet.grid = "country_us";
        unknown.limits.carbon = KilogramsCo2e::from_value(1e12);
        for (const auto limited = sized(unknown); const auto &lot : limited.answers)
            QVERIFY(!lot.answer.second);
        // Limits are those of both together.
        document.limits.plan.facilityPower = Watts::from_value(0.99 * pair->figures.facilityWatts);
        for (const auto limited = sized(document); const auto &lot : limited.answers)
            QVERIFY(
                !lot.answer.second || lot.answer.figures.facilityWatts <= document.limits.plan.facilityPower->value());
    }
};

FLEETWRIGHT_TEST(SizingOwnedTest)
#include "tst_sizingowned.moc"
