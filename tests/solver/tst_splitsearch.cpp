// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/splitsearch.h"
#include "solver/models/firstorder/firstordermodel.h"
#include "solver/sampleplan.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>

using namespace fleetwright;

namespace {

firstorder::Inputs inputsOf(const PlanFacts &facts)
{
    return firstorder::inputsFrom(facts.workload, facts.fleet, facts.training, facts.assumptions).value();
}

Expected<SplitRanking> search(const PlanFacts &facts, const std::stop_token &stop = {})
{
    return splitSearch(facts.workload, facts.fleet, facts.training, facts.assumptions, stop);
}

} // namespace

class SplitSearchTest : public QObject {
    Q_OBJECT
private slots:
    void ranksWhatFits_data();
    void ranksWhatFits();
    void planSearchOverlaps();
    void nothingFitsIsAnAnswer();
    void refusesInPlanTerms();
    void cancelled();
};

void SplitSearchTest::ranksWhatFits_data()
{
    QTest::addColumn<bool>("unsharded");
    QTest::newRow("replica") << false;
    QTest::newRow("unsharded") << true;
}

/// The obvious version: every TP and PP, each priced and judged by itself.
void SplitSearchTest::ranksWhatFits()
{
    QFETCH(const bool, unsharded);
    auto facts = sampleplan::plan();
    auto inputs = inputsOf(facts);
    inputs.overlap = true;
    if (unsharded)
        inputs.variant = firstorder::Variant::Unsharded;
    const auto ranking = splitSearch(inputs).value();

    const firstorder::Pricer pricer(inputs);
    double best = 0;
    std::int64_t kept = 0;
    std::int64_t candidates = 0;
    for (std::int64_t tp = 1; tp <= 256; ++tp) {
        for (std::int64_t pp = 1; pp <= 256; ++pp) {
            const bool powers = (tp & (tp - 1)) == 0 && (pp & (pp - 1)) == 0;
            if (!powers || tp > 8 || 256 % (tp * pp) != 0)
                continue;
            ++candidates;
            const auto dp = 256 / (tp * pp);
            const auto microbatches = unsharded || pp == 1 ? 1 : std::max<std::int64_t>(1, 256 / dp);
            const auto figures = pricer.price({.tp = tp, .pp = pp, .microbatches = microbatches}).value();
            const bool fits = unsharded
                ? 16.0 * 70.6e9 / double(tp * pp) <= 0.9 * inputs.accelerator.memoryCapacity.value()
                : figures.fits;
            if (!fits)
                continue;
            ++kept;
            best = std::max(best, figures.scalingEfficiency * inputs.efficiency);
        }
    }
    QCOMPARE(ranking.candidates, candidates);
    QCOMPARE(ranking.kept, kept);
    QVERIFY(kept > 5);
    QCOMPARE(ranking.best()->mfu, best);
    QCOMPARE(ranking.top.size(), splitsRanked);
    QVERIFY(std::ranges::is_sorted(ranking.top, std::ranges::greater(), &RankedSplit::mfu));
    for (const auto &split : ranking.top)
        QCOMPARE(split.tp * split.pp * split.dp, std::int64_t{256});
}

void SplitSearchTest::planSearchOverlaps()
{
    const auto facts = sampleplan::plan();
    auto inputs = inputsOf(facts);
    QVERIFY(!inputs.overlap);
    inputs.overlap = true;
    QVERIFY(search(facts).value() == splitSearch(inputs).value());
}

void SplitSearchTest::nothingFitsIsAnAnswer()
{
    auto workload = sampleplan::workload();
    workload.parameters = workload.activeParameters = 1e15;
    const auto ranking = search(sampleplan::plan(sampleplan::fleet(), workload)).value();
    QCOMPARE(ranking.kept, std::int64_t{0});
    QVERIFY(ranking.candidates > 0);
    QVERIFY(!ranking.best());
}

void SplitSearchTest::refusesInPlanTerms()
{
    auto facts = sampleplan::plan();
    facts.assumptions.edited["efficiency"] = 2.0;
    const auto ranking = search(facts);
    QVERIFY(!ranking);
    QCOMPARE(int(ranking.error().code), int(ErrorCode::OutOfRange));
    QCOMPARE(ranking.error().field, std::string("assumptions.efficiency"));
}

void SplitSearchTest::cancelled()
{
    std::stop_source stop;
    stop.request_stop();
    const auto ranking = search(sampleplan::plan(), stop.get_token());
    QVERIFY(!ranking);
    QCOMPARE(int(ranking.error().code), int(ErrorCode::Cancelled));
}

FLEETWRIGHT_TEST(SplitSearchTest)
#include "tst_splitsearch.moc"
