// SPDX-License-Identifier: GPL-3.0-or-later
// What fleets of one hardware share, and what it is worth to learn first.
#include "risksample.h"
#include "testing/registry.h"

#include <QtTest>

#include <cmath>

using namespace fleetwright;
using namespace fleetwright::uncertainty;
using fleetwright::testing::answerOf;
using fleetwright::testing::enterRange;
using fleetwright::testing::nodePrice;
using fleetwright::testing::riskFleetOf;
using fleetwright::testing::runEntries;
using fleetwright::testing::stepTime;

class TestRiskSettling : public QObject {
    Q_OBJECT
private slots:
    /// Two prices of which one is wide and one narrow: the quote that settles is the wide one's.
    void aQuoteSettlesIt()
    {
        const auto answer = answerOf(
            {.fleets = {riskFleetOf("sure", runEntries({{"node_usd", 298e3, 300e3, 302e3, "s"}, stepTime(14, 0.01)})),
                 riskFleetOf("unsure", runEntries({nodePrice("u", "", 280e3), stepTime(14, 0.01)}))}});
        const auto &rank = *answer.rank;
        QVERIFY(!rank.drivers.empty() && !rank.settling.empty());
        QCOMPARE(answer.inputs[rank.drivers.front().input].source, std::string("u"));
        QVERIFY(rank.drivers.front().turns() && std::abs(rank.drivers.front().rankCorrelation) > 0.9);
        const auto &best = rank.settling.front();
        QCOMPARE(best.input, rank.drivers.front().input);
        QVERIFY(best.right.share > 0.9 && best.right.share > answer.fleets[rank.winner].best.share + 0.2);
        QVERIFY(best.worth && *best.worth > 0);
        QVERIFY(best.sentence.starts_with("A binding quote") && best.sentence.ends_with('.'));
        QCOMPARE(rank.settling.size(), std::size_t(1));
        QCOMPARE(rank.sentences.back(), best.sentence);
    }

    /// Nothing to settle where one is ahead in every draw.
    void nothingSettlesWhatIsSettled()
    {
        const auto answer = answerOf({.fleets = {riskFleetOf("cheap", runEntries({nodePrice("a", "", 50e3)})),
                                          riskFleetOf("dear", runEntries({nodePrice("b", "", 900e3)}))}});
        QCOMPARE(answer.fleets[0].best.share, 1.0);
        QVERIFY(answer.rank->settling.empty());
        QVERIFY(std::ranges::none_of(answer.rank->drivers, &RiskRank::Driver::turns));
    }

    /// Two narrow fleets share what the wide one leaves: each is the best less often, though it is ahead of it mostly.
    void aheadInVain()
    {
        RiskQuestion question{
            .fleets = {riskFleetOf("wide", runEntries({{"node_usd", 200e3, 302e3, 404e3, "w"}, stepTime(14, 0.001)})),
                riskFleetOf("one", runEntries({{"node_usd", 280e3, 298e3, 316e3, "o"}, stepTime(14, 0.001)})),
                riskFleetOf("two", runEntries({{"node_usd", 280e3, 298e3, 316e3, "t"}, stepTime(14, 0.001)}))}};
        const auto answer = answerOf(question);
        const auto &rank = *answer.rank;
        QCOMPARE(answer.fleets[rank.winner].label, std::string("wide"));
        QVERIFY(rank.ahead.share < 0.5);
        const auto &said = rank.sentences.front();
        QVERIFY2(said.ends_with(" of draws a third fleet is better then."), said.c_str());
        const auto &second = answer.fleets[rank.runnerUp];
        QVERIFY2(said.contains("; alone against it \u201c" + second.label + "\u201d is ahead in 5"), said.c_str());
        const auto vain = std::stoi(said.substr(said.find(", but in ") + std::string_view(", but in ").size()));
        QVERIFY(std::abs(vain / 100.0 - (1 - rank.ahead.share - second.best.share)) < 0.02);
        question.deadline = 1e4 * day;
        const auto limited = answerOf(question).rank->sentences.front();
        QVERIFY2(limited.ends_with(" of draws it misses a limit then, or a third fleet is better."), limited.c_str());
        question.fleets.pop_back(); // of two the one that is the best more often is ahead
        question.deadline.reset();
        const auto alone = answerOf(question).rank->sentences.front();
        QVERIFY2(alone.contains(" is ahead in 5") && !alone.contains("third"), alone.c_str());
    }

    /// Fleets of one hardware are off by the same step times, whoever pays: those of one fleet.
    void oneHardwareOneStepTime()
    {
        auto fleets = std::vector{riskFleetOf("bought", runEntries({nodePrice("q"), stepTime(14, 0.2)}), "Hopper"),
            riskFleetOf("rented", runEntries({nodePrice("q"), stepTime(14, 0.2)}), "Hopper"),
            riskFleetOf("another", runEntries({nodePrice("q"), stepTime(14, 0.2)}), "Hopper")};
        RiskQuestion question{.fleets = fleets};
        const double median = answerOf(question).fleets.front().spread(RiskFigure::Days)->quantiles.p50;
        question.deadline = median * day;
        const auto apart = answerOf(question);
        QVERIFY(apart.fleets[0].all->share != apart.fleets[1].all->share);
        for (const auto i : {0U, 1U})
            question.fleets[i].hardware = "16 nodes";
        const auto together = answerOf(question);
        QVERIFY(together.fleets[0].all->share > 0.4 && together.fleets[0].all->share < 0.6);
        QCOMPARE(together.fleets[1].all->share, together.fleets[0].all->share);
        QVERIFY(together.fleets[2].all->share != together.fleets[0].all->share);
        for (const auto &fleet : together.fleets) // of its own draws, whatever shares its hardware
            QCOMPARE(fleet.deadline->share, apart.fleets[0].deadline->share);
        QCOMPARE(together.inputs.size(), apart.inputs.size() - 1);
        // What two share is called what it is, not like the first of them.
        const auto labels = [](const RiskAnswer &answer) {
            std::vector<std::string> of;
            for (const auto &input : answer.inputs)
                if (input.kind == RiskInput::Kind::FleetStepTime)
                    of.push_back(input.label);
            return of;
        };
        for (auto &fleet : question.fleets)
            fleet.hardwareLabel = "16 nodes, the job";
        QCOMPARE(labels(answerOf(question)),
            (std::vector<std::string>{"Step time of 16 nodes, the job", "Step time of \u201canother\u201d"}));
    }

    /// Days of a fleet like a drawn one are its days times a factor in every draw.
    void daysOfTwins()
    {
        RiskQuestion question{.fleets = {riskFleetOf("drawn", runEntries({nodePrice("q"), stepTime(14, 0.2)}))}};
        const auto days = *answerOf(question).fleets.front().spread(RiskFigure::Days);
        question.deadline = days.quantiles.p50 * day;
        question.alike = {{0, 1.0}, {0, 1.05}, {0, 0.95}};
        const auto answer = answerOf(question);
        QCOMPARE(answer.alike.size(), 3UZ);
        const auto &drawn = answer.fleets.front();
        const auto share = [&](std::size_t i) { return answer.alike[i].deadline->share; };
        QCOMPARE(share(0), drawn.deadline->share);
        QVERIFY(share(1) < share(0) - 0.05 && share(2) > share(0) + 0.05);
        const auto &longer = *answer.alike[1].spread(RiskFigure::Days);
        QCOMPARE(longer.likely, 1.05 * days.likely);
        QCOMPARE(answer.alike[1].daysScaledBy, 1.05);
        QCOMPARE(drawn.daysScaledBy, 1.0);
        QCOMPARE(longer.byFormula, 1.05 * days.byFormula);
        QCOMPARE(longer.quantiles.p10, 1.05 * days.quantiles.p10);
        QCOMPARE(longer.quantiles.p50, 1.05 * days.quantiles.p50);
        QCOMPARE(longer.quantiles.p90, 1.05 * days.quantiles.p90);
        QCOMPARE(longer.histogram.from, 1.05 * days.histogram.from);
        QCOMPARE(longer.histogram.to, 1.05 * days.histogram.to);
        QVERIFY(longer.histogram.counts == days.histogram.counts);
        auto alone = question; // those beside change nothing
        alone.alike.clear();
        QVERIFY(answerOf(alone).fleets == answer.fleets);
    }

    /// A step that was measured is not what to measure first: more runs of it are, and why, and what else there is.
    void whatIsMeasuredIsNotMeasuredFirst()
    {
        RiskQuestion question{
            .fleets = {riskFleetOf("measured", runEntries({nodePrice("q", "", 200e3), stepTime(14, 0.3)})),
                riskFleetOf("other", runEntries({{"node_usd", 290e3, 300e3, 310e3, "o"}, stepTime(13, 0.02)}))},
            .objective = RiskFigure::Days};
        const auto first = [&] { return answerOf(question).rank->firstToLearn(); };
        const auto before = first();
        QVERIFY2(before.starts_with("A measured step on \u201cmeasured\u201d would make"), before.c_str());
        // What is chosen now is the first, however often another one is the best.
        const auto answer = answerOf(question);
        QCOMPARE(answer.rank->winner, std::size_t(1));
        const auto now = "of draws instead of " + std::to_string(std::lround(100 * answer.fleets[0].best.share));
        QVERIFY2(before.contains(now), before.c_str());
        question.fleets[0].stepRuns = {.all = 2, .same = 0, .further = 0.9};
        const auto elsewhere = first();
        QCOMPARE(elsewhere, before + " No measured run of this project is of its nodes, layout and batch.");
        question.fleets[0].runOtherwise = "One is of another layout.";
        QCOMPARE(first(), before + " One is of another layout.");
        question.fleets[0].stepRuns = {.all = 2, .same = 1, .further = 0.9};
        const auto measured = first();
        QVERIFY2(measured.starts_with("More measured runs of the step on \u201cmeasured\u201d would make the choice "
                                      "right in at most "),
            measured.c_str());
        QVERIFY2(measured.contains(" One run of it is known already, and single runs scatter: one more makes its range "
                                   "10\u00a0% narrower."),
            measured.c_str());
        // The step of the other is known to 2 %: it turns nothing.
        QVERIFY2(
            measured.ends_with(" Nothing else would make it safer by more than chance explains."), measured.c_str());
        QVERIFY2(!measured.contains("Not measured yet: ") && !measured.contains("Next: "), measured.c_str());
        QCOMPARE(answerOf(question).rank->sentences.back(), measured);
        // With a wide range it is what to measure next.
        enterRange(question.fleets[1].runs.front(), stepTime(13, 0.2));
        const auto rank = *answerOf(question).rank;
        QVERIFY(rank.settling.size() > 1);
        QVERIFY(rank.settling[0].isMeasured && !rank.settling[1].isMeasured);
        QVERIFY2(rank.settling[1].sentence.starts_with("A measured step on \u201cother\u201d would make"),
            rank.settling[1].sentence.c_str());
        QCOMPARE(rank.firstToLearn(), rank.settling[0].sentence + " Not measured yet: " + rank.settling[1].sentence);
    }

    /// A price is quoted, not measured; what runs tell is worth no more than to know the step exactly.
    void aQuoteIsNoMeasurement()
    {
        RiskQuestion question{.fleets = {riskFleetOf("measured", runEntries({stepTime(14, 0.4)})),
                                  riskFleetOf("other", runEntries({{"node_usd", 200e3, 300e3, 400e3, "o"}}))}};
        question.fleets[0].stepRuns = {.all = 1, .same = 1, .further = 0.9};
        const auto answer = answerOf(question);
        const auto &rank = *answer.rank;
        QVERIFY(rank.settling.size() > 1);
        const auto &step = rank.settling[0], &quote = rank.settling[1];
        QVERIFY(step.isMeasured && answer.inputs[quote.input].kind == RiskInput::Kind::Price);
        QVERIFY2(step.sentence.contains(", worth at most ") && step.sentence.contains(" on average. One run of it"),
            step.sentence.c_str());
        QVERIFY2(quote.sentence.starts_with("A binding quote (") && quote.sentence.contains(", worth "),
            quote.sentence.c_str());
        QVERIFY2(!quote.sentence.contains("at most"), quote.sentence.c_str());
        QCOMPARE(rank.firstToLearn(), step.sentence + " Next: " + quote.sentence);
        // Of the fleet whose step was measured, too.
        question.fleets = {riskFleetOf("measured", runEntries({{"node_usd", 200e3, 300e3, 400e3, "q"}})),
            riskFleetOf("other", runEntries({}))};
        question.fleets[0].stepRuns = {.all = 1, .same = 1, .further = 0.9};
        const auto own = answerOf(question);
        const auto &settling = own.rank->settling;
        QCOMPARE(settling.size(), 1UZ);
        QVERIFY(own.inputs[settling[0].input].kind == RiskInput::Kind::Price && !settling[0].isMeasured);
        QVERIFY2(!settling[0].sentence.contains("at most"), settling[0].sentence.c_str());
    }

    /// What two fleets share is named in quotation marks, as a fleet is.
    void sharedHardwareIsQuoted()
    {
        RiskQuestion question{
            .fleets = {riskFleetOf("bought", runEntries({{"node_usd", 299e3, 300e3, 301e3, "q"}, stepTime(14, 0.3)})),
                riskFleetOf("dearer", runEntries({{"node_usd", 399e3, 400e3, 401e3, "r"}, stepTime(14, 0.3)})),
                riskFleetOf("other", runEntries({{"node_usd", 299e3, 300e3, 301e3, "o"}, stepTime(14, 0.02)}))}};
        for (const auto i : {0U, 1U}) {
            question.fleets[i].hardware = "16 nodes";
            question.fleets[i].hardwareLabel = "16 nodes, the job";
        }
        const auto first = answerOf(question).rank->firstToLearn();
        QVERIFY2(first.starts_with("A measured step on \u201c16 nodes, the job\u201d would make "), first.c_str());
    }
};

FLEETWRIGHT_TEST(TestRiskSettling)
#include "tst_risksettling.moc"
