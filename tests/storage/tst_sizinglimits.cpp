// SPDX-License-Identifier: GPL-3.0-or-later
// What a decision is limited by: all limits, the chance of the deadline, and fleets that never do.
#include "solver/search/recommendation.h"
#include "solver/size/decisionrisk.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace sizingtesting;

class SizingLimitsTest : public QObject {
    Q_OBJECT

private slots:
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
        QVERIFY(with(document).best()->figures.deadlineChance >= 0.9);
        document.limits.plan.facilityPower = Watts::from_value(power->needed * (1 - 1e-6));
        QVERIFY(!with(document).best());
    }
};

FLEETWRIGHT_TEST(SizingLimitsTest)
#include "tst_sizinglimits.moc"
