// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the answer of a sizing: turning points, changed prices, draws.
#include "solver/size/decisionrisk.h"
#include "solver/size/leftoutwords.h"
#include "solver/size/sizewords.h"
#include "solver/size/turningpoints.h"
#include "solver/worksheet/fleetcost.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"
#include "units/format.h"

#include <QTest>

using namespace fleetwright;
using namespace sizingtesting;
using namespace Qt::StringLiterals;

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

    /// What is said of spares is what the question answers that orders them, with the same fleets and layouts.
    void orderingSparesIsSaidAsItIsAnswered()
    {
        auto document = smallDecision();
        const auto result = sized(document);
        const auto &winner = *result.best();
        QVERIFY(result.lots[winner.lot].paying.paying == Paying::Own);
        const auto said = size::withSpares(document, shipped(), result).value();
        QVERIFY(said && said->spareNodes >= 1);
        QVERIFY2(
            said->sentence.starts_with("With the spare nodes that suffice 99 % of the time"), said->sentence.c_str());
        auto with = document;
        setOrdersSpares(with.candidates, true);
        QVERIFY(ordersSpares(with.candidates));
        // The winner alone: what it costs with its spares.
        auto alone = with;
        alone.candidates.nodes = {result.lots[winner.lot].nodeId};
        alone.candidates.fabrics = {std::get<std::string>(result.lots[winner.lot].fleet.fabric)};
        alone.candidates.leastNodes = alone.candidates.mostNodes = winner.nodes;
        alone.candidates.paying = {result.lots[winner.lot].paying};
        const auto dearer = sized(alone);
        const auto &priced = dearer.answers.front().answer;
        QVERIFY(priced.figures.capitalUsd > winner.figures.capitalUsd);
        QVERIFY(priced.figures.runCostUsd > winner.figures.runCostUsd);
        QCOMPARE(priced.figures.days, winner.figures.days);
        QVERIFY2(said->sentence.contains(size::objectiveInWords(document.objective, priced.figures.runCostUsd)),
            said->sentence.c_str());
        const auto sheet = fleetCost(resolve(size::fleetOf(dearer, priced), shipped()).value()).value();
        QCOMPARE(sheet.value("spare_nodes").value(), double(sparesNeeded(sheet).value()));
        QVERIFY(size::notCountedInWords(shipped(), dearer, priced).empty()
            || !size::notCountedInWords(shipped(), dearer, priced).front().starts_with("Of "));
        // Asked with them, nothing is left to say, and everything bought has its own.
        const auto ordered = sized(with);
        QVERIFY(!size::withSpares(with, shipped(), ordered).value());
        QCOMPARE(said->changes, ordered.best()->lot != winner.lot || ordered.best()->nodes != winner.nodes);
        // A budget that the winner keeps without and breaks with them.
        document.limits.plan.capital = Dollars::from_value((winner.figures.capitalUsd + priced.figures.capitalUsd) / 2);
        const auto tight = sized(document);
        QCOMPARE(tight.best()->nodes, winner.nodes);
        const auto broken = size::withSpares(document, shipped(), tight).value();
        QVERIFY(broken && broken->changes);
        QVERIFY2(broken->sentence.contains("in place of")
                || broken->sentence.contains("none of the fleets found without them"),
            broken->sentence.c_str());
    }

    /// Against a loop over all fleets that the answer keeps, each priced by itself.
    void askingAboutAPriceIsAPlainLoop()
    {
        auto document = smallDecision();
        document.limits.plan.capital = Dollars::from_value(1.1 * sized(document).best()->figures.capitalUsd);
        const auto result = sized(document);
        const auto rivals = size::PriceRivals::of(document, shipped(), result).value();
        QVERIFY(rivals.anyMatters());
        const size::FleetJudge judge(document);
        std::vector<const size::Answer *> answers;
        for (const auto &lot : result.answers)
            answers.push_back(&lot.answer);
        for (const auto &answer : result.front)
            answers.push_back(&answer);
        const auto leastWith = [&](const size::AskedPrice &price, double factor) {
            double least = std::numeric_limits<double>::infinity();
            for (const auto *answer : answers) {
                if (!size::breaksMoneyAlone(*answer) || answer->jobs.empty())
                    continue;
                const bool moves = !price.of || *price.of == size::pricedInWords(result, *answer);
                const auto figures = moves
                    ? size::PricedAnswer::of(document, shipped(), result, *answer)->with(price.entry, factor)
                    : answer->figures;
                if (judge.misses(figures).empty())
                    least = std::min(least, judge.objectiveOf(figures));
            }
            return least;
        };
        QCOMPARE(rivals.prices().front().of.value(), size::pricedInWords(result, *result.best()));
        bool changed = false, stayed = false;
        for (const auto &price : rivals.prices())
            for (const double factor : {0.5, 0.8, 1.0, 1.2, 2.0}) {
                const auto asked = rivals.whatIf(price, factor);
                QVERIFY(asked.now == result.best() && asked.then);
                QVERIFY(isNear(judge.objectiveOf(asked.figuresThen), leastWith(price, factor)));
                QCOMPARE(QString::fromStdString(asked.sentence).contains(u"stays the best"_s), !asked.changes());
                changed = changed || asked.changes();
                stayed = stayed || !asked.changes();
                QVERIFY(factor != 1 || !asked.changes());
            }
        QVERIFY(changed && stayed);
    }

    void fromWhichPriceOnAnotherFleetWins()
    {
        const auto document = smallDecision();
        const auto result = sized(document);
        const auto rivals = size::PriceRivals::of(document, shipped(), result).value();
        constexpr double alittle = 1e-5;
        int found = 0;
        for (const auto &price : rivals.prices()) {
            const auto turns = rivals.turnsOf(price);
            const auto *of = price.of ? &*price.of : nullptr;
            const auto said = QString::fromStdString(rivals.turnsInWords(price));
            for (const auto &[turn, away] : {std::pair(turns.above, alittle), std::pair(turns.below, -alittle)})
                if (turn) {
                    QVERIFY(rivals.winnerWith(price.entry, *turn * (1 - away), of) == result.best());
                    QVERIFY(rivals.winnerWith(price.entry, *turn * (1 + away), of) != result.best());
                    QVERIFY2(said.contains(QString::fromStdString(units::formatPercent(std::abs(*turn - 1)))),
                        qPrintable(said));
                    ++found;
                }
            if (price == rivals.prices().front())
                QVERIFY(turns.above && !turns.below); // what wins does not lose by being cheaper
            else if (price.of) {
                // As the turning points of each of its fleets say it.
                double first = 0;
                for (const auto &lot : result.answers)
                    if (lot.answer.isFeasible() && size::pricedInWords(result, lot.answer) == *price.of) {
                        const auto points =
                            size::turningPoints(document, shipped(), result, lot.answer, *result.best()).value();
                        for (const auto &point : points)
                            if (point.entry == price.entry && point.needed)
                                first = std::max(first, *point.needed / point.now);
                    }
                QVERIFY(!turns.below || *turns.below > first * (1 - alittle)); // the front may turn earlier
                QVERIFY(first < 0.2 || turns.below);
            }
        }
        QVERIFY(found > 2);
    }

    void aPriceThatBreaksALimitLoses()
    {
        auto document = smallDecision();
        const auto capital = sized(document).best()->figures.capitalUsd;
        document.limits.plan.capital = Dollars::from_value(1.05 * capital);
        const auto result = sized(document);
        const auto &winner = *result.best();
        QVERIFY(winner.figures.capitalUsd > 0);
        const auto changes = size::priceChanges(document, shipped(), result, 0.2).value();
        for (const auto &change : changes) {
            if (change.entry != "node_usd" || change.factor < 1)
                continue;
            // Nodes are most of the capital: a fifth more of them is more than a twentieth of all.
            QVERIFY(change.changes);
            QVERIFY(change.winner.has_value());
            QVERIFY((*change.winner != size::FleetOfAnswer{winner.lot, winner.nodes}));
            auto dearer = document;
            dearer.limits.plan.capital = Dollars::from_value(1.05 * capital / 1.2);
            QVERIFY(result.lots[change.winner->lot].paying.paying == Paying::Rent || change.of
                || sized(dearer).best()->figures.capitalUsd <= 1.05 * capital);
        }
        document.candidates.paying = {{Paying::Own, RentTerm::OnDemand}};
        document.limits.plan.capital = Dollars::from_value(1.0001 * capital);
        document.candidates.nodes = {result.lots[winner.lot].nodeId};
        document.candidates.leastNodes = document.candidates.mostNodes = winner.nodes;
        const auto alone = sized(document);
        QVERIFY(alone.best());
        bool isNone = false;
        const auto raised = size::priceChanges(document, shipped(), alone, 0.2).value();
        for (const auto &change : raised)
            isNone = isNone || (change.changes && !change.winner && change.sentence.contains("no fleet keeps"));
        QVERIFY(isNone);
    }

    void aLowerPriceLetsAFleetIn()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.paying = {{Paying::Own, RentTerm::OnDemand}};
        document.candidates.leastNodes = document.candidates.mostNodes = 8;
        document.limits = {};
        document.limits.plan.capital = Dollars::from_value(0.95 * sized(document).best()->figures.capitalUsd);
        const auto result = sized(document);
        QVERIFY(!result.best());
        bool found = false;
        const auto changes = size::priceChanges(document, shipped(), result, 0.2).value();
        for (const auto &change : changes)
            found = found
                || (change.entry == "node_usd" && change.factor < 1 && change.winner
                    && change.sentence.contains("keeps"));
        QVERIFY(found);
    }

    void anotherWayOfPayingIsAnAlternative()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.fabrics = {"ib_ndr"};
        const auto result = sized(document);
        QCOMPARE(result.byNode().size(), std::size_t(1));
        const auto changes = size::priceChanges(document, shipped(), result, 0.9).value();
        const auto own = result.lots[result.best()->lot].paying.paying == Paying::Own;
        bool found = false;
        for (const auto &change : changes)
            if (change.changes && change.winner)
                found = found || (result.lots[change.winner->lot].paying.paying == Paying::Own) != own;
        QVERIFY(found);
        const auto sure = size::howSure(document, shipped(), result, {});
        QVERIFY(sure.has_value());
        QVERIFY(!sure->turningPoints.empty());
    }

    /// Against a loop over all candidates: fewer of the winner's own nodes may be the cheapest to rent.
    void theCheapestRentIsOfAllCandidates()
    {
        auto document = smallDecision();
        document.jobs.front().tokens = 2e12;
        document.jobs.front().training.globalBatch = 1024;
        document.candidates.nodes = {"nvidia_dgx_h200", "amd_mi300x_8gpu"};
        document.candidates.mostNodes = 32;
        document.limits.plan.deadline = 20.0 * day;
        const auto result = sized(document);
        const auto &best = *result.best();
        QVERIFY(result.lots[best.lot].paying.paying == Paying::Own);
        const size::Answer *cheapest = nullptr;
        for (const auto &[answer, remedies] : result.answers)
            if (answer.isFeasible() && result.lots[answer.lot].paying.paying == Paying::Rent
                && (!cheapest || answer.figures.yearlyUsd < cheapest->figures.yearlyUsd))
                cheapest = &answer;
        QVERIFY(cheapest && result.lots[cheapest->lot].nodeId == result.lots[best.lot].nodeId);
        QVERIFY(cheapest->nodes < best.nodes);
        const auto paying = size::buyOrRent(document, shipped(), result).value();
        QVERIFY(paying && paying->cheapestRent);
        QCOMPARE(&result.answers[*paying->cheapestRent].answer, cheapest);
        // Nor does anything without capital or a reservation cost the run less.
        const auto *hourly = result.cheapestUncommitted();
        QVERIFY(hourly);
        for (const auto &[answer, remedies] : result.answers)
            if (answer.isFeasible() && result.lots[answer.lot].paying.paying == Paying::Rent)
                QVERIFY(hourly->answer.figures.runCostUsd <= answer.figures.runCostUsd);
        QVERIFY(size::inOrderOfWeight(document, result)[1].contains(size::shortFleetInWords(result, hourly->answer)));
        // Held against the same months as the line that is drawn of it.
        const auto owned = fleetCost(resolve(*paying->fleet, shipped()).value()).value();
        const auto rented = fleetCost(resolve(size::fleetOf(result, *cheapest), shipped()).value()).value();
        const auto own = owned.sheet().columns("own_by_month_usd"), rent = rented.sheet().columns("rent_by_month_usd");
        QVERIFY(own.size() == rent.size() && own.back() > rent.back());
        const auto said = QString::fromStdString(paying->first.back());
        QVERIFY2(said.startsWith(u"Owning stays dearer than renting 16 \u00d7 8x AMD"_s), qPrintable(said));
    }

    void aTurningPointKeepsTheLimits()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.fabrics = {"ib_ndr"};
        document.candidates.paying = {{Paying::Own, RentTerm::OnDemand}};
        document.candidates.leastNodes = document.candidates.mostNodes = 8;
        document.limits = {};
        const auto winner = *sized(document).best();
        document.limits.plan.capital = Dollars::from_value(0.9 * winner.figures.capitalUsd);
        const auto result = sized(document);
        QVERIFY(!result.best());
        const auto &loser = result.answers.front().answer;
        const auto points = size::turningPoints(document, shipped(), result, loser, winner).value();
        bool found = false;
        for (const auto &point : points)
            if (point.entry == "node_usd" && point.needed) {
                found = true;
                QVERIFY(*point.needed < point.now);
                auto again = document; // at that price, and at no higher one, it keeps the limit
                again.candidates.costs["node_usd"] = CostEntry{.value = *point.needed * (1 - 1e-6)};
                QVERIFY(sized(again).best());
                again.candidates.costs["node_usd"] = CostEntry{.value = *point.needed * (1 + 1e-6)};
                QVERIFY(!sized(again).best());
            }
        QVERIFY(found);
    }

    /// A capital limit just above the winner's likely capital: half the draws break it.
    void limitsAreJudgedInEveryDraw()
    {
        auto document = smallDecision();
        document.draws = 1000;
        document.candidates.paying = {{Paying::Own, RentTerm::OnDemand}};
        document.candidates.sites = {{{}, "country_se"}};
        const auto free = sized(document);
        const auto &winner = free.best()->figures;
        document.limits.plan.capital = Dollars::from_value(1.01 * winner.capitalUsd);
        document.limits.plan.yearlyCost = Dollars::from_value(1.5 * winner.yearlyUsd);
        document.limits.plan.facilityPower = Watts::from_value(1.01 * winner.facilityWatts);
        document.limits.carbon = KilogramsCo2e::from_value(1.2 * winner.carbonKg);
        document.limits.minGoodput = 0.1;
        const auto result = sized(document);
        QVERIFY(result.best());
        const auto risk = size::riskOf(document, shipped(), result, {});
        QVERIFY2(risk.has_value(), risk ? "" : risk.error().message.c_str());
        QCOMPARE(risk->question.limits.size(), std::size_t(4));
        using size::SizeLimit;
        QVERIFY((risk->judgedInDraws
            == std::vector{
                SizeLimit::Deadline, SizeLimit::Capital, SizeLimit::YearlyCost, SizeLimit::Power, SizeLimit::Carbon}));
        QVERIFY(risk->judgedAtLikely == std::vector{SizeLimit::Goodput});
        const auto answer = uncertainty::assessRisk(risk->question);
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().message.c_str());
        const auto &first = answer->fleets.front();
        QVERIFY(first.limits.front().share > 0.1 && first.limits.front().share < 0.9);
        double best = answer->none->share;
        for (const auto &fleet : answer->fleets) {
            QVERIFY(fleet.best.share <= fleet.all->share);
            for (const auto &limit : fleet.limits)
                QVERIFY(fleet.all->share <= limit.share);
            best += fleet.best.share;
        }
        QVERIFY(std::abs(best - 1) < 1e-9);
        QVERIFY(first.best.share < 0.9);
        auto unlimited = risk->question; // without them it would be the best far more often
        unlimited.limits.clear();
        QVERIFY(uncertainty::assessRisk(unlimited)->fleets.front().best.share > first.best.share + 0.05);
    }

    void drawsAreAskedOfTheBestOfEachNode()
    {
        auto document = smallDecision();
        document.draws = 1000;
        document.baseCase = FleetDocument{.node = "nvidia_dgx_h100", .nodes = 8};
        const auto result = sized(document);
        const auto risk = size::riskOf(document, shipped(), result, {});
        QVERIFY2(risk.has_value(), risk ? "" : risk.error().message.c_str());
        // The best of each node, the best that is paid for otherwise, the base case.
        QCOMPARE(risk->question.fleets.size(), result.byNode().size() + 2);
        QVERIFY(!risk->question.fleets[result.byNode().size()].competes && !risk->question.fleets.back().competes);
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
