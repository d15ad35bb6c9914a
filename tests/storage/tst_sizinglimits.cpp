// SPDX-License-Identifier: GPL-3.0-or-later
// What a decision is limited by: all limits, the chance of the deadline, and fleets that never do.
#include "solver/search/recommendation.h"
#include "solver/size/decisionrisk.h"
#include "solver/size/fleetjudge.h"
#include "solver/size/sizewords.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

#include <map>

using namespace fleetwright;
using namespace sizingtesting;

class SizingLimitsTest : public QObject {
    Q_OBJECT

private slots:
    /// Where nothing keeps the limits: of all numbers of nodes, each asked about alone, those that miss by nearly as
    /// little as the closest, and of them the one with the least of the objective.
    void nearMissesAreChosenByTheObjective()
    {
        auto late = smallDecision();
        late.limits.plan.deadline = 2.0 * day;
        late.candidates.leastNodes = 12;
        // Both numbers of nodes divide the batch; one more node is 1.7 % more capital, and fewer days.
        auto dear = smallDecision();
        dear.objective = DecisionObjective::Days;
        dear.limits = {};
        dear.limits.plan.capital = Dollars::from_value(10e6);
        dear.jobs.front().training.globalBatch = 60 * 61;
        dear.candidates.paying = {{Paying::Own, RentTerm::OnDemand}};
        dear.candidates.leastNodes = 59;
        dear.candidates.mostNodes = 61;
        int differing = 0;
        for (const auto &document : {late, dear}) {
            const size::FleetJudge judge(document);
            const auto result = sized(document);
            std::map<std::size_t, std::vector<size::Answer>> alone; // of each lot
            for (int nodes = document.candidates.leastNodes; nodes <= document.candidates.mostNodes; ++nodes) {
                auto one = document;
                one.candidates.leastNodes = one.candidates.mostNodes = nodes;
                if (const auto found = size::run(one, shipped(), {}))
                    for (const auto &lot : found->answers)
                        alone[lot.answer.lot].push_back(lot.answer);
            }
            for (const auto &lot : result.answers) {
                QVERIFY(!lot.answer.isFeasible());
                const auto excess = [](const size::Answer &answer) {
                    double most = 1;
                    for (const auto &miss : answer.misses)
                        most = std::max(most, miss.needed / miss.allowed);
                    return most;
                };
                const auto &all = alone[lot.answer.lot];
                double least = std::numeric_limits<double>::infinity();
                for (const auto &answer : all)
                    least = std::min(least, excess(answer));
                const size::Answer *chosen = nullptr;
                for (const auto &answer : all)
                    if (excess(answer) <= least * (1 + size::alikeMissShare)
                        && (!chosen || judge.objectiveOf(answer.figures) < judge.objectiveOf(chosen->figures)))
                        chosen = &answer;
                QVERIFY(chosen);
                QCOMPARE(lot.answer.nodes, chosen->nodes);
                QVERIFY(isNear(lot.answer.figures.days, chosen->figures.days));
                QVERIFY(isNear(lot.answer.figures.runCostUsd, chosen->figures.runCostUsd));
                differing += excess(*chosen) > least * (1 + 1e-9) ? 1 : 0;
            }
        }
        QVERIFY(differing > 0); // else the closest would have done
    }

    /// The step time within a fifth, four times in five.
    void aChanceHasItsRemedy()
    {
        const size::RangeOf range = [](const Plan &, Seconds step) {
            return std::optional(validation::PredictionRange{.low = step / 1.2, .high = step * 1.2, .runs = 1});
        };
        const auto with = [&](const DecisionDocument &document) {
            return size::run(document, shipped(), range, {}).value();
        };
        auto document = smallDecision();
        document.candidates.mostNodes = 8;
        document.limits.deadlineChance = 0.9;
        const auto held = with(document);
        QVERIFY(held.best());
        QVERIFY(held.best()->figures.deadlineChance >= 0.9);
        document.limits.plan.deadline = 10.0 * day;
        auto result = with(document);
        QVERIFY(!result.best());
        QCOMPARE(result.remedies.size(), std::size_t(1));
        auto remedy = result.remedies.front();
        QVERIFY(remedy.limit == size::SizeLimit::Deadline);
        for (const auto &lot : result.answers)
            QVERIFY(lot.remedies.size() == 1);
        auto later = document;
        later.limits.plan.deadline = remedy.needed * (1 + 1e-9) * day;
        QVERIFY(with(later).best());
        QCOMPARE(with(later).best()->nodes, remedy.nodes);
        later.limits.plan.deadline = remedy.needed * (1 - 1e-6) * day;
        QVERIFY(!with(later).best());
        // Held at the likely value, not often enough: a little later does, or a lower chance.
        double days = 0;
        for (const auto &lot : result.answers)
            days = days == 0 ? lot.answer.figures.days : std::min(days, lot.answer.figures.days);
        document.limits.plan.deadline = 1.02 * days * day;
        result = with(document);
        QVERIFY(!result.best());
        QCOMPARE(result.remedies.size(), std::size_t(2));
        QVERIFY(result.remedies[0].limit == size::SizeLimit::Deadline);
        QVERIFY(result.remedies[1].limit == size::SizeLimit::Chance);
        QVERIFY(result.remedies[1].needed > 0.5 && result.remedies[1].needed < 0.9);
        // With more power the smallest number of nodes whose chance suffices.
        document.limits.plan.deadline = 60.0 * day;
        document.limits.plan.facilityPower = Watts::from_value(20e3);
        result = with(document);
        QVERIFY(!result.best());
        const auto power = std::ranges::find(result.remedies, size::SizeLimit::Power, &size::Remedy::limit);
        QVERIFY(power != result.remedies.end());
        document.limits.plan.facilityPower = Watts::from_value(power->needed * (1 + 1e-9));
        QVERIFY(with(document).best());
        QCOMPARE(with(document).best()->nodes, power->nodes);
        QCOMPARE(power->figures.days, with(document).best()->figures.days);
        QCOMPARE(power->figures.facilityWatts, power->needed);
        QVERIFY(with(document).best()->figures.deadlineChance >= 0.9);
        document.limits.plan.facilityPower = Watts::from_value(power->needed * (1 - 1e-6));
        QVERIFY(!with(document).best());
    }

    /// What is said to suffice suffices, and says so wherever it is asked: the sizing, the draws, the remedy.
    void aDemandedChanceIsThatOfTheDraws()
    {
        const size::RangeOf range = [](const Plan &, Seconds step) {
            return std::optional(validation::PredictionRange{.low = step / 1.2, .high = step * 1.2, .runs = 1});
        };
        auto document = smallDecision();
        document.candidates.mostNodes = 8;
        document.limits.plan.deadline = 10.0 * day;
        document.limits.deadlineChance = 0.9;
        document.draws = 2000;
        const auto agrees = [&](const DecisionDocument &asked) {
            const auto result = size::run(asked, shipped(), range, {}).value();
            const auto sure = size::howSure(asked, shipped(), result, range).value();
            int drawn = 0;
            for (const auto &lot : result.answers)
                if (const auto *risk = sure.of(result, lot.answer); risk && risk->deadline) {
                    ++drawn;
                    if (risk->deadline->share != lot.answer.figures.deadlineChance)
                        return false;
                    const bool isShort = std::ranges::find(
                                             lot.answer.misses, size::SizeLimit::Chance, &size::Miss::limit)
                        != lot.answer.misses.end();
                    if (isShort != (risk->deadline->share < *asked.limits.deadlineChance))
                        return false;
                }
            return drawn > 0;
        };
        const auto tooShort = size::run(document, shipped(), range, {}).value();
        QVERIFY(!tooShort.best() && agrees(document));
        auto later = document;
        later.limits.plan.deadline = tooShort.remedies.front().needed * (1 + 1e-9) * day;
        QVERIFY(agrees(later));
        const auto kept = size::run(later, shipped(), range, {}).value();
        QVERIFY(kept.best() && kept.best()->figures.deadlineChance >= 0.9);
        // A chance that would do, too.
        later.limits.plan.deadline = 0.98 * *later.limits.plan.deadline;
        const auto less = size::run(later, shipped(), range, {}).value();
        const auto remedy = std::ranges::find(less.remedies, size::SizeLimit::Chance, &size::Remedy::limit);
        QVERIFY(!less.best() && remedy != less.remedies.end());
        later.limits.deadlineChance = remedy->needed;
        QVERIFY(agrees(later));
        const auto enough = size::run(later, shipped(), range, {}).value();
        QVERIFY(enough.best());
        QCOMPARE(enough.best()->figures.deadlineChance, remedy->needed);
    }

    void aChanceThatIsNotKnownIsNotKept()
    {
        auto document = smallDecision();
        const auto run = [&] { return size::run(document, shipped(), {}, {}).value(); };
        QVERIFY(run().best());
        document.limits.deadlineChance = 0.5;
        const auto result = run();
        QVERIFY(!result.best() && !result.answers.empty());
        for (const auto &lot : result.answers) {
            const auto miss = std::ranges::find(lot.answer.misses, size::SizeLimit::Chance, &size::Miss::limit);
            QVERIFY(miss != lot.answer.misses.end());
            QVERIFY(size::missesInWords(lot.answer).contains("not known"));
            QVERIFY(lot.remedies.empty()); // no limit that is moved makes it known
        }
    }

    void aSecondJobThatFitsNowhere()
    {
        auto document = smallDecision();
        document.limits = {};
        document.candidates.mostNodes = 2;
        auto large = document.jobs.front();
        large.workload = "llama3_1_405b";
        document.jobs.push_back(large);
        const auto result = sized(document);
        QVERIFY(!result.best() && !result.answers.empty());
        for (const auto &lot : result.answers) {
            QVERIFY(lot.answer.jobs.empty());
            QVERIFY(lot.answer.misses.front().limit == size::SizeLimit::Layout);
            QVERIFY(lot.answer.misses.front().needed > lot.answer.misses.front().allowed);
            QVERIFY(lot.remedies.empty());
        }
        QVERIFY(result.front.empty());
        const auto refused = size::riskOf(document, shipped(), result, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().field, std::string("answers"));
    }

    /// It fails more often than it recovers.
    void aFleetThatNeverEndsIsNoAnswer()
    {
        auto document = smallDecision();
        document.limits = {};
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.paying.clear();
        document.candidates.costs["rate_per_node_day"] = CostEntry{.value = 900.0};
        const auto result = sized(document);
        QVERIFY(!result.best() && !result.answers.empty());
        QVERIFY(result.front.empty());
        for (const auto &lot : result.answers) {
            QCOMPARE(lot.answer.figures.goodput, 0.0);
            QVERIFY(std::isinf(lot.answer.figures.days));
            QCOMPARE(lot.answer.misses.size(), std::size_t(1));
            QVERIFY(lot.answer.misses.front().limit == size::SizeLimit::Goodput);
        }
    }

    void aLooserLimitNeverWorsens_data()
    {
        QTest::addColumn<int>("limit");
        for (const auto limit : {size::SizeLimit::Layout, size::SizeLimit::Deadline, size::SizeLimit::RunCost,
                 size::SizeLimit::Capital, size::SizeLimit::YearlyCost, size::SizeLimit::Power, size::SizeLimit::Carbon,
                 size::SizeLimit::Goodput, size::SizeLimit::Delivery, size::SizeLimit::Mfu, size::SizeLimit::Chance})
            QTest::newRow(std::string(size::keyOf(limit)).c_str()) << int(limit);
    }
    /// From far too tight to nothing: each best is no worse than the one before.
    void aLooserLimitNeverWorsens()
    {
        QFETCH(int, limit);
        const size::RangeOf range = [](const Plan &, Seconds step) {
            return std::optional(validation::PredictionRange{.low = step / 1.2, .high = step * 1.2, .runs = 1});
        };
        auto document = smallDecision();
        document.candidates.mostNodes = 12;
        document.candidates.sites = {{{}, "country_se"}};
        document.candidates.paying = {{Paying::Own, RentTerm::OnDemand}};
        document.objective = DecisionObjective::Days; // which every limit holds back
        const auto which = static_cast<size::SizeLimit>(limit);
        if (which == size::SizeLimit::Deadline || which == size::SizeLimit::Chance || which == size::SizeLimit::Goodput
            || which == size::SizeLimit::Delivery || which == size::SizeLimit::Mfu)
            document.objective = DecisionObjective::RunCost;
        document.order = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
        const auto at = size::run(document, shipped(), range, {}).value().best()->figures;
        double before = std::numeric_limits<double>::infinity();
        int changes = 0;
        for (const double looseness : {0.05, 0.3, 0.6, 0.9, 0.97, 1.0, 1.1, 1.5, 3.0, 10.0}) {
            auto asked = document;
            auto &limits = asked.limits;
            const double least = 1 / looseness;
            switch (which) {
            case size::SizeLimit::Layout: limits.plan.maxMemoryShare = std::min(1.0, 0.3 * looseness); break;
            case size::SizeLimit::Deadline: limits.plan.deadline = at.days * looseness * day; break;
            case size::SizeLimit::RunCost: limits.plan.runCost = Dollars::from_value(at.runCostUsd * looseness); break;
            case size::SizeLimit::Capital: limits.plan.capital = Dollars::from_value(at.capitalUsd * looseness); break;
            case size::SizeLimit::YearlyCost:
                limits.plan.yearlyCost = Dollars::from_value(at.yearlyUsd * looseness);
                break;
            case size::SizeLimit::Power:
                limits.plan.facilityPower = Watts::from_value(at.facilityWatts * looseness);
                break;
            case size::SizeLimit::Carbon: limits.carbon = KilogramsCo2e::from_value(at.carbonKg * looseness); break;
            case size::SizeLimit::Goodput:
                limits.minGoodput = std::min(0.999, at.goodput * std::pow(least, 0.02));
                break;
            case size::SizeLimit::Delivery:
                limits.deliveryBy = *asked.order + std::chrono::days(int(20 + 200 * looseness));
                break;
            case size::SizeLimit::Mfu: limits.plan.minMfu = std::min(0.99, 0.4 * least); break;
            case size::SizeLimit::Chance: limits.deadlineChance = std::min(0.999, 0.9 * least); break;
            }
            const auto result = size::run(asked, shipped(), range, {}).value();
            const auto *best = result.best();
            QVERIFY2(best || std::isinf(before), qPrintable(QString::number(looseness)));
            if (!best)
                continue;
            const double value = size::valueOf(document.objective, best->figures);
            QVERIFY2(value <= before * (1 + layoutsearch::indistinguishable), qPrintable(QString::number(looseness)));
            changes += value < before ? 1 : 0;
            before = std::min(before, value);
        }
        QVERIFY(changes > 0);
    }
};

FLEETWRIGHT_TEST(SizingLimitsTest)
#include "tst_sizinglimits.moc"
