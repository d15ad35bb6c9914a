// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplevalidation.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::validation;

class BreakdownTest : public QObject {
    Q_OBJECT
private slots:
    void everyGroupingAsksItsOwnFigures();
    void groupsHaveFiguresAndPercentiles();
    void missesAreOrderedBySize();
    void placesAreCounted();
    void equalTimesShareAPlace();
    void runsThatCannotBeReadSayWhy();
};

void BreakdownTest::everyGroupingAsksItsOwnFigures()
{
    const auto of = samplescores::scoredBy("detailed");
    QCOMPARE(&figuresBy(of, Grouping::Source), &of.sources);
    QCOMPARE(&figuresBy(of, Grouping::Kind), &of.kinds);
    QCOMPARE(&figuresBy(of, Grouping::Family), &of.families);
    QCOMPARE(&figuresBy(of, Grouping::Accelerator), &of.accelerators);
    QCOMPARE(&figuresBy(of, Grouping::Size), &of.sizes);
    QCOMPARE(&figuresBy(of, Grouping::Parallelism), &of.parallelisms);
    QCOMPARE(&figuresBy(of, Grouping::Precision), &of.precisions);
    for (const auto grouping : allGroupings)
        QVERIFY(!title(grouping).empty());
}

void BreakdownTest::groupsHaveFiguresAndPercentiles()
{
    const auto groups = breakdown(samplescores::scoredBy("detailed"), samplescores::places(), Grouping::Source);
    QCOMPARE(groups.size(), 2UZ);
    QCOMPARE(QString::fromStdString(groups[0].group), QStringLiteral("beta-2024")); // the larger median error first
    QCOMPARE(groups[0].low, 1.0); // one run: no spread
    QCOMPARE(groups[0].high, 1.0);
    QCOMPARE(groups[1].figures.count, 5);
    // Errors -0.1, 0, 0.05, 0.1, 0.1: the 10th percentile lies 0.4 of the way from the first to the second.
    QVERIFY(std::abs(groups[1].low - -0.06) < 1e-12);
    QVERIFY(std::abs(groups[1].middle - 0.05) < 1e-12);
    QVERIFY(std::abs(groups[1].high - 0.1) < 1e-12);
    QVERIFY(breakdown({}, {}, Grouping::Source).empty());
}

void BreakdownTest::missesAreOrderedBySize()
{
    auto of = samplescores::scoredBy("detailed");
    of.runs[4].timed = false;
    const auto order = byError(of);
    QCOMPARE(order.size(), 5UZ);
    QCOMPARE(order.front(), 5UZ);
    QCOMPARE(order.back(), 1UZ);
}

void BreakdownTest::placesAreCounted()
{
    auto of = samplescores::scoredBy("detailed");
    of.runs[0].predicted = 3.0 * second; // predicted third: after runs 2 and 3
    const auto rows = ranked(of, of.groups[0]);
    QCOMPARE(rows.size(), 5UZ);
    for (int i = 0; i < 5; ++i)
        QCOMPARE(rows[std::size_t(i)].measuredPlace, i + 1);
    QCOMPARE(rows[0].predictedPlace, 3);
    QCOMPARE(rows[1].predictedPlace, 1);
}

void BreakdownTest::equalTimesShareAPlace()
{
    auto of = samplescores::scoredBy("detailed");
    of.runs[1].measured = of.runs[0].measured;
    const auto rows = ranked(of, of.groups[0]);
    QCOMPARE(rows[0].measuredPlace, 1);
    QCOMPARE(rows[1].measuredPlace, 1);
    QCOMPARE(rows[2].measuredPlace, 3);
}

void BreakdownTest::runsThatCannotBeReadSayWhy()
{
    const std::vector<MeasuredRun> runs{MeasuredRun{.id = "empty"}};
    const auto found = placesOf(runs);
    QCOMPARE(found.size(), 1UZ);
    QVERIFY(!found[0].skipped.empty());
    QVERIFY(found[0][Grouping::Source].empty());
}

FLEETWRIGHT_TEST(BreakdownTest)
#include "tst_breakdown.moc"
