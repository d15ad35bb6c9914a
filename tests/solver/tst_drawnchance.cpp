// SPDX-License-Identifier: GPL-3.0-or-later
// The chance of the deadline by draws.
#include "solver/sizesample.h"
#include "testing/registry.h"

#include "solver/size/decisionrisk.h"
#include "solver/size/drawndays.h"

#include <QTest>

#include <limits>

using namespace fleetwright;
using namespace fleetwright::size;

class TestDrawnChance : public QObject {
    Q_OBJECT

private slots:
    void sharesOfTheDraws();
    void theDrawsSayWhatIsShown();
    void onlyWhatIsNearIsInDoubt();
};

/// The least days of a chance are days of that chance, and none fewer are.
void TestDrawnChance::sharesOfTheDraws()
{
    std::vector<double> days;
    for (int i = 1000; i > 0; --i)
        days.push_back(i <= 990 ? 20 + 0.01 * i : std::numeric_limits<double>::infinity());
    const DrawnDays drawn(days);
    QCOMPARE(drawn.chanceOf(20), 0.0);
    QCOMPARE(drawn.chanceOf(25), 0.5);
    QCOMPARE(drawn.chanceOf(1e9), 0.99);
    for (const double chance : {0.001, 0.1, 0.5, 0.8995, 0.9, 0.99}) {
        const double least = drawn.daysFor(chance);
        QVERIFY(drawn.chanceOf(least) >= chance);
        QVERIFY(drawn.chanceOf(least * (1 - 1e-9)) < chance);
    }
    QCOMPARE(drawn.daysFor(0.995), std::numeric_limits<double>::infinity());
}

void TestDrawnChance::theDrawsSayWhatIsShown()
{
    auto document = sizesample::question();
    auto best = *sizesample::feasible().best();
    best.figures.deadlineChance = 0.905; // by the range of the step time
    uncertainty::FleetRisk risk;
    risk.deadline.emplace().share = 0.898;
    QCOMPARE(asDrawn(document, best, &risk).figures.deadlineChance, 0.898);
    QCOMPARE(asDrawn(document, best, nullptr).figures.deadlineChance, 0.905);
    document.limits.deadlineChance = 0.9; // it was chosen by its draws: those of its likes are not its own
    QCOMPARE(asDrawn(document, best, &risk).figures.deadlineChance, 0.905);
}

void TestDrawnChance::onlyWhatIsNearIsInDoubt()
{
    auto document = sizesample::question();
    QVERIFY(!isInDoubt(FleetJudge(document), 0.9));
    document.limits.deadlineChance = 0.9;
    const FleetJudge judge(document);
    QVERIFY(isInDoubt(judge, 0.85) && isInDoubt(judge, 0.95));
    QVERIFY(!isInDoubt(judge, 0.5) && !isInDoubt(judge.without(SizeLimit::Chance), 0.05));
}

FLEETWRIGHT_TEST(TestDrawnChance)
#include "tst_drawnchance.moc"
