// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the answer of a sizing: turning points, changed prices, draws.
#include "solver/size/decisionrisk.h"
#include "solver/size/turningpoints.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace sizingtesting;

class SizingSureTest : public QObject {
    Q_OBJECT

private slots:
    void turningPointsEqualTheWinner()
    {
        const auto document = smallDecision();
        const auto result = sized(document);
        const auto best = result.byNode();
        QVERIFY(best.size() == 3 && best[1]->answer.isFeasible());
        const auto &winner = best[0]->answer, &loser = best[1]->answer;
        const auto points = size::turningPoints(document, shipped(), result, loser, winner);
        QVERIFY(points.has_value());
        bool found = false;
        for (const auto &point : *points) {
            QVERIFY(point.sentence.ends_with('.'));
            const bool isPrice = point.entry == "node_usd" || point.entry == "rent_usd_per_hour";
            if (!isPrice || !point.needed)
                continue;
            found = true;
            // Asked again at that price, the loser costs what the winner does.
            auto again = document;
            again.candidates.nodes = {result.lots[loser.lot].nodeId};
            again.candidates.fabrics = {std::get<std::string>(result.lots[loser.lot].fleet.fabric)};
            again.candidates.leastNodes = again.candidates.mostNodes = loser.nodes;
            again.candidates.paying = {result.lots[loser.lot].paying};
            again.candidates.costs.insert_or_assign(point.entry, CostEntry{.value = *point.needed});
            const auto sizedAgain = sized(again);
            QVERIFY(
                std::abs(sizedAgain.answers.front().answer.figures.runCostUsd / winner.figures.runCostUsd - 1) < 1e-6);
        }
        QVERIFY(found);
    }

    void pricesThatChangeTheWinner()
    {
        const auto document = smallDecision();
        const auto result = sized(document);
        const auto changes = size::priceChanges(document, shipped(), result, 0.2);
        QVERIFY(changes.has_value() && !changes->empty());
        const auto huge = size::priceChanges(document, shipped(), result, 0.95).value();
        QVERIFY(std::ranges::any_of(huge, &size::PriceChange::changes));
        for (const auto &change : huge)
            QCOMPARE(change.sentence.empty(), !change.changes);
        const auto none = size::priceChanges(document, shipped(), result, 1e-9).value();
        QVERIFY(std::ranges::none_of(none, &size::PriceChange::changes));
    }

    void drawsAreAskedOfTheBestOfEachNode()
    {
        auto document = smallDecision();
        document.draws = 1000;
        document.baseCase = FleetDocument{.node = "nvidia_dgx_h100", .nodes = 8};
        const auto result = sized(document);
        const auto risk = size::riskOf(document, shipped(), result, {});
        QVERIFY2(risk.has_value(), risk ? "" : risk.error().message.c_str());
        QCOMPARE(risk->question.fleets.size(), std::size_t(4));
        const auto answer = uncertainty::assessRisk(risk->question);
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().message.c_str());
        for (std::size_t i = 0; i < risk->answers.size(); ++i) {
            const auto &spread = answer->fleets[i].spread(uncertainty::RiskFigure::RunCost);
            QVERIFY(spread.has_value());
            QVERIFY(isNear(spread->likely, risk->answers[i]->figures.runCostUsd));
            QVERIFY(spread->quantiles.p10 <= spread->quantiles.p50 && spread->quantiles.p50 <= spread->quantiles.p90);
        }
    }
};

FLEETWRIGHT_TEST(SizingSureTest)
#include "tst_sizingsure.moc"
